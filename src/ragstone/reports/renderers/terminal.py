"""Pages in colour, for a terminal. The only renderer that needs rich."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as RichText

from ragstone.reports.renderers.page import Page, Table, Text, Tone

STYLES = {
    Tone.PLAIN: "",
    Tone.GOOD: "green",
    Tone.BAD: "bold red",
    Tone.WARNING: "yellow",
    Tone.QUIET: "dim",
}


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
        console.print(_table(block) if isinstance(block, Table) else _text(block))
        before_line = line


def _table(table: Table) -> RichTable:
    drawn = RichTable(title=table.title or None, title_justify="left", title_style="bold")
    for head in table.heads:
        drawn.add_column(RichText(head), justify="left" if head in table.left else "right")
    for row in table.rows:
        drawn.add_row(*map(_text, row))
    return drawn


def _text(text: Text) -> RichText:
    return RichText(str(text), style=STYLES[text.tone])
