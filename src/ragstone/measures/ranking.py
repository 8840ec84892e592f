"""A ranking as the retrieval kernels see it: where the judged documents stand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Cover(NamedTuple):
    """Characters, where golds and retrieved chunks are places in documents.

    gold: of all golds of the query. found: for each rank, those of them that the chunks down to
    there cover; read: all characters of these chunks. What several have counts once.
    """

    gold: int
    found: Sequence[int]
    read: Sequence[int]

    def at(self, k: int | None) -> tuple[int, int]:
        """Return what the first k chunks have found and read, or all."""
        last = len(self.found) if k is None else min(k, len(self.found))
        return (self.found[last - 1], self.read[last - 1]) if last else (0, 0)


class Ranking:
    """The judged documents of one query's ranking.

    retrieved: how many documents were retrieved. ranks (from 1, ascending) and grades: the
    retrieved documents that the judgments name; a negative grade means pooled and unjudged.
    judgments: every grade of the query.

    Where texts are matched, a document can be worth a part of its grade, and one text can hold
    several relevant ones. gains: what each of the documents is worth to nDCG, by default its grade.
    found: the ranks, ascending, at which each relevant one is found, which recall counts; by
    default those of the relevant documents. cover: what is covered where texts are places.
    """

    __slots__ = (
        "_relevant",
        "cover",
        "found",
        "gains",
        "grades",
        "ideal",
        "judgments",
        "ranks",
        "retrieved",
    )

    def __init__(
        self,
        retrieved: int,
        ranks: Sequence[int],
        grades: Sequence[int],
        judgments: Sequence[int],
        *,
        gains: Sequence[float] | None = None,
        found: Sequence[int] | None = None,
        cover: Cover | None = None,
    ) -> None:
        """Keep the facts; `ideal` is every positive grade of the judgments, best first."""
        self.retrieved, self.ranks, self.grades = retrieved, ranks, grades
        self.gains, self.found = grades if gains is None else gains, found
        self.judgments, self.cover = judgments, cover
        self.ideal = sorted((grade for grade in judgments if grade > 0), reverse=True)
        self._relevant: dict[int, list[int]] = {}

    @classmethod
    def of(cls, docs: Sequence[str], grades: Mapping[str, int]) -> Ranking:
        """Look a ranked list up in a query's judgments.

        >>> Ranking.of(["b", "x", "a"], {"a": 2, "b": 0}).relevant(1)
        [3]
        """
        found = [(rank, grades[doc]) for rank, doc in enumerate(docs, 1) if doc in grades]
        return cls(
            len(docs), [rank for rank, _ in found], [g for _, g in found], list(grades.values())
        )

    @property
    def number_judged(self) -> int:
        """How many documents are judged; a negative grade is not a judgment."""
        return len([grade for grade in self.judgments if grade >= 0])

    def relevant(self, rel: int) -> list[int]:
        """Return the ranks of the retrieved documents with a grade of at least `rel`."""
        ranks = self._relevant.get(rel)
        if ranks is None:
            pairs = zip(self.ranks, self.grades, strict=True)
            ranks = self._relevant[rel] = [rank for rank, grade in pairs if grade >= rel]
        return ranks

    def number_relevant(self, rel: int) -> int:
        """Count the judged documents with a grade of at least `rel`, retrieved or not."""
        if rel == 1:
            return len(self.ideal)
        return sum(grade >= rel for grade in self.ideal)

    def hits(self, rel: int, k: int | None) -> int:
        """Count the relevant documents among the first k, or among all."""
        ranks = self.relevant(rel)
        return len(ranks) if k is None else bisect_right(ranks, k)

    def number_found(self, rel: int, k: int | None) -> int:
        """Count the relevant ones that the first k documents hold, or all."""
        if self.found is None:
            return self.hits(rel, k)
        return len(self.found) if k is None else bisect_right(self.found, k)

    def depth(self, k: int | None) -> int:
        """Return the k to divide by: the cutoff, or the number retrieved where there is none."""
        return self.retrieved if k is None else k
