"""How far a judge disagrees with itself, and the smallest change that can be seen through it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ragstone.model import Cell
from ragstone.statistics import detectable_effect


class Spread(NamedTuple):
    """How far repeats of the same judge on the same answers lie apart.

    items: those with a value in every repeat. within_sd: standard deviation of one judgement of
    one item, pooled over the items. means: of each repeat over these items. changed: items that
    did not get the same value each time. smallest_change: a true change of the mean of this size,
    between two runs of as many repeats over as many items, is found by a two-sided paired t test at
    0.05 with probability 0.8 if nothing but the judge's own spread is in its way. None below two
    items. Differences below it are not worth a budget.
    """

    items: int
    repeats: int
    within_sd: float
    means: tuple[float, ...]
    changed: int
    smallest_change: float | None


def spread(runs: Sequence[Sequence[Cell]]) -> Spread | None:
    """Measure the spread between repeats; runs[r][i] is the cell of an item in a repeat.

    None for a single repeat, or where no item has a value in all of them.
    """
    rows = [
        [cell.value for cell in cells]
        for cells in zip(*runs, strict=True)
        if all(cell.status.counts for cell in cells)
    ]
    if len(runs) < 2 or not rows:
        return None
    n, r = len(rows), len(runs)
    within = math.sqrt(math.fsum(_variance(row) for row in rows) / n)
    smallest = None
    if n > 1:  # the difference of two runs has twice the variance of one, and a run has r repeats
        smallest = math.sqrt(2 / r) * within * detectable_effect(n)
    means = tuple(math.fsum(row[place] for row in rows) / n for place in range(r))
    changed = sum(max(row) - min(row) > 1e-9 for row in rows)
    return Spread(n, r, within, means, changed, smallest)


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
