"""What every renderer draws: lines and tables, with what a line or a cell means."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct


class Tone(Enum):
    """What a piece of text means to its reader."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    QUIET = "quiet"


class Text(Struct, frozen=True):
    """A piece of text and its tone."""

    text: str
    tone: Tone = Tone.PLAIN

    def __str__(self) -> str:
        """Return the text alone."""
        return self.text


class Table(Struct, frozen=True):
    """Rows of cells below heads; the first column is aligned left, the others as `left` says."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]
    title: str = ""
    left: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        heads: Sequence[str],
        rows: Sequence[Sequence[Text | str]],
        title: str = "",
        left: Sequence[str] = (),
    ) -> Table:
        """Build one from plain text and Text."""
        cells = tuple(
            tuple(cell if isinstance(cell, Text) else Text(cell) for cell in row) for row in rows
        )
        return cls(tuple(heads), cells, title, frozenset({heads[0], *left}))

    def widths(self) -> list[int]:
        """Return the width of each column in characters."""
        columns = zip(self.heads, *(map(str, row) for row in self.rows), strict=True)
        return [max(map(width, column)) for column in columns]


class Page(Struct, frozen=True):
    """What is shown of one result: a headline, then tables and lines in their order."""

    headline: Text
    blocks: tuple[Text | Table, ...] = ()


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes; Korean and the like take two each.

    >>> width("abc"), width("문서")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    unseen = sum(unicodedata.combining(char) > 0 for char in text)
    return len(text) + wide - unseen


def shorten(text: str, most: int = 40) -> str:
    """Return one line of at most `most` characters, without control characters.

    >>> shorten("a long id", 6)
    'a lon…'
    """
    flat = "".join(char if char.isprintable() else "�" for char in text)
    return flat if len(flat) <= most else flat[: most - 1] + "…"
