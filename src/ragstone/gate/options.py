"""Options of the form MEASURE=LIMIT: budgets, floors, and how much may be left unmeasured."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ragstone.errors import UsageError
from ragstone.gate.budget import TOLERANCE, Budget
from ragstone.gate.target import Target, read_target
from ragstone.gate.wording import exactly
from ragstone.measures import Aggregate

T = TypeVar("T")

Limits: TypeAlias = Mapping[str, str | float] | Iterable[str]
"""Budgets or floors: a mapping of names to limits, or texts like `nDCG@10=2`."""

ITEM_LIMIT = "limit of an item's drop"
_FORMS = {
    "budget": "MEASURE=LIMIT, like nDCG@10=2",
    "floor": "MEASURE=LEVEL, like nDCG@10=0.6",
    ITEM_LIMIT: "MEASURE=AMOUNT, like nDCG@10=0.5",
}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII)
_ALLOWANCE = re.compile(r"(\d+)|(\d+\.?\d*|\.\d+)\s*%", re.ASCII)


def read_budgets(given: Limits) -> dict[Target, Budget]:
    """Read budgets, each target once.

    Raises UsageError for an unknown name, a limit that cannot be, or a target given twice.

    >>> {str(t): str(b) for t, b in read_budgets(["ndcg=2", "P(rel=2)@5=0.1abs"]).items()}
    {'nDCG': '2%', 'P(rel=2)@5': '0.1abs'}
    """
    return _read("budget", given, lambda _, value: Budget.of(value))


def read_floors(given: Limits) -> dict[Target, float]:
    """Read floors in units of the measure, each target once.

    Raises UsageError as `read_budgets`, and for a level that the measure cannot have.

    >>> {str(target): floor for target, floor in read_floors({"nDCG@10": 0.6}).items()}
    {'nDCG@10': 0.6}
    """
    return _read("floor", given, _floor)


def read_item_limits(given: Limits) -> dict[Target, float]:
    """Read how much worse a single item may get, in units of the measure, each target once.

    Raises UsageError as `read_budgets`, and for a name with an aggregate, which no item has.

    >>> {str(t): limit for t, limit in read_item_limits(["nDCG@10=0.5", "latency=2e3"]).items()}
    {'nDCG@10': 0.5, 'latency_ms': 2000.0}
    """
    return _read(ITEM_LIMIT, given, _item_limit)


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many items may be left unmeasured: a count, or a percent of all items.

    >>> str(Allowance.of("5%")), Allowance.of("5%").allows(1, 20), Allowance.of(0).allows(1, 20)
    ('5%', True, False)
    """

    limit: float = 0.0
    percent: bool = False

    @classmethod
    def of(cls, value: str | int, name: str = "max_failed") -> Allowance:
        """Read `3` or `5%`; raises UsageError, naming the option, for anything else."""
        match = _ALLOWANCE.fullmatch(str(value).strip())
        limit = float(match[1] or match[2]) if match else math.nan
        percent = bool(match and match[2])
        if not math.isfinite(limit) or (percent and limit > 100):
            raise UsageError(
                f"{name} is {value!r}; write a count of items as 3, or a share as 5% (to 100%)"
            )
        return cls(limit, percent)

    def __str__(self) -> str:
        """Print as it is written."""
        return exactly(self.limit) + ("%" if self.percent else "")

    def allows(self, number: int, items: int) -> bool:
        """Tell whether so many of all items are within the limit."""
        most = self.limit * items / 100 if self.percent else self.limit
        return number <= most * (1 + TOLERANCE)


def _read(noun: str, given: Limits, convert: Callable[[Target, str | float], T]) -> dict[Target, T]:
    limits: dict[Target, T] = {}
    for name, value in _pairs(noun, given):
        target = read_target(noun, name)
        if target in limits:
            raise UsageError(f"{noun} {name!r}: {target} has a {noun} already; give it once")
        try:
            limits[target] = convert(target, value)
        except UsageError as error:
            raise UsageError(f"{noun} {name!r}: {error}") from None
    return limits


def _pairs(noun: str, given: Limits) -> Iterator[tuple[str, str | float]]:
    if isinstance(given, Mapping):
        yield from given.items()
        return
    if not isinstance(given, Iterable):
        raise UsageError(f"{noun} {given!r}: write it as {_FORMS[noun]}")
    for text in [given] if isinstance(given, str) else given:
        name, equals, value = str(text).rpartition("=")
        if not equals or not name.strip():
            raise UsageError(f"{noun} {text!r}: write it as {_FORMS[noun]}")
        yield name, value


def _floor(target: Target, value: str | float) -> float:
    text = str(value).strip().lower()
    floor = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(floor):
        raise UsageError(f"{value!r} is not a level; write a number like nDCG@10=0.6")
    low, high = target.aggregate.measure.declaration.range
    if target.aggregate.how != "sum" and not low <= floor <= high:
        raise UsageError(
            f"{value!r} is outside the range of {target}, {exactly(low)} to {exactly(high)}"
        )
    return floor


def _item_limit(target: Target, value: str | float) -> float:
    usual = Aggregate.default(target.aggregate.measure)
    if target.aggregate != usual:
        raise UsageError(f"an item has no {target.aggregate.how}; name the measure alone: {usual}")
    text = str(value).strip().lower().removesuffix("abs")
    limit = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not 0 <= limit < math.inf:
        raise UsageError(
            f"{value!r} is not an amount; write how many units of the measure, like nDCG@10=0.5"
        )
    return limit
