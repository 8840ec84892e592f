"""A batch: some documents of a corpus, with their texts and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

CHARACTERS = 256 * 1024


class Places(Protocol):
    """Where each document of a batch stands; worked out when asked for."""

    def __getitem__(self, index: int, /) -> str:
        """Return `file:line`, or the path of a text file."""


class Batch(NamedTuple):
    """Whole documents in the order of the corpus.

    ids, texts: parallel lists; a text is `title LF text` where there is a title, else the text.
    empty: how many have neither text nor title; title_only: how many have a title alone.
    taken: bytes of the files on disk that were read for it.
    """

    ids: list[str]
    texts: list[str]
    places: Places
    empty: int = 0
    title_only: int = 0
    taken: int = 0

    def first(self, number: int) -> Batch:
        """Return the first documents alone."""
        blank = sum(map(is_blank, self.texts[:number]))
        return self._replace(ids=self.ids[:number], texts=self.texts[:number], empty=blank)


def is_blank(text: str) -> bool:
    """Tell a text without anything in it but white space."""
    return not text or text.isspace()


def batch_of(
    ids: list[str], titles: Sequence[str] | None, texts: list[str], places: Places, taken: int
) -> Batch:
    r"""Put titles before texts and count what is blank.

    >>> batch_of(["1", "2"], ["A", ""], ["a", " "], ["f:1", "f:2"], 0)[1:4]
    (['A\na', ' '], ['f:1', 'f:2'], 1)
    """
    blank = [place for place, text in enumerate(texts) if not text or text.isspace()]
    if titles is None:
        return Batch(ids, texts, places, len(blank), 0, taken)
    title_only = sum(not is_blank(titles[place]) for place in blank)
    joined = [
        f"{title}\n{text}" if title else text for title, text in zip(titles, texts, strict=True)
    ]
    return Batch(ids, joined, places, len(blank) - title_only, title_only, taken)
