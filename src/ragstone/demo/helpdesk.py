"""The help-desk collection: help articles of a made-up service, questions and judgments.

Three files in BEIR's shape lie in `collection/`. Each question has judgments for the articles that
its author knew (2: answers it, 1: helps, 0: looks related and does not help) and for whatever else
the two demo retrievers ranked in their first three, so that an unjudged article is one that nobody
is likely to see. Some questions are hard on purpose, and three have no answer in the collection.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

FILES = ("corpus.jsonl", "queries.jsonl", "qrels.tsv")


@dataclass(frozen=True, slots=True)
class Document:
    """One help article."""

    id: str
    title: str
    text: str


def read(name: str) -> str:
    """Return the text of one of `FILES`."""
    return files("ragstone.demo").joinpath("collection", name).read_text(encoding="utf-8")


def documents() -> list[Document]:
    """Return all help articles."""
    return [Document(row["_id"], row["title"], row["text"]) for row in _rows("corpus.jsonl")]


def queries() -> dict[str, str]:
    """Return the questions, id -> text."""
    return {row["_id"]: row["text"] for row in _rows("queries.jsonl")}


def _rows(name: str) -> Iterator[dict[str, str]]:
    # Not splitlines(): only a line feed ends a line of JSONL.
    return (json.loads(line) for line in read(name).split("\n") if line)
