"""Checks of whether queries, judgments and corpus belong together."""

from __future__ import annotations

from collections.abc import Iterator

from ragstone.lint.check import check
from ragstone.lint.dataset import Dataset
from ragstone.lint.finding import Spot
from ragstone.lint.ids import looks_like


@check(
    "missing-query",
    "error",
    "qrels",
    "queries",
    meaning="a judged query that the queries file does not have: it can only score 0",
)
def missing_query(dataset: Dataset) -> Iterator[Spot]:
    """Find judged queries without a row in the queries."""
    known = dataset.queries.ids
    for query in dataset.judgments.qrels:
        if query not in known:
            message = f"query {query!r} is not in the queries file"
            yield Spot("qrels", message, judgment=(query, None))


@check(
    "unjudged-query",
    "warning",
    "qrels",
    "queries",
    meaning="a query without any judgment: it is left out of every mean",
)
def unjudged_query(dataset: Dataset) -> Iterator[Spot]:
    """Find queries that the judgments do not have."""
    queries = dataset.queries
    for query, line in queries.lines.items():
        if query not in dataset.judgments.qrels:
            yield Spot("queries", f"{query!r} has no judgment", line)


@check(
    "missing-document",
    "error",
    "qrels",
    "corpus",
    meaning="a judged document that the corpus does not have: no retriever can find it",
)
def missing_document(dataset: Dataset) -> Iterator[Spot]:
    """Find judged documents that are not in the corpus."""
    known = dataset.corpus.ids
    for doc, query in dataset.judgments.documents.items():
        if doc not in known:
            message = f"document {doc!r}, judged for query {query!r}, is not in the corpus"
            yield Spot("qrels", message, judgment=(query, doc))


@check(
    "query-id-form",
    "error",
    "qrels",
    "queries",
    meaning="a judged query that the queries file has only with other blanks, case, Unicode form "
    "or leading zeros",
)
def query_id_form(dataset: Dataset) -> Iterator[Spot]:
    """Find judged query ids that only look like one of the queries."""
    known = dataset.queries.ids
    for query in dataset.judgments.qrels:
        if query not in known and (twin := known.twin(query)):
            message = f"query {looks_like(query, twin)} of the queries file"
            yield Spot("qrels", message, judgment=(query, None))


@check(
    "document-id-form",
    "error",
    "qrels",
    "corpus",
    meaning="a judged document that the corpus has only with other blanks, case, Unicode form or "
    "leading zeros",
)
def document_id_form(dataset: Dataset) -> Iterator[Spot]:
    """Find judged document ids that only look like one of the corpus."""
    known = dataset.corpus.ids
    for doc, query in dataset.judgments.documents.items():
        if doc not in known and (twin := known.twin(doc)):
            message = f"document {looks_like(doc, twin)} of the corpus"
            yield Spot("qrels", message, judgment=(query, doc))


@check(
    "self-retrieval",
    "warning",
    "queries",
    "corpus",
    meaning="a query whose id is a document's too: if it is that document, it will find itself",
)
def self_retrieval(dataset: Dataset) -> Iterator[Spot]:
    """Find query ids that are document ids."""
    for query, line in dataset.queries.lines.items():
        if query in dataset.corpus.ids:
            yield Spot("queries", f"{query!r} is a query and a document", line)
