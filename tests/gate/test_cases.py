"""The gate cases: faults that people reported of other tools.

Each is tested on the data written here, and on its folder in ../shared/cases where that is.
"""

from __future__ import annotations

import csv
import json
import math
from array import array
from pathlib import Path
from typing import Any

import pytest

from ragstone.gate import Comparison, Evidence, compare
from ragstone.model import Column, Scores, Status

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases"

Sides = tuple[dict[str, float], dict[str, float]]

INLINE: dict[str, Sides] = {
    "52-p-value-never-zero": (
        {f"q{n:02}": 0.9 for n in range(40)},
        {f"q{n:02}": 0.1 for n in range(40)},
    ),
    "54-constant-drop-t-test": (
        dict.fromkeys(("q1", "q2", "q3", "q4"), 0.75),
        dict.fromkeys(("q1", "q2", "q3", "q4"), 0.5),
    ),
    "55-alpha-unreachable": (
        dict.fromkeys(("q1", "q2", "q3", "q4"), 1.0),
        dict.fromkeys(("q1", "q2", "q3", "q4"), 0.0),
    ),
    "59-zero-baseline": ({"q1": 0.0, "q2": 0.0}, {"q1": 0.0, "q2": 0.5}),
    "61-different-query-sets": ({"q1": 1.0, "q2": 0.0, "q3": 0.0}, {"q1": 1.0}),
}
NOT_NUMBERS = "57-nan-metric-must-not-pass"


def folder(name: str) -> Path:
    path = CASES / name
    if not path.is_dir():
        pytest.skip(f"../shared/cases/{name} is not beside this checkout")
    return path


def of_folder(name: str) -> Sides:
    baseline: dict[str, float] = {}
    candidate: dict[str, float] = {}
    with (folder(name) / "scores.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            for side, values in (("baseline", baseline), ("candidate", candidate)):
                if row[side]:
                    values[row["id"]] = float(row[side])
    return baseline, candidate


@pytest.fixture(params=["inline", "folder"])
def sides(request: pytest.FixtureRequest) -> Any:
    """Return a function from a case to its two sides."""
    return INLINE.__getitem__ if request.param == "inline" else of_folder


@pytest.fixture
def run(make: Any, sides: Any) -> Any:
    """Return a function that compares the two sides of a case under RR@10."""

    def compared(name: str, **options: Any) -> Comparison:
        baseline, candidate = (
            make({"RR@10": list(values.values())}, ids=list(values)) for values in sides(name)
        )
        return compare(baseline, candidate, **options)

    return compared


def evidence(found: Comparison, name: str = "RR@10") -> Evidence:
    measured = found[name].evidence
    assert measured is not None
    return measured


def test_52_p_is_never_0(run: Any) -> None:
    found = run("52-p-value-never-zero", permutations=10_000)
    assert not evidence(found).exact
    # two-sided: twice the one-sided 1/10001
    assert evidence(found).p_value == pytest.approx(2 / 10_001, rel=1e-12)
    assert evidence(found).smallest_p == pytest.approx(2 / 10_001, rel=1e-12)
    assert found.verdict == "fail"


def test_54_a_constant_drop_has_no_t_test(run: Any) -> None:
    found = run("54-constant-drop-t-test", alpha=0.05, test="t-test")
    assert evidence(found).p_value is None
    assert (evidence(found).p_value_other, evidence(found).permutations) == (0.125, 16)
    assert found.verdict == "fail"


@pytest.mark.parametrize("test", ["permutation", "t-test"])
def test_55_an_alpha_out_of_reach_does_not_switch_the_gate_off(run: Any, test: str) -> None:
    found = run("55-alpha-unreachable", alpha=0.05, test=test)
    assert found.verdict == "fail"
    assert found.exit_code == 4
    assert evidence(run("55-alpha-unreachable", alpha=0.05)).test_could_not_fail
    message = run("55-alpha-unreachable", alpha=0.05).reasons[0].message
    assert "its smallest p is 0.125, alpha is 0.05" in message


def test_59_a_zero_baseline_has_no_percent(run: Any) -> None:
    found = run("59-zero-baseline")
    measure = found["RR@10"]
    assert (measure.baseline, measure.candidate, measure.change) == (0.0, 0.25, 0.25)
    assert (measure.change_pct, measure.margin, measure.result) == (None, None, "not_gated")
    assert found.verdict == "pass"


def test_61_different_query_sets_fail(run: Any) -> None:
    found = run("61-different-query-sets")
    assert (found.verdict, found.exit_code) == ("fail", 4)
    assert found.reasons[0].code == "query_set_mismatch"
    assert "query sets differ: 2 only in baseline (q2, q3)" in found.reasons[0].message


def one_item(values: dict[str, float | None]) -> Scores:
    columns = {
        name: Column(
            array("d", [0.0 if value is None else value]),
            array("b", [Status.FAILED if value is None else Status.SCORED]),
        )
        for name, value in values.items()
    }
    return Scores(("q1",), columns)


@pytest.mark.parametrize("source", ["inline", "folder"])
def test_57_what_is_no_number_does_not_pass(source: str) -> None:
    baseline: dict[str, float | None] = {"recall": 0.8, "ndcg": 0.7}
    candidate: dict[str, float | None] = {"recall": math.nan, "ndcg": None}
    if source == "folder":
        path = folder(NOT_NUMBERS)
        baseline, candidate = (
            json.loads((path / f"{side}.json").read_text(encoding="utf-8"))
            for side in ("baseline", "candidate")
        )
    names = {"recall": "R@10", "ndcg": "nDCG@10"}
    old, new = (
        one_item({names[key]: value for key, value in side.items()})
        for side in (baseline, candidate)
    )
    found = compare(old, new)
    assert (found.verdict, found.exit_code) == ("fail", 4)
    assert [reason.code for reason in found.reasons] == ["measure_missing", "measure_missing"]
    messages = " / ".join(reason.message for reason in found.reasons)
    assert "R@10 is not a finite number" in messages
    assert "nDCG@10 has no value in the candidate" in messages
    assert {measure.result for measure in found.measures} == {"not_comparable"}
    assert compare(new, old).verdict == "fail"


def test_a_gated_measure_that_one_report_lacks_is_the_same() -> None:
    found = compare(one_item({"R@10": 0.8, "nDCG@10": 0.7}), one_item({"R@10": 0.8}))
    assert found.verdict == "fail"
    assert found.reasons[0].code == "measure_missing"


def test_4_of_8_queries_lost_fail_under_alpha(make: Any) -> None:
    """The fixture of toolkit-rag-quality's action, which passes there with p = 0.125."""
    old, new = make({"R@5": [1.0] * 8}), make({"R@5": [1.0, 0.0] * 4})
    found = compare(old, new, alpha=0.05)
    assert evidence(found, "R@5").p_value == 0.125
    assert found.verdict == "fail"
