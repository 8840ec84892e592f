"""The exact McNemar test, for measures that are 0 or 1.

McNemar (1947), "Note on the sampling error of the difference between correlated proportions or
percentages", with the binomial distribution in place of its normal approximation: of the queries
that changed, each was as likely to be won as lost. It is what the sign-flip test becomes where
every difference is -1 or +1, counted in full however many queries changed: nothing is drawn.

Pure `math`: no NumPy.
"""

from __future__ import annotations

import math
import sys

_MOST_WHOLE = 1000  # up to so many coins, whole numbers are fast enough


def mcnemar_test(worse: int, better: int) -> float:
    """Return the two-sided exact p-value: min(1, 2 P(X <= the fewer)), X of worse + better coins.

    As `statsmodels.stats.contingency_tables.mcnemar(exact=True)` and
    `scipy.stats.binomtest(worse, worse + better)`. 1 where nothing changed, and never 0: below
    the smallest normal float (2.2e-308) it is given as that. ValueError for a negative count.

    >>> mcnemar_test(4, 0), mcnemar_test(2, 2), mcnemar_test(0, 0)
    (0.125, 1.0, 1.0)
    """
    if min(worse, better) < 0:
        raise ValueError(f"counts are at least 0, not {worse} and {better}")
    fewer, changed = min(worse, better), worse + better
    if 2 * fewer == changed:
        return 1.0
    tail = _tail if changed > _MOST_WHOLE else _whole_tail
    return max(min(1.0, 2.0 * tail(fewer, changed)), sys.float_info.min)


def _whole_tail(fewer: int, n: int) -> float:
    """Return P(X <= fewer) of n fair coins, exactly rounded."""
    return sum(math.comb(n, k) for k in range(fewer + 1)) / (1 << n)


def _tail(fewer: int, n: int) -> float:
    """Return P(X <= fewer) of n fair coins, for fewer < n / 2.

    The terms fall from the last one down by the factor k / (n - k + 1).
    """
    log_last = math.lgamma(n + 1) - math.lgamma(fewer + 1) - math.lgamma(n - fewer + 1)
    total, term = 0.0, 1.0
    for k in range(fewer, -1, -1):
        total += term
        term *= k / (n - k + 1)
        if term < 1e-18 * total:
            break
    return math.exp(log_last - n * math.log(2.0) + math.log(total))
