"""How small a change a query set can show.

Pure `math`: no NumPy. Cohen (1988), Statistical Power Analysis for the Behavioral
Sciences, chapter 2; the numbers are those of statsmodels' `TTestPower`.
"""

from __future__ import annotations

import math
from functools import lru_cache

from ragstone.statistics.distributions import noncentral_t_cdf, noncentral_t_sf, t_ppf
from ragstone.statistics.moments import Differences, moments
from ragstone.statistics.roots import find_root


def smallest_detectable_drop(
    differences: Differences, *, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """Return the smallest mean change that this query set would show, as a positive number.

    In the unit of the measure: a true mean change of this size, either way, makes a
    two-sided paired t test at level `alpha` on these n queries, with the standard
    deviation of these differences, significant with probability `power`. None below
    two queries or without variance, where it is undefined. ValueError if a
    difference is not finite, or `alpha` or `power` not between 0 and 1.

    >>> round(smallest_detectable_drop([0.1, -0.1] * 50), 6)
    0.028434
    >>> smallest_detectable_drop([-0.25, -0.25, -0.25]) is None
    True
    """
    found = moments(differences)
    if not found.sd:
        return None
    return found.sd * detectable_effect(found.n, alpha=alpha, power=power)


@lru_cache(maxsize=256)
def detectable_effect(n: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest effect size d_z that a paired t test on `n` queries would show.

    Two-sided, at level `alpha`, with probability `power`: statsmodels'
    `TTestPower().solve_power(nobs=n, alpha=alpha, power=power)`. 0.0 if `power` is
    at most `alpha`, which a test reaches without any effect. ValueError if `n` is
    below 2, or `alpha` or `power` not between 0 and 1.

    >>> round(detectable_effect(20), 6)
    0.660442
    """
    _check(n, alpha, power)
    if power <= alpha:
        return 0.0
    critical = -t_ppf(0.5 * alpha, n - 1)

    def excess(log_noncentrality: float) -> float:
        return _two_sided_power(critical, n - 1, math.exp(log_noncentrality)) - power

    high = math.log(critical + 1.0)
    while excess(high) < 0:
        high += 1.0
    low = high - 1.0
    while excess(low) > 0:
        low -= 1.0
    return math.exp(find_root(excess, low, high, tolerance=1e-13)) / math.sqrt(n)


def _two_sided_power(critical: float, df: int, noncentrality: float) -> float:
    """Return the probability that |T| exceeds `critical`."""
    above = noncentral_t_sf(critical, df, noncentrality)
    return above + noncentral_t_cdf(-critical, df, noncentrality)


def _check(n: int, alpha: float, power: float) -> None:
    if n < 2:
        raise ValueError(f"a paired test needs at least 2 queries, not {n}")
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"{name} must be between 0 and 1, not {value!r}")
