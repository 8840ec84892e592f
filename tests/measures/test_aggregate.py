"""A column becomes a number: mean, micro, sum and percentiles."""

from __future__ import annotations

import math
from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.measures import (
    AGGREGATES,
    LEAST_ITEMS,
    QUANTILES,
    RR,
    Aggregate,
    R,
    cost_usd,
    latency_ms,
    nDCG,
    num_ret,
    parse_aggregate,
    quantile,
    summary,
)
from ragstone.model import Cell, Column, ScoresBuilder
from ragstone.scoring import score


def column(
    values: list[float], status: list[int] | None = None, weights: list[float] | None = None
) -> Column:
    return Column(
        array("d", values),
        array("b", status or [0] * len(values)),
        None if weights is None else array("d", weights),
    )


def test_names() -> None:
    for text, printed in {
        "R@5": "R@5",
        "R@5:mean": "R@5",
        "recall_5:micro": "R@5:micro",
        "num_ret": "num_ret",
        "num_ret:sum": "num_ret",
        "num_ret:mean": "num_ret:mean",
        "nDCG@10:p95": "nDCG@10:p95",
    }.items():
        assert str(parse_aggregate(text)) == printed
        assert parse_aggregate(printed) == parse_aggregate(text)
    assert Aggregate.default(R @ 5) == parse_aggregate("R@5")
    assert Aggregate.default(num_ret).how == "sum"
    assert list(AGGREGATES) == ["mean", "micro", "sum", "p50", "p95", "p99"]
    assert str(parse_aggregate("recall_at_k:p50", k=3)) == "R@3:p50"


def test_what_is_no_aggregate() -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown aggregate 'maen'; did you mean mean\?$"):
        parse_aggregate("R@5:maen")
    with pytest.raises(UnknownNameError) as caught:
        parse_aggregate("R@5:")
    assert str(caught.value) == "unknown aggregate ''; known: mean, micro, sum, p50, p95, p99"
    with pytest.raises(UsageError, match=r"^'RR@5:micro': RR has no denominator to weigh by$"):
        parse_aggregate("RR@5:micro")


def test_what_a_summary_shows() -> None:
    assert [str(each) for each in Aggregate.shown(latency_ms)] == [
        "latency_ms",
        "latency_ms:p50",
        "latency_ms:p95",
        "latency_ms:p99",
    ]
    assert [str(each) for each in Aggregate.shown(cost_usd)] == ["cost_usd", "cost_usd:sum"]
    assert Aggregate.shown(num_ret) == [parse_aggregate("num_ret")]
    builder = ScoresBuilder(["cost_usd", "RR"])
    for item, cost in (("a", 0.25), ("b", 0.5)):
        builder.add(item, [Cell(cost), Cell(1.0)])
    assert summary(builder.build()) == {"cost_usd": 0.375, "cost_usd:sum": 0.75, "RR": 1.0}


def test_a_quantile_needs_items_beyond_it() -> None:
    needed = {how: Aggregate(latency_ms, how).least_items for how in AGGREGATES}
    assert needed == {"mean": 0, "micro": 0, "sum": 0, "p50": 0, "p95": 60, "p99": 300}
    for how, items in LEAST_ITEMS.items():
        share = QUANTILES[how]
        assert round(items * (1 - share)) == 3
        assert 1 - share**items >= 0.95
        assert 1 - share ** (items - 5) < 0.95


def test_only_what_counts_is_aggregated() -> None:
    part = column([1.0, 0.0, 9.0, 9.0], [0, 1, 2, 3], [1.0, 3.0, 9.0, 9.0])
    assert {how: Aggregate(R, how).of(part) for how in AGGREGATES} == {
        "mean": 0.5,
        "micro": 0.25,
        "sum": 1.0,
        "p50": 0.5,
        "p95": 0.95,
        "p99": 0.99,
    }
    nothing = column([0.0], [3], [1.0])
    assert [Aggregate(R, how).of(nothing) for how in AGGREGATES] == [None] * 6


def test_micro_needs_weights() -> None:
    with pytest.raises(UsageError, match=r"^R:micro: R has no denominator to weigh by, or it was"):
        Aggregate(R, "micro").of(column([1.0]))
    assert Aggregate(R, "micro").of(column([1.0, 0.5], weights=[0.0, 0.0])) == 0.0


def test_micro_by_hand() -> None:
    """The micro average is the quotient of the sums: each document counts the same."""
    qrels = {"q1": dict.fromkeys("abcd", 1), "q2": {"a": 3}, "q3": {"a": 0}, "q4": {"z": 1}}
    run = {"q1": ["a", "x", "b"], "q2": ["x", "a"], "q3": ["a"]}
    names = ["P@2", "R@2", "F1@2", "AP", "nDCG@2", "Judged@2", "Rprec"]
    scores = score(qrels, run, [f"{name}:micro" for name in names])
    log3 = math.log2(3)
    ideals = [1 + 1 / log3, 3.0, 0.0, 1.0]
    gains = [1.0, 3 / log3, 0.0, 0.0]
    aggregates = [parse_aggregate(f"{name}:micro") for name in names]
    assert summary(scores, aggregates) == pytest.approx(
        {
            "P@2:micro": (1 + 1 + 0 + 0) / (4 * 2),
            "R@2:micro": (1 + 1 + 0 + 0) / (4 + 1 + 0 + 1),
            "F1@2:micro": 2 * (1 + 1) / ((2 + 4) + (2 + 1) + (2 + 0) + (2 + 1)),
            "AP:micro": ((1 + 2 / 3) + 1 / 2 + 0) / (4 + 1 + 0 + 1),
            "nDCG@2:micro": sum(gains) / sum(ideals),
            "Judged@2:micro": (1 + 1 + 1 + 0) / (2 + 2 + 1 + 0),
            "Rprec:micro": (2 + 0 + 0 + 0) / (4 + 1 + 0 + 1),
        },
        abs=1e-15,
    )


def test_weights_are_kept_where_micro_asks_for_them() -> None:
    scores = score({"q": ["a"]}, {"q": ["a"]}, ["R@5:micro", "R@5", "P@5"])
    assert list(scores.columns) == ["R@5", "P@5"]
    assert scores["R@5"].weights == array("d", [1.0])
    assert scores["P@5"].weights is None


floats = st.floats(-1e100, 1e100)


@given(values=st.lists(floats, min_size=1, max_size=30), share=st.floats(0, 1))
def test_quantiles_are_numpys(values: list[float], share: float) -> None:
    expected = float(np.quantile(values, share))
    scale = max(map(abs, values))
    assert quantile(values, share) == pytest.approx(expected, rel=1e-12, abs=1e-12 * scale)
    for name, percent in (("p50", 50), ("p95", 95), ("p99", 99)):
        number = Aggregate(RR, name).of(column(values))
        expected = float(np.percentile(values, percent))
        assert number == pytest.approx(expected, rel=1e-12, abs=1e-12 * scale)


@given(values=st.lists(st.floats(0, 1), min_size=1, max_size=30), seed=st.randoms())
def test_the_order_of_items_makes_no_difference(values: list[float], seed: object) -> None:
    shuffled = sorted(values)
    seed.shuffle(shuffled)  # type: ignore[attr-defined]
    for how in AGGREGATES:
        one = Aggregate(R, how).of(column(values, weights=[2.0] * len(values)))
        assert one == Aggregate(R, how).of(column(shuffled, weights=[2.0] * len(values)))


def test_sums_are_exact() -> None:
    assert Aggregate(R, "sum").of(column([1e16, 1.0, 1.0, -1e16])) == 2.0
    assert Aggregate(R, "mean").of(column([0.1] * 10)) == 0.1


@pytest.mark.parametrize("how", ["mean", "sum", "micro", "p50"])
def test_what_is_beyond_a_double_is_refused(how: str) -> None:
    large = [1.7e308, 1.7e308, -1.7e308, -1.7e308] if how == "p50" else [1.7e308, 1.7e308]
    with pytest.raises(InputError) as caught:
        Aggregate(R, how).of(column(large, weights=[1.0] * len(large)))
    suffix = "" if how == "mean" else f":{how}"
    assert str(caught.value) == f"R{suffix}: its values are too large for a {how}"


def test_a_summary_has_each_columns_usual_number() -> None:
    scores = score({"q1": ["a"], "q2": ["b"]}, {"q1": ["a", "b"], "q2": ["a"]}, ["P@1", "num_ret"])
    assert summary(scores) == {"P@1": 0.5, "num_ret": 3.0}
    assert summary(scores, [parse_aggregate("num_ret:mean")]) == {"num_ret:mean": 1.5}
    assert summary(scores, [Aggregate.default(nDCG)] * 0) == {}
