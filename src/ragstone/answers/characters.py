"""Runs of one to six characters that two texts share: what chrF is computed from."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ragstone.text.blocks import codes_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.uint64]

LONGEST = 6
BITS = 10
"""Bits of a character: six of them, and one for the text that a run is of, fit into 64."""


def shared_runs(answer: str, reference: str) -> list[int] | None:
    """Return for each length the runs of the answer, of the reference, and those that both have.

    White space does not count. Each run counts as often as both have it; those of the answer only
    where the reference has any of that length, as sacrebleu has it. None where the texts have more
    different characters than the numbers have room for, which is about a thousand.

    >>> shared_runs("a b ab", "abc")[:9]
    [4, 3, 2, 3, 2, 1, 2, 1, 0]
    """
    mine, other = "".join(answer.split()), "".join(reference.split())
    codes, bits = _codes(mine + other)
    if bits > BITS:
        return None
    both = _counted_in_both(_runs(codes, len(mine), bits), bits)
    stats = []
    for length, found in enumerate(both, 1):
        wanted = max(0, len(other) - length + 1)
        stats += [max(0, len(mine) - length + 1) if wanted else 0, wanted, found]
    return stats


def _codes(text: str) -> tuple[Numbers, int]:
    """Number the characters from 1, and return how many bits the highest number has."""
    import numpy as np

    codes = codes_of(text).astype(np.uint64) + np.uint64(1)
    if len(codes) and int(codes.max()) >> BITS:
        codes = (np.unique(codes, return_inverse=True)[1] + 1).astype(np.uint64)
    return codes, int(codes.max(initial=1)).bit_length()


def _runs(codes: Numbers, border: int, bits: int) -> Numbers:
    """Return a number for each run within one text, ascending; the last bit is the text.

    The characters stand side by side in it. As none is 0, runs of different lengths differ.
    """
    import numpy as np

    found, runs = [], codes
    for length in range(1, LONGEST + 1):
        if length > 1:
            runs = (runs[:-1] << np.uint64(bits)) | codes[length - 1 :]
        first = runs[: max(0, border - length + 1)] << np.uint64(1)
        found += [first, runs[border:] << np.uint64(1) | np.uint64(1)]
    return np.sort(np.concatenate(found))


def _counted_in_both(runs: Numbers, bits: int) -> list[int]:
    """Return for each length how many runs stand in both texts."""
    import numpy as np

    starts = np.flatnonzero(np.concatenate(([True], runs[1:] != runs[:-1])))[: len(runs)]
    counts = np.diff(starts, append=len(runs))
    kinds = runs[starts]
    twins = np.flatnonzero(kinds[1:] == kinds[:-1] | np.uint64(1))
    both = np.minimum(counts[twins], counts[twins + 1])
    lengths = np.searchsorted(_borders(bits), kinds[twins], side="right")
    return [int(each) for each in np.bincount(lengths, both, minlength=LONGEST)]


@cache
def _borders(bits: int) -> Numbers:
    """Return the first number of the runs of two characters, of three, and so on."""
    import numpy as np

    return np.array([2 << bits * length for length in range(1, LONGEST)], dtype=np.uint64)
