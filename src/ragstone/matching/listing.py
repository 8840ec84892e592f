"""What a reader wants to see of each query: the pairs, the golds not found, the other texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET, Struct, UnsetType

from ragstone.errors import shortened
from ragstone.matching.assignment import Assignment, Pair
from ragstone.matching.matrix import Gold, MatchMatrix

LONGEST = 160
"""Characters of a text that are kept: its two ends."""


class Excerpt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A text: its place among the golds, or its rank, from 1; its id; the ends of it."""

    place: int
    id: str | UnsetType = UNSET
    text: str


class Match(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A gold text and the retrieved text that it is found in.

    extra: that text counts for another gold, and holds this one besides. part: of the method
    contains, where the retrieved text is a part of the gold, and not the other way round.
    """

    gold: Excerpt
    retrieved: Excerpt
    similarity: float
    extra: bool = False
    part: bool = False


class NotFound(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A gold text that nothing matched, its highest similarity, and at which rank that is.

    A similarity that is no lower than the threshold is that of a text that counts for another.
    """

    gold: Excerpt
    similarity: float
    rank: int | UnsetType = UNSET


class Unmatched(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A retrieved text that matched nothing, and its highest similarity.

    repeats: the rank of the text above that it is equal to.
    """

    retrieved: Excerpt
    similarity: float
    repeats: int | UnsetType = UNSET


class QueryMatches(Struct, frozen=True, kw_only=True):
    """All pairs of a query, best rank first, and what is left on both sides."""

    id: str
    matches: list[Match]
    not_found: list[NotFound]
    unmatched: list[Unmatched]


def listing(
    matrices: Mapping[str, MatchMatrix], assignments: Mapping[str, Assignment]
) -> Iterator[QueryMatches]:
    """Go through the queries.

    >>> from ragstone.matching import match_texts
    >>> found = match_texts([["a b", "c"]], [["x", "a b"]], "exact")
    >>> [query] = listing(found.matrices, found.assignments())
    >>> query.not_found[0].gold.text, query.unmatched[0].retrieved.place
    ('c', 1)
    """
    for query, matrix in matrices.items():
        pairs = assignments[query].pairs
        found, matched = {pair.gold for pair in pairs}, {pair.rank for pair in pairs}
        ranks = range(1, len(matrix.retrieved) + 1)
        missing = sorted(
            (gold.place, number) for number, gold in enumerate(matrix.golds) if number not in found
        )
        yield QueryMatches(
            id=query,
            matches=[_match(matrix, pair) for pair in pairs],
            not_found=[_not_found(matrix, gold) for _, gold in missing],
            unmatched=[_unmatched(matrix, rank) for rank in ranks if rank not in matched],
        )


def _match(matrix: MatchMatrix, pair: Pair) -> Match:
    held = matrix.similarities.held
    return Match(
        gold=_gold(matrix.golds[pair.gold]),
        retrieved=_retrieved(matrix, pair.rank),
        similarity=pair.similarity,
        extra=pair.extra,
        part=held is not None and not held[pair.gold][pair.rank - 1],
    )


def _not_found(matrix: MatchMatrix, gold: int) -> NotFound:
    similarity, rank = matrix.best_of_gold(gold)
    return NotFound(
        gold=_gold(matrix.golds[gold]), similarity=similarity, rank=UNSET if rank is None else rank
    )


def _unmatched(matrix: MatchMatrix, rank: int) -> Unmatched:
    return Unmatched(
        retrieved=_retrieved(matrix, rank),
        similarity=matrix.best_of_text(rank),
        repeats=matrix.repeats.get(rank, UNSET),
    )


def _gold(gold: Gold) -> Excerpt:
    return _excerpt(gold.place, gold.text, gold.id)


def _retrieved(matrix: MatchMatrix, rank: int) -> Excerpt:
    passage = matrix.retrieved[rank - 1]
    return _excerpt(rank, passage.text, passage.id)


def _excerpt(place: int, text: str, identity: str | None) -> Excerpt:
    known = UNSET if identity is None else identity
    return Excerpt(place=place, id=known, text=shortened(text, LONGEST))
