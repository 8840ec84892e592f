"""Where in a document the n-grams of an item stand, in characters of the text as it is."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, islice
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from ragstone.text.normal import normalise

SHORT = 48  # characters of a chunk that may come again
LONGEST = 1000  # characters; what is longer is cut
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_WORD = re.compile(r"[^\W_]+")
_LATER_JAMO = range(0x1160, 0x1200)  # vowels and finals, which join the consonant before them
_KIRAT_RAI_AI = "\U00016d67"  # the one letter that composes with the letter before it


class Run(NamedTuple):
    """Tokens in a row: the number of the first, and that of the last."""

    first: int
    last: int


Span: TypeAlias = tuple[int, int]


class Passage(NamedTuple):
    """text[start:end] of a document; `cut` says that it would go on."""

    text: str
    start: int
    end: int
    cut: bool


def densest_run(shared: Sequence[tuple[int, Hashable]], size: int, gap: int) -> Run:
    """Return the tokens that the most different shared n-grams cover, close to each other.

    shared: the first token of each n-gram that is shared, ascending, and the n-gram. size: tokens
    of an n-gram. gap: n-grams that begin so many tokens apart, or fewer, are in one run. The
    first of equal runs is taken.

    >>> densest_run([(0, "ab"), (90, "ab"), (91, "bc"), (95, "ab")], size=2, gap=10)
    Run(first=90, last=96)
    """
    runs: list[list[tuple[int, Hashable]]] = []
    for start, gram in shared:
        if not runs or start - runs[-1][-1][0] > gap:
            runs.append([])
        runs[-1].append((start, gram))
    best = max(runs, key=lambda run: len({gram for _, gram in run}))
    return Run(best[0][0], best[-1][0] + size - 1)


def passage_of(aligned: Aligned, span: Span) -> Passage:
    """Return the passage that became a span of the normal form; cut behind LONGEST characters.

    The places of the passage count in the text as it is, whatever normalisation makes of it.

    >>> aligned = Aligned("Œuvre: ﬁnd “Straße 5”!")
    >>> passage_of(aligned, word_span(aligned.normal, Run(1, 2)))
    Passage(text='ﬁnd “Straße', start=7, end=18, cut=False)
    """
    start, end = aligned.place(*span)
    cut = end - start > LONGEST
    end = min(end, start + LONGEST)
    return Passage(aligned.text[start:end], start, end, cut)


def word_span(normal: str, run: Run) -> Span:
    """Return where a run of words of a normalised text begins and ends."""
    found = list(islice(_WORD.finditer(normal), run.last + 1))
    return found[run.first].start(), found[run.last].end()


def letter_span(normal: str, run: Run) -> Span:
    """Return where a run of letters and digits begins and ends; what separates is not counted.

    >>> letter_span("a bc", Run(1, 2))
    (2, 4)
    """
    places = [i for i, char in enumerate(normal) if char.isalnum()]
    return places[run.first], places[run.last] + 1


class Aligned:
    """A text, its normal form, and which characters of the one became which of the other.

    What lies between two spaces is normalised for itself (see text.ngrams), and keeps its length
    where it is ASCII; so only the chunks that are not are looked at. The case of ASCII letters
    is left as it is.
    """

    def __init__(self, text: str) -> None:
        """Normalise the chunks that are not ASCII."""
        self.text = text
        self._chunks: list[Chunk] = []
        parts, done, shift = [], 0, 0
        for start, end in _spans_beyond_ascii(text):
            normal = _normal(text[start:end])
            parts += [text[done:start], normal]
            chunk = Chunk(start, end, start + shift, len(normal))
            self._chunks.append(chunk)
            shift, done = chunk.normal_end - end, end
        self.normal = "".join([*parts, text[done:]])

    def place(self, start: int, end: int) -> Span:
        """Return the place, in the text, of characters of the normal form, at least one.

        Format characters behind the last one do not belong to it; marks on it do.
        """
        last = self._piece(end - 1)[1]
        while unicodedata.category(self.text[last - 1]) == "Cf":
            last -= 1
        return self._piece(start)[0], last

    def _piece(self, place: int) -> Span:
        """Return what of the text became the character at a place of the normal form."""
        number = bisect_right(self._chunks, place, key=attrgetter("normal_start"))
        if not number:
            return place, place + 1
        chunk = self._chunks[number - 1]
        if place >= chunk.normal_end:
            start = place - chunk.normal_end + chunk.end
            return start, start + 1
        first, last = _pieces(self.text[chunk.start : chunk.end], place - chunk.normal_start)
        return chunk.start + first, chunk.start + last


class Chunk(NamedTuple):
    """What lies between two spaces: text[start:end], and its place in the normal form."""

    start: int
    end: int
    normal_start: int
    normal_length: int

    @property
    def normal_end(self) -> int:
        """Where it ends in the normal form."""
        return self.normal_start + self.normal_length


def _spans_beyond_ascii(text: str) -> Iterator[Span]:
    end = 0
    for match in _BEYOND_ASCII.finditer(text):
        if match.start() >= end:
            start = text.rfind(" ", end, match.start()) + 1 or end
            end = text.find(" ", match.end())
            end = len(text) if end < 0 else end
            yield start, end


def _pieces(chunk: str, place: int) -> Span:
    """Return which part of a chunk became the character at a place of its normal form.

    Parts begin where nothing joins what is before.
    """
    starts = [0, *(i for i, char in enumerate(chunk) if i and not _joins(char))]
    ends = [*starts[1:], len(chunk)]
    lengths = (len(_normal(chunk[start:end])) for start, end in zip(starts, ends, strict=True))
    number = bisect_right(list(accumulate(lengths)), place)
    return starts[number], ends[number]


@cache
def _joins(char: str) -> bool:
    """Tell what may become one character with what is before it, and is not seen without it."""
    if unicodedata.category(char) == "Cf" or char == _KIRAT_RAI_AI:
        return True
    first = unicodedata.normalize("NFKD", char)[0]
    return ord(first) in _LATER_JAMO or unicodedata.category(first).startswith("M")


def _normal(chunk: str) -> str:
    return _short(chunk) if len(chunk) <= SHORT else normalise(chunk)


@lru_cache(1 << 14)
def _short(chunk: str) -> str:
    return normalise(chunk)
