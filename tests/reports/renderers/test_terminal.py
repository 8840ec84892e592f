"""Colours on a terminal: the same words as in plain text, and nothing cut off."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorType
from rich.console import Console
from rich.style import Style

import judged
from ragstone.reports.renderers import compare, text
from ragstone.reports.renderers.page import Page, Table, Text, Tone, width
from ragstone.reports.renderers.terminal import STYLES, render

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def console(columns: int, *, no_color: bool = False) -> Console:
    return Console(
        file=io.StringIO(),
        width=columns,
        color_system="standard",
        force_terminal=True,
        no_color=no_color,
        _environ={},
    )


def draw(page: Page, columns: int = 120, *, no_color: bool = False) -> str:
    return render(page, console(columns, no_color=no_color))


def plain(drawn: str) -> str:
    return ESCAPE.sub("", drawn)


def test_every_tone_has_a_style() -> None:
    assert set(STYLES) == set(Tone)


@pytest.mark.parametrize(
    ("tone", "code"),
    [
        (Tone.PLAIN, ""),
        (Tone.GOOD, "\x1b[32m"),
        (Tone.BAD, "\x1b[31m"),
        (Tone.WARNING, "\x1b[33m"),
        (Tone.QUIET, "\x1b[2m"),
    ],
)
def test_a_line_has_the_colour_of_its_tone(tone: Tone, code: str) -> None:
    end = "\x1b[0m" if code else ""
    assert draw(Page(Text("x"), (Text("said", tone),))).endswith(f"\n{code}said{end}\n")


def test_named_colours_follow_the_scheme_of_the_terminal() -> None:
    """One of the eight colours that a light or dark scheme sets, never a fixed one."""
    drawn = draw(compare.page(judged.not_significant()))
    for style in filter(None, STYLES.values()):
        colour = Style.parse(style).color
        assert colour is None or colour.type is ColorType.STANDARD
    codes = {code for found in re.findall(r"\x1b\[([0-9;]+)m", drawn) for code in found.split(";")}
    assert codes == {"0", "1", "32", "33"}


def test_a_page() -> None:
    cells: list[list[Text | str]] = [["q1", Text("FAIL", Tone.BAD)], ["q2", "pass"]]
    page = Page(
        Text("FAIL: x", Tone.BAD), (Text("said"), Table.of(("query", "result"), cells, "T"))
    )
    drawn = draw(page)
    assert drawn.startswith("\x1b[1;31mFAIL: x\x1b[0m\nsaid\n\n\x1b[1mT")
    assert "\x1b[1;31mFAIL\x1b[0m\n" in drawn
    assert [line.rstrip() for line in plain(drawn).splitlines()] == [
        "FAIL: x",
        "said",
        "",
        "T",
        "query  result",
        "─────────────",
        "q1       FAIL",
        "q2       pass",
    ]


PAGES = {
    "passing": compare.page(judged.passing()),
    "failing": compare.page(judged.failing()),
    "not significant": compare.page(judged.not_significant()),
    "undecided": compare.page(judged.undecided()),
    "incomparable": compare.page(judged.incomparable()),
}


def words(page: Page) -> list[str]:
    blocks = [page.headline, *page.blocks]
    cells = [
        cell
        for block in blocks
        for cell in (
            [block]
            if isinstance(block, Text)
            else [
                Text(block.title),
                *map(Text, block.heads),
                *(c for row in block.rows for c in row),
            ]
        )
    ]
    return " ".join(map(str, cells)).replace("/", "/ ").split()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("columns", [1, 20, 40, 60, 80, 100, 200])
def test_no_word_is_cut_off_at_any_width(name: str, columns: int) -> None:
    page = PAGES[name]
    drawn = plain(draw(page, columns))
    joined = drawn if columns >= 20 else drawn.replace("\n", "")
    assert [word for word in words(page) if word not in joined] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_wide_terminal_shows_the_lines_of_plain_text(name: str) -> None:
    page = PAGES[name]
    lines = [" ".join(line.split()) for line in plain(draw(page, 400)).splitlines()]
    expected = [" ".join(line.split()) for line in text.render(page).splitlines()]
    rules = re.compile(r"[─ -]+")
    assert [line for line in lines if not rules.fullmatch(line)] == [
        line for line in expected if not rules.fullmatch(line)
    ]


@pytest.mark.parametrize("columns", [80, 100])
def test_a_comparison_fits_80_columns(columns: int) -> None:
    for page in PAGES.values():
        assert max(map(width, plain(draw(page, columns)).splitlines())) <= columns


def test_without_colours() -> None:
    drawn = draw(PAGES["failing"], no_color=True)
    assert "\x1b[1m" in drawn
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", drawn)


texts = st.text(max_size=20)


@settings(max_examples=50)
@given(texts, texts, st.integers(1, 60))
def test_any_text_is_drawn_as_it_is(cell: str, line: str, columns: int) -> None:
    """No markup, no emoji code, no escape of the text's own."""
    page = Page(Text(line), (Table.of(("a", "b"), [(cell, cell)]),))
    drawn = draw(page, columns)
    assert set(re.findall(r"\x1b.?[0-9;]*.?", drawn)) <= {"\x1b[1m", "\x1b[0m"}
    squeezed = re.sub(r"\s", "", plain(drawn))
    assert re.sub(r"\s", "", str(Text(cell))) in squeezed


@pytest.mark.parametrize("said", ["[red]x[/red]", ":smile:", "[link=x]y[/]", "\\[x]", "3.14 'a'"])
def test_markup_is_text(said: str) -> None:
    page = Page(Text(said), (Text(said), Table.of((said,), [(said,)], said)))
    drawn = draw(page)
    assert plain(drawn).count(said) == 5
    assert set(ESCAPE.findall(drawn)) <= {"\x1b[1m", "\x1b[0m"}


def test_the_console_is_as_wide_afterwards() -> None:
    narrow = console(20)
    render(PAGES["failing"], narrow)
    assert narrow.width == 20
