"""Hashes of words, many at a time. They depend on the word alone, and never change."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, TypeAlias

from ragstone.text.blocks import SPACE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes: TypeAlias = NDArray[np.uint64]
    Places: TypeAlias = NDArray[np.int64]

WINDOW = 8  # bytes of a word that are hashed at once
LONGEST = 64  # bytes; longer words are hashed one by one
FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9  # odd, as multiplying must lose nothing


def word_edges(data: bytes) -> tuple[Places, Places]:
    """Return where each run of bytes that are no space begins and where it ends."""
    import numpy as np

    inside = np.zeros(len(data) + 2, dtype=np.bool_)
    np.not_equal(np.frombuffer(data, dtype=np.uint8), SPACE, out=inside[1:-1])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    return edges[0::2], edges[1::2]


def hash_runs(data: bytes, starts: Places, ends: Places) -> Hashes:
    """Hash each run of bytes, eight bytes at a time for all runs together."""
    import numpy as np

    lengths = ends - starts
    words = np.ndarray((len(data) + 1,), dtype="<u8", buffer=data + bytes(WINDOW), strides=(1,))
    masks = np.array([(1 << 8 * n) - 1 for n in range(WINDOW + 1)], dtype=np.uint64)
    hashes = spread(words.take(starts) & masks[np.minimum(lengths, WINDOW)])
    for done in range(WINDOW, LONGEST, WINDOW):
        longer = np.flatnonzero(lengths > done)
        if not len(longer):
            return hashes
        rest = words.take(starts[longer] + done) & masks[np.minimum(lengths[longer] - done, WINDOW)]
        hashes[longer] = spread(hashes[longer] * np.uint64(FIRST) + rest)
    for i in np.flatnonzero(lengths > LONGEST).tolist():
        digest = blake2b(data[starts[i] : ends[i]], digest_size=8).digest()
        hashes[i] = int.from_bytes(digest, "little")
    return hashes


def spread(numbers: Hashes) -> Hashes:
    """Spread numbers over all 64 bits, one to one (two rounds of splitmix64)."""
    import numpy as np

    numbers = numbers * np.uint64(FIRST)
    numbers ^= numbers >> np.uint64(29)
    numbers *= np.uint64(SECOND)
    numbers ^= numbers >> np.uint64(32)
    return numbers
