"""One query's similarities, computed once for every threshold, measure and cutoff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from ragstone.formats.gold import Passage
from ragstone.matching.assignment import ASSIGNMENTS, Assignment, Cell
from ragstone.measures import Cover

ROUNDING = 1e-9
"""A similarity this little below the threshold is equal to it."""

NEVER = -1.0
"""The similarity of a pair that no threshold lets match."""


SURE = 1.0
"""The threshold of a method whose pairs match or do not."""


class Gold(NamedTuple):
    """A gold text: its place among the query's, from 1, its id, and its form for equality."""

    place: int
    id: str | None
    text: str
    form: str


class Similarities(NamedTuple):
    """What a method says of all pairs: a row for each gold, a column for each retrieved text.

    values: from 0 to 1, or NEVER. held: whether all of the gold stands in the retrieved text; None
    for a method that cannot tell, where a retrieved text counts for one gold only.
    """

    values: list[list[float]]
    held: list[list[bool]] | None = None


class MatchMatrix(Struct, frozen=True):
    """The golds of a query, in an order of their own, its retrieved texts, and all similarities.

    threshold: the method's, which `assign` uses where it is told no other. repeats: the ranks of
    texts that are equal to one above, each with the rank of that. cover: what is covered down to
    each rank, where golds are places.
    """

    golds: tuple[Gold, ...]
    retrieved: tuple[Passage, ...]
    similarities: Similarities
    threshold: float
    repeats: Mapping[int, int] = MappingProxyType({})
    cover: Cover | None = None

    def columns(self, threshold: float | None = None, *, repeats: bool = False) -> list[list[Cell]]:
        """Return for each retrieved text the golds that it may match at a threshold.

        repeats: whether a text that is equal to one above may match too.
        """
        values, held = self.similarities
        barred = frozenset() if repeats else self.repeats.keys()
        least = (self.threshold if threshold is None else threshold) - ROUNDING
        return [
            [
                Cell(gold, row[place], held is not None and held[gold][place])
                for gold, row in enumerate(values)
                if row[place] >= least and place + 1 not in barred
            ]
            for place in range(len(self.retrieved))
        ]

    def assign(self, threshold: float | None = None, assignment: str = "greedy") -> Assignment:
        """Decide which pairs count; assignment: greedy, optimal or free.

        >>> from ragstone.matching import match_query
        >>> matrix = match_query(["a b c", "d e f"], ["d e f", "a b x"], "rouge1")
        >>> [(matrix.golds[pair.gold].place, pair.rank) for pair in matrix.assign(0.6).pairs]
        [(2, 1), (1, 2)]
        """
        way = ASSIGNMENTS[assignment]
        pairs = way.choose(self.columns(threshold, repeats=way.repeats))
        return Assignment(tuple(pairs), len(self.golds), len(self.retrieved), self.cover)

    def best_of_gold(self, gold: int) -> tuple[float, int | None]:
        """Return a gold's highest similarity, from 0, and the rank of the first that has it."""
        return _best(self.similarities.values[gold])

    def best_of_text(self, rank: int) -> float:
        """Return the highest similarity of the retrieved text at a rank, from 0."""
        return _best([row[rank - 1] for row in self.similarities.values])[0]


def _best(values: Sequence[float]) -> tuple[float, int | None]:
    best = max(values, default=NEVER)
    return (best, values.index(best) + 1) if best > 0 else (0.0, None)
