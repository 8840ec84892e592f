"""Mean and standard deviation of per-query differences.

Pure `math`: no NumPy. Sums are exactly rounded (`math.fsum`), so the order of the
queries cannot change a digit.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

Differences: TypeAlias = Collection[float]
"""candidate - baseline, one a query: a list, array('d') or one-dimensional ndarray."""

ROUNDING = 1e-12
"""Differences this small are rounding noise, and so is a spread this small.

The spread may also be this small relative to the largest difference.
"""

_LARGEST = 1e150


@dataclass(frozen=True, slots=True)
class Moments:
    """What the t test, the interval, the effect size and the power are computed from.

    `mean` is None without a query. `sd` is the sample standard deviation (n - 1),
    None below two queries, and exactly 0.0 where all differences are equal but for
    rounding noise; then `mean` is exactly 0.0 if they are all noise.
    """

    n: int
    mean: float | None
    sd: float | None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean, sd / sqrt(n); None below two queries."""
        return None if self.sd is None else self.sd / math.sqrt(self.n)


def moments(differences: Differences) -> Moments:
    """Return count, mean and standard deviation; ValueError if a difference is not finite.

    >>> moments([0.0, 1.0, 2.0])
    Moments(n=3, mean=1.0, sd=1.0)
    >>> moments([0.9 - 0.8, 0.8 - 0.7]).sd
    0.0
    """
    values = finite(differences)
    n = len(values)
    if n == 0:
        return Moments(0, None, None)
    mean = math.fsum(values) / n
    if n == 1:
        return Moments(1, mean, None)
    low, high = min(values), max(values)
    largest = max(-low, high)
    if largest <= ROUNDING:
        return Moments(n, 0.0, 0.0)
    if high - low <= ROUNDING * max(1.0, largest):
        return Moments(n, mean, 0.0)
    squares = math.fsum([(value - mean) * (value - mean) for value in values])
    return Moments(n, mean, math.sqrt(squares / (n - 1)))


def finite(differences: Differences) -> list[float]:
    """Return the differences as floats; ValueError names the first that is not finite.

    One beyond 1e150 is refused as well: its square would not be finite.

    >>> finite([1, float("nan")])
    Traceback (most recent call last):
    ValueError: difference 1 is not finite, or beyond 1e+150: nan
    """
    values = list(map(float, differences))
    if not all(map(math.isfinite, values)) or max(map(abs, values), default=0.0) > _LARGEST:
        index = next(i for i, value in enumerate(values) if not abs(value) <= _LARGEST)
        found = values[index]
        raise ValueError(f"difference {index} is not finite, or beyond {_LARGEST:g}: {found!r}")
    return values
