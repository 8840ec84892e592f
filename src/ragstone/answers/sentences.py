"""Sentences of an answer, and where each stands in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragstone.text.normal import words

# A full stop ends a sentence before white space, one of Chinese or Japanese anywhere; quotation
# marks, brackets and citation marks behind it belong to the sentence.
_AFTER = r"[\"'”’»)\]]*(?:\s?\[[^\[\]\n]{1,60}\])*"  # noqa: RUF001
_END = re.compile(rf"(?:[.!?…]+{_AFTER}(?=\s|$)|[。！？｡]+{_AFTER}|\n+)")  # noqa: RUF001
_SHORT = re.compile(
    r"(?:(?:^|[\s(])(?:e\.g|i\.e|cf|vs|fig|dr|mr|mrs|ms|prof|st|[a-z])|(?:^|\n)\s*\d{1,3})\.$",
    re.IGNORECASE,
)


MARKS = re.compile(r"\[\d[\d\s,;–-]*\]")  # noqa: RUF001
"""Citation marks with numbers, which are no part of what is said."""


class Sentence(NamedTuple):
    """A sentence, and the code points of the answer that it is: the end is not included."""

    text: str
    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """Split a text; what has neither letter nor digit is no sentence.

    A line is a sentence at most. The dot of an abbreviation, an initial or a numbered list ends
    none.

    >>> [each.text for each in sentences("It opened in 1937.[1] Ask Dr. Kim! 3.5 km")]
    ['It opened in 1937.[1]', 'Ask Dr. Kim!', '3.5 km']
    >>> [each.text for each in sentences("1. Since 1937. Yes.")]
    ['1. Since 1937.', 'Yes.']
    >>> [(each.start, each.end) for each in sentences("東京です。はい。")]
    [(0, 5), (5, 8)]
    """
    found: list[Sentence] = []
    start = 0
    for end in _END.finditer(text):
        if _SHORT.search(text, max(start, end.end() - 12), end.end()):
            continue
        _add(found, text, start, end.end())
        start = end.end()
    _add(found, text, start, len(text))
    return found


def _add(found: list[Sentence], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    inner = piece.strip()
    if inner and words(inner):
        begin = start + len(piece) - len(piece.lstrip())
        found.append(Sentence(inner, begin, begin + len(inner)))
