"""Whether a report of overlap agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import UNSET

from ragstone.corpus.overlap.result import OverlapCluster
from ragstone.errors import UsageError
from ragstone.gate import Allowance
from ragstone.reports.checks import differs, same
from ragstone.reports.overlap import OverlapDetails, SideCounts
from ragstone.reports.problem import DETAILS, Problem, shown
from ragstone.reports.statement import Statement

CLUSTERS = "it follows from the clusters"


def overlap_faults(statement: Statement) -> Iterator[Problem]:
    """Check counts, rates, clusters, pairs and verdict."""
    details: OverlapDetails = statement.predicate.details
    if statement.predicate.summary:
        yield Problem("$.predicate.summary", "is not empty; overlap measures no items")
    ids = [(each.a_ids, each.b_ids) for each in details.clusters]
    if ids != sorted(ids) or [each.cluster for each in details.clusters] != list(_numbers(ids)):
        yield Problem(f"{DETAILS}.clusters", "are not numbered from 1 in the order of their ids")
    for place, side in enumerate(_sides(details)):
        members = [doc for each in ids for doc in each[place]]
        path = f"{DETAILS}.{'ab'[place]}"
        if len(set(members)) != len(members):
            yield Problem(f"{DETAILS}.clusters", "have a document twice")
        yield from _side_faults(side, len(members), path)
    yield from _pair_faults(details)
    yield from _verdict_faults(statement, details)


def _numbers(ids: list[tuple[list[str], list[str]]]) -> range:
    return range(1, len(ids) + 1)


def _sides(details: OverlapDetails) -> list[SideCounts]:
    return [details.a] if details.b is UNSET else [details.a, details.b]


def _side_faults(side: SideCounts, members: int, path: str) -> Iterator[Problem]:
    if side.overlapping != members:
        yield differs(f"{path}.overlapping", side.overlapping, members, CLUSTERS)
    short = 0 if side.short is UNSET else side.short
    if (
        not 0 <= side.overlapping <= side.documents - side.empty
        or short + side.empty > side.documents
    ):
        yield Problem(path, f"has counts that exceed its {side.documents} documents")
    elif not same(side.rate, side.overlapping / side.documents):
        yield differs(f"{path}.rate", side.rate, side.overlapping / side.documents, CLUSTERS)


def _pair_faults(details: OverlapDetails) -> Iterator[Problem]:
    order = [(each.cluster, each.a_id, each.b_id) for each in details.pairs]
    if any(one >= other for one, other in pairwise(order)):
        yield Problem(f"{DETAILS}.pairs", "are not in the order of cluster and ids, each once")
    clusters = {each.cluster: each for each in details.clusters}
    for place, pair in enumerate(details.pairs):
        path = f"{DETAILS}.pairs[{place}]"
        if not 0 < pair.jaccard <= 1:
            yield Problem(f"{path}.jaccard", f"is {pair.jaccard}; above 0 and up to 1 is possible")
        if not _holds(clusters.get(pair.cluster), pair.a_id, pair.b_id, within=details.b is UNSET):
            yield Problem(path, f"has documents that are not in cluster {pair.cluster}")


def _holds(cluster: OverlapCluster | None, a_id: str, b_id: str, *, within: bool) -> bool:
    if cluster is None:
        return False
    return a_id in cluster.a_ids and b_id in (cluster.a_ids if within else cluster.b_ids)


def _verdict_faults(statement: Statement, details: OverlapDetails) -> Iterator[Problem]:
    last = _sides(details)[-1]
    if details.b is not UNSET and details.redundant != last.overlapping:
        yield differs(f"{DETAILS}.redundant", details.redundant, last.overlapping, CLUSTERS)
    if not 0 <= details.redundant <= last.overlapping:
        yield Problem(f"{DETAILS}.redundant", f"is {details.redundant}, more than overlap")
    wanted = None
    if details.max_overlap is not UNSET:
        try:
            limit = Allowance.of(details.max_overlap, "max_overlap")
        except UsageError as error:
            yield Problem(f"{DETAILS}.max_overlap", f"is {shown(details.max_overlap)}: {error}")
            return
        wanted = "pass" if limit.allows(details.redundant, last.documents) else "fail"
    if statement.predicate.finding != wanted:
        because = "it follows from redundant and max_overlap"
        yield differs("$.predicate.verdict", statement.predicate.finding, wanted, because)
