"""Bootstrap intervals over items, against a loop that draws in the same way."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.statistics import (
    Draws,
    agreement_intervals,
    cohen_kappa,
    correlation_intervals,
    gwet_ac1,
    pearson,
    spearman,
)
from ragstone.statistics.bootstrap import resampled
from ragstone.statistics.resampling import percentile_interval

CODES = st.lists(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=3).map(sorted),
    min_size=2,
    max_size=12,
)
VALUES = st.integers(0, 4).map(float)
NUMBERS = st.lists(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=3).map(sorted), min_size=2, max_size=12
)


@given(CODES)
@settings(max_examples=40)
def test_agreement_is_that_of_the_drawn_items(clusters: list[list[tuple[int, int]]]) -> None:
    draws = Draws(60, 7, 0.9)
    slow: list[float | None] = []
    for block in resampled(len(clusters), 60, 7):
        for counts in block.tolist():
            table = [[0] * 3 for _ in range(3)]
            for item, times in zip(sorted(clusters), counts, strict=True):
                for i, j in item:
                    table[i][j] += times
            slow.append(cohen_kappa(table))
    [found] = agreement_intervals(clusters, 3, [cohen_kappa], draws)
    assert found == percentile_interval(slow, draws)
    assert agreement_intervals(clusters[::-1], 3, [cohen_kappa], draws) == [found]


@given(NUMBERS)
@settings(max_examples=40)
def test_correlation_is_that_of_the_drawn_items(clusters: list[list[tuple[float, float]]]) -> None:
    draws = Draws(60, 3, 0.9)
    of_values: list[float | None] = []
    of_ranks: list[float | None] = []
    for block in resampled(len(clusters), 60, 3):
        for counts in block.tolist():
            drawn = zip(sorted(clusters), counts, strict=True)
            pairs = [pair for item, times in drawn for pair in item * times]
            x, y = [a for a, _ in pairs], [b for _, b in pairs]
            of_values.append(pearson(x, y))
            of_ranks.append(spearman(x, y))
    found = correlation_intervals(clusters, draws)
    for mine, slow in zip(found, (of_values, of_ranks), strict=True):
        wanted = percentile_interval(slow, draws)
        assert (mine is None) == (wanted is None)
        if mine and wanted:
            assert (mine.low, mine.high) == pytest.approx((wanted.low, wanted.high), abs=1e-8)


def test_items_are_drawn_and_not_labels() -> None:
    """Ten labels of one item say no more than one: the interval is as wide."""
    random = Random(1)
    once = [[(random.randrange(2), random.randrange(2))] for _ in range(40)]
    tenfold = [item * 10 for item in once]
    one, ten = (agreement_intervals(each, 2, [gwet_ac1], Draws())[0] for each in (once, tenfold))
    assert one == ten
    apart = agreement_intervals(
        [[pair] for item in tenfold for pair in item], 2, [gwet_ac1], Draws()
    )
    assert one is not None
    assert apart[0] is not None
    assert apart[0].high - apart[0].low < 0.5 * (one.high - one.low)


def test_where_there_is_no_interval() -> None:
    assert agreement_intervals([[(0, 0)]], 2, [cohen_kappa], Draws()) == [None]
    assert agreement_intervals([[(0, 0)]] * 9, 2, [cohen_kappa], Draws()) == [None]
    assert correlation_intervals([[(1.0, 2.0)]], Draws()) == (None, None)
    assert correlation_intervals([[(1.0, 2.0)], [(1.0, 3.0)]], Draws()) == (None, None)


@pytest.mark.slow
def test_the_interval_of_kappa_holds_the_true_one() -> None:
    """400 draws of 80 items: 95% intervals of a kappa of 0.6 hold it in 91 to 98 of 100."""
    random, held, runs = Random(5), 0, 400
    for _ in range(runs):
        truth = [random.random() < 0.5 for _ in range(80)]
        pairs = [[(int(y), int(y if random.random() < 0.8 else not y))] for y in truth]
        [found] = agreement_intervals(pairs, 2, [cohen_kappa], Draws(400, 0, 0.95))
        assert found is not None
        held += found.low <= 0.6 <= found.high
    assert 0.91 <= held / runs <= 0.98, held / runs
