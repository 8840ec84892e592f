"""A comparison as JUnit XML: one test case a measure, as Jenkins, GitLab and others read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from msgspec import Struct

from ragstone.gate import Comparison, MeasureComparison, Reason
from ragstone.reports import numbers
from ragstone.reports.renderers.compare import headline

SUITE = "ragstone.compare"
VERDICT = "verdict"
_FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OUTCOMES = {"fail": "failure", "inconclusive": "error"}


class Case(Struct, frozen=True):
    """One test case. outcome is the child that says it did not pass, with its type and text."""

    name: str
    outcome: str = ""
    type: str = ""
    said: str = ""
    numbers: str = ""


def render(comparison: Comparison) -> str:
    """Draw a comparison: over budget or below its floor is a failure, undecided an error.

    A measure that no budget or floor limits is skipped. Where the verdict is about no measure
    in particular, one more case says so.
    """
    cases = [_case(comparison, each) for each in comparison.measures]
    demanded = _OUTCOMES.get(comparison.verdict)
    if demanded and not any(case.outcome == demanded for case in cases):
        reason = next(each for each in comparison.reasons if each.effect == comparison.verdict)
        cases.append(Case(VERDICT, demanded, reason.code, reason.message))
    return _document(cases, str(headline(comparison)))


def render_error(kind: str, message: str) -> str:
    """Draw that there was no comparison: one case with an error."""
    return _document([Case(VERDICT, "error", kind, message)])


def _case(comparison: Comparison, each: MeasureComparison) -> Case:
    about = [reason for reason in comparison.reasons if _about(reason, each)]
    reasons = [reason for reason in about if reason.code in each.reasons]
    grave = [reason for reason in reasons if reason.effect != "note"]
    told = "; ".join(reason.message for reason in grave or reasons)
    said = "; ".join(filter(None, [told, *(note for note in each.notes if note not in told)]))
    limited = each.limited or (grave and each.budgeted)  # it fails if it cannot be compared
    if not limited and each.result not in _OUTCOMES:
        return Case(each.name, "skipped", each.result, said or "not gated", _numbers(each))
    if grave:
        outcome = _OUTCOMES[grave[0].effect]
        return Case(each.name, outcome, grave[0].code, said, _numbers(each))
    return Case(each.name, said=said, numbers=_numbers(each))


def _about(reason: Reason, each: MeasureComparison) -> bool:
    return reason.about(each.name) or reason.about(each.measure)


def _numbers(each: MeasureComparison) -> str:
    p_value = each.evidence.p_value if each.evidence else None
    return (
        f"baseline {numbers.value(each.baseline, each.unit)}, "
        f"candidate {numbers.value(each.candidate, each.unit)}, "
        f"change {numbers.percent(each.change_pct)}, budget {each.budget or 'none'}, "
        f"p {numbers.p_value(p_value)}"
    )


def _document(cases: Sequence[Case], said: str = "") -> str:
    outcomes = [case.outcome for case in cases]
    tally = {
        "name": SUITE,
        "tests": str(len(cases)),
        "failures": str(outcomes.count("failure")),
        "errors": str(outcomes.count("error")),
        "time": "0",
    }
    root = ET.Element("testsuites", tally)
    suite = ET.SubElement(root, "testsuite", {**tally, "skipped": str(outcomes.count("skipped"))})
    for case in cases:
        _add(suite, case)
    _text(suite, "system-out", said)
    ET.indent(root)
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _add(suite: ET.Element, case: Case) -> None:
    attributes = {"classname": SUITE, "name": _clean(case.name), "time": "0"}
    added = ET.SubElement(suite, "testcase", attributes)
    lines = "\n".join(filter(None, [case.said, case.numbers]))
    if case.outcome:
        about = {"type": case.type, "message": _clean(case.said)}
        ET.SubElement(added, case.outcome, about).text = _clean(lines)
    else:
        _text(added, "system-out", lines)


def _text(parent: ET.Element, tag: str, text: str) -> None:
    if text:
        ET.SubElement(parent, tag).text = _clean(text)


def _clean(text: str) -> str:
    """Leave out what XML 1.0 cannot hold at all.

    >>> _clean("a\\x00b\\x1bc")
    'abc'
    """
    return _FORBIDDEN.sub("", text)
