"""What pairs of texts mean for documents: rows, clusters, and what can go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragstone.corpus.overlap.clusters import connected
from ragstone.corpus.overlap.result import OverlapCluster, OverlapPair


class TextPair(NamedTuple):
    """Two similar texts by digest, the first of corpus a; one text with itself, if identical."""

    one: bytes
    other: bytes
    jaccard: float


class Grouping:
    """Pairs of texts, spelled out in documents."""

    def __init__(self, pairs: Sequence[TextPair], ids: Sequence[dict[bytes, list[str]]]) -> None:
        """Group pairs; ids: of the documents with each text, for each corpus or the only one."""
        self._pairs = pairs
        self._ids = [{text: sorted(found) for text, found in each.items()} for each in ids]
        self._within = len(ids) == 1
        roots = connected((pair.one, pair.other) for pair in pairs)
        members: dict[bytes, tuple[list[str], list[str]]] = {}
        for place in range(len(ids)):
            for text in self._texts(place):
                members.setdefault(roots[text], ([], []))[place].extend(self._ids[place][text])
        ordered = sorted((sorted(a), sorted(b), root) for root, (a, b) in members.items())
        self.clusters = [OverlapCluster(i, a, b) for i, (a, b, _) in enumerate(ordered, start=1)]
        number = {root: i for i, (_, _, root) in enumerate(ordered, start=1)}
        self._cluster = {text: number[root] for text, root in roots.items()}

    def overlapping(self, place: int) -> int:
        """Count the documents of one corpus that have a partner."""
        return sum(len(self._ids[place][text]) for text in self._texts(place))

    def rows(self) -> list[OverlapPair]:
        """Return the pairs by cluster and ids."""
        rows = [self._row(pair) for pair in self._pairs]
        return sorted(rows, key=lambda row: (row.cluster, row.a_id, row.b_id))

    def redundant(self) -> frozenset[str]:
        """Return the documents that can go: then no pair is left.

        Of two corpora, those of the second with a partner in the first. Of one, all but the first
        id of identical documents, and of similar ones each that is similar to one that stays; the
        order is that of the ids.
        """
        if not self._within:
            return frozenset(doc for text in self._texts(1) for doc in self._ids[1][text])
        return frozenset(self._redundant_within())

    def _redundant_within(self) -> Iterator[str]:
        near: dict[bytes, set[bytes]] = {text: set() for text in self._texts(0)}
        for one, other, _ in self._pairs:
            near[one].add(other)
            near[other].add(one)
        ids = self._ids[0]
        stays: set[bytes] = set()
        for text in sorted(near, key=lambda text: ids[text][0]):
            first, *copies = ids[text]
            yield from copies
            if near[text] & stays:
                yield first
            else:
                stays.add(text)

    def _texts(self, place: int) -> set[bytes]:
        one, other = {pair.one for pair in self._pairs}, {pair.other for pair in self._pairs}
        return one | other if self._within else (one, other)[place]

    def _row(self, pair: TextPair) -> OverlapPair:
        a, b = self._ids[0][pair.one], self._ids[-1][pair.other]
        second = 1 if self._within and pair.one == pair.other else 0
        if self._within and a[0] > b[0]:
            a, b = b, a
        cluster = self._cluster[pair.one]
        return OverlapPair(cluster, a[0], b[second], pair.jaccard, len(a), len(b))
