"""The texts that are looked for, indexed by their n-grams: one shelf for each unit and size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, get_args

from ragstone.corpus.leakage.lines import Lines, Ngram, Spelling, Unit, hash_lines
from ragstone.corpus.leakage.probes import Probe
from ragstone.text.ngrams import Grams, grams
from ragstone.text.postings import Postings, Shared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.text.ngrams import Hashes, Places


class Shelf:
    """Probes of one unit whose n-grams are of one size; the number of a probe is its owner.

    targets: of each probe. ngrams: how many different n-grams each has, without those ignored.
    """

    def __init__(self, probes: Sequence[Probe], common: Hashes | None = None) -> None:
        """Index probes. common: hashes of n-grams that do not count."""
        import numpy as np

        self.probes, self.common = probes, common
        self._kept: dict[int, set[Ngram]] = {}  # of the probes asked for, where some are ignored
        self.unit: Unit = probes[0].unit
        self.size = probes[0].size
        self.targets: Places = np.array([probe.target for probe in probes], dtype=np.int64)
        found = grams(hash_lines([probe.line for probe in probes], self.unit), self.size)
        if common is not None:
            kept = ~np.isin(found.hashes, common)
            found = Grams(found.texts[kept], found.hashes[kept], found.starts[kept])
        self.postings = Postings(found.texts, found.hashes)
        hashed = self.postings.sizes(len(probes))
        self.ngrams: Places = hashed.copy()
        repeated = np.bincount(found.texts, minlength=len(probes)) > hashed
        for owner in np.flatnonzero(repeated).tolist():
            self.ngrams[owner] = len(self.different(owner))
        unseen = self.ngrams - hashed  # different n-grams of a probe that have the same hash
        self._unseen: Places | None = unseen if unseen.any() else None

    def __len__(self) -> int:
        """Count the probes."""
        return len(self.probes)

    def without(self, common: Hashes) -> Shelf:
        """Return the shelf without some n-grams, by their hash."""
        return Shelf(self.probes, common) if len(common) else self

    def different(self, owner: int) -> set[Ngram]:
        """Return the different n-grams of a probe that count, spelt out."""
        if self.common is None:
            return set(Spelling(self.probes[owner].line, self.unit).ngrams(self.size))
        if owner not in self._kept:
            self._kept[owner] = self._not_common(owner, self.common)
        return self._kept[owner]

    def _not_common(self, owner: int, common: Hashes) -> set[Ngram]:
        import numpy as np

        line = self.probes[owner].line
        hashes = grams(hash_lines([line], self.unit), self.size).hashes
        is_common = np.isin(hashes, common).tolist()
        pairs = zip(Spelling(line, self.unit).ngrams(self.size), is_common, strict=True)
        return {ngram for ngram, ignored in pairs if not ignored}

    def found_in(self, documents: Lines) -> Grams:
        """Return the n-grams of documents that may be indexed."""
        return grams(documents.tokens(self.unit), self.size, self.postings.may_have)

    def shared(self, found: Grams) -> Iterator[tuple[Shared, NDArray[np.float64]]]:
        """Go through the pairs of a document and a probe that share n-grams, and their share.

        found: what found_in returned. The share is that of the probe's n-grams; it is counted by
        hashes, so it can be too high, but not too low.
        """
        for pairs in self.postings.shared(found, len(self)):
            counts = pairs.counts
            if self._unseen is not None:
                counts = counts + self._unseen[pairs.owners]
            yield pairs, counts / self.ngrams[pairs.owners]


def shelve(probes: Sequence[Probe]) -> list[Shelf]:
    """Index probes by unit and size, in an order that depends on these alone."""
    ordered = sorted(probes, key=_kind)
    return [Shelf(list(group)) for _, group in groupby(ordered, _kind)]


def _kind(probe: Probe) -> tuple[int, int]:
    return get_args(Unit).index(probe.unit), probe.size
