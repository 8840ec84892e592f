"""Checks of the queries alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragstone.lint.check import check
from ragstone.lint.dataset import Dataset
from ragstone.lint.finding import Spot
from ragstone.lint.similar import similar

LONGEST = 60


@check(
    "repeated-query-id",
    "error",
    "queries",
    meaning="a query id that stands twice: which text belongs to the judgments is not known",
)
def repeated(dataset: Dataset) -> Iterable[Spot]:
    """Find ids with more than one row."""
    return dataset.queries.repeated


@check(
    "empty-query",
    "error",
    "queries",
    meaning="a query without a letter or a digit in its text: no retriever can answer it",
)
def empty(dataset: Dataset) -> Iterator[Spot]:
    """Find queries whose text is missing, blank or signs alone."""
    queries = dataset.queries
    for query, text in queries.texts.items():
        if query not in queries.words:
            has = f"only {text[:LONGEST]!r} as its text" if text.strip() else "no text"
            yield Spot("queries", f"{query!r} has {has}", queries.lines[query])


@check(
    "duplicate-query",
    "warning",
    "queries",
    meaning="a query with the same words in the same order as another: the case counts twice",
)
def duplicate(dataset: Dataset) -> Iterator[Spot]:
    """Find queries whose normalised words are those of an earlier one."""
    queries = dataset.queries
    first: dict[tuple[str, ...], str] = {}
    for query, words in queries.words.items():
        other = first.setdefault(words, query)
        if other != query:
            where = f"{other!r} at line {queries.lines[other]}"
            message = f"{query!r} has the words of {where}: {_quoted(words)}"
            yield Spot("queries", message, queries.lines[query])


@check(
    "near-duplicate-query",
    "warning",
    "queries",
    meaning="a query with nearly the same words as another: the two are hardly independent",
)
def near_duplicate(dataset: Dataset) -> Iterator[Spot]:
    """Find queries whose sets of words are alike, after those with the same words."""
    queries = dataset.queries
    distinct = list({words: query for query, words in reversed(queries.words.items())}.values())
    distinct.sort(key=queries.lines.__getitem__)
    sets = [frozenset(queries.words[query]) for query in distinct]
    for place, like, share in sorted(similar(sets, dataset.near)):
        query, other = distinct[place], distinct[like]
        where = f"{other!r} at line {queries.lines[other]}"
        message = f"{query!r} shares {share:.0%} of its words with {where}"
        yield Spot("queries", f"{message}: {_quoted(queries.words[query])}", queries.lines[query])


@check(
    "similar-query-id",
    "warning",
    "queries",
    meaning="two query ids that differ only in blanks, case, Unicode form or leading zeros",
)
def similar_ids(dataset: Dataset) -> Iterable[Spot]:
    """Find ids that look like another of the file."""
    return dataset.queries.alike


def _quoted(words: tuple[str, ...]) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
