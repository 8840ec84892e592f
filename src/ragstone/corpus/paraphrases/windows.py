"""Long texts as passages that overlap, so that what stands in a text stands in one passage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Window: TypeAlias = tuple[int, int]

STEP, SLACK = 2, 8  # parts of a window: how far to the next one, how far back a word may begin


def windows(text: str, size: int) -> Iterator[Window]:
    """Yield the passages of a text, in characters from start to end.

    A text of at most `size` characters is one passage. A longer one has passages of at most `size`,
    each half a passage after the other. They begin and end between words where white space is
    within an eighth of a passage, else between characters. So every run of up to a quarter of
    `size` characters is whole in one passage at least.

    >>> text = "we do not sell or share what you tell us"
    >>> [text[start:end] for start, end in windows(text, 32)]
    ['we do not sell or share what ', 'or share what you tell us']
    """
    if len(text) <= size:
        yield 0, len(text)
        return
    step, start, number = size // STEP, 0, 0
    while True:
        end = len(text) if start + size >= len(text) else _word(text, start + size, size // SLACK)
        yield start, end
        if end == len(text):
            return
        number += 1
        start = _word(text, number * step, size // SLACK)


def _word(text: str, place: int, slack: int) -> int:
    """Return where the word begins in which a place is, where that is not too far back."""
    for start in range(place, max(place - slack, 0), -1):
        if text[start - 1].isspace():
            return start
    return place
