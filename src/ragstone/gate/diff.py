"""What became of each query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any

from ragstone.gate.coverage import Pairs
from ragstone.gate.side import Side
from ragstone.measures import Direction, Measure

ROUNDING = 1e-12
"""Differences this small are rounding noise, here as in ragstone.statistics."""


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One query under one measure; delta is candidate - baseline, in units of the measure."""

    id: str
    measure: str
    baseline: float
    candidate: float
    delta: float


@dataclass(frozen=True, slots=True)
class DiffColumn:
    """The two values of each query of a Diff; None where a query does not count."""

    baseline: tuple[float | None, ...]
    candidate: tuple[float | None, ...]
    higher_is_better: bool

    @property
    def deltas(self) -> tuple[float | None, ...]:
        """candidate - baseline; None where a query does not count on both sides."""
        pairs = zip(self.baseline, self.candidate, strict=True)
        return tuple(None if a is None or b is None else b - a for a, b in pairs)

    @property
    def worsenings(self) -> tuple[float, ...]:
        """How much worse each query became; 0 where it did not change or does not count."""
        sign = -1.0 if self.higher_is_better else 1.0
        return tuple(_clean(sign * (delta or 0.0)) for delta in self.deltas)


@dataclass(frozen=True, slots=True)
class Diff:
    """The queries whose value changed under any compared measure, ascending by id.

    Columnar, and without the queries that did not change: 7,000 queries under six measures are
    some 2 MB of JSON if all of them changed.
    """

    items: tuple[str, ...] = ()
    columns: dict[str, DiffColumn] = field(default_factory=dict)

    def regressed(self, measure: str, top: int | None = None) -> list[QueryChange]:
        """Return the queries that got worse under a measure, the worst first, ties by id.

        A measure that was not compared has none.

        >>> column = DiffColumn((1.0, 0.5, 0.5), (0.0, 0.5, 0.75), higher_is_better=True)
        >>> [change.id for change in Diff(("q1", "q2", "q3"), {"RR": column}).regressed("RR")]
        ['q1']
        """
        column = self.columns.get(measure)
        if column is None:
            return []
        worsenings = column.worsenings
        worse = [i for i, worsening in enumerate(worsenings) if worsening > 0]
        most = len(worse) if top is None else top
        worst = nsmallest(most, worse, key=lambda i: (-round(worsenings[i], 12), self.items[i]))
        return [self._change(measure, column, i) for i in worst]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Go through the queries as `{id, measures: {name: {baseline, candidate, delta}}}`.

        A query has only the measures under which it changed.
        """
        deltas = {name: column.deltas for name, column in self.columns.items()}
        for i, item in enumerate(self.items):
            changes = {
                name: {
                    "baseline": column.baseline[i],
                    "candidate": column.candidate[i],
                    "delta": deltas[name][i],
                }
                for name, column in self.columns.items()
                if _changed(column.baseline[i], column.candidate[i])
            }
            yield {"id": item, "measures": changes}

    def _change(self, measure: str, column: DiffColumn, i: int) -> QueryChange:
        before, after = column.baseline[i] or 0.0, column.candidate[i] or 0.0
        return QueryChange(self.items[i], measure, before, after, after - before)


def diff_of(pairs: Sequence[Pairs], old: Side, new: Side) -> Diff:
    """Collect the queries that changed under any of the compared measures."""
    columns = [
        (each.measure, _values(old, each.measure), _values(new, each.measure)) for each in pairs
    ]
    changed = [
        i
        for i in range(len(old.scores))
        if any(_changed(before[i], after[i]) for _, before, after in columns)
    ]
    return Diff(
        tuple(old.scores.items[i] for i in changed),
        {
            str(measure): DiffColumn(
                tuple(before[i] for i in changed),
                tuple(after[i] for i in changed),
                measure.declaration.direction is Direction.HIGHER,
            )
            for measure, before, after in columns
        },
    )


def _values(side: Side, measure: Measure) -> list[float | None]:
    column = side.columns[measure]
    return [column.value(i) for i in range(len(side.scores))]


def _changed(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return before is not after
    return abs(after - before) > ROUNDING


def _clean(worsening: float) -> float:
    return worsening if worsening > ROUNDING else 0.0
