"""Qrels and runs in memory, and what plain Python objects are taken for them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import index
from os import PathLike
from reprlib import repr as brief
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
HIGHEST_GRADE = 10**9 - 1
NO_ID = "is not an id: some text without tabs, line feeds and halves of surrogate pairs"


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
        self.grades, self.unjudged, self.facts = grades, unjudged, dict(facts)

    @classmethod
    def of(cls, value: QrelsLike) -> Qrels:
        """Take plain dicts, `{query: ids}` (grade 1), or a list of relevant ids per query.

        >>> Qrels.of([["a", "b"], []]).grades
        {'0': {'a': 1, 'b': 1}}
        """
        if isinstance(value, Qrels):
            return value
        repeated, grades = 0, {}
        for query, given in _named(value):
            grades[query], left_out = _documents(query, given, _grade, _all_relevant)
            repeated += left_out
        empty = tuple(query for query, judged in grades.items() if not judged)
        judged_only = {query: judged for query, judged in grades.items() if judged}
        return cls(judged_only, empty, {"repeated_judgments": repeated})

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
        for query in sorted(self.grades, key="{}\t".format):  # as the lines are ordered
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
        self.rankings, self.facts = rankings, dict(facts)

    @classmethod
    def of(cls, value: RunLike) -> Run:
        """Take plain dicts, `{query: ranked ids}`, or a list of ranked ids per query.

        >>> Run.of({"q": ["b", "a"]}).rankings
        {'q': {'b': 2.0, 'a': 1.0}}
        """
        if isinstance(value, Run):
            return value
        removed, rankings = 0, {}
        for query, given in _named(value):
            if isinstance(given, set | frozenset):
                raise InputError(f"query {query!r}: a set has no order; a list of ids was expected")
            rankings[query], left_out = _documents(query, given, _score, ranked)
            removed += left_out
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


def is_id(text: str) -> bool:
    """Tell whether a text can be an id: some characters, no tab, no line feed, no half of a pair.

    >>> is_id("a b"), is_id(""), is_id("a\\tb"), is_id("\\ud800")
    (True, False, False, False)
    """
    if text.isprintable():
        return bool(text)
    return not any(char in "\t\n" or "\ud800" <= char < "\ue000" for char in text)


def parallel(qrels: QrelsLike, run: RunLike) -> tuple[Qrels, Run]:
    """Convert both; two parallel lists must be of one length."""
    if isinstance(qrels, Mapping) or isinstance(run, Mapping):
        return Qrels.of(qrels), Run.of(run)
    judged, retrieved = _entries(qrels), _entries(run)
    if len(judged) != len(retrieved):
        raise InputError(
            f"the lists are not parallel: {len(judged)} lists of relevant ids, "
            f"{len(retrieved)} of retrieved ids"
        )
    return Qrels.of(judged), Run.of(retrieved)


def _named(value: Mapping[str, Any] | Iterable[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
        return
    entries = _entries(value)
    width = len(str(len(entries) - 1))
    for position, entry in enumerate(entries):
        yield f"{position:0{width}}", entry


def _entries(value: Any) -> list[Any]:
    if isinstance(value, str | bytes | PathLike):
        raise InputError(f"{value!r} is a text or a path; read a file with read_qrels or read_run")
    if not isinstance(value, Iterable):
        raise InputError(f"{brief(value)} is neither a dict of queries nor a list of lists of ids")
    return list(value)


def _documents(
    query: str,
    value: Any,
    number: Callable[[Any], float],
    from_ids: Callable[[Iterable[str]], dict[str, Any]],
) -> tuple[dict[str, Any], int]:
    """Return a query's checked documents, and how many ids were left out as repeated."""
    if not isinstance(query, str) or not is_id(query):
        raise InputError(f"the query id {brief(query)} {NO_ID}")
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(f"query {query!r}: {brief(value)} is neither a list of ids nor a dict")
    given = dict(value) if isinstance(value, Mapping) else list(value)
    for doc in given:
        if not isinstance(doc, str) or not is_id(doc):
            raise InputError(f"query {query!r}: the document id {brief(doc)} {NO_ID}")
    if isinstance(given, dict):
        return {doc: _number(query, doc, each, number) for doc, each in given.items()}, 0
    docs = from_ids(given)
    return docs, len(given) - len(docs)


def _all_relevant(docs: Iterable[str]) -> dict[str, int]:
    return dict.fromkeys(docs, 1)


def _number(query: str, doc: str, given: object, number: Callable[[Any], float]) -> float:
    try:
        return number(given)
    except (TypeError, ValueError, OverflowError):
        kind = "an integer grade below 10**9" if number is _grade else "a finite score"
        raise InputError(
            f"query {query!r}, document {doc!r}: {brief(given)} is not {kind}"
        ) from None


def _grade(value: Any) -> int:
    if isinstance(value, bool | str | bytes):
        raise ValueError(value)
    grade = index(value) if hasattr(value, "__index__") else int(value)
    if grade != value or abs(grade) > HIGHEST_GRADE:
        raise ValueError(value)
    return grade


def _score(value: Any) -> float:
    if isinstance(value, bool | str | bytes) or not math.isfinite(value):
        raise ValueError(value)
    return float(value)
