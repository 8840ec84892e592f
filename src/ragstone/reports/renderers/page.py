"""What every renderer draws: lines and tables, with what a line or a cell means."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec import Struct

from ragstone.errors import one_line

if TYPE_CHECKING:
    from ragstone.reports.report import Report


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
        """Return the text alone, on one line: what stands in a file commands no terminal."""
        return one_line(self.text)


def verdict_line(report: Report, said: str, but: str = "") -> Text:
    """Say something behind the verdict of a report, in its tone; alone where there is none.

    but: what keeps a pass from being one of all that was asked.
    """
    if report.verdict is None:
        return Text(said)
    if report.verdict == "pass" and but:
        return Text(f"PASS, but {but}: {said}", Tone.WARNING)
    tone = Tone.GOOD if report.verdict == "pass" else Tone.BAD
    return Text(f"{report.verdict.upper()}: {said}", tone)


def not_applied(found: Iterable[tuple[str, str, Sequence[str]]]) -> str:
    """Say which options are not applied, since what they name is advisory; nothing where none is.

    found: a measure's name, what it lacks so that it could fail anything, the options that name it.

    >>> not_applied([("faithfulness", "no calibration", ["--floor faithfulness=0.9"])])
    'faithfulness is advisory (no calibration): --floor faithfulness=0.9 not applied'
    """
    said = (
        f"{name} is advisory ({lacks}): {', '.join(options)} not applied"
        for name, lacks, options in found
        if options
    )
    return "; ".join(said)


def warning_lines(warnings: Iterable[str]) -> list[Text]:
    """Return what a report warns of, a line each."""
    return [Text(f"warning: {warning}", Tone.WARNING) for warning in warnings]


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

    def spaced(self) -> Iterator[tuple[Text | Table, bool]]:
        """Go through the blocks, and whether a blank line comes before: lines stand together."""
        after_line = True
        for block in self.blocks:
            is_line = isinstance(block, Text)
            yield block, not (is_line and after_line)
            after_line = is_line


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes; Korean and the like take two each.

    >>> width("abc"), width("문서"), width("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


def shorten(text: str, most: int = 40) -> str:
    """Return one line of at most `most` columns, without what is not printed.

    >>> shorten("a long id", 6), shorten("긴 이름", 6)
    ('a lon…', '긴 이…')
    """
    flat = "".join(char if char.isprintable() else "�" for char in text)
    if width(flat) <= most:
        return flat
    taken = list(accumulate(map(_columns, flat)))
    return flat[: bisect_right(taken, most - 1)] + "…"


def _columns(char: str) -> int:
    if char in _JOINED or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


_JOINED = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD800))))
"""Vowels and finals of Korean that is spelled out: they join the letter before them."""
