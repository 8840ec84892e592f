"""Sets of words that are nearly the same, without comparing all with all."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import merge
from itertools import islice
from typing import NamedTuple

Words = frozenset[str]


class Pair(NamedTuple):
    """Positions of a set and of the one it is like, and the share of words they have in common."""

    place: int
    like: int
    share: float


def similar(sets: Sequence[Words], least: float) -> Iterator[Pair]:
    """Find each set that is like one before it: Jaccard |a & b| / |a | b| of at least `least`.

    "Before" is in order of size, then of position; the first such set is given. So without the
    sets that are found no two alike are left. `least` is above 0 and at most 1; a set without
    words is like none.

    Exact: two such sets must share one of the few rarest words of each (the prefix filter of
    Bayardo et al., WWW 2007, with the shorter indexed prefix of Xiao et al., WWW 2008). Only sets
    that share such a word are compared.
    """
    level = Fraction(str(least))
    order = sorted((place for place, words in enumerate(sets) if words), key=lambda p: len(sets[p]))
    ranks = _rarest_first(sets)
    index: dict[str, list[int]] = defaultdict(list)
    start = 0  # the first set, in order, that is large enough to be like the present one
    for here, place in enumerate(order):
        words = sets[place]
        while len(sets[order[start]]) < level * len(words):
            start += 1
        rare = sorted(words, key=ranks.__getitem__)
        for there in _candidates(index, rare[: _probed(len(words), level)], start):
            other = sets[order[there]]
            both = len(words) + len(other)
            common = len(words & other)
            if common * (level.numerator + level.denominator) >= both * level.numerator:
                yield Pair(place, order[there], common / (both - common))
                break
        for word in rare[: _indexed(len(words), level)]:
            index[word].append(here)


def _candidates(index: Mapping[str, list[int]], rare: list[str], start: int) -> Iterator[int]:
    """Go through the sets that share a rare word, each once, in their order."""
    found = [index[word] for word in rare if word in index]
    last = -1
    for there in merge(*(islice(each, bisect_left(each, start), None) for each in found)):
        if there != last:
            yield there
        last = there


def _rarest_first(sets: Sequence[Words]) -> dict[str, int]:
    counts = Counter(word for words in sets for word in words)
    ordered = sorted(counts, key=lambda word: (counts[word], word))
    return {word: rank for rank, word in enumerate(ordered)}


def _probed(size: int, level: Fraction) -> int:
    """Return how many rare words of a set meet one of any set at most as large."""
    return size - _ceil(level * size) + 1


def _indexed(size: int, level: Fraction) -> int:
    """Return how many rare words of a set meet one of any set at least as large."""
    return size - _ceil(2 * level / (1 + level) * size) + 1


def _ceil(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)
