"""Colours, light and dark, and what they make of a chart.

Charts are drawn in the light colours, as attributes that every program understands. Where a
browser prefers dark, a style in the SVG puts the dark ones in their place.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Colour(NamedTuple):
    """One colour on a light background and on a dark one."""

    light: str
    dark: str


BACKGROUND = Colour("#ffffff", "#14181d")
TEXT = Colour("#1c2128", "#e6e9ed")
QUIET = Colour("#59636e", "#9da7b3")
GRID = Colour("#e1e4e8", "#2d333b")
LIMIT = Colour("#111111", "#fafafa")
BAD = Colour("#c0322b", "#f4776c")
SERIES = (
    Colour("#2f6fb3", "#6cb0f2"),
    Colour("#b25e00", "#f0a04b"),
    Colour("#1f7f5c", "#4fc79a"),
    Colour("#8c4aa8", "#cf94e6"),
    Colour("#7a6a00", "#d2c13f"),
    Colour("#a83b72", "#f08dbd"),
    Colour("#3d7f92", "#6fc6da"),
    Colour("#5a5fd0", "#a3a7ff"),
)
BASELINE = Colour("#7b8794", "#8b96a3")
COLOURS = (BACKGROUND, TEXT, QUIET, GRID, LIMIT, BAD, BASELINE, *SERIES)

CSS_CLASS = "ragstone-chart"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first is what lays the charts out; the next two have its widths, others may be broader."""

CONFIG: dict[str, Any] = {
    "background": BACKGROUND.light,
    "font": FONT,
    "padding": {"left": 16, "top": 16, "bottom": 16, "right": 40},
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "color": TEXT.light,
        "fontSize": 15,
        "offset": 14,
        "subtitleColor": QUIET.light,
        "subtitleFontSize": 12,
        "subtitlePadding": 6,
    },
    "axis": {
        "domain": False,
        "domainColor": QUIET.light,
        "gridColor": GRID.light,
        "labelColor": QUIET.light,
        "labelFontSize": 12,
        "tickColor": GRID.light,
        "titleColor": QUIET.light,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "legend": {
        "labelColor": TEXT.light,
        "labelFontSize": 12,
        "labelLimit": 320,
        "orient": "bottom",
        "title": None,
    },
}


def series(number: int) -> list[str]:
    """Return the light colours of so many series; there are eight."""
    return [colour.light for colour in SERIES[:number]]


def dark_style() -> str:
    """Return the CSS that turns a chart dark where the reader's system is; paper stays light."""
    rules = "".join(
        f'.{CSS_CLASS} [{what}="{colour.light}"]{{{what}:{colour.dark}}}'
        for colour in COLOURS
        for what in ("fill", "stroke")
    )
    whole = f"svg.{CSS_CLASS}:root{{color-scheme:light dark}}"
    return f"{whole}@media screen and (prefers-color-scheme:dark){{{rules}}}"


def in_dark(svg: str) -> str:
    """Return a drawing in the dark colours, for a picture that follows nobody's system."""
    for colour in COLOURS:
        for what in ("fill", "stroke"):
            svg = svg.replace(f'{what}="{colour.light}"', f'{what}="{colour.dark}"')
    return svg
