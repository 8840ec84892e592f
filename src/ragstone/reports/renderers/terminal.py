"""Pages in colour, for a terminal. The only renderer that needs rich."""

from __future__ import annotations

from io import StringIO
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as RichText

from ragstone.reports.renderers.page import Page, Table, Text, Tone

STYLES = {
    Tone.PLAIN: "",
    Tone.GOOD: "green",
    Tone.BAD: "red",
    Tone.WARNING: "yellow",
    Tone.QUIET: "dim",
}
GAP, LEAST = 2, 8
"""Columns between two columns of a table, and what a last one needs to be wrapped into."""


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
    before_line = True
    for block in page.blocks:
        line = isinstance(block, Text)
        if not (line and before_line):
            console.print()
        if isinstance(block, Table):
            _draw_table(block, console)
        else:
            console.print(_text(block))
        before_line = line


def _draw_table(table: Table, console: Console) -> None:
    """Draw a table, its last column wrapped where that is enough for it to fit.

    Where it is not, lines go on beyond the edge: the terminal breaks them, and cuts nothing off.
    """
    *widths, last = table.widths()
    others = sum(widths) + GAP * len(widths)
    room = console.width
    if others + LEAST > room:
        console.width = max(room, others + last)
    console.print(_table(table), crop=False)
    console.width = room


def _table(table: Table) -> RichTable:
    drawn = RichTable(
        title=table.title or None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    for head in table.heads:
        whole = head != table.heads[-1]
        side: Literal["left", "right"] = "left" if head in table.left else "right"
        drawn.add_column(RichText(head), justify=side, no_wrap=whole, overflow="fold")
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
