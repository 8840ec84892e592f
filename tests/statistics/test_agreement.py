"""Kappa, AC1 and balanced accuracy against statsmodels, Gwet's paper and the delta method."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from ragstone.statistics import (
    WEIGHTS,
    Confusion,
    ac1_standard_error,
    balanced_accuracy,
    cohen_kappa,
    gwet_ac1,
    kappa_standard_error,
    observed_agreement,
    recalls,
)


@st.composite
def tables(draw: st.DrawFn, least: int = 2) -> list[list[int]]:
    size = draw(st.integers(least, 5))
    row = st.lists(st.integers(0, 40), min_size=size, max_size=size)
    return draw(st.lists(row, min_size=size, max_size=size))


def labels_of(table: Confusion) -> tuple[list[int], list[int]]:
    """Return the answers of both raters, one by one."""
    pairs = [
        (i, j)
        for i, row in enumerate(table)
        for j, count in enumerate(row)
        for _ in range(int(count))
    ]
    return [i for i, _ in pairs], [j for _, j in pairs]


def transposed(table: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*table, strict=True)]


@pytest.mark.parametrize(
    ("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")]
)
@given(tables())
def test_kappa_and_its_error_agree_with_statsmodels(
    weights: str, theirs: str | None, table: list[list[int]]
) -> None:
    mine = cohen_kappa(table, weights)
    assume(mine is not None)
    with np.errstate(all="ignore"):  # its z divides by 0 where a rater never varies
        reference = cohens_kappa(np.array(table), wt=theirs)
    assert mine == pytest.approx(float(reference.kappa), rel=1e-9, abs=1e-9)
    error = kappa_standard_error(table, weights)
    assert error == pytest.approx(math.sqrt(max(0.0, float(reference.var_kappa))), abs=1e-6)


@given(tables(), st.sampled_from(sorted(WEIGHTS)))
def test_kappa_is_symmetric_and_in_its_range(table: list[list[int]], weights: str) -> None:
    mine, turned = cohen_kappa(table, weights), cohen_kappa(transposed(table), weights)
    if mine is None:
        assert turned is None
        return
    assert -1 <= mine <= 1
    assert turned == pytest.approx(mine, abs=1e-12)
    assert kappa_standard_error(transposed(table), weights) == pytest.approx(
        kappa_standard_error(table, weights), abs=1e-9
    )


@given(tables(least=2), st.randoms())
def test_categories_without_an_order_may_be_shuffled(
    table: list[list[int]], random: object
) -> None:
    order = list(range(len(table)))
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = [[table[i][j] for j in order] for i in order]
    for statistic in (cohen_kappa, gwet_ac1, balanced_accuracy, observed_agreement):
        assert statistic(moved) == pytest.approx(statistic(table), abs=1e-12)


@given(tables())
def test_the_statistics_from_the_answers_one_by_one(table: list[list[int]]) -> None:
    """Brute force, from the definitions over pairs of answers."""
    first, second = labels_of(table)
    n, categories = len(first), range(len(table))
    if not n:
        assert cohen_kappa(table) is gwet_ac1(table) is balanced_accuracy(table) is None
        return
    same = sum(a == b for a, b in zip(first, second, strict=True)) / n
    assert observed_agreement(table) == pytest.approx(same)
    chance = sum(a == b for a in first for b in second) / n**2
    if chance < 1:
        assert cohen_kappa(table) == pytest.approx((same - chance) / (1 - chance))
    middle = [(first.count(k) + second.count(k)) / (2 * n) for k in categories]
    by_chance = sum(p * (1 - p) for p in middle) / (len(table) - 1)
    assert gwet_ac1(table) == pytest.approx((same - by_chance) / (1 - by_chance))
    found = [
        [b for a, b in zip(first, second, strict=True) if a == k].count(k) / first.count(k)
        for k in categories
        if first.count(k)
    ]
    assert balanced_accuracy(table) == pytest.approx(sum(found) / len(found))
    assert [recall for recall in recalls(table) if recall is not None] == pytest.approx(found)


def test_kappa_by_hand() -> None:
    """Cohen's 20, 5, 10, 15: observed 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5."""
    table = [[20, 5], [10, 15]]
    assert cohen_kappa(table) == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    # Fleiss, Cohen and Everitt (1969): A + B - C, then / (n (1 - pe)^2), kappa 0.4
    a = 0.4 * (1 - (0.5 + 0.6) * 0.6) ** 2 + 0.3 * (1 - (0.5 + 0.4) * 0.6) ** 2
    b = 0.6**2 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.5 + 0.4) ** 2)
    # for cell (i, j) the margins of column i and of row j
    c = (0.4 - 0.5 * 0.6) ** 2
    assert kappa_standard_error(table) == pytest.approx(math.sqrt((a + b - c) / 50) / 0.5)


def test_ac1_by_hand() -> None:
    """Gwet (2008): two raters who agree on nearly all of 125, of which nearly all are positive.

    observed (118 + 0) / 125 = 0.944; margins 123/125 and 120/125, their mean 0.972;
    by chance 2 * 0.972 * 0.028 = 0.054432; AC1 = (0.944 - 0.054432) / (1 - 0.054432) = 0.9408.
    Kappa: by chance 0.984 * 0.96 + 0.016 * 0.04 = 0.94528, so (0.944 - 0.94528) / 0.05472.
    """
    table = [[118, 5], [2, 0]]
    assert gwet_ac1(table) == pytest.approx((0.944 - 0.054432) / (1 - 0.054432), rel=1e-12)
    assert cohen_kappa(table) == pytest.approx((0.944 - 0.94528) / (1 - 0.94528), rel=1e-9)


def test_ac1_of_three_categories_by_hand() -> None:
    """Margins (12, 9, 9) and (10, 12, 8) of 30: middles 11/30, 21/60, 17/60; 22 agree."""
    table = [[9, 2, 1], [1, 7, 1], [0, 3, 6]]
    middle = (22 / 60, 21 / 60, 17 / 60)
    chance = sum(p * (1 - p) for p in middle) / 2
    assert gwet_ac1(table) == pytest.approx((22 / 30 - chance) / (1 - chance))


def delta_method(table: list[list[int]], statistic: Callable[[Confusion], float | None]) -> float:
    """The standard error from numerical derivatives by the share of each cell, multinomial."""
    n = sum(map(sum, table))
    shares = np.array(table, dtype=float) / n
    step = 1e-6
    gradient = np.zeros_like(shares)
    for place in np.ndindex(*shares.shape):
        values = []
        for sign in (1, -1):
            moved = shares.copy()
            moved[place] += sign * step
            value = statistic((moved / moved.sum()).tolist())
            assert value is not None
            values.append(value)
        gradient[place] = (values[0] - values[1]) / (2 * step)
    mean = float((shares * gradient).sum())
    return math.sqrt(float((shares * (gradient - mean) ** 2).sum()) / n)


@given(tables())
def test_errors_are_those_of_the_delta_method(table: list[list[int]]) -> None:
    """Independent of any formula: what sampling does to each cell, to first order."""
    assume(sum(map(sum, table)) > 0)
    error = ac1_standard_error(table)
    assert error == pytest.approx(delta_method(table, gwet_ac1), rel=1e-4, abs=1e-5)
    kappa = cohen_kappa(table)
    if kappa is not None and 0 not in map(sum, [*table, *transposed(table)]):
        mine = kappa_standard_error(table)
        assert mine == pytest.approx(delta_method(table, cohen_kappa), rel=1e-3, abs=1e-4)


@pytest.mark.parametrize(
    ("table", "kappa", "ac1", "accuracy"),
    [
        ([[0, 0], [0, 0]], None, None, None),
        ([[5, 0], [0, 0]], None, 1.0, 1.0),  # all in one category: kappa says nothing
        ([[5, 0], [0, 5]], 1.0, 1.0, 1.0),
        ([[0, 5], [5, 0]], -1.0, -1.0, 0.0),
        ([[5, 5], [0, 0]], 0.0, 1 / 5, 0.5),  # one rater never uses a category
    ],
)
def test_the_edges(
    table: Sequence[Sequence[int]], kappa: float | None, ac1: float | None, accuracy: float | None
) -> None:
    assert cohen_kappa(table) == kappa
    assert gwet_ac1(table) == (None if ac1 is None else pytest.approx(ac1))
    assert balanced_accuracy(table) == accuracy
    assert (kappa_standard_error(table) is None) == (kappa is None)
    assert (ac1_standard_error(table) is None) == (ac1 is None)


def test_a_table_is_square() -> None:
    with pytest.raises(ValueError, match="as many columns as rows"):
        cohen_kappa([[1, 2, 3], [4, 5, 6]])
