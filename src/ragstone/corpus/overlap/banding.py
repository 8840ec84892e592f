"""MinHash: short signatures of sets of shingles, cut into bands so that similar sets meet."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from msgspec import Struct

from ragstone.corpus.overlap.shingles import Shingles
from ragstone.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.text.ngrams import Hashes

SURE = 0.995  # a pair at the threshold is found with at least this probability
_MIX = 0x9E3779B97F4A7C15


class Banding(Struct, frozen=True):
    """How a signature is cut: `bands` of `rows` values; two sets meet where a band is equal.

    seed: of the hash functions.
    """

    bands: int
    rows: int
    seed: int = 1

    def miss(self, jaccard: float) -> float:
        """Return the probability that two sets of this similarity meet in no band.

        1 - (1 - s^r)^b is the chance to meet: Leskovec, Rajaraman and Ullman, Mining of Massive
        Datasets, section 3.4.

        >>> round(Banding(20, 5).miss(0.8), 6)
        0.000356
        """
        return float((1 - jaccard**self.rows) ** self.bands)

    def of(self, found: Shingles, texts: int) -> NDArray[np.uint64]:
        """Return the bands of each of so many texts as numbers: an array of texts x bands.

        Equal sets have equal bands. Bands of a text without shingles mean nothing.
        """
        import numpy as np

        order = np.argsort(found.texts, kind="stable")
        owners, hashes = found.texts[order], found.hashes[order]
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        bands = np.zeros((texts, self.bands), dtype=np.uint64)
        rng = random.Random(self.seed)  # noqa: S311
        if not len(starts):
            return bands
        for band in range(self.bands):
            number = np.full(len(starts), band, dtype=np.uint64)
            for _ in range(self.rows):
                least = _least(hashes, starts, rng.getrandbits(64) | 1, rng.getrandbits(64))
                number = (number ^ least) * np.uint64(_MIX)
                number ^= number >> np.uint64(32)
            bands[owners[starts], band] = number
        return bands


def choose_banding(threshold: float, permutations: int, seed: int = 1) -> Banding:
    """Return the longest bands that still find a pair at the threshold with probability SURE.

    Longer bands bring fewer pairs together that are not similar. Raises UsageError where so few
    permutations cannot be that sure.

    >>> choose_banding(0.8, 128)
    Banding(bands=21, rows=6, seed=1)
    """
    for rows in range(permutations, 0, -1):
        banding = Banding(permutations // rows, rows, seed)
        if banding.miss(threshold) <= 1 - SURE:
            return banding
    raise UsageError(
        f"{permutations} permutations find a pair at the threshold {threshold:g} with less than "
        f"probability {SURE:g}; take more with --num-perm, a higher threshold, or --method jaccard"
    )


def _least(hashes: Hashes, starts: NDArray[np.int64], factor: int, offset: int) -> Hashes:
    """Return each text's least value under one hash function, factor x + offset and mixed."""
    import numpy as np

    values = hashes * np.uint64(factor) + np.uint64(offset)
    values ^= values >> np.uint64(32)
    values *= np.uint64(_MIX)
    values >>= np.uint64(16)
    return np.minimum.reduceat(values, starts)
