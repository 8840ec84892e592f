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
    one item, pooled over the items; of several judges, of the mean of their judgements. means: of
    each repeat over these items. changed: items that did not get the same value each time from
    each judge. smallest_change: a true change of the mean of this size,
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


def spread(*judges: Sequence[Sequence[Cell]]) -> Spread | None:
    """Measure the spread between repeats of a judge, or of the mean of several judges.

    judges: of each its runs; runs[r][i] is the cell of an item in a repeat. Judges vary without
    each other, so that the variance of their mean is the sum of theirs over their number squared;
    which repeat of one stands beside which of another plays no part. None for a single repeat, or
    where no item has a value in all of them.
    """
    cells = zip(*(run for runs in judges for run in runs), strict=True)
    r = len(judges[0])
    rows = [
        [[cell.value for cell in each[at : at + r]] for at in range(0, len(each), r)]
        for each in cells
        if all(cell.status.counts for cell in each)
    ]
    if r < 2 or not rows:
        return None
    n, size = len(rows), len(judges)
    within = math.sqrt(math.fsum(_variance(own) for row in rows for own in row) / n) / size
    smallest = None
    if n > 1:  # the difference of two runs has twice the variance of one, and a run has r repeats
        smallest = math.sqrt(2 / r) * within * detectable_effect(n)
    means = tuple(
        math.fsum(own[place] for row in rows for own in row) / (n * size) for place in range(r)
    )
    changed = sum(any(max(own) - min(own) > 1e-9 for own in row) for row in rows)
    return Spread(n, r, within, means, changed, smallest)


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
