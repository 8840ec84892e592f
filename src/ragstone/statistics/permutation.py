"""The paired randomisation (sign-flip) test.

Fisher (1935), The Design of Experiments, section 21; Smucker, Allan and Carterette
(2007), CIKM. If the two systems are alike, each difference could as well have had
the other sign; p is the share of sign patterns whose sum is at least as extreme as
the one observed. Two-sided p = min(1, 2 x the smaller one-sided p).

Up to 20 changed queries, all 2^c patterns are counted; above, B random ones are, and
each one-sided p is (b + 1) / (B + 1), never 0 (Phipson and Smyth 2010, "Permutation
p-values should never be zero"; Davison and Hinkley 1997, section 4.2). A sum within
1e-12 of the sum of |d|, relative, is a tie and counts.

What makes p reproducible: the statistic is the sum of sign x |d| over the changed
queries in ascending order of |d|, so neither the order of the queries nor the
direction of the comparison matters. The random signs are the bits of
`random.Random(seed).randbytes(B)`, drawn once for every 8 changed queries: byte j of
draw i holds the signs of queries 8i to 8i + 7 (highest bit first, 1 is plus) in
pattern j. The Mersenne twister and this use of it are the same in every version of
Python and on every platform, as the streams of NumPy's generators are not. All sums
are added in one fixed order, element by element, without BLAS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragstone.statistics.moments import ROUNDING, Differences, finite

Floats: TypeAlias = NDArray[np.float64]

MOST_EXACT = 20
"""Up to this many changed queries, every sign pattern is counted."""

_TIE = 1e-12  # relative to the sum of |d|
_BLOCK = 8 * 128  # queries whose tables are held at once: 256 KiB a column
_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * 2.0 - 1.0


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A two-sided sign-flip test of the sum of differences against 0.

    `p_value` is in (0, 1], or None below two queries. `exact` tells whether all sign
    patterns were counted; `permutations` is how many were. `changed` is the number
    of queries that differ by more than 1e-12; `smallest_p` the smallest p that this
    test could have given: above alpha, it could not have been significant.
    """

    p_value: float | None
    exact: bool
    permutations: int
    changed: int
    smallest_p: float


def smallest_p(changed: int, permutations: int | None = None) -> float:
    """Return the smallest two-sided p that `changed` queries can give: min(1, 2 / 2^changed).

    With `permutations`, that of a sampled test: not below 2 / (permutations + 1).

    >>> smallest_p(4), smallest_p(0)
    (0.125, 1.0)
    >>> smallest_p(30, permutations=99)
    0.02
    """
    exact = math.ldexp(2.0, -changed)
    sampled = 0.0 if permutations is None else 2.0 / (permutations + 1)
    return min(1.0, max(exact, sampled))


def permutation_test(
    differences: Differences, permutations: int = 10_000, seed: int = 0
) -> PermutationTest:
    """Test one column of differences; see `permutation_tests`.

    >>> permutation_test([-1.0, -1.0, -1.0, -1.0, 0.0])
    PermutationTest(p_value=0.125, exact=True, permutations=16, changed=4, smallest_p=0.125)
    """
    return permutation_tests([differences], permutations, seed)[0]


def permutation_tests(
    columns: Sequence[Differences], permutations: int = 10_000, seed: int = 0
) -> list[PermutationTest]:
    """Test columns of differences, one a measure, against the same random signs.

    A column has one number a query, and its result depends on that column,
    `permutations` and `seed` only, not on the other columns, nor on its order.
    `permutations` does not matter up to 20 changed queries. ValueError if it is
    below 1 or a difference is not finite.

    >>> [test.p_value for test in permutation_tests([[0.5, 0.25], [0.0, 0.0], [1.0]])]
    [0.5, 1.0, None]
    """
    if permutations < 1:
        raise ValueError(f"permutations must be at least 1, not {permutations}")
    samples = [_sample(column) for column in columns]
    large = [sample for sample in samples if not sample.is_exact]
    sums = iter(_random_sums([sample.sizes for sample in large], permutations, seed))
    return [
        _counted_all(sample) if sample.is_exact else _counted_some(sample, next(sums))
        for sample in samples
    ]


@dataclass(frozen=True, slots=True)
class _Sample:
    """A column in its canonical form: neither row order nor direction are left."""

    queries: int
    sizes: Floats  # |d| of the changed queries, ascending
    observed: float  # |sum of d|

    @property
    def changed(self) -> int:
        return len(self.sizes)

    @property
    def is_exact(self) -> bool:
        return self.changed <= MOST_EXACT

    @property
    def tolerance(self) -> float:
        return _TIE * math.fsum(self.sizes)


def _sample(differences: Differences) -> _Sample:
    changed = [value for value in finite(differences) if abs(value) > ROUNDING]
    sizes = np.sort(np.abs(np.array(changed, dtype=np.float64)))
    return _Sample(len(differences), sizes, abs(math.fsum(changed)))


def _counted_all(sample: _Sample) -> PermutationTest:
    changed, lowest = sample.changed, smallest_p(sample.changed)
    if sample.queries < 2:
        return PermutationTest(None, True, 0, changed, lowest)
    above, below = _exact_counts(sample)
    p_value = min(1.0, math.ldexp(2.0 * min(above, below), -changed))
    return PermutationTest(p_value, True, 1 << changed, changed, lowest)


def _counted_some(sample: _Sample, sums: Floats) -> PermutationTest:
    tolerance = sample.tolerance
    above = int(np.count_nonzero(sums >= sample.observed - tolerance))
    below = int(np.count_nonzero(sums <= sample.observed + tolerance))
    p_value = min(1.0, 2.0 * (min(above, below) + 1) / (len(sums) + 1))
    lowest = smallest_p(sample.changed, len(sums))
    return PermutationTest(p_value, False, len(sums), sample.changed, lowest)


def _exact_counts(sample: _Sample) -> tuple[int, int]:
    """Count the patterns whose sum is at least, and at most, the observed one.

    A pattern is one of the first half of the queries with one of the second; the
    sums of the second are sorted, so that a search counts all that fit the first
    (Horowitz and Sahni 1974).
    """
    middle = sample.changed // 2
    first, second = _all_sums(sample.sizes[:middle]), np.sort(_all_sums(sample.sizes[middle:]))
    rest = sample.observed - first
    too_low = np.searchsorted(second, rest - sample.tolerance, side="left")
    low_enough = np.searchsorted(second, rest + sample.tolerance, side="right")
    return first.size * second.size - int(too_low.sum()), int(low_enough.sum())


def _all_sums(sizes: Floats) -> Floats:
    """Return the sums of all 2^n sign patterns."""
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return sums


def _random_sums(columns: Sequence[Floats], permutations: int, seed: int) -> list[Floats]:
    """Return, for each column, the sums of `permutations` random sign patterns.

    Eight queries at a time: a byte of random signs is an index into a table of the
    256 sums that these queries can have.
    """
    random = Random(seed)  # noqa: S311  (reproducible on purpose)
    sums = [np.zeros(permutations) for _ in columns]
    share = np.empty(permutations)
    for start in range(0, max(map(len, columns), default=0), _BLOCK):
        tables = [_tables(column[start : start + _BLOCK]) for column in columns]
        for row in range(max(map(len, tables))):
            signs = np.frombuffer(random.randbytes(permutations), np.uint8).astype(np.intp)
            for total, table in zip(sums, tables, strict=True):
                if row < len(table):
                    np.take(table[row], signs, out=share, mode="clip")
                    np.add(total, share, out=total)
    return sums


def _tables(sizes: Floats) -> Floats:
    """Return one row for every 8 queries: the sums of their 256 sign patterns."""
    eights = np.pad(sizes, (0, -len(sizes) % 8)).reshape(-1, 8)
    tables = np.zeros((len(eights), 256))
    for place in range(8):
        tables += eights[:, place, None] * _SIGNS[:, place]
    return tables
