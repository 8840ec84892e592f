"""Pages as plain text, for pipes and files."""

from __future__ import annotations

from ragstone.reports.renderers.page import Page, Table, width


def render(page: Page) -> str:
    """Draw a page as lines of text, columns set apart by two blanks."""
    lines = [str(page.headline)]
    for block, apart in page.spaced():
        if apart:
            lines.append("")
        lines.append(_table(block) if isinstance(block, Table) else str(block))
    return "\n".join(lines) + "\n"


def _table(table: Table) -> str:
    widths = table.widths()
    lines = [table.title] if table.title else []
    lines.append(_row(table, table.heads, widths))
    lines.append("  ".join("-" * each for each in widths))
    lines += [_row(table, tuple(map(str, row)), widths) for row in table.rows]
    return "\n".join(lines)


def _row(table: Table, cells: tuple[str, ...], widths: list[int]) -> str:
    padded = []
    for head, cell, room in zip(table.heads, cells, widths, strict=True):
        blanks = " " * (room - width(cell))
        padded.append(cell + blanks if head in table.left else blanks + cell)
    return "  ".join(padded).rstrip()
