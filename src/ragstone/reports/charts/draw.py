"""Charts, declared in altair. The only module that needs it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ragstone.errors import MissingExtraError, one_line
from ragstone.reports.charts.bar import Bar, BarData, Panel, series_of
from ragstone.reports.charts.curve import Curves
from ragstone.reports.charts.histogram import Histogram
from ragstone.reports.charts.palette import BACKGROUND, BAD, CONFIG, LIMIT, TEXT, series
from ragstone.reports.renderers.page import width

if TYPE_CHECKING:
    from altair import LayerChart, VConcatChart

FEATURE = "drawing a chart"
BROAD = 440
"""How broad a plot is, in pixels, without its labels."""
HIGH = 280
BAR, BETWEEN = 18, 12
"""How high a bar is, and how much room is between two measures."""
LINE = 72
"""After so many characters a title is broken."""
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "triangle-down",
    "cross",
    "triangle-left",
    "triangle-right",
)


def library() -> ModuleType:
    """Return altair; raises MissingExtraError where it is not installed."""
    try:
        import altair as alt
    except ImportError:
        raise MissingExtraError(FEATURE, "report") from None
    return alt


def bars(
    bars: Iterable[Bar], *, title: str = "", subtitle: str = "", limit: str = "its limit"
) -> VConcatChart:
    """Draw measures as bars, those of several runs side by side, one axis for each unit.

    limit: what the line across a bar is, in words. Raises UsageError where there is nothing
    to draw or more than eight runs, and MissingExtraError.
    """
    alt, data = library(), BarData.of(bars)
    panels = [_panel(panel, data) for panel in data.panels]
    if any(bar.limit is not None for panel in data.panels for bar in panel.bars):
        subtitle = "  ".join(filter(None, (subtitle, f"The line across a bar is {limit}.")))
    chart = alt.vconcat(*panels, bounds="flush", spacing=56)
    chart = chart.resolve_scale(color="shared")
    finished: VConcatChart = _finished(chart, title, subtitle, data.describe())
    return finished


def curves(
    thresholds: Sequence[float],
    values: Mapping[str, Sequence[float | None]],
    *,
    title: str = "",
    subtitle: str = "",
    chosen: float | None = None,
) -> LayerChart:
    """Draw measures over thresholds, a line each; None where a measure has no value there.

    chosen: a threshold to mark. Raises UsageError for no line, more than eight, or a line that
    is not as long as the thresholds, and MissingExtraError.
    """
    alt, data = library(), Curves.of(thresholds, values)
    names = list(data.names)
    base = alt.Chart(_inline(data.rows())).encode(
        x=alt.X("threshold:Q", title="threshold",
                scale=alt.Scale(zero=False, nice=False, padding=8)),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(domain=data.domain)),
        color=alt.Color("name:N", legend=_legend(names),
                        scale=alt.Scale(domain=names, range=series(len(names)))),
    )  # fmt: skip
    shapes = list(SHAPES[: len(names)])
    shaped = alt.Shape("name:N", scale=alt.Scale(domain=names, range=shapes), legend=_legend(names))
    layers = [
        base.mark_line(strokeWidth=2, aria=False),
        base.mark_point(filled=True, size=48, opacity=1).encode(shape=shaped, description="said:N"),
    ]
    if chosen is not None:
        layers.append(_mark_at(chosen))
    chart = alt.layer(*layers).properties(width=BROAD, height=HIGH)
    finished: LayerChart = _finished(chart, title, subtitle, data.describe(chosen))
    return finished


def histogram(
    similarities: Sequence[float] | Mapping[str, Sequence[float]],
    *,
    bins: int = 20,
    title: str = "",
    subtitle: str = "",
    threshold: float | None = None,
) -> LayerChart:
    """Draw how often each similarity from 0 to 1 occurs, of one kind of pairs or several.

    similarities: numbers, or those of each kind, as matched and not matched, which are stacked.
    threshold: marked by a line. Raises UsageError for numbers that are not from -1 to 1, for no
    bin, for no number or more than eight kinds, and MissingExtraError.
    """
    alt, data = library(), Histogram.of(similarities, bins)
    names = list(data.counts)
    colours = alt.Scale(domain=names, range=series(len(names)))
    drawn = (
        alt.Chart(_inline(data.rows()))
        .mark_bar(binSpacing=1)
        .encode(
            x=alt.X("low:Q", title="similarity", scale=alt.Scale(domain=data.domain, nice=False),
                    bin="binned"),
            x2="high:Q",
            y=alt.Y("count:Q", title="pairs", axis=alt.Axis(format=",d", tickMinStep=1)),
            color=alt.Color("kind:N", scale=colours, legend=_legend(names)),
            order=alt.Order("place:Q"),
            description="said:N",
        )
    )  # fmt: skip
    layers = [drawn] if threshold is None else [drawn, _mark_at(threshold)]
    chart = alt.layer(*layers).properties(width=BROAD, height=HIGH)
    finished: LayerChart = _finished(chart, title, subtitle, data.describe(threshold))
    return finished


def _panel(panel: Panel, data: BarData) -> LayerChart:
    """Draw the bars of one unit: bars, intervals, limits, and the numbers to their right."""
    alt, runs, measures = library(), list(data.runs), panel.measures
    axis = alt.Axis(
        minExtent=data.margin, maxExtent=data.margin, labelLimit=0, ticks=False, labelPadding=8
    )
    between = BETWEEN / (len(runs) * BAR + BETWEEN)
    scale = alt.Scale(paddingInner=between, paddingOuter=between / 2)
    rows = alt.Y("measure:N", sort=measures, title=None, axis=axis, scale=scale)
    offset = alt.YOffset("run:N", sort=runs, scale=alt.Scale(domain=runs, paddingInner=0.1))
    base = alt.Chart(_inline(_rows(panel))).encode(y=rows, yOffset=offset)
    names, colours = zip(*data.legend, strict=True)
    colour = alt.Color(
        "series:N",
        scale=alt.Scale(domain=list(names), range=list(colours)),
        legend=_legend(names),
    )
    drawn = base.mark_bar().encode(
        x=alt.X("value:Q", title=panel.unit or None, axis=alt.Axis(grid=False, domain=True)),
        color=colour,
        description="said:N",
    )
    layers = [drawn, *_extras(base, panel), _numbers(base)]
    high = len(measures) * (len(runs) * BAR + BETWEEN)
    drawing: LayerChart = alt.layer(*layers).properties(width=BROAD, height=high)
    return drawing


def _extras(base: Any, panel: Panel) -> list[Any]:
    """Draw intervals and limits where there are any; what they say is said of the bar."""
    extras = []
    if any(bar.interval for bar in panel.bars):
        rule = base.mark_rule(strokeWidth=1.5, color=TEXT.light, aria=False)
        extras.append(rule.transform_filter("isValid(datum.low)").encode(x="low:Q", x2="high:Q"))
    if any(bar.limit is not None for bar in panel.bars):
        tick = base.mark_tick(
            thickness=4, size=BAR, opacity=1, color=LIMIT.light, stroke=BACKGROUND.light, aria=False
        )
        extras.append(tick.transform_filter("isValid(datum.limit)").encode(x="limit:Q"))
    return extras


def _numbers(base: Any) -> Any:
    alt = library()
    failed = alt.condition("datum.failed", alt.value(BAD.light), alt.value(TEXT.light))
    return base.mark_text(align="left", dx=6, fontSize=12, aria=False).encode(
        x="end:Q", text="label:N", color=failed
    )


def _rows(panel: Panel) -> list[dict[str, Any]]:
    return [
        {
            "measure": bar.measure,
            "run": bar.run,
            "series": series_of(bar),
            "value": bar.value,
            "low": bar.interval and bar.interval[0],
            "high": bar.interval and bar.interval[1],
            "limit": bar.limit,
            "end": bar.end,
            "label": bar.label,
            "failed": bar.failed,
            "said": f"{bar.measure}, {bar.run}: {bar.label}",
        }
        for bar in panel.bars
    ]


def _mark_at(place: float) -> Any:
    alt = library()
    base = alt.Chart(_inline([{"place": place, "label": f"{place:g}"}])).encode(x="place:Q")
    rule = base.mark_rule(color=LIMIT.light, strokeWidth=1.5, strokeDash=[4, 3], aria=False)
    text = base.mark_text(dy=-6, baseline="bottom", color=TEXT.light, fontSize=12, aria=False)
    return rule + text.encode(y=alt.value(0), text="label:N")


def _legend(names: Sequence[str]) -> Any:
    """Return a legend with as many columns as fit, or None where there is but one name."""
    if len(names) < 2:
        return None
    room = 36 + 6.5 * max(map(width, names))
    return library().Legend(columns=max(1, int((BROAD + 160) / room)))


def _inline(rows: list[dict[str, Any]]) -> Any:
    return library().InlineData(values=rows)


def _finished(chart: Any, title: str, subtitle: str, description: str) -> Any:
    """Add the title, the text for those who do not see it, and the colours."""
    lines = textwrap.wrap(one_line(title), LINE)
    below = textwrap.wrap(one_line(subtitle), LINE + 12)
    titled = library().Title(lines or "", **({"subtitle": below} if below else {}))
    chart = chart.properties(description=description, **({"title": titled} if lines else {}))
    return chart.configure(**CONFIG)
