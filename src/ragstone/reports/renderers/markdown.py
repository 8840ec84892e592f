"""Pages as GitHub-flavoured Markdown, for summaries and comments."""

from __future__ import annotations

import re

from ragstone.reports.renderers.page import Page, Table, Text, Tone

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#&$]|(?<!\w)@)")


SUMMARY_BYTES = 1024 * 1024
"""What GitHub shows of a step's summary; a longer one is refused as a whole."""

_ROOM = 256


def render(page: Page) -> str:
    """Draw a page; what came from a file is escaped, so that it cannot become markup."""
    return _joined([_headline(page), *map(_block, page.blocks)])


def render_within(page: Page, most: int = SUMMARY_BYTES) -> str:
    """Draw a page in at most so many bytes; says how many lines and tables were left out."""
    whole = render(page)
    if _size(whole) <= most:
        return whole
    parts, left = [_cut(_headline(page), most - _ROOM)], list(map(_block, page.blocks))
    used = _size(parts[0])
    while left and used + _size(left[0]) + 2 <= most - _ROOM:
        used += _size(left[0]) + 2
        parts.append(left.pop(0))
    return _joined([*parts, f"{len(left)} more parts do not fit here; the report has all of it."])


def _headline(page: Page) -> str:
    return f"**{escape(str(page.headline))}**"


def _block(block: Text | Table) -> str:
    return _table(block) if isinstance(block, Table) else escape(str(block))


def _joined(parts: list[str]) -> str:
    return "\n\n".join(parts) + "\n"


def _cut(text: str, most: int) -> str:
    if _size(text) <= most:
        return text
    return text.encode("utf-8", "backslashreplace")[:most].decode("utf-8", "ignore") + "…"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "backslashreplace"))


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
