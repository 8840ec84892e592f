"""Colours that can be told from what is behind them, and from each other."""

from __future__ import annotations

import re

import pytest

from ragstone.reports.charts.palette import (
    BACKGROUND,
    BAD,
    BASELINE,
    COLOURS,
    LIMIT,
    QUIET,
    SERIES,
    TEXT,
    Colour,
    dark_style,
    in_dark,
)

MODES = ("light", "dark")


def luminance(colour: str) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_the_contrast_of_known_colours() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("colour", [TEXT, QUIET, BAD, LIMIT])
def test_text_can_be_read(colour: Colour, mode: str) -> None:
    assert contrast(getattr(colour, mode), getattr(BACKGROUND, mode)) >= 4.5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("colour", [*SERIES, BASELINE])
def test_marks_can_be_seen(colour: Colour, mode: str) -> None:
    assert contrast(getattr(colour, mode), getattr(BACKGROUND, mode)) >= 3


@pytest.mark.parametrize("mode", MODES)
def test_no_two_colours_are_the_same(mode: str) -> None:
    """The dark colour is looked up by the light one."""
    assert len({getattr(colour, mode) for colour in COLOURS}) == len(COLOURS)


def test_the_style_has_every_colour_for_fill_and_stroke() -> None:
    style = dark_style()
    for colour in COLOURS:
        for what in ("fill", "stroke"):
            assert f'[{what}="{colour.light}"]{{{what}:{colour.dark}}}' in style
    assert re.search(r"@media screen and \(prefers-color-scheme:dark\)", style)


def test_dark_in_place() -> None:
    drawn = f'<a fill="{TEXT.light}" stroke="{BAD.light}">{TEXT.light}</a>'
    expected = f'<a fill="{TEXT.dark}" stroke="{BAD.dark}">{TEXT.light}</a>'
    assert in_dark(drawn) == expected
