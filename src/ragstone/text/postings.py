"""Which of the indexed texts have which n-grams, and how many a streamed text shares with each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ragstone.text.blocks import without_repeats

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.text.ngrams import Grams, Hashes, Places

EXPANDED = 1 << 21  # pairs of a streamed and an indexed text that are in memory at a time
SLOTS = 16  # of the filter, for each n-gram of the index


class Shared(NamedTuple):
    """Pairs of texts that share n-grams, ascending by text, then by owner; arrays are as long.

    texts: which text of the block; owners: which indexed text; counts: how many different
    n-grams both have.
    """

    texts: Places
    owners: Places
    counts: Places


class Postings:
    """The n-grams of texts that stay in memory, each with the texts that have it (its owners).

    Takes 12 bytes for an n-gram, 4 for each of its owners, and 16 to 32 for the filter.
    """

    def __init__(self, owners: Places, hashes: Hashes) -> None:
        """Index n-grams: owners[i] is the number, from 0, of the text that has hashes[i]."""
        import numpy as np

        order = np.lexsort((owners, hashes))
        numbers, hashes = owners[order].astype(np.int32), hashes[order]
        new_hash = np.ones(len(hashes), dtype=np.bool_)
        new_hash[1:] = hashes[1:] != hashes[:-1]
        kept = new_hash.copy()
        kept[1:] |= numbers[1:] != numbers[:-1]
        self.owners: NDArray[np.int32] = numbers[kept]
        self.hashes: Hashes = hashes[new_hash]
        self._starts = np.append(np.flatnonzero(new_hash[kept]), len(self.owners))
        bits = max(8, (len(self.hashes) * SLOTS).bit_length())
        self._shift = np.uint64(64 - bits)
        self._filter = np.zeros(1 << bits, dtype=np.bool_)
        self._filter[self.hashes >> self._shift] = True

    def __len__(self) -> int:
        """Count the n-grams."""
        return len(self.hashes)

    def sizes(self, owners: int) -> Places:
        """Return for each of so many indexed texts how many different n-grams it has."""
        import numpy as np

        return np.bincount(self.owners, minlength=owners)

    def may_have(self, hashes: Hashes) -> NDArray[np.bool_]:
        """Tell which n-grams may be in the index; few that are not slip through, none is lost.

        This is the `wanted` of text.ngrams.grams.
        """
        import numpy as np

        return self._filter.take((hashes >> self._shift).view(np.int64))

    def known(self, found: Grams) -> tuple[Places, Places]:
        """Return the different n-grams of each text that are in the index: text, number of gram."""
        import numpy as np

        if not len(self.hashes):
            nothing = np.zeros(0, dtype=np.int64)
            return nothing, nothing
        numbers = np.minimum(np.searchsorted(self.hashes, found.hashes), len(self.hashes) - 1)
        here = self.hashes[numbers] == found.hashes
        keys = without_repeats(np.sort(found.texts[here] * len(self.hashes) + numbers[here]))
        return keys // len(self.hashes), keys % len(self.hashes)

    def leading(self, needed: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell the n-grams of which a text has to have one to share enough with some owner.

        needed: for each indexed text, how many n-grams have to be shared. Whoever shares so many
        of m has at least one of any m - needed + 1, here of the rarest: the prefix filter of
        Chaudhuri, Ganti and Kaushik (2006).
        """
        import numpy as np

        owned = np.diff(self._starts)
        numbers = np.repeat(np.arange(len(owned), dtype=np.int32), owned)
        order = np.lexsort((numbers, owned[numbers], self.owners))
        sizes = self.sizes(len(needed))
        ranks = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        first = ranks <= np.repeat(sizes - needed, sizes)
        leading = np.zeros(len(owned), dtype=np.bool_)
        leading[numbers[order[first]]] = True
        return leading

    def shared(
        self, found: Grams, owners: int, leading: NDArray[np.bool_] | None = None
    ) -> Iterator[Shared]:
        """Count the n-grams that texts of a block share with each of so many indexed texts.

        Yields the pairs with at least one, some texts at a time, so that memory stays bounded
        where an n-gram has very many owners. leading: leaves out texts without any of these.
        """
        import numpy as np

        texts, numbers = self.known(found)
        if leading is not None and len(texts):
            kept = (np.bincount(texts[leading[numbers]], minlength=texts[-1] + 1) > 0)[texts]
            texts, numbers = texts[kept], numbers[kept]
        first, last = self._starts[numbers], self._starts[numbers + 1]
        for part in _parts(texts, np.cumsum(last - first)):
            yield self._counted(texts[part], first[part], last[part], owners)

    def _counted(self, texts: Places, first: Places, last: Places, owners: int) -> Shared:
        import numpy as np

        lengths = last - first
        begins = np.cumsum(lengths) - lengths
        places = np.repeat(first - begins, lengths) + np.arange(lengths.sum())
        low = int(texts[0])
        keys = np.repeat(texts - low, lengths) * owners + self.owners[places]
        span = (int(texts[-1]) - low + 1) * owners
        if span <= 4 * len(keys):
            table = np.bincount(keys)
            pairs = np.flatnonzero(table)
            counts = table[pairs]
        else:
            pairs, counts = np.unique(keys, return_counts=True)
        return Shared(pairs // owners + low, pairs % owners, counts)


def _parts(texts: Places, ends: Places) -> Iterator[slice]:
    """Cut at borders of texts, into parts that expand to EXPANDED pairs or to one text."""
    import numpy as np

    start = 0
    while start < len(texts):
        done = int(ends[start - 1]) if start else 0
        stop = int(np.searchsorted(ends, done + EXPANDED, side="right"))
        if stop < len(texts):
            stop = int(np.searchsorted(texts, texts[stop], side="left"))
        if stop <= start:
            stop = int(np.searchsorted(texts, texts[start], side="right"))
        yield slice(start, stop)
        start = stop
