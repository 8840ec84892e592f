"""What the counted facts of a scoring say that its reader should know."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# fact: one thing, several things, what is said of them
WORTH_A_WARNING = {
    "queries_without_results": (
        "judged query", "judged queries", "without results, scored 0"
    ),
    "unjudged_queries": (
        "query", "queries", "of the qrels without a judgment, left out"
    ),
    "unscored_run_queries": (
        "query", "queries", "of the run not judged, left out"
    ),
    "skipped_query_rows": (
        "id", "ids", "missing or null in the qrels, left out"
    ),
    "skipped_retrieved_rows": (
        "id", "ids", "missing or null in the run, left out"
    ),
    "duplicates_removed": (
        "document", "documents", "listed again for the same query, removed"
    ),
    "self_retrieved_queries": (
        "query", "queries", "retrieved the document that has the query's own id"
    ),
    "ids_differing_by_unicode_form": (
        "retrieved id", "retrieved ids",
        "not matched: differs from a judged id only by Unicode form (NFC, NFD)",
    ),
    "order_differs_between_versions": (
        "query", "queries", "ordered differently by trec_eval 9 (float32 scores) and 10 (double)"
    ),
}  # fmt: skip


def warnings(
    facts: Mapping[str, int],
    worth: Mapping[str, tuple[str, str, str]] = MappingProxyType(WORTH_A_WARNING),
) -> list[str]:
    """Return a line for each fact that deserves one; `worth` says which, and in what words.

    >>> warnings({"queries": 300, "queries_without_results": 1})
    ['1 judged query without results, scored 0']
    """
    lines = []
    for name, (one, many, said) in worth.items():
        if number := facts.get(name, 0):
            lines.append(f"{number:,} {one if number == 1 else many} {said}")
    return lines
