"""What a chart of thresholds shows: plain values, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.reports import numbers
from ragstone.reports.charts.palette import SERIES
from ragstone.reports.renderers.page import shorten

LONGEST_NAME = 48


class Curves(Struct, frozen=True):
    """Values over thresholds, a sequence for each name, parallel to the thresholds."""

    thresholds: tuple[float, ...]
    values: Mapping[str, tuple[float | None, ...]]

    @classmethod
    def of(
        cls, thresholds: Sequence[float], values: Mapping[str, Sequence[float | None]]
    ) -> Curves:
        """Take plain values; raises UsageError for what cannot be drawn."""
        if not values or not thresholds:
            raise UsageError("there is no measure to draw over thresholds")
        if len(values) > len(SERIES):
            raise UsageError(f"{len(values)} lines do not fit into one chart, {len(SERIES)} do")
        for name, line in values.items():
            if len(line) != len(thresholds):
                raise UsageError(
                    f"{name} has {len(line)} values, but there are {len(thresholds)} thresholds"
                )
        named = {shorten(name, LONGEST_NAME): tuple(line) for name, line in values.items()}
        return cls(tuple(thresholds), named)

    @property
    def names(self) -> tuple[str, ...]:
        """What the lines are called, in their order."""
        return tuple(self.values)

    @property
    def domain(self) -> tuple[float, float]:
        """From where to where the axis of values goes: 0 to 1 for all that is within it."""
        known = [value for line in self.values.values() for value in line if value is not None]
        return min([0.0, *known]), max([1.0, *known])

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each point."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Any]]:
        for name, line in self.values.items():
            for threshold, value in zip(self.thresholds, line, strict=True):
                said = f"{name} at {threshold:g}: {numbers.value(value)}"
                yield {"name": name, "threshold": threshold, "value": value, "said": said}

    def describe(self, chosen: float | None = None) -> str:
        """Say in words where each line begins and ends, and its highest point.

        >>> Curves.of([0.5, 0.7, 0.9], {"RR": [0.8, 0.9, 0.4]}).describe()
        'RR is 0.8000 at 0.5 and 0.4000 at 0.9, highest at 0.7: 0.9000.'
        """
        said = [f"{name} {self._course(line)}" for name, line in self.values.items()]
        marked = "" if chosen is None else f" Marked: {chosen:g}."
        return "; ".join(said) + "." + marked

    def _course(self, line: Sequence[float | None]) -> str:
        known = [(t, v) for t, v in zip(self.thresholds, line, strict=True) if v is not None]
        if not known:
            return "has no value"
        (first, start), (last, end) = known[0], known[-1]
        best, highest = max(known, key=lambda point: (point[1], -point[0]))
        shown = numbers.value
        return (
            f"is {shown(start)} at {first:g} and {shown(end)} at {last:g}, "
            f"highest at {best:g}: {shown(highest)}"
        )
