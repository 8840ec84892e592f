"""Pages in colour, for a terminal. The only renderer that needs rich."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as RichText

from ragstone.reports.renderers.page import Page, Table, Text, Tone, width

STYLES = {
    Tone.PLAIN: "",
    Tone.GOOD: "green",
    Tone.BAD: "red",
    Tone.WARNING: "yellow",
    Tone.QUIET: "dim",
}
GAP = 2
"""Blanks between two columns of a table."""


def render(page: Page, console: Console | None = None) -> str:
    """Draw a page for the terminal; colours follow its own light or dark scheme.

    console: what is drawn on, by default as wide and colourful as the terminal of this process.
    """
    console = console or Console(file=StringIO(), force_terminal=True)
    with console.capture() as drawn:
        _draw(page, console)
    return drawn.get()


def _draw(page: Page, console: Console) -> None:
    headline = _text(page.headline)
    headline.stylize("bold")
    console.print(headline)
    for block, apart in page.spaced():
        if apart:
            console.print()
        if isinstance(block, Table):
            _draw_table(block, console)
        else:
            console.print(_text(block))


def _draw_table(table: Table, console: Console) -> None:
    """Draw a table: where it is too wide, heads are broken, then words of the last column wrapped.

    Where that is not enough, lines go on beyond the edge: the terminal breaks them, and no number
    is cut off.
    """
    room, heads = console.width, table.heads
    widths = _widths(table, heads)
    if sum(widths) + GAP * (len(widths) - 1) > room:
        heads = tuple(head.replace("/", "/\n").replace(" ", "\n") for head in heads)
        widths = _widths(table, heads)
    others = sum(widths[:-1]) + GAP * (len(widths) - 1)
    words = (word for row in table.rows for word in str(row[-1]).split())
    if others + max(map(width, words), default=0) > room:
        console.width = max(room, others + widths[-1])
    if table.title:
        console.print(RichText(table.title, style="bold"))
    console.print(_table(table, heads), crop=False)
    console.width = room


def _widths(table: Table, heads: Sequence[str]) -> list[int]:
    columns = zip(heads, *(map(str, row) for row in table.rows), strict=True)
    return [max(map(width, (*head.split("\n"), *cells))) for head, *cells in columns]


def _table(table: Table, heads: Sequence[str]) -> RichTable:
    drawn = RichTable(
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    for shown, head in zip(heads, table.heads, strict=True):
        whole = head != table.heads[-1]
        side: Literal["left", "right"] = "left" if head in table.left else "right"
        drawn.add_column(RichText(shown), justify=side, no_wrap=whole, overflow="fold")
    for row in table.rows:
        drawn.add_row(*map(_cell, row))
    return drawn


def _cell(text: Text) -> RichText:
    shown = _text(text)
    if text.tone is Tone.BAD:
        shown.stylize("bold")
    return shown


def _text(text: Text) -> RichText:
    return RichText(str(text), style=STYLES[text.tone])
