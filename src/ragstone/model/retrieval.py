"""Qrels and runs in memory, and what plain Python objects are taken for them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ragstone.errors import InputError

QrelsLike: TypeAlias = (
    "Qrels | Mapping[str, Mapping[str, int] | Iterable[str]] | Sequence[Iterable[str]]"
)
RunLike: TypeAlias = (
    "Run | Mapping[str, Mapping[str, float] | Sequence[str]] | Sequence[Iterable[str]]"
)


NO_FACTS: Mapping[str, int] = MappingProxyType({})


class Results(NamedTuple):
    """What one query retrieved. Document ids are UTF-8, so that bytes order is code-point order.

    `scored` is false where the source had ranks alone, which became the scores n to 1.
    """

    query: str
    docs: list[bytes]
    scores: list[float]
    scored: bool = True


class Qrels(Mapping[str, Mapping[str, int]]):
    """Relevance judgments: query to document to integer grade.

    `unjudged` names the queries that were listed without any judgment.
    """

    __slots__ = ("facts", "grades", "unjudged")

    def __init__(
        self,
        grades: Mapping[str, Mapping[str, int]],
        unjudged: tuple[str, ...] = (),
        facts: Mapping[str, int] = NO_FACTS,
    ) -> None:
        """Keep judgments that are known to be good; `of` checks what a caller gives."""
        self.grades, self.unjudged, self.facts = grades, unjudged, facts

    @classmethod
    def of(cls, value: QrelsLike) -> Qrels:
        """Take plain dicts, `{query: ids}` (grade 1), or a list of relevant ids per query.

        >>> Qrels.of([["a", "b"], []]).grades
        {'0': {'a': 1, 'b': 1}}
        """
        if isinstance(value, Qrels):
            return value
        grades = {
            query: _checked(query, judged, _grade, lambda ids: dict.fromkeys(ids, 1))
            for query, judged in _named(value)
        }
        empty = tuple(query for query, judged in grades.items() if not judged)
        return cls({query: judged for query, judged in grades.items() if judged}, empty)

    def __getitem__(self, query: str) -> Mapping[str, int]:
        """Return a query's grades."""
        return self.grades[query]

    def __iter__(self) -> Iterator[str]:
        """Go through the judged queries."""
        return iter(self.grades)

    def __len__(self) -> int:
        """Count the judged queries."""
        return len(self.grades)

    def digest(self) -> str:
        """Return sha256 of the sorted lines query TAB document TAB grade LF, in hex."""
        sha = hashlib.sha256()
        for query in sorted(self.grades):
            lines = sorted(
                f"{query}\t{doc}\t{grade}\n" for doc, grade in self.grades[query].items()
            )
            sha.update("".join(lines).encode())
        return sha.hexdigest()


class Run(Mapping[str, Mapping[str, float]]):
    """Ranked results: query to document to score. The order is that of the scores."""

    __slots__ = ("facts", "rankings")

    def __init__(
        self, rankings: Mapping[str, Mapping[str, float]], facts: Mapping[str, int] = NO_FACTS
    ) -> None:
        """Keep results that are known to be good; `of` checks what a caller gives."""
        self.rankings, self.facts = rankings, facts

    @classmethod
    def of(cls, value: RunLike) -> Run:
        """Take plain dicts, `{query: ranked ids}`, or a list of ranked ids per query.

        >>> Run.of({"q": ["b", "a"]}).rankings
        {'q': {'b': 2.0, 'a': 1.0}}
        """
        if isinstance(value, Run):
            return value
        removed = 0
        rankings = {}
        for query, ranking in _named(value):
            rankings[query] = _checked(query, ranking, _score, ranked)
            removed += len(list(ranking)) - len(rankings[query])
        return cls(rankings, {"duplicates_removed": removed})

    def __getitem__(self, query: str) -> Mapping[str, float]:
        """Return a query's documents and scores."""
        return self.rankings[query]

    def __iter__(self) -> Iterator[str]:
        """Go through the queries."""
        return iter(self.rankings)

    def __len__(self) -> int:
        """Count the queries."""
        return len(self.rankings)

    def results(self) -> Iterator[Results]:
        """Go through the queries as scoring wants them."""
        for query, ranking in self.rankings.items():
            yield Results(query, [doc.encode() for doc in ranking], list(ranking.values()))


def ranked(docs: Iterable[str]) -> dict[str, float]:
    """Give n documents in rank order the scores n to 1; the first of a repeated id counts."""
    unique = list(dict.fromkeys(docs))
    return {doc: float(len(unique) - rank) for rank, doc in enumerate(unique)}


def parallel(qrels: QrelsLike, run: RunLike) -> tuple[Qrels, Run]:
    """Convert both; two parallel lists must be of one length."""
    if _is_list(qrels) and _is_list(run) and len(qrels) != len(run):
        raise InputError(
            f"the lists are not parallel: {len(qrels)} lists of relevant ids, "
            f"{len(run)} of retrieved ids"
        )
    return Qrels.of(qrels), Run.of(run)


def _is_list(value: object) -> bool:
    return not isinstance(value, Mapping)


def _named(value: Mapping[str, Any] | Sequence[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
        return
    width = len(str(len(value) - 1))
    for position, entry in enumerate(value):
        yield f"{position:0{width}}", entry


def _checked(
    query: str,
    value: Mapping[str, Any] | Iterable[str],
    number: Callable[[Any], float],
    from_ids: Callable[[Iterable[str]], dict[str, Any]],
) -> dict[str, Any]:
    if not isinstance(query, str):
        raise InputError(f"query id {query!r} is a {type(query).__name__}; text was expected")
    if isinstance(value, str):
        raise InputError(f"query {query!r}: {value!r} is one text; a list of ids was expected")
    plain = isinstance(value, Mapping)
    docs = dict(value) if isinstance(value, Mapping) else from_ids(list(value))
    for doc, given in docs.items():
        if not isinstance(doc, str):
            raise InputError(f"query {query!r}: id {doc!r} is not text")
        if plain:
            docs[doc] = _number(query, doc, given, number)
    return docs


def _number(query: str, doc: str, given: object, number: Callable[[Any], float]) -> float:
    try:
        return number(given)
    except (TypeError, ValueError, OverflowError):
        kind = "an integer grade" if number is _grade else "a finite score"
        raise InputError(f"query {query!r}, document {doc!r}: {given!r} is not {kind}") from None


def _grade(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(value)
    return int(value) if isinstance(value, float) else index(value)


def _score(value: Any) -> float:
    if isinstance(value, bool | str | bytes) or not math.isfinite(value):
        raise ValueError(value)
    return float(value)
