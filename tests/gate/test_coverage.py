"""Where other items count than before, a pass is not believed unless the policy allows it."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import ExitCode
from ragstone.gate import Comparison, Tally, compare
from ragstone.model import Cell, Status

NOT_APPLICABLE = Cell(0.0, Status.NOT_APPLICABLE, reason="no reference")
DEFAULT = Cell(0.0, Status.DEFAULT)


def codes(found: Comparison) -> list[tuple[str, str]]:
    return [(reason.code, reason.effect) for reason in found.reasons]


def test_an_item_that_failed_makes_a_pass_inconclusive(make: Any) -> None:
    found = compare(make({"RR": [1, 1, 0.5]}), make({"RR": [1, None, 0.5]}))
    assert codes(found) == [("coverage_changed", "inconclusive")]
    assert (found.verdict, found.exit_code) == ("inconclusive", ExitCode.UNDECIDED)
    assert found["RR"].result == "inconclusive"
    assert found.reasons[0].message == (
        "RR: other items count than before: 1 item only in the baseline (q2 failed: timeout); "
        "compared on those that count on both sides; measure the others again, or allow them "
        "with --max-failed or --max-not-applicable"
    )


def test_values_are_compared_over_the_pairs(make: Any) -> None:
    old, new = make({"RR": [1, 0, 0.5, None]}), make({"RR": [1, None, 0.5, 0]})
    found = compare(old, new)["RR"]
    assert (found.baseline, found.candidate, found.change) == (0.75, 0.75, 0.0)
    coverage = found.coverage
    assert coverage is not None
    assert (coverage.items, coverage.pairs, coverage.changed) == (4, 2, True)
    assert (coverage.only_baseline, coverage.only_candidate) == (("q2",), ("q4",))
    assert coverage.candidate == Tally(scored=3, default=0, not_applicable=0, failed=1)
    assert coverage.candidate.counted == 3


def test_a_lost_hard_item_does_not_hide_a_drop(make: Any) -> None:
    old = make({"RR": [1.0, 1.0, 0.0]})
    new = make({"RR": [0.9, 0.9, None]})  # its own mean, 0.9, is above the baseline's 0.67
    found = compare(old, new)
    assert codes(found) == [("budget_exceeded", "fail"), ("coverage_changed", "inconclusive")]
    assert found["RR"].result == "fail"


@pytest.mark.parametrize(
    ("candidate", "options", "effect"),
    [
        ([1, None, 1, 1], {"max_failed": "1"}, "note"),
        ([1, None, 1, 1], {"max_failed": "25%"}, "note"),
        ([1, None, None, 1], {"max_failed": "1"}, "inconclusive"),
        ([1, None, 1, 1], {"max_not_applicable": "4"}, "inconclusive"),
        ([1, NOT_APPLICABLE, 1, 1], {"max_not_applicable": "1"}, "note"),
        ([1, NOT_APPLICABLE, 1, 1], {"max_failed": "4"}, "inconclusive"),
        ([1, NOT_APPLICABLE, None, 1], {"max_failed": "1", "max_not_applicable": "1"}, "note"),
    ],
)
def test_what_the_policy_allows_is_a_note(
    make: Any, candidate: list[Any], options: dict[str, Any], effect: str
) -> None:
    found = compare(make({"RR": [1, 1, 1, 1]}), make({"RR": candidate}), **options)
    assert codes(found) == [("coverage_changed", effect)]
    assert found["RR"].result == ("pass" if effect == "note" else "inconclusive")


def test_a_default_counts(make: Any) -> None:
    found = compare(make({"RR": [1, 1]}), make({"RR": [1, DEFAULT]}))
    assert codes(found) == [("budget_exceeded", "fail")]
    assert found["RR"].candidate == 0.5


def test_items_that_count_only_now_are_noted(make: Any) -> None:
    found = compare(make({"RR": [1, None, NOT_APPLICABLE]}), make({"RR": [1, 1, 1]}))
    assert codes(found) == [("coverage_changed", "note")]
    assert "2 items only in the candidate (q2 failed: timeout, q3 not applicable: no ref" in (
        found.reasons[0].message
    )
    assert found.verdict == "pass"


def test_the_same_items_missing_on_both_sides_are_no_change(make: Any) -> None:
    scores = make({"RR": [1, None, NOT_APPLICABLE]})
    found = compare(scores, scores, max_failed=1)
    assert (found.reasons, found["RR"].result) == ((), "pass")
    other = make({"RR": [1, NOT_APPLICABLE, None]})
    assert compare(scores, other, max_failed=1).reasons == ()


def test_a_column_that_is_not_gated_is_noted(make: Any) -> None:
    old, new = make({"wait_ms": [1, 1], "RR": [1, 1]}), make({"wait_ms": [1, None], "RR": [1, 1]})
    assert codes(compare(old, new)) == [("coverage_changed", "note")]
    assert codes(compare(old, new, floors=["wait_ms=5"])) == [("coverage_changed", "inconclusive")]
    assert codes(compare(old, new, budgets=["wait_ms=5"])) == [("coverage_changed", "inconclusive")]


def test_columns_that_changed_alike_are_said_together(make: Any) -> None:
    old = make({"RR": [1, 1], "AP": [1, 1], "R@5": [1, 1]})
    new = make({"RR": [1, None], "AP": [1, None], "R@5": [None, 1]})
    measures = [reason.measures for reason in compare(old, new).reasons]
    assert measures == [("AP", "RR"), ("R@5",)]


@pytest.mark.parametrize(
    ("old", "new", "side", "effect"),
    [
        ([1, 1], [None, NOT_APPLICABLE], "candidate", "fail"),
        ([None, NOT_APPLICABLE], [1, 1], "baseline", "fail"),
        ([None, NOT_APPLICABLE], [None, NOT_APPLICABLE], "reports", "inconclusive"),
    ],
)
def test_a_gated_measure_without_any_value(
    make: Any, old: list[Any], new: list[Any], side: str, effect: str
) -> None:
    found = compare(make({"RR": old, "AP": [1, 1]}), make({"RR": new, "AP": [1, 1]}))
    assert codes(found) == [("measure_missing", effect)]
    assert found.reasons[0].message == (
        f"RR has no value in the {side}: no item counts (1 failed, 1 not applicable)"
    )
    assert found["RR"].result == ("not_comparable" if effect == "fail" else effect)
    assert found["RR"].coverage is not None
    off = compare(
        make({"RR": old, "AP": [1, 1]}), make({"RR": new, "AP": [1, 1]}), budgets=["mrr=off"]
    )
    assert codes(off) == [("measure_missing", "note")]


def test_a_measure_that_applies_to_nothing_can_be_allowed(make: Any) -> None:
    scores = make({"RR": [NOT_APPLICABLE] * 2, "AP": [1, 1]})
    assert compare(scores, scores).verdict == "inconclusive"
    assert compare(scores, scores, max_not_applicable="100%").verdict == "pass"


def test_items_that_never_count_on_both_sides(make: Any) -> None:
    old, new = make({"RR": [1, None]}), make({"RR": [None, 1]})
    found = compare(old, new, max_failed="100%")
    assert codes(found) == [("coverage_changed", "inconclusive")]
    assert found["RR"].result == "inconclusive"
    assert (found["RR"].baseline, found["RR"].candidate, found["RR"].change) == (1.0, 1.0, None)


def test_weights_are_paired_too(make: Any) -> None:
    old = make({"R@5": [Cell(1, weight=9), Cell(1, weight=1), Cell(0, weight=3)]}, weighted=["R@5"])
    new = make({"R@5": [None, Cell(1, weight=1), Cell(0, weight=3)]}, weighted=["R@5"])
    found = compare(old, new, aggregates=["R@5:micro"])["R@5:micro"]
    assert (found.baseline, found.candidate) == (0.25, 0.25)
