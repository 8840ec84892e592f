"""Texts in JSON lines: queries and documents, with their ids under BEIR's names or plain ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ragstone.errors import InputError
from ragstone.formats.jsonl import Place, Row, is_whole, objects, shown
from ragstone.formats.source import Source

QUERY_FIELDS = ("text", "query", "question")
PACKED = ("", ".gz", ".zst")


class QueryText(NamedTuple):
    """A query as its row has it; `text` is empty where the row has none."""

    line: int
    id: str
    text: str


class Document(NamedTuple):
    """A document as its row has it; `title` and `text` are empty where the row has none."""

    line: int
    id: str
    title: str
    text: str


def read_queries(source: Source | str | Path, field: str | None = None) -> dict[str, str]:
    """Read the text of each query, in the order of the file.

    field: where the text is; by default the first of text, query and question that a row has.
    Raises FormatError, with file and line, for a query twice and for one without a text, and
    for a file without any query.
    """
    source = source if isinstance(source, Source) else Source(source)
    texts: dict[str, str] = {}
    lines: dict[str, int] = {}
    for row, text in _queries(source, field):
        row.claim(lines)
        if not text.strip():
            raise row.error(f"has no text in {_places(field)}")
        texts[row.id] = text
    if not texts:
        raise source.error("the file has no query; one JSON object a line was expected")
    return texts


def stream_queries(source: Source, field: str | None = None) -> Iterator[QueryText]:
    """Read queries one by one, those without a text and those that come twice too."""
    for row, text in _queries(source, field):
        yield QueryText(row.line, row.id, text)


def _queries(source: Source, field: str | None) -> Iterator[tuple[Row, str]]:
    names = QUERY_FIELDS if field is None else (field,)
    for line, fields in objects(source):
        row = _row(source, line, fields, "query")
        name = next((name for name in names if row.fields.get(name) is not None), names[0])
        yield row, _text(row, name)


def stream_documents(source: Source | str | Path) -> Iterator[Document]:
    """Read documents one by one; the fields are title and text, and none is kept in memory."""
    source = source if isinstance(source, Source) else Source(source)
    for line, fields in objects(source):
        yield as_document(source, line, fields)


def as_document(source: Place, line: int, fields: dict[str, Any]) -> Document:
    """Return what a row says of a document; raises FormatError for one that says it wrongly."""
    row = _row(source, line, fields, "document")
    return Document(line, row.id, _text(row, "title"), _text(row, "text"))


def in_folder(path: str, name: str) -> str:
    """Return a file's path, or where `path` is a folder, of the file in it, plain or packed.

    >>> in_folder("corpus.jsonl", "corpus.jsonl")
    'corpus.jsonl'
    """
    if path == "-" or not Path(path).is_dir():
        return path
    inside = [f"{Path(path) / name}{suffix}" for suffix in PACKED]
    found = [each for each in inside if Path(each).is_file()]
    if not found:
        raise InputError(f"{path}: has no {name} in it; a file or a BEIR folder was expected")
    return found[0]


def _row(source: Place, line: int, fields: dict[str, Any], noun: str) -> Row:
    row = Row(source, line, fields, Counter(), noun)
    if not row.id:
        raise source.error(f"a {noun} without an id; 'id' or '_id' was expected", line)
    return row


def _text(row: Row, name: str) -> str:
    value = row.fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise row.error(f"has {shown(value)} as its {name!r}; a string was expected")
    if not is_whole(value):
        raise row.error(f"has half of a surrogate pair in its {name!r}; whole characters only")
    return value


def _places(field: str | None) -> str:
    return repr(field) if field else "'text', 'query' or 'question'; or name its field"
