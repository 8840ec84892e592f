"""Pages as GitHub-flavoured Markdown, for summaries and comments."""

from __future__ import annotations

import re

from ragstone.errors import one_line
from ragstone.reports.renderers.page import Page, Table, Text, Tone

_MARKUP = re.compile(r"[\\`*_{}\[\]<>|~#&$]")
_LIVE = re.compile(
    r"@(?=[^\W\d])|(?<!\w)@(?=\w)|[#!&](?=\d)|(?<!\w)[%$~](?=[\w\"])|(?<!\w)GH(?=-\d)"
    r"|:(?=//)|(?<!\w)www(?=\.)|:(?=[\w+-]+:)",
    re.IGNORECASE,
)
"""What GitHub and GitLab make a mention, a reference, a link or an emoji, backslash or not."""

_BEGINS = re.compile(r"^(\d*)([-+=.)])")  # a list, or the line below a heading
_APART = "\u200b"  # of no width: it breaks what it stands in


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
    return _bold(escape(str(page.headline)))


def _block(block: Text | Table) -> str:
    if isinstance(block, Table):
        return _table(block)
    return _BEGINS.sub(r"\1\\\2", escape(str(block)).strip(" "))


def _joined(parts: list[str]) -> str:
    return "\n\n".join(parts) + "\n"


def _cut(text: str, most: int) -> str:
    if _size(text) <= most:
        return text
    return text.encode("utf-8", "backslashreplace")[:most].decode("utf-8", "ignore") + "…"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "backslashreplace"))


def escape(text: str) -> str:
    r"""Write text so that Markdown shows it as it is, and links, mentions and draws nothing.

    >>> escape("a|b *c* nDCG@10"), escape("@me")
    ('a\\|b \\*c\\* nDCG@10', '@&#8203;me')
    """
    if text.isalnum():
        return text
    apart = _LIVE.sub(rf"\g<0>{_APART}", one_line(text))
    return _MARKUP.sub(r"\\\g<0>", apart).replace(_APART, "&#8203;")


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
    return _bold(shown) if cell.tone is Tone.BAD else shown


def _bold(text: str) -> str:
    """Blanks at either end, or nothing between, would leave the asterisks to be seen."""
    return f"**{text.strip()}**" if text.strip() else ""
