"""Longest common subsequences, bit-parallel on Python's integers.

After Crochemore, Iliopoulos, Pinzon and Reid (2001), "A fast and practical bit-vector algorithm
for the longest common subsequence problem": one integer holds a whole row of the usual table, a
bit for each token of the one sequence; a bit that is 0 says that the row grows by one there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Places(NamedTuple):
    """Where each token of a sequence stands: `masks` has one bit set for each of its places."""

    size: int
    masks: dict[str, int]

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Places:
        """Look the places up once, for all sequences that it is compared with."""
        masks: dict[str, int] = {}
        for place, token in enumerate(tokens):
            masks[token] = masks.get(token, 0) | 1 << place
        return cls(len(tokens), masks)


def lcs_length(places: Places, other: Iterable[str]) -> int:
    """Return the length of the longest common subsequence.

    >>> lcs_length(Places.of("a b c d".split()), "b x d a".split())
    2
    """
    size, masks = places
    row = full = (1 << size) - 1
    for mask in filter(None, map(masks.get, other)):
        grows = row & mask
        row = (row + grows | row - grows) & full
    return size - row.bit_count()


def lcs_places(places: Places, other: Sequence[str]) -> list[int]:
    """Return where a longest common subsequence stands in the first sequence, ascending.

    Of several it is the one that rouge-score 0.1.2 reads back from its table: from the end, a
    token of the other sequence is left out rather than one of the first where only that keeps
    the length.

    >>> lcs_places(Places.of("a b c d".split()), "b x d a".split())
    [1, 3]
    """
    rows = _rows(places, other)
    here, there, found = places.size, len(other), []
    while here and there:
        bit = 1 << (here - 1)
        if places.masks.get(other[there - 1], 0) & bit:
            found.append(here - 1)
            here, there = here - 1, there - 1
        elif rows[there] & bit:
            here -= 1
        else:
            there -= 1
    return found[::-1]


def _rows(places: Places, other: Sequence[str]) -> list[int]:
    """Return the table: its row for each number of tokens of the other sequence."""
    row = full = (1 << places.size) - 1
    rows = [row]
    for token in other:
        grows = row & places.masks.get(token, 0)
        row = (row + grows | row - grows) & full
        rows.append(row)
    return rows
