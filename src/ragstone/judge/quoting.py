"""Whether a quotation is really in a text: decided by code, whatever the judge says."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ragstone.text import words
from ragstone.text.scripts import script_of

_LEFT_OUT = re.compile(r"\[?\s*(?:\.{3,}|\u2026)\s*\]?")


class Evidence:
    """Texts that are quoted from.

    A quotation is in a text if its words are, in their order and without a gap: case, width,
    punctuation, white space and invisible characters do not count, as everywhere (see
    `ragstone.text`). Words are whole, but for scripts without spaces and for Korean, whose words
    have endings. "..." stands for what was left out: the parts have to follow in one text.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Keep the words of the texts."""
        self._texts = [" ".join(words(text)) for text in texts]

    def find(self, quote: str) -> int | None:
        """Return which text has the quotation, from 0; None where none has, or it has no word.

        >>> Evidence(["Paris is the capital of France."]).find("PARIS ... capital, of France")
        0
        >>> Evidence(["Paris is the capital of France."]).find("the capita") is None
        True
        """
        parts = [" ".join(words(part)) for part in _LEFT_OUT.split(quote)]
        parts = [part for part in parts if part]
        if not parts:
            return None
        return next((n for n, text in enumerate(self._texts) if _has(text, parts)), None)


def _has(text: str, parts: list[str]) -> bool:
    start = 0
    for part in parts:
        end = _end(text, part, start)
        if end is None:
            return False
        start = end
    return True


def _end(text: str, part: str, start: int) -> int | None:
    """Return where a part ends that stands in a text as whole words; None where it does not."""
    while (place := text.find(part, start)) >= 0:
        end = place + len(part)
        if _is_edge(text, place - 1, place) and _is_edge(text, end, end - 1):
            return end
        start = place + 1
    return None


def _is_edge(text: str, outside: int, inside: int) -> bool:
    at_end = outside < 0 or outside >= len(text) or text[outside] == " "
    return at_end or script_of(text[inside]) != "other"
