"""Aggregates computed again, from the rows of a report or from what it kept of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import UNSET, Struct

from ragstone.errors import InputError
from ragstone.measures import Aggregate
from ragstone.model import Scores
from ragstone.reports.table import Statistics, Table, from_table


class Recomputed(Struct, frozen=True):
    """The bounds of an aggregate; they are equal where it can be computed exactly."""

    low: float | None
    high: float | None


class Aggregates:
    """Answers what an aggregate of a report's columns must be; the table must be sound."""

    def __init__(self, table: Table) -> None:
        """Read the rows back where they are all there."""
        self._table = table
        self._scores: Scores | None = from_table(table, {}) if table.rows == "all" else None

    def of(self, aggregate: Aggregate) -> Recomputed:
        """Compute one; raises InputError where its column or its weights are not there."""
        name = str(aggregate.measure)
        if name not in self._table.columns:
            raise InputError(f"there is no column {name!r}")
        if self._scores is not None:
            value = aggregate.of(self._scores[name])
            return Recomputed(value, value)
        kept = self._table.columns[name].statistics
        if kept is UNSET:
            raise InputError(f"column {name!r} has no statistics")
        return _from_statistics(aggregate.how, kept)


def _from_statistics(how: str, kept: Statistics) -> Recomputed:
    if not kept.scored + kept.default:
        return Recomputed(None, None)
    if how not in FORMULAS:
        return Recomputed(kept.min, kept.max)
    value = FORMULAS[how](kept)
    return Recomputed(value, value)


def _micro(kept: Statistics) -> float:
    if kept.weights_sum is UNSET or kept.weighted_sum is UNSET:
        raise InputError("its statistics have no weights")
    return kept.weighted_sum / kept.weights_sum if kept.weights_sum else 0.0


FORMULAS: Final[dict[str, Callable[[Statistics], float]]] = {
    "mean": lambda kept: kept.sum / (kept.scored + kept.default),
    "micro": _micro,
    "sum": lambda kept: kept.sum,
}
