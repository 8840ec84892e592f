"""What a histogram shows: similarities, counted in bins of one width."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.reports.charts.palette import SERIES
from ragstone.reports.renderers.page import shorten

MOST_BINS = 200
LONGEST_NAME = 48
ROUNDING = 1e-9
"""A similarity this little below the edge of a bin is on it: a cosine of 1 is often 0.9999999."""


class Histogram(Struct, frozen=True):
    """How many similarities of each kind fall into each bin.

    A bin holds its lower edge, the last one its upper edge too. The bins divide 0 to 1, or -1 to
    1 where a similarity is negative, as a cosine may be.
    """

    edges: tuple[float, ...]
    counts: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(
        cls, similarities: Sequence[float] | Mapping[str, Sequence[float]], bins: int = 20
    ) -> Histogram:
        """Count; `bins` is how many there are from 0 to 1. Raises UsageError, see draw.histogram.

        >>> Histogram.of([0.0, 0.1, 0.5, 1.0], bins=2).counts
        {'pairs': (2, 2)}
        """
        kinds = similarities if isinstance(similarities, Mapping) else {"pairs": similarities}
        _check(kinds, bins)
        negative = any(value < 0 for values in kinds.values() for value in values)
        low, number = (-1.0, 2 * bins) if negative else (0.0, bins)
        edges = tuple(low + place / bins for place in range(number + 1))
        counts = {shorten(kind, LONGEST_NAME): _counted(values, low, bins, number)
                  for kind, values in kinds.items()}  # fmt: skip
        return cls(edges, counts)

    @property
    def domain(self) -> tuple[float, float]:
        """From where to where the bins go."""
        return self.edges[0], self.edges[-1]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kind and bin that is not empty."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Any]]:
        for place, (kind, counts) in enumerate(self.counts.items()):
            for low, high, count in zip(self.edges, self.edges[1:], counts, strict=False):
                said = f"{kind}, {low:g} to {high:g}: {count:,}"
                if count:
                    yield {"kind": kind, "place": place, "low": low, "high": high,
                           "count": count, "said": said}  # fmt: skip

    def describe(self, threshold: float | None = None) -> str:
        """Say in words how many there are, and the fullest bin of each kind.

        >>> Histogram.of([0.1, 0.6, 0.7], bins=2).describe()
        'pairs: 3, most of them from 0.5 to 1 (2).'
        """
        said = []
        for kind, counts in self.counts.items():
            most = max(counts)
            if not most:
                said.append(f"{kind}: none")
                continue
            place = counts.index(most)
            where = f"{self.edges[place]:g} to {self.edges[place + 1]:g} ({most:,})"
            said.append(f"{kind}: {sum(counts):,}, most of them from {where}")
        marked = "" if threshold is None else f" Marked: {threshold:g}."
        return "; ".join(said) + "." + marked


def _check(kinds: Mapping[str, Sequence[float]], bins: int) -> None:
    if not 1 <= bins <= MOST_BINS:
        raise UsageError(f"{bins} bins cannot be drawn; 1 to {MOST_BINS} can")
    if len(kinds) > len(SERIES):
        raise UsageError(f"{len(kinds)} kinds do not fit into one chart, {len(SERIES)} do")
    if not any(len(values) for values in kinds.values()):
        raise UsageError("there is no similarity to draw")
    for kind, values in kinds.items():
        strange = next((value for value in values if not -1 - ROUNDING <= value <= 1 + ROUNDING), 0)
        if strange:
            raise UsageError(f"{kind}: {strange} is no similarity; it was expected from -1 to 1")


def _counted(values: Sequence[float], low: float, bins: int, number: int) -> tuple[int, ...]:
    counts = [0] * number
    for value in values:
        place = math.floor((value - low) * bins + ROUNDING * bins)
        counts[min(max(place, 0), number - 1)] += 1
    return tuple(counts)
