"""What the counted facts of an evaluation say that its reader should know."""

from __future__ import annotations

from collections.abc import Mapping

from ragstone.model import FAILED_SAMPLES
from ragstone.scoring import warnings as said

# fact: one thing, several things, what is said of them
WORTH_A_WARNING = {
    FAILED_SAMPLES: ("sample", "samples", "whose system failed, without a value"),
    "judged_queries_without_sample": (
        "judged query",
        "judged queries",
        "without a sample, not counted",
    ),
    "unjudged_samples": ("sample", "samples", "not judged for retrieval, left out there"),
    "duplicates_removed": ("context", "contexts", "with an id that came before, removed"),
    "contexts_without_id": ("context", "contexts", "without an id, left out of retrieval"),
}


def warnings(facts: Mapping[str, int]) -> list[str]:
    """Return a line for each fact that deserves one.

    >>> warnings({"samples": 300, "failed_samples": 1})
    ['1 sample whose system failed, without a value']
    """
    return said(facts, WORTH_A_WARNING)
