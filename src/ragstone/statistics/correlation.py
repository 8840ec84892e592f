"""Correlation of two columns: Pearson's, and Spearman's of their ranks.

Pure `math`: no NumPy. Sums are exactly rounded (`math.fsum`), so the order of the rows cannot
change a digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Pearson's correlation, as `scipy.stats.pearsonr`.

    None below two rows, or where a side is constant. ValueError for sides of unequal length.

    >>> pearson([0.0, 1.0, 2.0], [1.0, 3.0, 5.0]), pearson([0.0, 1.0], [1.0, 1.0])
    (1.0, None)
    """
    if len(x) != len(y):
        raise ValueError(f"columns have the same length, not {len(x)} and {len(y)}")
    dx, dy = _centred(x), _centred(y)
    if dx is None or dy is None:
        return None
    found = math.fsum(map(float.__mul__, dx, dy))
    below = math.sqrt(math.fsum(a * a for a in dx) * math.fsum(b * b for b in dy))
    return max(-1.0, min(1.0, found / below)) if below else None


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Pearson's correlation of the ranks, as `scipy.stats.spearmanr`; None as `pearson`.

    >>> spearman([1.0, 2.0, 3.0], [1.0, 10.0, 100.0])
    1.0
    """
    return pearson(ranks(x), ranks(y))


def ranks(values: Sequence[float]) -> list[float]:
    """Return the ranks from 1, equal values with the mean of theirs.

    >>> ranks([0.5, 0.1, 0.5])
    [2.5, 1.0, 2.5]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            found[place] = (start + 1 + end) / 2.0
        start = end
    return found


def _centred(values: Sequence[float]) -> list[float] | None:
    """Return the distances from the mean; None where there are none to speak of."""
    if len(values) < 2 or min(values) == max(values):
        return None
    mean = math.fsum(values) / len(values)
    return [float(value - mean) for value in values]
