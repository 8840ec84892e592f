"""Percentile intervals of agreement and correlation, from a bootstrap over items.

Items are drawn with replacement, each with all of its labels (a cluster bootstrap: Field and Welsh
2007, "Bootstrapping clustered data"), since two labels of one item are not independent. The
interval is the percentile interval (Efron and Tibshirani 1993, chapter 13). Resamples in which a
statistic is not defined, such as kappa where everything fell into one category, are left out; with
fewer than half of them left there is no interval.

The draws are those of `bootstrap`. NumPy is imported when an interval is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ragstone.statistics.agreement import Confusion
from ragstone.statistics.ttest import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGITS = 10  # beyond, a sum depends on the processor
_TINY = 1e-20  # of the spread that there could be: what is left of equal values is rounding


class Draws(NamedTuple):
    """How often a bootstrap draws, with which seed, and the confidence of its intervals."""

    resamples: int = 2_000
    seed: int = 0
    confidence: float = 0.95


def agreement_intervals(
    clusters: Iterable[list[tuple[int, int]]],
    categories: int,
    statistics: Sequence[Callable[[Confusion], float | None]],
    draws: Draws,
) -> list[Interval | None]:
    """Return an interval for each statistic of the confusion table.

    clusters: for each item the categories of its pairs of answers, (first rater, second rater).
    The order of the items does not matter.
    """
    import numpy as np

    from ragstone.statistics.bootstrap import resampled

    ordered = sorted(clusters)
    tables = np.zeros((len(ordered), categories * categories), dtype=np.int64)
    for item, pairs in enumerate(ordered):
        for first, second in pairs:
            tables[item, first * categories + second] += 1
    found: list[list[float | None]] = [[] for _ in statistics]
    if len(ordered) > 1:
        for drawn in resampled(len(ordered), draws.resamples, draws.seed):
            for row in (drawn.astype(np.int64) @ tables).tolist():
                table = [row[k : k + categories] for k in range(0, len(row), categories)]
                for values, statistic in zip(found, statistics, strict=True):
                    values.append(statistic(table))
    return [percentile_interval(values, draws) for values in found]


def correlation_intervals(
    clusters: Iterable[list[tuple[float, float]]], draws: Draws
) -> tuple[Interval | None, Interval | None]:
    """Return the intervals of Pearson's and Spearman's correlation.

    clusters: for each item its pairs of values, (first side, second side).
    """
    import numpy as np

    from ragstone.statistics.bootstrap import resampled

    ordered = sorted(clusters)
    if len(ordered) < 2:
        return None, None
    pairs = np.array([pair for item in ordered for pair in item], dtype=np.float64)
    item_of = np.repeat(np.arange(len(ordered)), [len(item) for item in ordered])
    x, y = pairs.T
    of_values: list[float | None] = []
    of_ranks: list[float | None] = []
    for drawn in resampled(len(ordered), draws.resamples, draws.seed):
        weights = np.take(drawn, item_of, axis=1).astype(np.float64)
        of_values += _weighted(weights, x, y)
        of_ranks += _weighted(weights, _ranked(weights, x), _ranked(weights, y))
    return percentile_interval(of_values, draws), percentile_interval(of_ranks, draws)


def percentile_interval(values: Iterable[float | None], draws: Draws) -> Interval | None:
    """Return the percentile interval of what was defined; None if that is less than half."""
    known = sorted(value for value in values if value is not None)
    if not known or 2 * len(known) < draws.resamples:
        return None
    place = max(1, math.floor((len(known) + 1) * 0.5 * (1.0 - draws.confidence)))
    return Interval(round(known[place - 1], _DIGITS), round(known[-place], _DIGITS))


def _weighted(weights: NDArray[Any], x: NDArray[Any], y: NDArray[Any]) -> list[float | None]:
    """Return the correlation under each row of weights; x and y have one row, or one each."""
    import numpy as np

    total = weights.sum(axis=1, keepdims=True)
    dx = x - (weights * x).sum(axis=1, keepdims=True) / total
    dy = y - (weights * y).sum(axis=1, keepdims=True) / total
    spread = (weights * dx * dx).sum(axis=1) * (weights * dy * dy).sum(axis=1)
    reach = float(np.ptp(x) * np.ptp(y))
    least = _TINY * (total[:, 0] * reach) ** 2 if reach else np.full(len(total), np.inf)
    found = (weights * dx * dy).sum(axis=1) / np.sqrt(np.where(spread > least, spread, 1.0))
    clipped = np.clip(found, -1.0, 1.0)
    return [
        value if enough else None
        for value, enough in zip(clipped.tolist(), (spread > least).tolist(), strict=True)
    ]


def _ranked(weights: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """Return the ranks of x in each resample: a value drawn w times has w ranks, and their mean."""
    import numpy as np

    order = np.argsort(x, kind="stable")
    ascending = x[order]
    first = np.searchsorted(ascending, x, side="left")
    behind = np.searchsorted(ascending, x, side="right")
    sums = np.zeros((len(weights), len(x) + 1))
    np.cumsum(weights[:, order], axis=1, out=sums[:, 1:])
    return np.asarray((sums[:, first] + 1.0 + sums[:, behind]) / 2.0)
