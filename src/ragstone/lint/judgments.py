"""Checks of the judgments alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragstone.formats.beir import HEADER, is_header
from ragstone.formats.detection import first_line
from ragstone.lint.check import check
from ragstone.lint.dataset import Dataset
from ragstone.lint.finding import Spot
from ragstone.lint.grades import shown_scale
from ragstone.lint.ids import Ids, looks_like

_GRADE = re.compile(r"[+-]?\d+(\.0*)?", re.ASCII)


def _first_row(dataset: Dataset) -> tuple[int, list[str]]:
    """Return the first line of BEIR judgments in columns; none for another format."""
    if dataset.judgments.format != "beir":
        return 0, []
    number, line = first_line(dataset.judgments.source)
    return number, [field.strip() for field in line.decode().split("\t")]


@check(
    "missing-header",
    "warning",
    "qrels",
    meaning="BEIR judgments without their header row: BEIR's own reader drops the first row",
)
def missing_header(dataset: Dataset) -> Iterator[Spot]:
    """Find three columns that start with a judgment."""
    number, fields = _first_row(dataset)
    if fields and not is_header(fields):
        message = f"the first row is data ({' '.join(fields)}), not the header {' '.join(HEADER)}"
        yield Spot("qrels", message, number)


@check(
    "header-is-data",
    "error",
    "qrels",
    meaning="a first row that is read as the header, and has a grade as if it were a judgment",
)
def header_is_data(dataset: Dataset) -> Iterator[Spot]:
    """Find a header whose last column is a number."""
    number, fields = _first_row(dataset)
    if fields and is_header(fields) and _GRADE.fullmatch(fields[-1]):
        message = f"{' '.join(fields)} is taken for the header, though it has a grade"
        yield Spot("qrels", message, number)


@check(
    "grade-off-scale",
    "error",
    "qrels",
    "grades",
    meaning="a grade that is not on the scale of --grades",
)
def off_scale(dataset: Dataset) -> Iterator[Spot]:
    """Find grades outside the scale."""
    scale = dataset.grades or ()
    for query, judged in dataset.judgments.qrels.items():
        for doc, grade in judged.items():
            if grade not in scale:
                message = f"query {query!r}, document {doc!r}: {grade} is not in "
                yield Spot("qrels", message + shown_scale(scale), judgment=(query, doc))


@check(
    "nothing-relevant",
    "warning",
    "qrels",
    meaning="a query for which no document is relevant: it scores 0 whatever is retrieved",
)
def nothing_relevant(dataset: Dataset) -> Iterator[Spot]:
    """Find queries whose grades are all below 1, and those listed without a judgment."""
    qrels = dataset.judgments.qrels
    for query, judged in qrels.items():
        if max(judged.values()) < 1:
            message = f"query {query!r} has judgments ({len(judged):,}), none above 0"
            yield Spot("qrels", message, judgment=(query, None))
    for query in qrels.unjudged:
        message = f"query {query!r} is listed without any judgment"
        yield Spot("qrels", message, judgment=(query, None))


@check(
    "similar-judged-id",
    "warning",
    "qrels",
    meaning="two ids in the judgments that differ only in blanks, case, Unicode form or "
    "leading zeros",
)
def similar_ids(dataset: Dataset) -> Iterator[Spot]:
    """Find ids of queries, and of documents, that look like another of the file."""
    queries, documents = Ids(), Ids()
    for query in dataset.judgments.qrels:
        if twin := queries.add(query):
            yield Spot("qrels", f"query {looks_like(query, twin)}", judgment=(query, None))
    for doc, query in dataset.judgments.documents.items():
        if twin := documents.add(doc):
            yield Spot("qrels", f"document {looks_like(doc, twin)}", judgment=(query, doc))
