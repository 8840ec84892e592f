"""Whether the pairs in a report of match go with its rows."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from ragstone.matching import QueryMatches, SweepPoint
from ragstone.reports.checks import TOLERANCE, differs, same
from ragstone.reports.problem import Problem
from ragstone.reports.score_checks import score_faults
from ragstone.reports.statement import Predicate, Statement
from ragstone.reports.table import Table

QUERIES = "$.predicate.details.queries"
SWEEP = "$.predicate.details.sweep"


def match_faults(statement: Statement) -> Iterator[Problem]:
    """Check what a score is checked for, then the pairs of each query, and the sweep."""
    faults = list(score_faults(statement))
    yield from faults
    predicate = statement.predicate
    if faults or predicate.scores is UNSET:
        return
    yield from _query_faults(predicate, predicate.scores)
    for place, point in enumerate(predicate.details.sweep):
        yield from _point_faults(predicate, point, f"{SWEEP}[{place}]")


def _query_faults(predicate: Predicate, table: Table) -> Iterator[Problem]:
    queries: list[QueryMatches] = predicate.details.queries
    if [each.id for each in queries] != table.items:
        yield Problem(QUERIES, "are not those of the rows, each once and in their order")
        return
    threshold = predicate.signature.get("threshold", 1.0)
    least = float(threshold) if isinstance(threshold, int | float) else 1.0
    for place, query in enumerate(queries):
        path = f"{QUERIES}[{place}]"
        counts = {name: counts[place] for name, counts in table.counts.items()}
        yield from _count_faults(query, counts, path)
        for number, match in enumerate(query.matches):
            if not least - TOLERANCE <= match.similarity <= 1 + TOLERANCE:
                message = f"is {match.similarity}; a match is from the threshold, {least:g}, to 1"
                yield Problem(f"{path}.matches[{number}].similarity", message)


def _count_faults(query: QueryMatches, counts: dict[str, int], path: str) -> Iterator[Problem]:
    """Check that every gold and every rank is where it belongs, once."""
    golds = {match.gold.place for match in query.matches}
    ranks = {match.retrieved.place for match in query.matches}
    counting = {match.retrieved.place for match in query.matches if not match.extra}
    others = {each.retrieved.place for each in query.unmatched}
    lost = {each.gold.place for each in query.not_found}
    sizes = {
        "relevant": len(golds | lost),
        "retrieved": len(ranks | others),
        "hits": len(counting),
    }
    for name, size in sizes.items():
        if counts.get(name, size) != size:
            yield differs(path, size, counts[name], f"its row counts so many {name}")
    if golds & lost or ranks & others:
        yield Problem(path, "has a text that is matched and unmatched")


def _point_faults(predicate: Predicate, point: SweepPoint, path: str) -> Iterator[Problem]:
    if not 0 <= point.threshold <= 1:
        yield Problem(f"{path}.threshold", f"is {point.threshold}; from 0 to 1 was expected")
    if point.threshold != predicate.signature.get("threshold"):
        return
    for name, value in predicate.summary.items():
        if name in point.summary and not same(point.summary[name], value):
            because = f"the summary has this {name} at the same threshold"
            yield differs(f"{path}.summary", point.summary[name], value, because)
