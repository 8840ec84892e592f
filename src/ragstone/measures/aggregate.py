"""The one place where a column becomes a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from ragstone.errors import InputError, UsageError
from ragstone.measures.measure import Measure, parse_measure
from ragstone.model import Column, Scores
from ragstone.model.scored import Scored, scores_of
from ragstone.registry import Registry

AGGREGATES: Registry[Callable[[list[float], list[float]], float]] = Registry("aggregate")

QUANTILES: Final = MappingProxyType({"p50": 0.50, "p95": 0.95, "p99": 0.99})
"""The aggregates that are a quantile, and its share of the ordered values."""

LEAST_ITEMS: Final = MappingProxyType({"p95": 60, "p99": 300})
"""How many items a quantile needs before it may be gated: three are then beyond it.

With so many, the largest value lies beyond the true quantile with 95% probability: 1 - 0.95^60 is
0.954, 1 - 0.99^300 is 0.951 (Wilks 1941, "Determination of sample sizes for setting tolerance
limits").
"""


class Aggregate(Struct, frozen=True):
    """A measure and how its column becomes a number; prints as `R@5`, `R@5:micro`."""

    measure: Measure
    how: str

    @classmethod
    def default(cls, measure: Measure) -> Aggregate:
        """Return a measure's usual aggregate."""
        return cls(measure, measure.declaration.aggregate)

    @classmethod
    def shown(cls, measure: Measure) -> list[Aggregate]:
        """Return what a summary has of a measure: the usual aggregate, then what it declares.

        >>> [str(each) for each in Aggregate.shown(parse_measure("latency_ms"))]
        ['latency_ms', 'latency_ms:p50', 'latency_ms:p95', 'latency_ms:p99']
        """
        return [cls.default(measure), *(cls(measure, how) for how in measure.declaration.shown)]

    @property
    def least_items(self) -> int:
        """How many items must count before it may be gated."""
        return LEAST_ITEMS.get(self.how, 0)

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
    scores: Scores | Scored, aggregates: str | Iterable[str | Aggregate] | None = None
) -> dict[str, float | None]:
    """Return aggregates under their canonical names; by default what each measure shows."""
    found = scores_of(scores, "what is summed up")
    if aggregates is None:
        known = [each for name in found.columns for each in Aggregate.shown(parse_measure(name))]
    else:
        named = [aggregates] if isinstance(aggregates, str) else aggregates
        known = [each if isinstance(each, Aggregate) else parse_aggregate(each) for each in named]
    return {str(each): each.of(found[str(each.measure)]) for each in known}


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
for _name, _share in QUANTILES.items():
    AGGREGATES.add(_name, partial(_percentile, _share))
