"""Record batches of Arrow as documents; the one module that imports pyarrow."""

from __future__ import annotations

from typing import Any

from ragstone.errors import MissingExtraError
from ragstone.formats.corpus.decoding import Columns, plain_ids
from ragstone.formats.jsonl import ID_NAMES, Place
from ragstone.formats.texts import as_document

FIELDS = ("title", "text")


def arrow() -> Any:
    """Import pyarrow; raises MissingExtraError."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError("reading and writing Parquet", "parquet") from None
    return pa


def parquet() -> Any:
    """Import pyarrow.parquet; raises MissingExtraError."""
    arrow()
    import pyarrow.parquet as pq

    return pq


def documents_of(records: Any, place: Place, row: int) -> Columns:
    """Return the documents of a record batch with columns `id` or `_id`, `title` and `text`.

    row: the number of its first row, for an error of `place`.
    """
    columns = {
        name: _values(place, name, records.column(name), row) for name in records.schema.names
    }
    names = [name for name in ID_NAMES if name in columns]
    if ids := plain_ids(columns[names[0]]) if len(names) == 1 else None:
        titles = [value or "" for value in columns["title"]] if "title" in columns else None
        return Columns(ids, titles, [value or "" for value in columns["text"]])
    documents = [
        as_document(place, row + number, dict(zip(columns, values, strict=True)))
        for number, values in enumerate(zip(*columns.values(), strict=True))
    ]
    return Columns(
        [each.id for each in documents],
        [each.title for each in documents],
        [each.text for each in documents],
    )


def _values(place: Place, name: str, column: Any, row: int) -> list[Any]:
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        bad = next(number for number, value in enumerate(column) if not _is_readable(value))
        raise place.error(f"the column {name!r} is not UTF-8", row + bad) from None
    return values


def _is_readable(value: Any) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True
