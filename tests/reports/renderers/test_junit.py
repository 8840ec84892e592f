"""JUnit XML: the shape that Jenkins' schema and GitLab ask for, and one case a measure."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judged
from ragstone.gate import Comparison, compare
from ragstone.reports.renderers.junit import Case, _document, render, render_error

# The attributes and children of the Jenkins xunit plugin's schema that a reader may rely on.
CHILDREN = {"skipped", "error", "failure", "system-out", "system-err"}
SUITE = {"name", "tests", "failures", "errors", "skipped", "time"}


def read(text: str) -> dict[str, ET.Element]:
    """Parse a document, check its shape, and return its cases by name."""
    root = ET.fromstring(text.encode())
    assert root.tag == "testsuites"
    assert set(root.attrib) <= SUITE - {"skipped"}
    [suite] = root
    assert suite.tag == "testsuite"
    assert set(suite.attrib) == SUITE
    cases = [each for each in suite if each.tag == "testcase"]
    assert [each.tag for each in suite if each.tag != "testcase"] in ([], ["system-out"])
    for case in cases:
        assert set(case.attrib) == {"classname", "name", "time"}
        assert {each.tag for each in case} <= CHILDREN
        assert len([each for each in case if each.tag in {"skipped", "error", "failure"}]) <= 1
        float(case.attrib["time"])
    for element, tally in ((root, ("failure", "error")), (suite, ("failure", "error", "skipped"))):
        assert int(element.attrib["tests"]) == len(cases)
        for kind in tally:
            counted = sum(case.find(kind) is not None for case in cases)
            name = kind if kind == "skipped" else f"{kind}s"
            assert int(element.attrib[name]) == counted
    found = {case.attrib["name"]: case for case in cases}
    assert len(found) == len(cases)
    return found


def outcome(case: ET.Element) -> str:
    """Return the tag of the child that says the case did not pass, or nothing."""
    return next((each.tag for each in case if each.tag in {"skipped", "error", "failure"}), "")


@pytest.mark.parametrize(
    ("comparison", "expected"),
    [
        (judged.passing(), {"nDCG@10": "", "Judged@10": "skipped"}),
        (judged.failing(), {"nDCG@10": "failure", "AP@10": "", "Judged@10": "skipped"}),
        (judged.not_significant(), {"RR@10": ""}),
        (judged.undecided(), {"RR@10": "error"}),
        (judged.incomparable(), {"RR@10": "failure", "Judged@10": "skipped"}),
        (judged.passing(floors=["Judged@10=0.5"]), {"nDCG@10": "", "Judged@10": ""}),
        (judged.failing(budgets=["ndcg=off"], floors=["ndcg=0.5"]), {
            "nDCG@10": "failure", "AP@10": "", "Judged@10": "skipped"}),
        (judged.advisory(), {"RR@10": "skipped"}),
        (judged.advisory(floors=["RR=0.9"], max_item_drops=["RR=0.1"]), {"RR@10": "skipped"}),
        (judged.dropped(), {"RR@10": "failure", "RR@10:p50": ""}),
        (judged.passing(budgets=["nDCG@10:p95=9"]), {
            "nDCG@10": "", "nDCG@10:p95": "error", "Judged@10": "skipped"}),
        (judged.passing(floors=["nDCG@10:p95=0"]), {
            "nDCG@10": "", "nDCG@10:p95": "error", "Judged@10": "skipped"}),
    ],
    ids=["pass", "fail", "not significant", "undecided", "incomparable", "floor", "below floor",
         "advisory", "advisory though asked for", "a single query", "too few for a budget",
         "too few for a floor"],
)  # fmt: skip
def test_one_case_a_measure(comparison: Comparison, expected: dict[str, str]) -> None:
    cases = read(render(comparison))
    assert {name: outcome(case) for name, case in cases.items()} == expected


def test_what_was_asked_of_an_advisory_measure_is_said_not_to_be_applied() -> None:
    text = render(judged.advisory(floors=["RR=0.9"], budgets=["RR=1"]))
    skipped = read(text)["RR@10"].find("skipped")
    assert skipped is not None
    assert skipped.attrib["type"] == "advisory"
    assert "--floor RR@10=0.9, --budget RR=1% not applied" in skipped.attrib["message"]
    assert ">PASS, but RR@10 is advisory (no calibration): --floor RR@10=0.9, " in text


def test_a_failure_names_measure_values_budget_and_p() -> None:
    failure = read(render(judged.failing()))["nDCG@10"].find("failure")
    assert failure is not None
    assert failure.attrib["type"] == "budget_exceeded"
    assert "nDCG@10 fell from 1 to 0 (-100%), over its budget of 2%" in failure.attrib["message"]
    assert "baseline 1.0000, candidate 0.0000, change -100.00%, budget 2%, p 0.0005" in (
        failure.text or ""
    )


def test_what_is_advisory_is_skipped_and_says_why() -> None:
    skipped = read(render(judged.advisory()))["RR@10"].find("skipped")
    assert skipped is not None
    assert skipped.attrib["type"] == "advisory"
    assert skipped.attrib["message"] == (
        "RR@10: advisory, shown but unable to fail this comparison: no calibration says how far m "
        "with prompt p agrees with people; "
        "over its budget of 2%, but it cannot fail: it is advisory"
    )


def test_what_was_not_compared_is_skipped_and_says_why() -> None:
    before = judged.scores({"Judged": [1.0], "AP": [0.0]})
    after = judged.scores({"Judged": [1.0], "AP": [0.0], "RR": [1.0]})
    cases = read(render(compare(before, after)))
    assert {name: outcome(case) for name, case in cases.items()} == dict.fromkeys(
        ("AP", "RR", "Judged"), "skipped"
    )
    skipped = cases["RR"].find("skipped")
    assert skipped is not None
    assert skipped.attrib["type"] == "not_comparable"
    assert skipped.attrib["message"].startswith("only the candidate has RR")


def test_a_verdict_that_no_measure_carries_is_a_case() -> None:
    before, after = (judged.scores({"Judged@10": [1.0]}, [name]) for name in "ab")
    cases = read(render(compare(before, after)))
    assert outcome(cases["Judged@10"]) == "skipped"
    assert outcome(cases["verdict"]) == "failure"


def test_an_error_is_a_case_too() -> None:
    [case] = read(render_error("InputError", "a.json: no such file")).values()
    error = case.find("error")
    assert error is not None
    assert (error.attrib["type"], error.text) == ("InputError", "a.json: no such file")


@given(st.text(alphabet=st.characters(codec="utf-8")), st.text())
def test_any_text_makes_a_document(name: str, said: str) -> None:
    text = _document([Case(name, "failure", "t", said)], said)
    [case] = read(text.encode("utf-8", "backslashreplace").decode()).values()
    assert outcome(case) == "failure"


def test_markup_and_control_characters_do_not_come_through() -> None:
    text = _document([Case('<a b="c"> & ]]>', "failure", "t", "x\0y\x1b[31m\n'z'")])
    case = read(text)['<a b="c"> & ]]>']
    failure = case.find("failure")
    assert failure is not None
    assert failure.attrib["message"] == "xy[31m\n'z'"
