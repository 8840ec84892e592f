"""Agreement of judges and spread of repeats, against SciPy, statsmodels and simulation."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import pearsonr
from statsmodels.stats.inter_rater import cohens_kappa, to_table
from statsmodels.stats.power import TTestPower

from ragstone.judge.agreement import agreement, kappa
from ragstone.judge.judged import combined
from ragstone.judge.spread import spread
from ragstone.model import Cell, Status

FOUR = st.sampled_from([0.0, 1 / 3, 2 / 3, 1.0])
PAIRS = st.lists(st.tuples(FOUR, FOUR), min_size=2, max_size=30)
FAILED = Cell(0.0, Status.FAILED, reason="timeout")


@given(PAIRS)
def test_kappa_is_that_of_statsmodels(pairs: list[tuple[float, float]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    assume(len({*x, *y}) > 1)
    table, _ = to_table([[round(3 * a), round(3 * b)] for a, b in pairs], bins=4)
    expected = cohens_kappa(table, return_results=False)
    found = kappa(x, y)
    assert found is not None
    assert found == pytest.approx(float(expected), abs=1e-12)


def test_kappa_is_none_for_one_category_and_for_many() -> None:
    assert kappa([1.0, 1.0], [1.0, 1.0]) is None
    many = [number / 20 for number in range(20)]
    assert kappa(many, many) is None


@given(PAIRS)
def test_correlation_is_that_of_scipy(pairs: list[tuple[float, float]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    cells = [[Cell(value) for value in side] for side in (x, y)]
    found = agreement([str(n) for n in range(len(x))], ("a", cells[0]), ("b", cells[1])).correlation
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(float(pearsonr(x, y).statistic), abs=1e-9)


def test_only_items_that_both_gave_a_value_are_compared() -> None:
    first = [Cell(1.0), Cell(0.5), FAILED, Cell(0.2), FAILED]
    second = [Cell(1.0), Cell(0.7), Cell(1.0), Cell(0.9), FAILED]
    found = agreement("abcde", ("one", first), ("two", second))
    assert (found.items, found.uncommon) == (3, 1)
    assert found.exact == pytest.approx(1 / 3)
    assert [each.item for each in found.differ] == ["d", "b"]
    assert [each.by for each in found.differ] == pytest.approx([0.7, 0.2])
    assert found.mean_difference == found.mean_distance == pytest.approx(0.3)


def test_judges_without_a_common_item_agree_on_nothing() -> None:
    found = agreement("a", ("one", [FAILED]), ("two", [Cell(1.0)]))
    assert (found.items, found.exact, found.kappa, found.uncommon) == (0, None, None, 1)


# ---- spread ------------------------------------------------------------------------------------


def test_the_smallest_change_is_that_of_a_paired_test_on_differences_of_two_runs() -> None:
    runs = [[Cell(0.0), Cell(1.0), Cell(0.5)], [Cell(1.0), Cell(1.0), Cell(0.5)]]
    found = spread(runs)
    assert found is not None
    assert (found.items, found.repeats, found.changed) == (3, 2, 1)
    assert found.within_sd == pytest.approx(math.sqrt(0.5 / 3))
    effect = TTestPower().solve_power(nobs=3, alpha=0.05, power=0.8)
    # the difference of two means of two has the variance of one judgement
    assert found.smallest_change == pytest.approx(effect * math.sqrt(0.5 / 3), rel=1e-4)


def test_a_change_of_that_size_is_found_four_times_of_five() -> None:
    from ragstone.statistics import paired_t_test

    rng, n, r, sd = random.Random(6), 40, 3, 0.2

    def run(shift: float) -> list[list[float]]:
        return [[base + shift + rng.gauss(0, sd) for base in items] for _ in range(r)]

    items = [rng.random() for _ in range(n)]
    measured = spread([[Cell(value) for value in values] for values in run(0.0)])
    assert measured is not None
    assert measured.within_sd == pytest.approx(sd, rel=0.15)
    shift = measured.smallest_change or 0.0
    found = 0
    for _ in range(400):
        old, new = run(0.0), run(shift)
        means = [[math.fsum(each) / r for each in zip(*one, strict=True)] for one in (old, new)]
        p_value = paired_t_test([b - a for a, b in zip(*means, strict=True)]).p_value
        found += p_value is not None and p_value < 0.05
    assert 0.65 < found / 400 < 0.93


def test_the_mean_of_two_judges_varies_by_both_whatever_repeat_stands_beside_which() -> None:
    one = [[Cell(0.0), Cell(1.0), Cell(0.5)], [Cell(1.0), Cell(1.0), Cell(0.5)]]
    other = [[Cell(1.0), Cell(0.5), FAILED], [Cell(0.0), Cell(0.5), Cell(1.0)]]
    found, turned = spread(one, other), spread(one, other[::-1])
    assert found is not None
    assert turned is not None
    assert (found.means, turned.means) == ((0.625, 0.625), (0.375, 0.875))  # by chance
    assert found.within_sd == turned.within_sd
    assert (found.items, found.repeats, found.changed) == (2, 2, 1)
    assert found.within_sd == pytest.approx(math.sqrt((0.5 + 0.5) / 2) / 2)
    effect = TTestPower().solve_power(nobs=2, alpha=0.05, power=0.8)
    assert found.smallest_change == pytest.approx(effect * found.within_sd, rel=1e-4)


def test_items_without_a_value_in_some_repeat_are_left_out() -> None:
    found = spread([[Cell(1.0), FAILED], [Cell(1.0), Cell(0.0)]])
    assert found is not None
    assert (found.items, found.within_sd, found.smallest_change) == (1, 0.0, None)
    assert spread([[FAILED], [FAILED]]) is None
    assert spread([[Cell(1.0)]]) is None


# ---- one cell of several -----------------------------------------------------------------------

NOTHING = Cell(0.0, Status.DEFAULT, reason="no_answer")
NA = Cell(0.0, Status.NOT_APPLICABLE, reason="no_claims")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([Cell(1.0, weight=2), Cell(0.5, weight=4)], Cell(0.75, weight=3.0)),
        ([Cell(1.0), FAILED], FAILED),
        ([FAILED, NA], FAILED),
        ([NA, NA], NA),
        ([NOTHING, NOTHING], NOTHING),
        ([Cell(1.0), NOTHING], Cell(0.5, reason="no_answer")),
        ([Cell(1.0, note="a"), NA], Cell(1.0, note="1 of 2 had a value | a")),
        ([Cell(1.0, note="a"), Cell(1.0, note="a")], Cell(1.0, note="a")),
    ],
)
def test_cells_of_an_item_become_one(cells: list[Cell], expected: Cell) -> None:
    assert combined(cells) == expected
