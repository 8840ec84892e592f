from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from ragstone.statistics import Interval, TTest, mean_interval, moments, paired_t_test

columns = st.lists(st.floats(-1, 1), min_size=2, max_size=50)


def has_variance(differences: list[float]) -> bool:
    return bool(moments(differences).sd)


@pytest.mark.parametrize("n", [2, 3, 10, 300, 7000])
@pytest.mark.parametrize("shift", [0.0, 0.02, -0.3])
def test_agrees_with_scipy(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    baseline, candidate = rng.random(n), rng.random(n) + shift
    expected = stats.ttest_rel(candidate, baseline)
    found = paired_t_test(candidate - baseline)
    assert found.df == n - 1
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-11, abs=0)
    assert found.p_value == pytest.approx(max(expected.pvalue, sys.float_info.min), rel=1e-9, abs=0)
    for confidence in (0.5, 0.95, 0.999):
        low, high = expected.confidence_interval(confidence)
        interval = mean_interval(candidate - baseline, confidence)
        assert interval is not None
        assert interval.low == pytest.approx(low, rel=1e-9, abs=1e-13)
        assert interval.high == pytest.approx(high, rel=1e-9, abs=1e-13)


def test_agrees_with_statsmodels() -> None:
    differences = np.random.default_rng(1).normal(0.05, 0.2, 40)
    expected = DescrStatsW(differences)
    statistic, p_value, df = expected.ttest_mean(0.0)
    low, high = expected.tconfint_mean(alpha=0.05)
    found, interval = paired_t_test(differences), mean_interval(differences)
    assert interval is not None
    assert (found.statistic, found.p_value) == pytest.approx((statistic, p_value), rel=1e-11, abs=0)
    assert found.df == df
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-11, abs=0)


@given(columns)
def test_swapping_the_sides_changes_the_sign_only(differences: list[float]) -> None:
    assume(has_variance(differences))
    one, other = paired_t_test(differences), paired_t_test([-d for d in differences])
    assert one.statistic is not None
    assert other == TTest(-one.statistic, one.p_value, one.df)
    here, there = mean_interval(differences), mean_interval([-d for d in differences])
    assert here is not None
    assert there == Interval(-here.high, -here.low)


@given(columns)
def test_row_order_does_not_matter(differences: list[float]) -> None:
    assert paired_t_test(sorted(differences)) == paired_t_test(differences)
    assert mean_interval(sorted(differences)) == mean_interval(differences)


@given(columns)
def test_interval_excludes_zero_where_the_test_is_significant(differences: list[float]) -> None:
    assume(has_variance(differences))
    found, interval = paired_t_test(differences), mean_interval(differences, 0.9)
    assert found.p_value is not None
    assert interval is not None
    assume(abs(found.p_value - 0.1) > 1e-9)
    assert (interval.low > 0 or interval.high < 0) == (found.p_value < 0.1)


def test_case_54_a_constant_drop_has_no_t_test() -> None:
    differences = [0.5 - 0.75] * 4
    assert paired_t_test(differences) == TTest(None, None, 3)
    assert mean_interval(differences) is None


def test_a_constant_drop_with_rounding_noise_has_none_either() -> None:
    differences = [0.8 - 0.9, 0.7 - 0.8, 0.6 - 0.7, 0.2 - 0.3]
    assert len(set(differences)) > 1
    assert paired_t_test(differences) == TTest(None, None, 3)
    assert mean_interval(differences) is None


def test_identical_sides() -> None:
    for differences in ([0.0, 0.0, 0.0], [1e-17, 0.0, -1e-16]):
        assert paired_t_test(differences) == TTest(0.0, 1.0, 2)
        assert mean_interval(differences) == Interval(0.0, 0.0)


def test_too_few_queries() -> None:
    assert paired_t_test([]) == TTest(None, None, 0)
    assert paired_t_test([0.5]) == TTest(None, None, 0)
    assert mean_interval([]) is mean_interval([0.5]) is None


def test_p_is_never_zero() -> None:
    differences = [-0.5 + (-1) ** i * 1e-3 for i in range(7000)]
    found = paired_t_test(differences)
    assert found.p_value == sys.float_info.min
    assert found.statistic is not None
    assert math.isfinite(found.statistic)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan])
def test_confidence_is_a_share(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        mean_interval([0.1, 0.2], confidence)
