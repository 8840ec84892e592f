"""Pairs of texts that may be similar enough: an index of some, asked for all the others.

Two ways: by all shingles, which loses no pair, and by bands of MinHash signatures, which takes
an eighth of the memory and loses a pair at the threshold with a known small probability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct

from ragstone.corpus.overlap.banding import Banding
from ragstone.corpus.overlap.shingles import Shingling
from ragstone.text.ngrams import Block, Grams
from ragstone.text.postings import Postings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Sketch = tuple[Numbers, NDArray[np.uint64]]

NEAR = 1 - 1e-9  # a share this near to the threshold is left to the check on the texts


class Found(NamedTuple):
    """What an index says of a block of texts.

    texts, owners: parallel arrays, a text of the block and an indexed text that may be similar.
    short: the texts of the block that are one shingle.
    """

    texts: Numbers
    owners: Numbers
    short: Numbers


class Index(Protocol):
    """Texts in memory, asked which of them others may be similar to."""

    def ask(self, block: Block) -> Found:
        """Find the indexed texts that those of a block may be similar to, each pair once."""


class Method(Protocol):
    """One way to find similar texts."""

    def sketch(self, block: Block) -> tuple[Sketch, Numbers]:
        """Return what is kept of the texts of a block, and which of them are short."""

    def index(self, sketches: list[Sketch], texts: int) -> Index:
        """Build the index from sketches, whose texts have numbers below `texts` by now."""


class ByShingles(Struct, frozen=True):
    """All shingles: two texts with a share of at least `threshold` in common are a pair."""

    shingling: Shingling
    threshold: float

    def sketch(self, block: Block) -> tuple[Sketch, Numbers]:
        """Keep each shingle with its text."""
        found = self.shingling.of(block)
        return (found.texts, found.hashes), found.short

    def index(self, sketches: list[Sketch], texts: int) -> Index:
        """Invert the shingles."""
        import numpy as np

        owners = np.concatenate([np.zeros(0, dtype=np.int64), *(each for each, _ in sketches)])
        hashes = np.concatenate([np.zeros(0, dtype=np.uint64), *(each for _, each in sketches)])
        postings = Postings(owners, hashes)
        needed = np.ceil(postings.sizes(texts) * self.threshold * NEAR).astype(np.int64)
        return _ShingleIndex(self, postings, needed, postings.leading(needed))


class _ShingleIndex(NamedTuple):
    method: ByShingles
    postings: Postings
    needed: Numbers
    leading: NDArray[np.bool_]

    def ask(self, block: Block) -> Found:
        """Keep pairs that share so much of the indexed text that they can reach the threshold.

        Jaccard is at most the share of either text that the other has too.
        """
        import numpy as np

        found = self.method.shingling.of(block, self.postings.may_have)
        asked = Grams(found.texts, found.hashes, found.texts)
        texts, owners = [found.short[:0]], [found.short[:0]]
        for part in self.postings.shared(asked, len(self.needed), self.leading):
            enough = part.counts >= self.needed[part.owners]
            texts.append(part.texts[enough])
            owners.append(part.owners[enough])
        return Found(np.concatenate(texts), np.concatenate(owners), found.short)


class ByBands(Struct, frozen=True):
    """Bands of MinHash signatures: two texts with an equal band are a pair."""

    shingling: Shingling
    banding: Banding

    def sketch(self, block: Block) -> tuple[Sketch, Numbers]:
        """Keep the bands of each text."""
        import numpy as np

        texts = len(block.borders) - 1
        found = self.shingling.of(block)
        return (np.arange(texts), self.banding.of(found, texts)), found.short

    def index(self, sketches: list[Sketch], texts: int) -> Index:  # noqa: ARG002
        """Sort each band by itself."""
        import numpy as np

        none = np.zeros((0, self.banding.bands), dtype=np.uint64)
        owners = np.concatenate([np.zeros(0, dtype=np.int64), *(each for each, _ in sketches)])
        bands = np.concatenate([none, *(each for _, each in sketches)]).T
        order = np.argsort(bands, axis=1, kind="stable").astype(np.int32)
        return _BandIndex(self, owners, order, np.take_along_axis(bands, order, axis=1))


class _BandIndex(NamedTuple):
    method: ByBands
    owners: Numbers
    order: NDArray[np.int32]
    bands: NDArray[np.uint64]

    def ask(self, block: Block) -> Found:
        """Look each band of each text up among those of its place."""
        import numpy as np

        found = self.method.shingling.of(block)
        number = len(block.borders) - 1
        texts, owners = [found.short[:0]], [found.short[:0]]
        asked = self.method.banding.of(found, number)
        for band, order, values in zip(self.bands, self.order, asked.T, strict=True):
            first, last = (np.searchsorted(band, values, side=side) for side in ("left", "right"))
            counts = last - first
            places = np.repeat(first - (np.cumsum(counts) - counts), counts)
            texts.append(np.repeat(np.arange(number), counts))
            owners.append(self.owners[order[places + np.arange(len(places))]])
        pairs = np.unique(np.stack((np.concatenate(texts), np.concatenate(owners))), axis=1)
        return Found(pairs[0], pairs[1], found.short)
