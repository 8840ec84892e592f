"""What a chart of bars shows: plain values, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.reports import numbers
from ragstone.reports.charts.palette import BAD, BASELINE, SERIES, series
from ragstone.reports.renderers.page import shorten, width

FAILED = "failed"
LONGEST_NAME = 48


class Bar(Struct, frozen=True, kw_only=True):
    """One value of one run, in units of the measure; None where there is no value.

    interval: its confidence interval. limit: the worst value that is allowed, drawn as a line.
    failed: whether it is marked as such. note: what stands behind the number.
    """

    measure: str
    run: str
    value: float | None
    unit: str = ""
    interval: tuple[float, float] | None = None
    limit: float | None = None
    failed: bool = False
    note: str = ""

    @property
    def label(self) -> str:
        """What stands beside the bar: the number, the note, and that it failed.

        >>> Bar(measure="RR", run="a", value=0.5, note="-2.00%", failed=True).label
        '0.5000 (-2.00%) FAIL'
        """
        note = f"({self.note})" if self.note else ""
        parts = (numbers.value(self.value, self.unit), note, "FAIL" if self.failed else "")
        return " ".join(filter(None, parts))

    @property
    def end(self) -> float:
        """Where what is drawn of it ends, to the right of which its label stands."""
        ends = (self.value, self.limit, self.interval and self.interval[1])
        return max(0.0, *(end for end in ends if end is not None), 0.0)


class Panel(Struct, frozen=True):
    """The bars of one unit, which share an axis."""

    unit: str
    bars: tuple[Bar, ...]

    @property
    def measures(self) -> list[str]:
        """The names of the measures in their order."""
        return list(dict.fromkeys(bar.measure for bar in self.bars))


class BarData(Struct, frozen=True):
    """All bars, by unit, with the names of the runs and their colours in the legend."""

    panels: tuple[Panel, ...]
    runs: tuple[str, ...]
    legend: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, bars: Iterable[Bar]) -> BarData:
        """Group bars; raises UsageError where there is none, or more runs than colours."""
        given = [_shortened(bar) for bar in bars]
        if not given:
            raise UsageError("there is no measure to draw")
        runs = tuple(dict.fromkeys(bar.run for bar in given))
        if len(runs) > len(SERIES):
            raise UsageError(
                f"{len(runs)} runs do not fit into one chart, {len(SERIES)} do; draw fewer"
            )
        units = dict.fromkeys(bar.unit for bar in given)
        panels = (Panel(unit, tuple(bar for bar in given if bar.unit == unit)) for unit in units)
        return cls(tuple(panels), runs, _legend(runs, given))

    @property
    def margin(self) -> int:
        """The room in pixels that the longest name of a measure needs."""
        names = (name for panel in self.panels for name in panel.measures)
        return 12 + round(6.5 * max(map(width, names)))

    def describe(self) -> str:
        """Say all the values in words.

        >>> BarData.of([Bar(measure="RR", run="a", value=0.5)]).describe()
        'RR: a 0.5000.'
        """
        said = []
        for panel in self.panels:
            for measure in panel.measures:
                bars = [bar for bar in panel.bars if bar.measure == measure]
                values = ", ".join(f"{bar.run} {_said(bar)}" for bar in bars)
                said.append(f"{measure}{f' ({panel.unit})' if panel.unit else ''}: {values}")
        return "; ".join(said) + "."


def series_of(bar: Bar) -> str:
    """Return what the legend calls a bar: its run, and whether it failed."""
    return f"{bar.run}, {FAILED}" if bar.failed else bar.run


def _shortened(bar: Bar) -> Bar:
    from msgspec.structs import replace

    measure, run = (shorten(name, LONGEST_NAME) for name in (bar.measure, bar.run))
    return replace(bar, measure=measure, run=run)


def _legend(runs: Sequence[str], bars: Sequence[Bar]) -> tuple[tuple[str, str], ...]:
    """Return what the legend names and its colours; against a baseline only failures stand out."""
    colours = series(len(runs))
    if any(bar.limit is not None or bar.failed for bar in bars) and len(runs) == 2:
        colours = [BASELINE.light, SERIES[0].light]
    named = dict(zip(runs, colours, strict=True))
    for bar in bars:
        if bar.failed:
            named[series_of(bar)] = BAD.light
    used = {series_of(bar) for bar in bars}
    return tuple((name, colour) for name, colour in named.items() if name in used)


def _said(bar: Bar) -> str:
    said = bar.label
    if bar.interval:
        said += f" ({' to '.join(numbers.value(end, bar.unit) for end in bar.interval)})"
    if bar.limit is not None:
        said += f" (limit {numbers.value(bar.limit, bar.unit)})"
    return said
