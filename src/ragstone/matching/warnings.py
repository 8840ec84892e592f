"""What the counted facts of a matching say that its reader should know."""

from __future__ import annotations

from collections.abc import Mapping

from ragstone.scoring import warnings as lines_of

# fact: one thing, several things, what is said of them
WORTH_A_WARNING = {
    "queries_without_results": (
        "query", "queries", "with gold texts and no retrieved one, scored 0"
    ),
    "unjudged_queries": (
        "query", "queries", "without a gold text, left out"
    ),
    "unscored_run_queries": (
        "query", "queries", "with retrieved texts and no gold one, left out"
    ),
    "skipped_query_rows": (
        "row", "rows", "of gold texts without an id, left out"
    ),
    "skipped_retrieved_rows": (
        "row", "rows", "of retrieved texts without an id, left out"
    ),
    "queries_with_rising_scores": (
        "query", "queries",
        "with texts whose scores rise: they are ranked as they are listed, not by score"
    ),
    "blank_golds": (
        "gold text", "gold texts", "without a word, left out"
    ),
    "repeated_golds": (
        "gold text", "gold texts", "listed again for the same query, left out"
    ),
    "blank_retrieved": (
        "retrieved text", "retrieved texts", "without a word: it keeps its rank and matches nothing"
    ),
    "repeated_retrieved": (
        "retrieved text", "retrieved texts",
        "equal to one above: it keeps its rank and matches nothing"
    ),
    "edited_golds": (
        "gold", "golds", "whose passage was edited, left out: no retriever can find it any more"
    ),
    "deleted_golds": (
        "gold", "golds", "whose document is not in the corpus any more, left out"
    ),
    "moved_golds": (
        "gold", "golds", "found at another place of the corpus than the labels say"
    ),
    "unlocated_golds": (
        "gold text", "gold texts", "that no document of the corpus has, left out"
    ),
    "queries_without_golds_left": (
        "query", "queries", "of which no gold is left, left out"
    ),
    "unlocated_retrieved": (
        "retrieved text", "retrieved texts",
        "that no document has: it keeps its rank and covers nothing"
    ),
    "retrieved_of_no_document": (
        "retrieved place", "retrieved places",
        "in a document that the corpus does not have: it keeps its rank and covers nothing"
    ),
    "retrieved_beyond_their_document": (
        "retrieved place", "retrieved places",
        "beyond the end of its document: are these characters, counted from 0, with the title?"
    ),
    "retrieved_with_another_text": (
        "retrieved place", "retrieved places",
        "where another text stands: are these characters, counted from 0, with the title?"
    ),
}  # fmt: skip


def warnings(facts: Mapping[str, int]) -> list[str]:
    """Return a line for each fact that deserves one.

    >>> warnings({"queries": 3, "blank_golds": 2})
    ['2 gold texts without a word, left out']
    """
    return lines_of(facts, WORTH_A_WARNING)
