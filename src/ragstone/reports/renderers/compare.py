"""What a person sees of a comparison: the verdict first, then why, then the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import count, listed
from ragstone.gate import (
    Comparison,
    Evidence,
    FloorResult,
    ItemLimit,
    MeasureComparison,
    Reason,
)
from ragstone.reports import numbers
from ragstone.reports.renderers.page import Page, Table, Text, Tone, not_applied, shorten
from ragstone.reports.renderers.score import floor_line

TONES = {
    "pass": Tone.GOOD,
    "fail": Tone.BAD,
    "inconclusive": Tone.WARNING,
    "not_comparable": Tone.BAD,
    "not_significant": Tone.WARNING,
    "advisory": Tone.QUIET,
    "not_gated": Tone.QUIET,
}
RESULTS = {
    "fail": "FAIL",
    "not_significant": "pass (not significant)",
    "not_gated": "not gated",
    "not_comparable": "not comparable",
}
TESTS = {
    "permutation": "permutation",
    "t-test": "t-test",
    "mcnemar": "McNemar",
    "bootstrap": "bootstrap",
}
NEVER = "this comparison cannot fail"
EFFECT_TONES = {"fail": Tone.BAD, "inconclusive": Tone.WARNING, "note": Tone.QUIET}


MOST, MOST_NAMES = 20, 8
"""How many reasons or notes are shown, and how many names of measures the headline has."""


def page(comparison: Comparison) -> Page:
    """Draw the verdict, the measures, the reasons, the evidence and the regressed queries."""
    blocks: list[Text | Table] = []
    if comparison.measures:
        blocks.append(_measures(comparison))
    blocks += [floor_line(each) for each in comparison.floors if not each.failed]
    blocks += _most(_reasons(comparison), "reason")
    blocks += _most([Text(note, Tone.WARNING) for note in _notes(comparison)], "note")
    if any(each.evidence for each in comparison.measures):
        blocks.append(_evidence(comparison))
    if comparison.most_regressed:
        blocks.append(_regressed(comparison))
    if more := _more(comparison):
        blocks.append(Text(more, Tone.QUIET))
    return Page(headline(comparison), tuple(blocks))


def headline(comparison: Comparison) -> Text:
    """Say the verdict and what it rests on in one line."""
    verdict = comparison.verdict
    found = f"{_found(comparison)} ({count(comparison.counts.pairs, 'query')} compared)"
    advisory = [each for each in comparison.measures if each.advisory]
    but = not_applied((each.name, each.advisory, each.not_applied) for each in advisory)
    if verdict == "pass" and but:
        return Text(f"PASS, but {but}; {found}", Tone.WARNING)
    return Text(f"{verdict.upper()}: {found}", TONES[verdict])


def _found(comparison: Comparison) -> str:
    """Say what got worse or is too low, else what is in the way, else that nothing is."""
    worse = [each.name for each in comparison.measures if "budget_exceeded" in each.reasons]
    missed = [floor for floor in comparison.floors if floor.failed]
    low = [floor.name for floor in missed if floor.bound == "at least"]
    high = [floor.name for floor in missed if floor.bound == "at most"]
    found = (
        (worse, "got worse beyond what is allowed"),
        (_dropped(comparison), "got worse beyond what is allowed of a single item"),
        (low, "is below its floor" if len(low) == 1 else "are below their floors"),
        (high, "is above its ceiling" if len(high) == 1 else "are above their ceilings"),
    )
    failed = [f"{listed(names, MOST_NAMES)} {what}" for names, what in found if names]
    demanding = [reason for reason in comparison.reasons if reason.effect != "note"]
    if failed:
        return "; ".join(failed)
    if demanding:
        return _in_the_way(comparison, demanding[0])
    gated, floors = len(comparison.gated), len(_held(comparison.floors))
    held = f", {count(floors, 'floor')} held" if floors else ""
    if limits := len(_applied(comparison)):
        held += f", {count(limits, 'limit')} of single items held"
    within = f"{count(gated, 'gated measure')} within budget"
    return f"{within if gated else 'no measure is gated'}{held}"


def _in_the_way(comparison: Comparison, reason: Reason) -> str:
    if reason.effect == "inconclusive":
        return reason.code
    return f"not {'all is ' if comparison.counts.pairs else ''}comparable, {reason.code}"


def _dropped(comparison: Comparison) -> list[str]:
    """Return the measures under which an item got worse by more than one may, and so failed."""
    failed = {each.measure for each in comparison.measures if each.result == "fail"}
    return [
        limit.measure
        for limit in comparison.item_limits
        if not limit.passed and limit.measure in failed
    ]


def _applied(comparison: Comparison) -> list[ItemLimit]:
    """Return the limits of single items that can fail the comparison."""
    advisory = {each.measure for each in comparison.measures if each.advisory}
    return [limit for limit in comparison.item_limits if limit.measure not in advisory]


def _held(floors: Sequence[FloorResult]) -> list[FloorResult]:
    return [floor for floor in floors if not floor.waived]


def _reasons(comparison: Comparison) -> list[Text]:
    return [
        Text(f"{reason.code}: {reason.message}", EFFECT_TONES[reason.effect])
        for reason in comparison.reasons
    ]


def _most(lines: list[Text], noun: str) -> list[Text]:
    """Keep the gravest; say how many more the report has."""
    more = len(lines) - MOST
    if more <= 0:
        return lines
    return [*lines[:MOST], Text(f"and {count(more, f'more {noun}')} in the report")]


def _measures(comparison: Comparison) -> Table:
    heads = ("measure", "baseline", "candidate", "change", "budget", "p", "worse/better", "result")
    return Table.of(heads, [_row(each) for each in comparison.measures], left=["result"])


def _row(each: MeasureComparison) -> list[Text | str]:
    evidence = each.evidence
    return [
        each.name,
        numbers.value(each.baseline, each.unit),
        numbers.value(each.candidate, each.unit),
        _change(each),
        each.budget or "-",
        numbers.p_value(evidence.p_value) if evidence else "-",
        f"{evidence.worse}/{evidence.better}" if evidence else "-",
        _result(each),
    ]


def _change(each: MeasureComparison) -> str:
    """Show a change in what its budget is in: percent, or units of the measure."""
    if not each.comparable:
        return "-"
    if (each.budget or "").endswith("abs"):
        return numbers.change(each.change, each.unit)
    return numbers.percent(each.change_pct)


def _result(each: MeasureComparison) -> Text:
    said = RESULTS.get(each.result, each.result)
    if each.result == "not_gated" and each.without_percent:
        said = f"{said} (baseline 0)"
    if each.waived and each.over_budget:
        return Text(f"{said} (over budget)", Tone.WARNING)
    return Text(said, TONES[each.result])


def _evidence(comparison: Comparison) -> Table:
    heads = ("measure", "change", "95% interval", "effect size", "detectable", "test")
    rows = [_evidence_row(each, each.evidence) for each in comparison.measures if each.evidence]
    title = "Evidence (change and detectable change in units of the measure; 80% power)"
    return Table.of(heads, rows, title, left=["test"])


def _evidence_row(each: MeasureComparison, evidence: Evidence) -> list[Text | str]:
    size = evidence.effect_size
    low, high = evidence.interval or (None, None)
    return [
        each.name,
        numbers.change(each.change, each.unit),
        numbers.interval(low, high, each.unit),
        numbers.NOTHING if size is None else f"{size:+.2f}",
        numbers.amount(evidence.detectable, each.unit),
        _tested(evidence),
    ]


def _tested(evidence: Evidence) -> str:
    """Name the test of the p-value; where all sign patterns were counted it is exact."""
    if evidence.p_value is None:
        return "-"
    exact = evidence.exact and evidence.test in {"permutation", "mcnemar"}
    return f"{TESTS[evidence.test]}, exact" if exact else TESTS[evidence.test]


def _notes(comparison: Comparison) -> list[str]:
    said = " ".join(reason.message for reason in comparison.reasons)
    notes = [
        (each.name, note)
        for each in comparison.measures
        for note in each.notes
        if not each.waived or each.waived not in note  # the result says it, and a reason why
    ]
    others = {
        "a floor": _held(comparison.floors),
        "a limit of single items": _applied(comparison),
    }
    left = [noun for noun, held in others.items() if held]
    fails = f"only {' or '.join(left)} can fail this comparison" if left else NEVER
    gated = [] if comparison.gated else [f"no measure is gated: {fails}"]
    return gated + [f"{name}: {note}" for name, note in notes if note not in said]


def _regressed(comparison: Comparison) -> Table:
    units = {each.measure: each.unit for each in comparison.measures}
    unit = units.get(str(comparison.primary), "")
    rows = [
        (
            shorten(query.id),
            numbers.value(query.baseline, unit),
            numbers.value(query.candidate, unit),
            numbers.change(query.delta, unit),
        )
        for query in comparison.most_regressed
    ]
    title = f"Most regressed queries ({comparison.primary})"
    return Table.of(("query", "baseline", "candidate", "change"), rows, title)


def _more(comparison: Comparison) -> str:
    """Say how many queries got worse beyond those that are listed."""
    shown = len(comparison.most_regressed)
    more = comparison.counts.worse - shown
    return f"and {more:,} more" if shown and more > 0 else ""
