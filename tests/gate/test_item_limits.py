"""How much worse a single item may get."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.gate import Comparison, compare
from ragstone.gate.options import read_item_limits


def limited(make: Any, old: list[Any], new: list[Any], *limits: str, **more: Any) -> Comparison:
    more = {"budgets": ["RR=off"], **more}
    return compare(make({"RR": old}), make({"RR": new}), max_item_drops=limits, **more)


def test_an_item_that_fell_too_far_fails(make: Any) -> None:
    found = limited(make, [1.0, 0.9, 0.5, 0.2], [0.25, 0.0, 0.4, 1.0], "mrr=0.5")
    assert (found.verdict, found.exit_code, found["RR"].result) == ("fail", 4, "fail")
    (reason,) = found.reasons
    assert (reason.code, reason.effect, reason.measure) == ("item_dropped", "fail", "RR")
    assert reason.message == (
        "RR: 2 items got worse by more than 0.5, the most that one may: "
        "q2 from 0.9 to 0, q1 from 1 to 0.25"
    )
    (limit,) = found.item_limits
    assert (limit.measure, limit.limit, limit.passed) == ("RR", 0.5, False)
    assert [change.id for change in limit.beyond] == ["q2", "q1"]
    assert (found["RR"].item_limit, found["RR"].reasons) == (0.5, ("item_dropped",))
    assert (found.failed, found.gated, found["RR"].limited) == (("RR",), (), True)


@pytest.mark.parametrize(
    ("old", "new", "passed"),
    [
        (1.0, 0.5, True),  # exactly the limit
        (0.9, 0.4, True),  # 0.9 - 0.4 is 0.5 but for rounding
        (1.0, 0.4999, False),
        (0.2, 1.0, True),
    ],
)
def test_as_much_as_the_limit_is_allowed(make: Any, old: float, new: float, passed: bool) -> None:
    found = limited(make, [old, 1.0], [new, 1.0], "RR=0.5")
    assert found["RR"].result == ("pass" if passed else "fail")
    assert found.item_limits[0].passed is passed


def test_lower_is_better(make: Any) -> None:
    old, new = make({"wait_ms": [100.0, 900.0]}), make({"wait_ms": [700.0, 100.0]})
    found = compare(old, new, max_item_drops={"wait_ms": 500})
    assert found.reasons[0].message == (
        "wait_ms: 1 item got worse by more than 500, the most that one may: q1 from 100 to 700"
    )
    assert compare(new, old, max_item_drops={"wait_ms": 800}).verdict == "pass"
    assert compare(new, old, max_item_drops={"wait_ms": 799}).verdict == "fail"


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8),
    st.floats(0, 1),
)
def test_agrees_with_a_loop(make: Any, rows: list[tuple[float, float]], most: float) -> None:
    found = limited(make, [a for a, _ in rows], [b for _, b in rows], f"RR={most!r}")
    beyond = {change.id for change in found.item_limits[0].beyond}
    for number, (before, after) in enumerate(rows, 1):
        if abs(before - after - most) > 1e-9:
            assert (f"q{number}" in beyond) == (before - after > most)


def test_a_family_covers_every_cutoff_and_the_exact_name_wins(make: Any) -> None:
    old = make({"nDCG@5": [1.0], "nDCG@10": [1.0]})
    new = make({"nDCG@5": [0.4], "nDCG@10": [0.4]})
    limits = ["ndcg=0.5", "nDCG@10=0.9"]
    found = compare(old, new, budgets=["ndcg=off"], max_item_drops=limits)
    assert {each.measure: each.passed for each in found.item_limits} == {
        "nDCG@5": False,
        "nDCG@10": True,
    }
    assert found.settings.max_item_drops == {"nDCG": 0.5, "nDCG@10": 0.9}


def test_only_the_usual_aggregate_tells_of_it(make: Any) -> None:
    old, new = make({"wait_ms": [1.0] * 9}), make({"wait_ms": [1.0] * 8 + [9.0]})
    found = compare(old, new, max_item_drops=["wait_ms=5"], aggregates=["wait_ms:p50"])
    assert [(each.name, each.item_limit, each.result) for each in found.measures] == [
        ("wait_ms", 5.0, "fail"),
        ("wait_ms:p50", None, "not_gated"),
    ]


def test_an_item_that_was_not_measured_cannot_pass_by_it(make: Any) -> None:
    found = limited(make, [1.0, 1.0], [1.0, None], "RR=0.5")
    assert [(each.code, each.effect) for each in found.reasons] == [
        ("coverage_changed", "inconclusive")
    ]


def test_what_is_not_comparable_fails_by_it(make: Any) -> None:
    old = make({"RR": [1.0]}, signature={"judgments": "a"})
    new = make({"RR": [1.0]}, signature={"judgments": "b"})
    options: dict[str, Any] = {"budgets": ["RR=off"], "max_item_drops": ["RR=0.5"]}
    found = compare(old, new, **options)
    assert (found.verdict, found.reasons[0].code) == ("fail", "judgments_mismatch")
    found = compare(make({"RR": [1.0], "AP": [1.0]}), make({"AP": [1.0]}), **options)
    assert (found.verdict, found.reasons[0].code) == ("fail", "measure_missing")


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (["RR"], "limit of an item's drop 'RR': write it as MEASURE=AMOUNT, like nDCG@10=0.5"),
        (["RR=-1"], "limit of an item's drop 'RR': '-1' is not an amount; write how many units"),
        (["RR=5%"], "'5%' is not an amount"),
        (["RR=inf"], "'inf' is not an amount"),
        (["RR="], "'' is not an amount"),
        (["RR:p95=1"], "an item has no p95; name the measure alone: RR"),
        (["latency:sum=1"], "an item has no sum; name the measure alone: latency_ms"),
        (["RR=1", "mrr=2"], "RR has a limit of an item's drop already; give it once"),
        (["AP=1"], "limit of an item's drop 'AP' names no measure of either report"),
    ],
)
def test_limits_that_cannot_be(make: Any, limits: list[str], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        limited(make, [1.0], [1.0], *limits)
    assert words in str(caught.value)


def test_limits_are_read_in_units() -> None:
    read = read_item_limits(["nDCG@10=0.5", "latency=2000abs", "cost=.25"])
    assert {str(target): limit for target, limit in read.items()} == {
        "nDCG@10": 0.5,
        "latency_ms": 2000.0,
        "cost_usd": 0.25,
    }
