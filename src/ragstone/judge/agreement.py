"""How far two judges agree on the same items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.model import Cell
from ragstone.statistics import cohen_kappa, pearson

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
        pearson(x, y),
        kappa(x, y),
        tuple(differ),
        uncommon,
    )


def kappa(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Cohen's kappa over equal values; None for more than eight, or one for all items.

    >>> kappa([1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
    0.5
    """
    mine, theirs = ([round(value, 9) for value in values] for values in (x, y))
    categories = sorted({*mine, *theirs})
    if not 2 <= len(categories) <= MOST_CATEGORIES:
        return None
    found = Counter(zip(mine, theirs, strict=True))
    return cohen_kappa([[found[a, b] for b in categories] for a in categories])
