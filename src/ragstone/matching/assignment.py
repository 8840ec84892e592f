"""Which pairs of a query count: each gold text once, each retrieved text once.

All take the matrix's golds in one order, whatever the order in the file, and look at retrieved
texts in rank order. So the result does not depend on the order of golds, and no cutoff needs an
assignment of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from ragstone.matching.optimum import assign
from ragstone.measures import Cover, Ranking
from ragstone.registry import Registry


class Cell(Struct, frozen=True):
    """A pair that may match: the gold's place in the matrix, its similarity, whether it is held.

    A gold text is held where all of it stands in the retrieved text, which may hold several.
    """

    gold: int
    similarity: float
    held: bool


class Pair(Struct, frozen=True):
    """A gold text that is found: its place in the matrix, at which rank, and how similar.

    `extra` is set where the retrieved text counts for another gold and holds this one besides.
    """

    gold: int
    rank: int
    similarity: float
    extra: bool = False


class Assignment(Struct, frozen=True):
    """What is found of a query's golds.

    pairs: in the order of ranks; golds and retrieved: how many there are. cover: the characters
    that are covered, where golds are places.
    """

    pairs: tuple[Pair, ...]
    golds: int
    retrieved: int
    cover: Cover | None = None

    @property
    def found(self) -> int:
        """How many golds are found."""
        return len({pair.gold for pair in self.pairs})

    def ranking(self, gain: str = "binary") -> Ranking:
        """Return what measures are computed from; gain: binary, or similarity (for nDCG)."""
        worth: dict[int, float] = {}
        found: dict[int, int] = {}
        for pair in self.pairs:
            found.setdefault(pair.gold, pair.rank)
            if not pair.extra:
                worth[pair.rank] = max(worth.get(pair.rank, 0.0), pair.similarity)
        ranks = sorted(worth)
        gains = [worth[rank] for rank in ranks] if gain == "similarity" else None
        at = sorted(found.values())
        return Ranking(
            self.retrieved,
            ranks,
            [1] * len(ranks),
            [1] * self.golds,
            gains=gains,
            found=None if at == ranks else at,
            cover=self.cover,
        )


Columns = Sequence[Sequence[Cell]]
"""For each retrieved text, in rank order, the golds that it may match."""


def greedy(columns: Columns) -> list[Pair]:
    """Give each text, in rank order, the most similar gold that is still free.

    A text that holds golds takes all of those that are free.
    """
    taken: set[int] = set()
    pairs: list[Pair] = []
    for rank, column in enumerate(columns, 1):
        free = [cell for cell in column if cell.gold not in taken]
        held = [cell for cell in free if cell.held]
        chosen = held or _best(free)
        taken.update(cell.gold for cell in chosen)
        pairs += _pairs(rank, chosen)
    return pairs


def optimal(columns: Columns) -> list[Pair]:
    """Match as many texts as can be, among the first k for every k; then the most similar ones.

    What a text holds besides is found there too, where nothing above it has it.
    """
    owners = assign([{cell.gold: cell.similarity for cell in column} for column in columns])
    holders: dict[int, int] = {}
    for text, column in enumerate(columns):
        for cell in column:
            if cell.held:
                holders.setdefault(cell.gold, text)
    pairs = []
    for text, column in enumerate(columns):
        for cell in column:
            owner = owners.get(cell.gold, math.inf)
            if owner == text:
                pairs.append(Pair(cell.gold, text + 1, cell.similarity))
            elif holders.get(cell.gold) == text and text < owner:
                pairs.append(Pair(cell.gold, text + 1, cell.similarity, extra=True))
    return pairs


def free(columns: Columns) -> list[Pair]:
    """Let every pair count, as Krag does: a text for many golds, and a gold for many texts."""
    return [
        Pair(cell.gold, rank, cell.similarity)
        for rank, column in enumerate(columns, 1)
        for cell in column
    ]


def _best(cells: Sequence[Cell]) -> list[Cell]:
    return [max(cells, key=lambda cell: cell.similarity)] if cells else []


def _pairs(rank: int, chosen: Sequence[Cell]) -> list[Pair]:
    """Return the pairs of one text: it counts for the most similar gold, the others are extra."""
    first = _best(chosen)
    return [Pair(cell.gold, rank, cell.similarity, extra=cell is not first[0]) for cell in chosen]


class Way(Struct, frozen=True):
    """A way to assign, and whether a text that stands higher up already may match again."""

    choose: Callable[[Columns], list[Pair]]
    repeats: bool = False


ASSIGNMENTS: Registry[Way] = Registry("assignment")
ASSIGNMENTS.add("greedy", Way(greedy))
ASSIGNMENTS.add("optimal", Way(optimal))
ASSIGNMENTS.add("free", Way(free, repeats=True))
