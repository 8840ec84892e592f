"""One of the two Scores of a comparison, with its columns under measures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ragstone.errors import InputError, UsageError
from ragstone.measures import Aggregate, Measure, parse_measure
from ragstone.model import Column, Scores
from ragstone.model.scored import Scored, scores_of

LARGEST = 1e150
"""The largest size of a value that the statistics can square."""


@dataclass(frozen=True, slots=True)
class Side:
    """The baseline or the candidate; `name` says which, in messages."""

    name: str
    scores: Scores
    columns: Mapping[Measure, Column]

    @classmethod
    def of(cls, name: str, given: Scores | Scored) -> Side:
        """Read the names of the columns; raises InputError for one that is not canonical.

        given: Scores, or what has them; raises UsageError for anything else.
        """
        scores = scores_of(given, f"the {name}")
        measures = {_measure(name, column): column for column in scores.columns}
        columns = {each: scores.columns[measures[each]] for each in ordered(measures)}
        return cls(name, scores, columns)

    def has(self, aggregate: Aggregate) -> bool:
        """Tell whether there is a column, and for :micro also its weights."""
        column = self.columns.get(aggregate.measure)
        return column is not None and (aggregate.how != "micro" or column.weights is not None)

    def check_weights(self, aggregates: Iterable[Aggregate]) -> None:
        """Raise UsageError for a :micro aggregate of a column that kept no weights."""
        for aggregate in aggregates:
            if aggregate.measure in self.columns and not self.has(aggregate):
                raise UsageError(
                    f"{aggregate}: the {self.name} has no weights for {aggregate.measure}; "
                    f"score it again with --measure {aggregate}"
                )

    def value(self, aggregate: Aggregate) -> float | None:
        """Recompute an aggregate over all items that count.

        None where it cannot be computed, no item counts, or a value is not a usable number.
        """
        if not self.has(aggregate) or self.unusable(aggregate.measure):
            return None
        return aggregate.of(self.columns[aggregate.measure])

    def unusable(self, measure: Measure) -> list[str]:
        """Return the items that count, but with a value or weight that is no usable number.

        NaN and the infinities are not, nor is what is so large that its square is infinite.
        """
        column = self.columns[measure]
        numbers = [column.values] if column.weights is None else [column.values, column.weights]
        if all(_usable(number) for each in numbers for number in each):
            return []
        return [
            self.scores.items[i]
            for i in column.counted()
            if not all(_usable(each[i]) for each in numbers)
        ]


def ordered(measures: Iterable[Measure]) -> list[Measure]:
    """Sort measures for people: quality first, then by name, parameters and cutoff.

    >>> from ragstone.measures import AP, Judged, nDCG
    >>> [str(measure) for measure in ordered([Judged @ 5, nDCG, nDCG @ 10, nDCG @ 5, AP])]
    ['AP', 'nDCG@5', 'nDCG@10', 'nDCG', 'Judged@5']
    """
    return sorted(measures, key=_place)


def _usable(value: float) -> bool:
    return abs(value) <= LARGEST  # false for NaN


def _place(measure: Measure) -> tuple[bool, str, tuple[tuple[str, object], ...], float]:
    cutoff = math.inf if measure.cutoff is None else measure.cutoff
    folded = measure.name.casefold()
    return (not measure.declaration.quality, folded, measure.parameters, cutoff)


def _measure(side: str, column: str) -> Measure:
    try:
        measure = parse_measure(column)
    except InputError as error:
        raise InputError(f"the {side} has a column {column!r}: {error}") from None
    if str(measure) != column:
        raise InputError(
            f"the {side} has a column {column!r}; its canonical name {str(measure)!r} was expected"
        )
    return measure
