"""Qrels and runs written out; each writer yields the bytes of a line or a query."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator

from ragstone.errors import InputError, UsageError
from ragstone.formats.beir import HEADER
from ragstone.model import Qrels, Results
from ragstone.registry import Registry

_SPACE = re.compile(r"[ \t\n\r\v\f]")


def has_white_space(text: str) -> bool:
    """Tell whether a text would become two columns: ASCII white space alone separates them.

    >>> has_white_space("a b"), has_white_space("a\u00a0b")
    (True, False)
    """
    return _SPACE.search(text) is not None


def json_line(value: object) -> bytes:
    """Return a row of JSON lines; the value holds finite numbers and whole characters only."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f"{text}\n".encode()


def write_trec_qrels(qrels: Qrels) -> Iterator[bytes]:
    """Write `query 0 document grade` lines."""
    for query, judged in qrels.items():
        for doc, grade in judged.items():
            yield f"{_first(query)} 0 {_field(doc)} {grade}\n".encode()


def write_beir_qrels(qrels: Qrels) -> Iterator[bytes]:
    """Write BEIR's three columns below their header."""
    yield ("\t".join(HEADER) + "\n").encode()
    for query, judged in qrels.items():
        for doc, grade in judged.items():
            yield f"{_first(query)}\t{_field(doc)}\t{grade}\n".encode()


def write_jsonl_qrels(qrels: Qrels) -> Iterator[bytes]:
    """Write one object a query; queries without judgments are kept."""
    for query, judged in qrels.items():
        yield json_line({"id": query, "relevance": dict(judged)})
    for query in qrels.unjudged:
        yield json_line({"id": query, "relevance": {}})


def write_trec_run(results: Iterable[Results], tag: str) -> Iterator[bytes]:
    """Write `query Q0 document rank score tag` lines in trec_eval's order."""
    if not tag or has_white_space(tag):
        raise UsageError(f"--tag {tag!r}: a run's tag is one word without white space")
    for query, docs, scores, _ in results:
        ordered = sorted(zip(scores, docs, strict=True), reverse=True)
        prefix = _first(query)
        for rank, (score, doc) in enumerate(ordered, 1):
            yield f"{prefix} Q0 {_field(doc.decode())} {rank} {score!r} {tag}\n".encode()


def write_jsonl_run(results: Iterable[Results], tag: str) -> Iterator[bytes]:  # noqa: ARG001
    """Write one object a query: scores where the source had them, else ranked ids."""
    for query, docs, scores, scored in results:
        ids = [doc.decode() for doc in docs]
        if scored:
            pairs = zip(ids, scores, strict=True)
            yield json_line({"id": query, "results": [{"id": d, "score": s} for d, s in pairs]})
        else:
            yield json_line({"id": query, "retrieved_ids": ids})


QRELS_WRITERS: Registry[Callable[[Qrels], Iterator[bytes]]] = Registry("qrels format to write")
QRELS_WRITERS.add("jsonl", write_jsonl_qrels)
QRELS_WRITERS.add("trec", write_trec_qrels)
QRELS_WRITERS.add("beir", write_beir_qrels)

RUN_WRITERS: Registry[Callable[[Iterable[Results], str], Iterator[bytes]]] = Registry(
    "run format to write"
)
RUN_WRITERS.add("jsonl", write_jsonl_run)
RUN_WRITERS.add("trec", write_trec_run)


def _first(text: str) -> str:
    if text.startswith(("#", "\ufeff")):
        raise InputError(
            f"the query id {text!r} would begin a comment or a byte-order mark in this format; "
            "write JSON lines instead"
        )
    return _field(text)


def _field(text: str) -> str:
    if has_white_space(text) or not text:
        raise InputError(
            f"the id {text!r} has white space in it, and this format separates its columns "
            "by white space; write JSON lines instead"
        )
    return text
