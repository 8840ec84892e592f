"""Pearson and Spearman against SciPy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragstone.statistics import pearson, ranks, spearman

VALUES = st.one_of(st.integers(-3, 3).map(float), st.floats(-100, 100).map(lambda x: round(x, 3)))
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=3, max_size=40)


@given(PAIRS)
def test_agree_with_scipy(pairs: list[tuple[float, float]]) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert pearson(x, y) is spearman(x, y) is None
        return
    assert pearson(x, y) == pytest.approx(float(stats.pearsonr(x, y).statistic), abs=1e-9)
    assert spearman(x, y) == pytest.approx(float(stats.spearmanr(x, y).statistic), abs=1e-9)
    assert ranks(x) == stats.rankdata(x).tolist()


@given(PAIRS)
def test_symmetric_and_in_range(pairs: list[tuple[float, float]]) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    for statistic in (pearson, spearman):
        found = statistic(x, y)
        assert found == statistic(y, x)
        assert found is None or -1 <= found <= 1
        assert found is None or statistic(x, [-b for b in y]) == pytest.approx(-found, abs=1e-12)


def test_the_edges() -> None:
    assert pearson([], []) is pearson([1.0], [2.0]) is pearson([1.0, 1.0], [1.0, 2.0]) is None
    assert pearson([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) == 1.0
    with pytest.raises(ValueError, match="the same length, not 1 and 2"):
        pearson([1.0], [1.0, 2.0])
