"""Parquet files as part of a corpus, read a row group at a time and in batches of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ragstone.formats.corpus.arrow import FIELDS, arrow, documents_of, parquet
from ragstone.formats.corpus.batch import CHARACTERS, Batch, batch_of
from ragstone.formats.corpus.decoding import Columns
from ragstone.formats.corpus.member import Member, Segment
from ragstone.formats.jsonl import ID_NAMES
from ragstone.formats.source import Source

MOST_ROWS = 8192
PAGE = 1 << 20  # what is read of a column at a time
ROW_GROUP = 1 << 25  # bytes in memory of what becomes a row group


class RowPlaces(NamedTuple):
    """Rows of a file, counted from 1."""

    name: str
    first: int

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        """Return `file:row`."""
        return f"{self.name}:{self.first + index}"


class Parquet:
    """A Parquet file with columns `id` or `_id`, `title` and `text`."""

    def __init__(self, source: Source) -> None:
        """Read the schema; raises FormatError where a column is missing or of another type."""
        self.source, self.name = source, source.name
        with self._opened() as file:
            self._columns = _columns(source, file.schema_arrow)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.source.size

    def segments(self, most: int) -> list[Segment]:
        """Cut between row groups."""
        with self._opened() as file:
            sizes = [_packed_size(file.metadata.row_group(i)) for i in range(file.num_row_groups)]
        scale = self.size / max(1, sum(sizes))  # so that the footer and other columns count too
        found, start, size = [], 0, 0.0
        for place, group in enumerate(sizes):
            if size and size + group * scale > most:
                found.append(Segment(start, place, round(size)))
                start, size = place, 0.0
            size += group * scale
        return [*found, Segment(start, len(sizes), self.size - sum(each.size for each in found))]

    def batches(self, segment: Segment, characters: int) -> Iterator[Batch]:
        """Read as many rows at a time as have about so many bytes."""
        left, rows = segment.size, 0
        with self._opened() as file:
            end = file.num_row_groups if segment.end is None else segment.end
            total = _row_count(file, range(segment.start, end))
        for row, records in self._records(characters, self._columns, segment):
            rows += records.num_rows
            ahead = segment.size - segment.size * rows // max(1, total)
            yield self._batch(records, row)._replace(taken=left - ahead)
            left = ahead

    def fields(self) -> list[str]:
        """Return the names of the columns."""
        with self._opened() as file:
            return list(file.schema_arrow.names)

    def columns(self, removed: Container[str]) -> Iterator[Columns]:
        """Read the documents whose id is not in `removed`."""
        for row, records in self._records(CHARACTERS, self._columns):
            yield self._documents(records, row).without(removed)

    def json_lines(self, removed: Container[str]) -> Iterator[bytes]:
        """Return id, title and text of each row as JSON lines."""
        for columns in self.columns(removed):
            yield from columns.json_lines()

    def tables(self, removed: Container[str]) -> Iterator[Any]:
        """Read the rows whose id is not in `removed`, with all their columns."""
        pa = arrow()
        for row, records in self._records(CHARACTERS, None):
            ids = self._documents(records.select(self._columns), row).ids
            yield records.filter(pa.array([doc not in removed for doc in ids], pa.bool_()))

    def schema(self) -> Any:
        """Return the schema of all columns."""
        with self._opened() as file:
            return file.schema_arrow

    def _records(
        self, characters: int, columns: list[str] | None, segment: Segment | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Read record batches, each with the number of its first row, from 1."""
        with self._opened() as file:
            start, end = (segment.start, segment.end) if segment else (0, None)
            row = 1 + _row_count(file, range(start))
            for group in range(start, file.num_row_groups if end is None else end):
                meta = file.metadata.row_group(group)
                each = max(1, meta.total_byte_size // max(1, meta.num_rows))
                rows = max(1, min(MOST_ROWS, characters // each))
                for records in file.iter_batches(
                    rows, row_groups=[group], columns=columns, use_threads=False
                ):
                    yield row, records
                    row += records.num_rows

    def _batch(self, records: Any, row: int) -> Batch:
        ids, titles, texts = self._documents(records, row)
        return batch_of(ids, titles, texts, RowPlaces(self.name, row), 0)

    def _documents(self, records: Any, row: int) -> Columns:
        return documents_of(records, self.source, row)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        pa, pq = arrow(), parquet()
        try:
            with pq.ParquetFile(self.source.path, buffer_size=PAGE, pre_buffer=False) as file:
                yield file
        except (pa.ArrowException, OSError) as error:
            text = str(error).splitlines()[0]
            raise self.source.error(
                f"the Parquet data is damaged or cut off ({text}); make the file again"
            ) from None


def write_parquet(members: Sequence[Member], removed: Container[str]) -> Iterator[bytes]:
    """Return the bytes of a Parquet file with the documents whose id is not in `removed`.

    Members that are all Parquet with one schema keep every column; else id, title and text.
    """
    pa, pq = arrow(), parquet()
    whole = [member for member in members if isinstance(member, Parquet)]
    schema = whole[0].schema() if len(whole) == len(members) else None
    if schema is not None and all(each.schema().equals(schema) for each in whole):
        tables = (table for member in whole for table in member.tables(removed))
    else:
        schema = pa.schema([(name, pa.string()) for name in ("_id", *FIELDS)])
        tables = (
            pa.record_batch([ids, titles or [""] * len(ids), texts], schema=schema)
            for member in members
            for ids, titles, texts in member.columns(removed)
        )
    sink = _Sink()
    with pq.ParquetWriter(pa.PythonFile(sink, "w"), schema) as writer:
        for group in _row_groups(tables):
            writer.write_table(pa.Table.from_batches(group, schema))
            yield sink.taken()
    yield sink.taken()


class _Sink:
    """Takes what a writer writes until somebody takes it away."""

    closed = False

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._chunks.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def taken(self) -> bytes:
        data = b"".join(self._chunks)
        self._chunks.clear()
        return data


def _row_groups(tables: Iterator[Any]) -> Iterator[list[Any]]:
    """Put record batches together to groups that are worth one."""
    group: list[Any] = []
    size = 0
    for table in tables:
        group.append(table)
        size += table.nbytes
        if size >= ROW_GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _columns(source: Source, schema: Any) -> list[str]:
    """Return the columns to read; raises FormatError for what is missing or of another type."""
    ids = [name for name in ID_NAMES if name in schema.names]
    found = ", ".join(map(repr, schema.names))
    if not ids or "text" not in schema.names:
        missing = "'text'" if ids else "'id' or '_id'"
        raise source.error(f"has no column {missing}; its columns are {found}")
    columns = [*ids, *(name for name in FIELDS if name in schema.names)]
    for name in columns:
        if schema.names.count(name) > 1:
            raise source.error(f"has two columns {name!r}; one was expected")
        kind = schema.field(name).type
        if not _is_text(kind) and not (name in ids and _is_integer(kind)):
            wanted = "strings or integers" if name in ids else "strings"
            raise source.error(f"has {kind} in the column {name!r}; {wanted} were expected")
    return columns


def _is_text(kind: Any) -> bool:
    types = arrow().types
    if types.is_dictionary(kind):
        return _is_text(kind.value_type)
    known = (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    return any(is_known(kind) for is_known in known)


def _is_integer(kind: Any) -> bool:
    return bool(arrow().types.is_integer(kind))


def _row_count(file: Any, groups: range) -> int:
    return sum(file.metadata.row_group(group).num_rows for group in groups)


def _packed_size(group: Any) -> int:
    return sum(group.column(place).total_compressed_size for place in range(group.num_columns))
