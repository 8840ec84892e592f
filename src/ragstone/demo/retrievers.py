"""The two retrievers that the demo compares: with the titles, and without."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from ragstone.demo.bm25 import BM25
from ragstone.demo.helpdesk import documents

DEPTH = 100

Retriever: TypeAlias = Callable[[str], list[tuple[str, float]]]
"""Takes the text of a query, returns `(document id, score)` from best to worst."""


def baseline() -> Retriever:
    """Return a search over title and text of the help articles.

    >>> search = baseline()
    >>> search("keyboard shortcuts")[0][0]
    'docs-shortcuts'
    """
    index = BM25((doc.id, f"{doc.title}\n{doc.text}") for doc in documents())
    return partial(index.search, k=DEPTH)


def candidate() -> Retriever:
    """Return a search over the text alone: titles were dropped, as a mistake would do it."""
    index = BM25((doc.id, doc.text) for doc in documents())
    return partial(index.search, k=DEPTH)
