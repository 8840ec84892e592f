"""How far two judges agree on the same items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.model import Cell

SAME = 1e-9
MOST_CATEGORIES = 8
"""With more values than this, a measure is no scale of categories, and kappa says nothing."""


class Difference(NamedTuple):
    """An item on which two judges differ: second - first."""

    item: str
    first: float
    second: float

    @property
    def by(self) -> float:
        """How far they lie apart."""
        return self.second - self.first


class Agreement(NamedTuple):
    """How far two judges agree over the items that both gave a value.

    exact: share of equal values. mean_difference: second - first, a leaning. mean_distance: mean
    absolute difference. correlation: Pearson's, None where one of them is constant. kappa: Cohen's
    (1960), unweighted, where both give a few values only; None else. differ: the items on which
    they differ, the furthest apart first. uncommon: items that only one of them gave a value.
    """

    first: str
    second: str
    items: int
    exact: float | None
    mean_difference: float | None
    mean_distance: float | None
    correlation: float | None
    kappa: float | None
    differ: tuple[Difference, ...]
    uncommon: int


def agreement(
    items: Sequence[str], first: tuple[str, Sequence[Cell]], second: tuple[str, Sequence[Cell]]
) -> Agreement:
    """Compare two judges, each a name and a cell for each item."""
    (name, mine), (other, theirs) = first, second
    pairs = [
        Difference(item, a.value, b.value)
        for item, a, b in zip(items, mine, theirs, strict=True)
        if a.status.counts and b.status.counts
    ]
    uncommon = sum(
        a.status.counts is not b.status.counts for a, b in zip(mine, theirs, strict=True)
    )
    if not pairs:
        return Agreement(name, other, 0, None, None, None, None, None, (), uncommon)
    differ = sorted(
        (pair for pair in pairs if abs(pair.by) > SAME), key=lambda pair: (-abs(pair.by), pair.item)
    )
    n = len(pairs)
    x, y = [pair.first for pair in pairs], [pair.second for pair in pairs]
    return Agreement(
        name,
        other,
        n,
        (n - len(differ)) / n,
        math.fsum(pair.by for pair in pairs) / n,
        math.fsum(abs(pair.by) for pair in pairs) / n,
        correlation(x, y),
        kappa(x, y),
        tuple(differ),
        uncommon,
    )


def correlation(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None where one side is constant or there are fewer than two.

    >>> correlation([0.0, 3.0, 4.0], [1.0, 1.0, 1.0]) is None
    True
    """
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    centre_x, centre_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    dx, dy = [a - centre_x for a in x], [b - centre_y for b in y]
    below = math.sqrt(math.fsum(a * a for a in dx)) * math.sqrt(math.fsum(b * b for b in dy))
    if not below:
        return None
    return max(-1.0, min(1.0, math.fsum(map(float.__mul__, dx, dy)) / below))


def kappa(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Cohen's kappa over equal values; None for more than eight, or one for all items.

    >>> kappa([1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
    0.5
    """
    mine = Counter(round(value, 9) for value in x)
    theirs = Counter(round(value, 9) for value in y)
    categories = mine.keys() | theirs.keys()
    if not 2 <= len(categories) <= MOST_CATEGORIES:
        return None
    n = len(x)
    observed = sum(abs(a - b) <= SAME for a, b in zip(x, y, strict=True)) / n
    chance = sum(mine[each] * theirs[each] for each in categories) / (n * n)
    return (observed - chance) / (1 - chance)
