"""The one place where a column becomes a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct

from ragstone.errors import InputError, UsageError
from ragstone.measures.measure import Measure, parse_measure
from ragstone.model import Column, Scores
from ragstone.registry import Registry

AGGREGATES: Registry[Callable[[list[float], list[float]], float]] = Registry("aggregate")


class Aggregate(Struct, frozen=True):
    """A measure and how its column becomes a number; prints as `R@5`, `R@5:micro`."""

    measure: Measure
    how: str

    @classmethod
    def default(cls, measure: Measure) -> Aggregate:
        """Return a measure's usual aggregate."""
        return cls(measure, measure.declaration.aggregate)

    def __str__(self) -> str:
        """Print the measure, and after a colon the aggregate unless it is the usual one."""
        usual = self.how == self.measure.declaration.aggregate
        return str(self.measure) if usual else f"{self.measure}:{self.how}"

    def of(self, column: Column) -> float | None:
        """Compute the number; None where no item counts.

        Raises UsageError for :micro of a column that has no weights, InputError for values
        whose sum or distance is beyond a double.
        """
        if self.how == "micro" and column.weights is None:
            raise UsageError(
                f"{self}: {self.measure.name} has no denominator to weigh by, or it was not kept"
            )
        counted = list(column.counted())
        if not counted:
            return None
        weights = [] if column.weights is None else [column.weights[i] for i in counted]
        try:
            number = AGGREGATES[self.how]([column.values[i] for i in counted], weights)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise InputError(f"{self}: its values are too large for a {self.how}")
        return number


def parse_aggregate(text: str, *, k: int | None = None) -> Aggregate:
    """Read a measure with or without an aggregate behind a colon.

    >>> str(parse_aggregate("recall_5:micro")), parse_aggregate("num_ret").how
    ('R@5:micro', 'sum')
    """
    name, colon, how = text.partition(":")
    measure = parse_measure(name, k=k)
    aggregate = Aggregate(
        measure, AGGREGATES.resolve(how) if colon else measure.declaration.aggregate
    )
    if how == "micro" and measure.declaration.denominator is None:
        raise UsageError(f"{text!r}: {measure.name} has no denominator to weigh by")
    return aggregate


def summary(
    scores: Scores, aggregates: Iterable[Aggregate] | None = None
) -> dict[str, float | None]:
    """Return aggregates under their canonical names; by default each column's usual one."""
    if aggregates is None:
        aggregates = [Aggregate.default(parse_measure(name)) for name in scores.columns]
    return {str(each): each.of(scores[str(each.measure)]) for each in aggregates}


def quantile(values: Iterable[float], share: float) -> float:
    """Return the value at a share of the ordered values, interpolated (Hyndman & Fan's type 7).

    >>> quantile([1.0, 2.0, 4.0], 0.75)
    3.0
    """
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _mean(values: list[float], _: list[float]) -> float:
    return math.fsum(values) / len(values)


def _micro(values: list[float], weights: list[float]) -> float:
    below = math.fsum(weights)
    return math.fsum(map(float.__mul__, values, weights)) / below if below else 0.0


def _sum(values: list[float], _: list[float]) -> float:
    return math.fsum(values)


def _percentile(share: float, values: list[float], _: list[float]) -> float:
    return quantile(values, share)


AGGREGATES.add("mean", _mean)
AGGREGATES.add("micro", _micro)
AGGREGATES.add("sum", _sum)
AGGREGATES.add("p50", partial(_percentile, 0.50))
AGGREGATES.add("p95", partial(_percentile, 0.95))
AGGREGATES.add("p99", partial(_percentile, 0.99))
