"""The paired t test and its interval.

Pure `math`: no NumPy. Student (1908), "The probable error of a mean"; for retrieval
systems: Smucker, Allan and Carterette (2007), "A comparison of statistical
significance tests for information retrieval evaluation", CIKM.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from ragstone.statistics.distributions import t_ppf, t_sf
from ragstone.statistics.moments import Differences, moments


@dataclass(frozen=True, slots=True)
class TTest:
    """A two-sided paired t test of the mean difference against 0.

    `statistic` and `p_value` are None where the test is undefined: below two
    queries, or if every query changed by the same amount, so that there is no
    variance to judge it by. Then a budget has to decide. Identical sides have
    statistic 0 and p 1. Never infinite, never NaN.
    """

    statistic: float | None
    p_value: float | None
    df: int


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both included, in the unit of the measure."""

    low: float
    high: float


def paired_t_test(differences: Differences) -> TTest:
    """Test whether the mean of the differences is 0, two-sided, with n - 1 degrees of freedom.

    As `scipy.stats.ttest_rel(candidate, baseline)`, but for constant differences
    (there: an infinite statistic). p is never 0: one below the smallest normal
    float (2.2e-308) is given as that. ValueError if a difference is not finite.

    >>> test = paired_t_test([0.1, -0.2, 0.3, 0.4])
    >>> round(test.statistic, 6), round(test.p_value, 6), test.df
    (1.133893, 0.339254, 3)
    >>> paired_t_test([-0.25, -0.25, -0.25, -0.25])
    TTest(statistic=None, p_value=None, df=3)
    >>> paired_t_test([0.0, 0.0])
    TTest(statistic=0.0, p_value=1.0, df=1)
    """
    found = moments(differences)
    df = max(found.n - 1, 0)
    if found.mean is None or found.standard_error is None:
        return TTest(None, None, df)
    if not found.standard_error:
        return TTest(None, None, df) if found.mean else TTest(0.0, 1.0, df)
    statistic = found.mean / found.standard_error
    p_value = min(1.0, 2.0 * t_sf(abs(statistic), df))
    return TTest(statistic, max(p_value, sys.float_info.min), df)


def mean_interval(differences: Differences, confidence: float = 0.95) -> Interval | None:
    """Return the paired t interval of the mean difference: mean -/+ t sd / sqrt(n).

    None where it is undefined: below two queries, or if every query changed by the
    same amount. Identical sides have the interval from 0 to 0. ValueError if a
    difference is not finite or `confidence` not between 0 and 1.

    >>> interval = mean_interval([0.1, -0.2, 0.3, 0.4])
    >>> round(interval.low, 6), round(interval.high, 6)
    (-0.270998, 0.570998)
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence!r}")
    found = moments(differences)
    if found.mean is None or found.standard_error is None:
        return None
    if not found.standard_error:
        return None if found.mean else Interval(0.0, 0.0)
    critical = -t_ppf(0.5 * (1.0 - confidence), found.n - 1)
    reach = critical * found.standard_error
    return Interval(found.mean - reach, found.mean + reach)
