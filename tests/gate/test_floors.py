from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import UsageError
from ragstone.gate import Calibration, check_floors, compare
from ragstone.model import Cell


@pytest.mark.parametrize(
    ("values", "floor", "passed"),
    [
        ([0.6, 0.6], 0.6, True),
        ([0.1, 0.2], 0.15, True),  # their mean is 0.15000000000000002
        ([0.3, 0.3], 0.3 * (1 + 1e-10), True),
        ([0.3, 0.3], 0.3 * (1 + 1e-8), False),
        ([0.5, 0.6], 0.6, False),
        ([0.7, 0.6], 0.6, True),
        ([0.0, 0.0], 0.0, True),
    ],
)
def test_a_value_at_its_floor_passes(
    make: Any, values: list[float], floor: float, passed: bool
) -> None:
    (found,) = check_floors(make({"RR": values}), {"RR": floor})
    assert found.passed is passed
    assert (found.reason is None) is passed


def test_a_floor_is_a_ceiling_where_lower_is_better(make: Any) -> None:
    scores = make({"wait_ms": [10, 20] * 30, "toxic": [0.0, 0.5] * 30})
    found = check_floors(scores, ["wait_ms=15", "wait_ms:p95=19", "toxic=0.2"])
    assert [(each.name, each.bound, each.passed) for each in found] == [
        ("toxic", "at most", False),
        ("wait_ms", "at most", True),
        ("wait_ms:p95", "at most", False),
    ]
    reason = found[2].reason
    assert reason is not None
    assert (reason.code, reason.effect, reason.measure) == ("below_floor", "fail", "wait_ms:p95")
    assert reason.message == "wait_ms:p95 is 20; its ceiling is at most 19"


def test_a_family_covers_every_cutoff_and_the_exact_name_wins(make: Any) -> None:
    scores = make({"nDCG@5": [0.5], "nDCG@10": [0.5], "RR": [0.1]})
    found = check_floors(scores, ["ndcg=0.6", "nDCG@10=0.4"])
    assert [(each.name, each.floor, each.passed) for each in found] == [
        ("nDCG@5", 0.6, False),
        ("nDCG@10", 0.4, True),
    ]


def test_a_floor_on_what_has_no_value_is_not_held(make: Any) -> None:
    (found,) = check_floors(make({"RR": [None, None]}), ["RR=0"])
    assert (found.value, found.passed) == (None, False)
    assert found.reason is not None
    assert found.reason.message == "RR has no value: no item counts; its floor is at least 0"


def test_a_floor_that_the_scores_do_not_have(make: Any) -> None:
    with pytest.raises(UsageError, match="floor 'R@5' names no measure of the report"):
        check_floors(make({"RR": [1]}), ["R@5=0.5"])
    with pytest.raises(UsageError, match="has no weights for R@5"):
        check_floors(make({"R@5": [1]}), ["R@5:micro=0.5"])


def test_floors_are_held_by_the_candidate(make: Any) -> None:
    found = compare(
        make({"RR": [0.2, 0.2]}), make({"RR": [0.5, 0.5]}), floors=["RR=0.6"], budgets=["RR=off"]
    )
    assert [(reason.code, reason.effect) for reason in found.reasons] == [("below_floor", "fail")]
    assert found.reasons[0].message == "RR is 0.5; its floor is at least 0.6"
    measure = found["RR"]
    assert (measure.result, measure.floor, measure.below_floor) == ("fail", 0.6, True)
    assert (measure.over_budget, measure.reasons) == (False, ("below_floor",))
    assert found.floors[0].value == 0.5
    assert found.verdict == "fail"


def test_a_floor_alone_passes_what_has_no_budget(make: Any) -> None:
    scores = make({"num_ret": [5, 5]})
    assert compare(scores, scores, floors=["num_ret=10"])["num_ret"].result == "pass"


def test_a_floor_of_one_aggregate_is_not_that_of_another(make: Any) -> None:
    scores = make({"wait_ms": [10, 100]})
    found = compare(scores, scores, floors=["wait_ms=20"], aggregates=["wait_ms:p50"])
    assert found["wait_ms"].reasons == ("below_floor",)
    assert (found["wait_ms:p50"].reasons, found["wait_ms:p50"].result) == ((), "not_gated")


def test_every_aggregate_has_a_floor(make: Any) -> None:
    scores = make(
        {"cost_usd": [0.25, 0.5], "R@5": [Cell(1, weight=1), Cell(0, weight=3)]}, weighted=["R@5"]
    )
    found = check_floors(
        scores, ["cost_usd:sum=0.5", "cost_usd=0.4", "cost_usd:p50=0.3", "R@5:micro=0.3"]
    )
    assert {each.name: (each.value, each.passed) for each in found} == {
        "R@5:micro": (0.25, False),
        "cost_usd": (0.375, True),
        "cost_usd:p50": (0.375, False),
        "cost_usd:sum": (0.75, False),
    }
    reason = found[-1].reason
    assert reason is not None
    assert reason.message == "cost_usd:sum is 0.75; its ceiling is at most 0.5"


@pytest.mark.parametrize(("how", "needed"), [("p95", 60), ("p99", 300)])
def test_a_quantile_of_too_few_items_has_no_floor(make: Any, how: str, needed: int) -> None:
    name = f"wait_ms:{how}"
    (found,) = check_floors(make({"wait_ms": [10.0] * (needed - 1)}), {name: 5})
    assert (found.value, found.passed, found.failed, found.undecided) == (10.0, False, False, True)
    assert found.waived == f"{needed - 1} items count, and {how} needs {needed} to be gated"
    assert found.reason is not None
    assert (found.reason.code, found.reason.effect) == ("too_few_items", "inconclusive")
    assert found.reason.message.endswith(
        f": --floor {name}=5 not applied; measure more items, or leave it out"
    )
    (found,) = check_floors(make({"wait_ms": [10.0] * needed}), {name: 5})
    assert (found.passed, found.waived) == (False, "")
    (found,) = check_floors(make({"wait_ms": [None] * 3}), {name: 5})
    assert (found.value, found.passed, found.waived) == (None, False, "")


def test_only_items_that_count_make_a_quantile(make: Any) -> None:
    (found,) = check_floors(make({"wait_ms": [10.0] * 59 + [None] * 9}), ["wait_ms:p95=5"])
    assert found.waived == "59 items count, and p95 needs 60 to be gated"


def test_a_judged_measure_needs_a_calibration_as_in_compare(make: Any) -> None:
    signature = {"judge": "m", "prompt": "ab12"}
    scores = make({"toxic": [0.5, 0.5], "RR": [0.1, 0.1]}, signatures={"toxic": signature})
    found = {each.name: each for each in check_floors(scores, ["toxic=0.2", "RR=0.2"])}
    assert (found["toxic"].passed, found["toxic"].advisory) == (True, "no calibration")
    assert found["toxic"].reason is None
    assert found["toxic"].waived == (
        "it is advisory: no calibration says how far m with prompt ab12 agrees with people"
    )
    assert (found["RR"].passed, found["RR"].failed) == (False, True)
    trusted = [Calibration("m", "ab12", 0.5, 40)]
    (held,) = check_floors(scores, ["toxic=0.2"], calibrations=trusted)
    assert (held.passed, held.advisory) == (True, "kappa 0.5, at least 0.6 needed")
    (held,) = check_floors(scores, ["toxic=0.2"], calibrations=trusted, min_kappa=0.4)
    assert (held.passed, held.failed, held.waived) == (False, True, "")


def test_no_floors(make: Any) -> None:
    assert check_floors(make({"RR": [1]}), ()) == ()
