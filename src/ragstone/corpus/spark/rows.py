"""What runs in Spark's Python workers: record batches as documents, and a job over a partition.

Nothing here imports Spark. What a partition yields are rows, and in the end one row more whose
`payload` says what came of it all: a fault is a payload too, since Spark would try a task that
fails again and again.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from ragstone.corpus.job import Job
from ragstone.errors import FormatError, RagstoneError, shortened
from ragstone.formats.corpus import Batch, Census
from ragstone.formats.corpus.arrow import arrow, documents_of
from ragstone.formats.corpus.batch import batch_of
from ragstone.formats.corpus.decoding import Columns, plain_columns
from ragstone.formats.jsonl import as_object
from ragstone.formats.source import BOM
from ragstone.formats.texts import as_document

Decode: TypeAlias = Callable[[Any], Columns]
Rows: TypeAlias = Callable[[Iterator[Any]], Iterator[Any]]

PAYLOAD = "payload binary"
MODULO = 1 << 256


class Payload(NamedTuple):
    """What came of a partition, or of several: counts, the state of the job, or a fault.

    content: the sum, modulo 2 to the 256, of the sha256 of each `id LF text`: it says which
    documents there were, in whatever order.
    """

    documents: int = 0
    empty: int = 0
    title_only: int = 0
    content: int = 0
    state: Any = None
    fault: RagstoneError | None = None

    def census(self) -> Census:
        """Return the counts of documents."""
        census = Census()
        census.documents, census.empty, census.title_only = (
            self.documents,
            self.empty,
            self.title_only,
        )
        return census

    def plus(self, other: Payload, job: Job[Any]) -> Payload:
        """Return what came of both; the job's state here is changed."""
        faults = sorted(filter(None, (self.fault, other.fault)), key=str)
        if faults:
            return Payload(fault=faults[0])
        job.merge(self.state, other.state)
        return Payload(
            self.documents + other.documents,
            self.empty + other.empty,
            self.title_only + other.title_only,
            (self.content + other.content) % MODULO,
            self.state,
        )


class _InSpark(NamedTuple):
    """Where rows are, for their errors: Spark does not say which line of a file it reads."""

    shown: str

    def error(self, problem: str, line: int | None = None) -> FormatError:  # noqa: ARG002
        """Build an error that shows how the row begins."""
        where = f"a row that begins {self.shown}" if self.shown else "a row"
        return FormatError(problem, where=where)


def decode_lines(records: Any) -> Columns:
    """Return the documents of lines of JSON: the column `value`, in bytes."""
    lines = [line for line in records.column("value").to_pylist() if line]
    data = b"\n".join((*lines, b""))
    if columns := _plain(lines, data):
        return columns
    documents = [_document(line) for line in lines if _has_row(line)]
    return Columns(
        [each.id for each in documents],
        [each.title for each in documents],
        [each.text for each in documents],
    )


def decode_records(records: Any) -> Columns:
    """Return the documents of columns `id` or `_id`, `title` and `text`."""
    names = [name for name in records.schema.names if name != "path"]
    return documents_of(records.select(names), _InSpark(""), 0)


def _plain(lines: Sequence[bytes], data: bytes) -> Columns | None:
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    return plain_columns(lines, data)


def _has_row(line: bytes) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith(b"#")


def _document(line: bytes) -> Any:
    place = _InSpark(shortened(repr(line[:80])[1:], 100))
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise place.error(
            f"not UTF-8: byte {line[error.start]:#04x}; save the file as UTF-8"
        ) from None
    return as_document(place, 0, as_object(place, 0, line.removeprefix(BOM).strip()))


def batches(records: Iterator[Any], decode: Decode) -> Iterator[Batch]:
    """Read record batches as batches of documents; raises FormatError."""
    for each in records:
        ids, titles, texts = decode(each)
        if ids:
            yield batch_of(ids, titles, texts, [], 0)


def reading(job: Job[Any], decode: Decode, *, with_content: bool) -> Rows:
    """Return what runs a job over a partition: a row for each id, then a payload."""

    def rows(records: Iterator[Any]) -> Iterator[Any]:
        state = job.start()
        found = Payload(state=state)
        try:
            for batch in batches(records, decode):
                job.read(state, batch)
                found = counted(found, batch, with_content=with_content)
                yield table(id=batch.ids, payload=[None] * len(batch.ids))
        except RagstoneError as error:
            found = Payload(fault=error)
        yield table(id=[None], payload=[pickle.dumps(found)])

    return rows


def counted(found: Payload, batch: Batch, *, with_content: bool) -> Payload:
    """Add a batch to the counts."""
    return found._replace(
        documents=found.documents + len(batch.ids),
        empty=found.empty + batch.empty,
        title_only=found.title_only + batch.title_only,
        content=(found.content + (_content(batch) if with_content else 0)) % MODULO,
    )


def _content(batch: Batch) -> int:
    pairs = zip(batch.ids, batch.texts, strict=True)
    digests = (hashlib.sha256(f"{doc}\n{text}".encode()).digest() for doc, text in pairs)
    return sum(int.from_bytes(digest, "big") for digest in digests)


def merging(job: Job[Any]) -> Rows:
    """Return what makes one payload of those of a partition."""

    def rows(records: Iterator[Any]) -> Iterator[Any]:
        payloads = [data for each in records for data in each.column("payload").to_pylist()]
        if payloads:
            yield table(payload=[pickle.dumps(merged(payloads, job))])

    return rows


def merged(payloads: Sequence[bytes], job: Job[Any]) -> Payload:
    """Return what came of several partitions, at least one."""
    found: Payload = pickle.loads(payloads[0])  # noqa: S301  # written by a worker of this session
    for data in payloads[1:]:
        found = found.plus(pickle.loads(data), job)  # noqa: S301
    return found


def finding(decode: Decode, doc: str) -> Rows:
    """Return what yields the path of each row that is a document; rows have a column `path`."""

    def rows(records: Iterator[Any]) -> Iterator[Any]:
        for each in records:
            paths, ids = each.column("path").to_pylist(), ids_of_rows(each, decode)
            found = [path for path, other in zip(paths, ids, strict=True) if other == doc]
            if found:
                yield table(path=found)

    return rows


def ids_of_rows(records: Any, decode: Decode) -> list[str | None]:
    """Return the id of each row; None for a line that is blank or a comment."""
    ids: list[str | None] = list(decode(records).ids)
    if len(ids) == records.num_rows:
        return ids
    one_by_one = (decode(records.slice(number, 1)).ids for number in range(records.num_rows))
    return [found[0] if found else None for found in one_by_one]


def table(**columns: Sequence[Any]) -> Any:
    """Return a record batch; the type of a column follows from its name."""
    pa = arrow()
    types = {
        "payload": pa.binary(),
        "digest": pa.binary(),
        "one": pa.binary(),
        "other": pa.binary(),
        "text": pa.binary(),
        "short": pa.bool_(),
        "bands": pa.list_(pa.int64()),
        "jaccard": pa.float64(),
    }
    schema = pa.schema([(name, types.get(name, pa.string())) for name in columns])
    return pa.record_batch([list(values) for values in columns.values()], schema=schema)
