"""Checks of the corpus alone."""

from __future__ import annotations

from collections.abc import Iterable

from ragstone.lint.check import check
from ragstone.lint.dataset import Dataset
from ragstone.lint.finding import Spot


@check(
    "repeated-document-id",
    "error",
    "corpus",
    meaning="a document id that stands twice: which of the two is judged is not known",
)
def repeated(dataset: Dataset) -> Iterable[Spot]:
    """Find ids with more than one row."""
    return dataset.corpus.repeated


@check(
    "empty-document",
    "warning",
    "corpus",
    meaning="a document without text: by its text it cannot be found",
)
def empty(dataset: Dataset) -> Iterable[Spot]:
    """Find documents whose text is missing or blank."""
    return dataset.corpus.empty


@check(
    "similar-document-id",
    "warning",
    "corpus",
    meaning="two document ids that differ only in blanks, case, Unicode form or leading zeros",
)
def similar_ids(dataset: Dataset) -> Iterable[Spot]:
    """Find ids that look like another of the file."""
    return dataset.corpus.alike
