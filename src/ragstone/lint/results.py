"""Checks of a run against the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragstone.lint.check import check
from ragstone.lint.dataset import Dataset
from ragstone.lint.finding import Spot
from ragstone.lint.ids import looks_like


@check(
    "unknown-result",
    "error",
    "run",
    "corpus",
    meaning="a retrieved document that the corpus does not have: the run is of another corpus",
)
def unknown_result(dataset: Dataset) -> Iterator[Spot]:
    """Find retrieved documents that are not in the corpus."""
    known = dataset.corpus.ids
    for doc, query in dataset.ranked.documents():
        if doc not in known:
            twin = known.twin(doc)
            looks = f"; {looks_like(doc, twin)}" if twin else ""
            message = f"document {doc!r}, retrieved for query {query!r}, is not in the corpus"
            yield Spot("run", message + looks)


@check(
    "result-id-form",
    "error",
    "run",
    "qrels",
    meaning="an id in the run that the judgments have only with other blanks, case, Unicode form "
    "or leading zeros: it counts as not judged",
)
def result_id_form(dataset: Dataset) -> Iterator[Spot]:
    """Find ids of queries and documents that only look like judged ones."""
    judgments = dataset.judgments
    for query in dataset.ranked.queries:
        if query not in judgments.query_ids and (twin := judgments.query_ids.twin(query)):
            yield Spot("run", f"query {looks_like(query, twin)} of the judgments")
    for doc, query in dataset.ranked.documents():
        if doc not in judgments.document_ids and (twin := judgments.document_ids.twin(doc)):
            message = f"document {looks_like(doc, twin)} of the judgments (query {query!r})"
            yield Spot("run", message)


@check(
    "unjudged-result",
    "warning",
    "run",
    "qrels",
    meaning="a query in the run without any judgment: its results are ignored",
)
def unjudged_result(dataset: Dataset) -> Iterator[Spot]:
    """Find queries of the run that are not judged."""
    for query in dataset.ranked.queries:
        if query not in dataset.judgments.qrels:
            yield Spot("run", f"query {query!r} has no judgment")


@check(
    "query-without-results",
    "warning",
    "run",
    "qrels",
    meaning="a judged query that the run has nothing for: it scores 0",
)
def query_without_results(dataset: Dataset) -> Iterator[Spot]:
    """Find judged queries that are not in the run."""
    for query in dataset.judgments.qrels:
        if query not in dataset.ranked.queries:
            message = f"query {query!r} has no results in the run"
            yield Spot("qrels", message, judgment=(query, None))


@check(
    "own-id-retrieved",
    "warning",
    "run",
    meaning="a query that has a document with its own id among its results",
)
def own_id(dataset: Dataset) -> Iterable[Spot]:
    """Find queries that retrieved themselves."""
    return dataset.ranked.own
