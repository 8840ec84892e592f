"""Pages in colour, for a terminal. The only renderer that needs rich."""

from __future__ import annotations

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


def show(page: Page, console: Console | None = None) -> None:
    """Print a page to a terminal; colours follow the terminal's own light or dark scheme."""
    console = console or Console(highlight=False)
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
    return RichText(text.text, style=STYLES[text.tone])
