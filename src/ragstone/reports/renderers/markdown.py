"""Pages as GitHub-flavoured Markdown, for summaries and comments."""

from __future__ import annotations

import re

from ragstone.reports.renderers.page import Page, Table, Text, Tone

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#&$]|(?<!\w)@)")


def render(page: Page) -> str:
    """Draw a page; what came from a file is escaped, so that it cannot become markup."""
    drawn = (
        _table(block) if isinstance(block, Table) else escape(str(block)) for block in page.blocks
    )
    return "\n\n".join([f"**{escape(str(page.headline))}**", *drawn]) + "\n"


def escape(text: str) -> str:
    """Put a backslash before every character that Markdown reads as markup.

    >>> escape("a|b *c*")
    'a\\\\|b \\\\*c\\\\*'
    """
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))


def _table(table: Table) -> str:
    rules = ["---" if head in table.left else "---:" for head in table.heads]
    rows = [_row([escape(head) for head in table.heads]), _row(rules)]
    rows += [_row([_cell(cell) for cell in row]) for row in table.rows]
    title = f"{escape(table.title)}\n\n" if table.title else ""
    return title + "\n".join(rows)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Text) -> str:
    shown = escape(str(cell))
    return f"**{shown}**" if cell.tone is Tone.BAD else shown
