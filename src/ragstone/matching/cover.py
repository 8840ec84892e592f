"""Characters of source documents: which of them gold spans and retrieved chunks cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragstone.formats.gold import Place
from ragstone.measures import Cover


class Covered:
    """A growing set of characters, kept as spans that neither meet nor overlap."""

    def __init__(self, spans: Iterable[Place] = ()) -> None:
        """Start with the characters of some spans."""
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self.length = 0
        for span in spans:
            self.add(span)

    def add(self, span: Place) -> None:
        """Add the characters of a span; those that are in already count once.

        >>> covered = Covered([Place("d", 0, 4), Place("d", 6, 9)])
        >>> covered.add(Place("d", 3, 7))
        >>> covered.length
        9
        """
        start, end = span.start, span.end
        kept = []
        for first, last in self._spans.get(span.doc, []):
            if last < start or first > end:
                kept.append((first, last))
            else:
                start, end = min(start, first), max(end, last)
                self.length -= last - first
        self._spans[span.doc] = sorted([*kept, (start, end)])
        self.length += end - start

    def of(self, span: Place) -> int:
        """Return how many characters of a span are in.

        >>> Covered([Place("d", 0, 4), Place("d", 6, 9)]).of(Place("d", 3, 8))
        3
        """
        found = self._spans.get(span.doc, [])
        return sum(max(0, min(last, span.end) - max(first, span.start)) for first, last in found)

    def spans(self) -> list[Place]:
        """Return the spans, by document and place."""
        return [
            Place(doc, start, end) for doc in sorted(self._spans) for start, end in self._spans[doc]
        ]


class SpanCoverage(NamedTuple):
    """What a query's chunks cover, rank by rank.

    cover: of all golds together. shares: for each gold, the share of it that the chunks down to
    each rank cover; None at a rank whose chunk adds nothing to it.
    """

    cover: Cover
    shares: list[list[float | None]]


def span_coverage(golds: Sequence[Place], chunks: Sequence[Place | None]) -> SpanCoverage:
    """Go down the ranks; a chunk whose place is not known covers nothing.

    Characters that several golds or several chunks have count once.

    >>> found = span_coverage([Place("d", 0, 10)], [Place("d", 5, 20), Place("e", 0, 5)])
    >>> found.cover, found.shares
    (Cover(gold=10, found=[5, 5], read=[15, 20]), [[0.5, None]])
    """
    wanted, read = Covered(golds), Covered()
    together = wanted.spans()
    before = [0] * len(golds)
    shares: list[list[float | None]] = [[] for _ in golds]
    found, length = [], []
    for chunk in chunks:
        if chunk is not None:
            read.add(chunk)
        for number, gold in enumerate(golds):
            now = read.of(gold)
            shares[number].append(now / gold.length if now > before[number] else None)
            before[number] = now
        found.append(sum(map(read.of, together)))
        length.append(read.length)
    return SpanCoverage(Cover(wanted.length, found, length), shares)
