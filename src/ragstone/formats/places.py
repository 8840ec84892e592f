"""Where judgments stand in their file, for messages that point at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from ragstone.formats.beir import is_header
from ragstone.formats.jsonl import Row, objects
from ragstone.formats.source import Source
from ragstone.registry import Registry


class Judged(NamedTuple):
    """A line, its query, and a document that it judges; none where it judges nothing."""

    line: int
    query: str
    doc: str | None


def locate(
    source: Source, format_name: str, wanted: Collection[tuple[str, str | None]]
) -> dict[tuple[str, str | None], int]:
    """Return the first line of each (query, document), or with None of each query.

    format_name: trec, beir or jsonl; the file must be one that read_qrels reads.
    """
    found: dict[tuple[str, str | None], int] = {}
    if not wanted:
        return found
    for line, query, doc in JUDGMENT_LINES[format_name](source):
        for key in ((query, doc), (query, None)):
            if key in wanted:
                found.setdefault(key, line)
    return found


def _trec(source: Source) -> Iterator[Judged]:
    for number, line in source.lines():
        query, _, doc, _ = line.decode().split()
        yield Judged(number, query, doc)


def _beir(source: Source) -> Iterator[Judged]:
    for place, (number, line) in enumerate(source.lines()):
        query, doc, _ = (field.strip() for field in line.decode().split("\t"))
        if place or not is_header([query]):
            yield Judged(number, query, doc)


def _jsonl(source: Source) -> Iterator[Judged]:
    nothing: Counter[str] = Counter()
    for number, fields in objects(source):
        row = Row(source, number, fields, nothing)
        yield Judged(number, row.id, None)
        for doc in [*row.ids(fields.get("relevant_ids"), ""), *(fields.get("relevance") or {})]:
            yield Judged(number, row.id, doc)


JUDGMENT_LINES: Registry[Callable[[Source], Iterator[Judged]]] = Registry("qrels format")
JUDGMENT_LINES.add("trec", _trec)
JUDGMENT_LINES.add("beir", _beir)
JUDGMENT_LINES.add("jsonl", _jsonl)
