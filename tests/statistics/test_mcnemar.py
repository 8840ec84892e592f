from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from ragstone.statistics import mcnemar_test, permutation_test

counts = st.integers(0, 400)


@given(counts, counts, counts)
def test_agrees_with_statsmodels(worse: int, better: int, unchanged: int) -> None:
    table = np.array([[unchanged, worse], [better, 0]])
    reference = float(mcnemar(table, exact=True).pvalue)
    if worse == better:  # there the two tails overlap, and statsmodels says more than 1 or nan
        assert mcnemar_test(worse, better) == 1.0
    else:
        assert mcnemar_test(worse, better) == pytest.approx(reference, rel=1e-9, abs=1e-300)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_agrees_with_scipy(worse: int, better: int) -> None:
    """Above a thousand changed queries the terms are floats; SciPy says 0 below 1e-299 or so."""
    if not worse + better:
        return
    reference = float(stats.binomtest(worse, worse + better).pvalue)
    found = mcnemar_test(worse, better)
    assert found == pytest.approx(reference, rel=1e-8, abs=1e-290)


@given(st.integers(0, 10), st.integers(0, 10), st.integers(0, 5))
def test_is_the_sign_flip_test_of_differences_of_one(
    worse: int, better: int, unchanged: int
) -> None:
    differences = [-1.0] * worse + [1.0] * better + [0.0] * (unchanged + 2)
    found = permutation_test(differences)
    assert found.exact
    assert mcnemar_test(worse, better) == found.p_value


@pytest.mark.parametrize(
    ("worse", "better", "expected"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (4, 0, 0.125),
        (0, 5, 0.0625),
        (6, 0, 2 / 64),
        (6, 1, 2 * (1 + 7) / 128),
        (3, 3, 1.0),
        (2, 3, 1.0),  # twice the smaller tail is exactly 1
    ],
)
def test_by_hand(worse: int, better: int, expected: float) -> None:
    assert mcnemar_test(worse, better) == expected
    assert mcnemar_test(better, worse) == expected


def test_the_two_ways_to_add_up_meet() -> None:
    """One query more than whole numbers are used for changes p by its own share only."""
    below, above = mcnemar_test(450, 550), mcnemar_test(450, 551)
    assert below == pytest.approx(float(stats.binomtest(450, 1000).pvalue), rel=1e-12)
    assert above == pytest.approx(float(stats.binomtest(450, 1001).pvalue), rel=1e-11)


def test_p_is_never_0() -> None:
    assert mcnemar_test(5000, 0) == sys.float_info.min
    assert 0 < mcnemar_test(90_000, 110_000) < 1e-300
    assert math.isfinite(mcnemar_test(99_900, 100_100))


def test_counts_are_not_negative() -> None:
    with pytest.raises(ValueError, match="counts are at least 0, not -1 and 2"):
        mcnemar_test(-1, 2)
