"""The different texts of a corpus: identical documents are one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragstone.corpus.overlap.shingles import DIGEST, digests

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.text.ngrams import Block


class Distinct:
    """The different texts of a corpus, numbered in the order of their digests.

    counts: how many documents have each. Takes 24 bytes for a text.
    """

    def __init__(self, found: Sequence[NDArray[np.bytes_]]) -> None:
        """Number the texts; found: a digest for each document that has a word."""
        import numpy as np

        everything = np.concatenate([np.zeros(0, dtype=DIGEST), *found])
        self.digests, self.counts = np.unique(everything, return_counts=True)

    def __len__(self) -> int:
        """Count the different texts."""
        return len(self.digests)

    def numbers_of(self, found: NDArray[np.bytes_]) -> NDArray[np.int64]:
        """Return the number of the text with each digest; -1 where there is none."""
        import numpy as np

        if not len(self.digests):
            return np.full(len(found), -1)
        numbers = np.minimum(np.searchsorted(self.digests, found), len(self.digests) - 1)
        return np.where(self.digests[numbers] == found, numbers, -1)

    def documents(self, found: NDArray[np.bytes_]) -> int:
        """Count the documents with one of these digests."""
        numbers = self.numbers_of(found)
        return int(self.counts[numbers[numbers >= 0]].sum())

    def numbers(self, block: Block) -> NDArray[np.int64]:
        """Return the number of each text of a block; -1 for one that is not there."""
        return self.numbers_of(digests(block))
