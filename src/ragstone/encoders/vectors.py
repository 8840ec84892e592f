"""Rows of numbers: checked, of length one, and as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NUMBER = 4
"""Bytes of a number."""

ROWS = 1024
"""Rows that are worked on at a time in double precision."""


class BadVectorsError(Exception):
    """Rows that are not what was asked for; reason: a code for it."""

    def __init__(self, reason: str, problem: str) -> None:
        """Keep both."""
        super().__init__(problem)
        self.reason = reason


def checked(found: Any, texts: int, dimensions: int | None) -> NDArray[np.float32]:
    """Return what a model gave as rows, one for each of so many texts; raises BadVectorsError.

    dimensions: those of earlier rows, or those asked for; None where nobody knows.

    >>> checked([[1, 2.5]], 1, None).tolist()
    [[1.0, 2.5]]
    """
    import numpy as np

    try:
        rows: NDArray[Any] = np.asarray(found)
    except (ValueError, TypeError, RuntimeError):  # of different lengths; a tensor elsewhere
        rows = np.empty(0, dtype=object)
    if len(found) != texts:
        raise BadVectorsError("count", f"{len(found):,} vectors came back for {texts:,} texts")
    if rows.ndim != 2 or rows.dtype.kind not in "fiu" or not rows.shape[1]:
        raise BadVectorsError("dimension", _unlike(found))
    if dimensions is not None and rows.shape[1] != dimensions:
        raise BadVectorsError(
            "dimension",
            f"a vector of {rows.shape[1]:,} numbers came back where {dimensions:,} were expected",
        )
    with np.errstate(over="ignore"):
        numbers: NDArray[np.float32] = rows.astype("<f4")
    if not np.isfinite(numbers).all():
        raise BadVectorsError("not_finite", "a vector came back that has NaN or infinity in it")
    return numbers


def _unlike(found: Sequence[Any]) -> str:
    lengths = {len(row) for row in found if hasattr(row, "__len__")}
    if len(lengths) > 1:
        few = " and ".join(f"{n:,}" for n in sorted(lengths)[:2])
        return f"vectors of different lengths came back, {few} numbers"
    return "what came back is not a list of numbers for each text"


def packed(row: NDArray[np.float32]) -> bytes:
    """Return a row as raw little-endian numbers of four bytes."""
    data: bytes = row.astype("<f4", copy=False).tobytes()
    return data


def unpacked(rows: Sequence[bytes], dimensions: int) -> NDArray[np.float32]:
    """Return packed rows as one array; raises ValueError for one of another length."""
    import numpy as np

    if any(len(row) != dimensions * NUMBER for row in rows):
        raise ValueError("a row has another length")
    return np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), dimensions)


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the rows with length 1, in doubles; zeros stay zeros.

    In doubles a text's cosine with itself is 1 to the last digits. Rows are divided by their
    largest number before they are squared, so that none overflows.
    """
    import numpy as np

    rows = np.array(vectors, dtype=np.float64)
    largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    rows /= np.where(largest > 0, largest, 1.0)
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    rows /= np.where(lengths > 0, lengths, 1.0)
    return rows


def normalized(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the rows with length 1, so that a product of two is their cosine; zeros stay zeros.

    >>> import numpy as np
    >>> normalized(np.array([[3, 4], [0, 0], [1e38, 0]], dtype=np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0], [1.0, 0.0]]
    """
    import numpy as np

    found: NDArray[np.float32] = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), ROWS):
        found[start : start + ROWS] = unit_rows(vectors[start : start + ROWS])
    return found


def cosines(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of each row with the row of the other at the same place.

    In double precision and one by one, so that a pair has the same value wherever it stands; equal
    rows have exactly 1, a row of zeros has 0 with any.

    >>> import numpy as np
    >>> rows = np.array([[1, 2], [3, 4], [0, 0]], dtype=np.float32)
    >>> cosines(rows, rows[[0, 0, 0]]).round(4).tolist()
    [1.0, 0.9839, 0.0]
    """
    import numpy as np

    a, b = one.astype(np.float64), other.astype(np.float64)
    lengths = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    found: NDArray[np.float64] = (a * b).sum(axis=1) / np.where(lengths > 0, lengths, 1.0)
    return np.clip(found, -1.0, 1.0)


def error_bound(dimensions: int) -> float:
    """Return how far a float32 product of rows of length 1 may be from their cosine, at most.

    Twice d * 2**-24 of the usual bound (Higham, Accuracy and Stability of Numerical Algorithms,
    section 3.1), which leaves room for lengths that are not exactly 1.
    """
    return (dimensions + 16) * 2.0**-23
