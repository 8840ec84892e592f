"""JSON lines as part of a corpus."""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ragstone.formats.corpus.batch import Batch, batch_of
from ragstone.formats.corpus.decoding import Columns, plain_columns
from ragstone.formats.corpus.member import Segment
from ragstone.formats.jsonl import as_object
from ragstone.formats.source import Source
from ragstone.formats.texts import as_document

BLOCK = 128 * 1024  # what is made of it fits a cache, and NumPy is not called too often


class LinePlaces(NamedTuple):
    """Lines counted from the start of a segment; the file is read again to number them."""

    source: Source
    start: int
    lines: Sequence[int]

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        """Return `file:line`."""
        return f"{self.source.name}:{self.source.line_number(self.start) + self.lines[index]}"


class _Rows(NamedTuple):
    """The rows of a block: their documents, bytes, and lines from the start of the segment."""

    columns: Columns
    raw: Sequence[bytes]
    lines: Sequence[int]
    size: int
    taken: int


class JsonLines:
    """A file with one document a line; packed, it is one segment."""

    def __init__(self, source: Source) -> None:
        """Keep the file, which is open to be read."""
        self.source, self.name = source, source.name

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.source.size

    def segments(self, most: int) -> list[Segment]:
        """Cut between lines."""
        size = self.size
        if self.source.packed or size <= most:
            return [Segment(0, None, size)]
        number = -(-size // most)
        cuts = {self.source.line_start(size * part // number) for part in range(1, number)}
        starts = [0, *sorted(cuts - {0, size}), size]
        return [Segment(start, end, end - start) for start, end in pairwise(starts)]

    def batches(self, segment: Segment, characters: int) -> Iterator[Batch]:
        """Read about so many bytes of whole lines at a time."""
        done, size, columns, lines = segment.start, 0, Columns([], None, []), array("L")
        for rows in self._rows(segment, min(characters, BLOCK)):
            columns, size = columns.extend(rows.columns), size + rows.size
            lines.extend(rows.lines)
            if size >= characters:
                yield self._batch(segment, columns, lines, rows.taken - done)
                done, size, columns, lines = rows.taken, 0, Columns([], None, []), array("L")
        if size:
            yield self._batch(segment, columns, lines, rows.taken - done)

    def fields(self) -> list[str]:
        """Return the keys of the first row."""
        for number, line in self.source.lines():
            return list(as_object(self.source, number, line))
        return []

    def columns(self, removed: Container[str]) -> Iterator[Columns]:
        """Read the documents whose id is not in `removed`."""
        for rows in self._rows(Segment(0, None, self.size), BLOCK):
            yield rows.columns.without(removed)

    def json_lines(self, removed: Container[str]) -> Iterator[bytes]:
        """Return the rows as they are, byte for byte; blank lines and comments are left out."""
        for rows in self._rows(Segment(0, None, self.size), BLOCK):
            kept = [
                line
                for line, doc in zip(rows.raw, rows.columns.ids, strict=True)
                if doc not in removed
            ]
            if kept:
                yield b"\n".join((*kept, b""))

    def _batch(self, segment: Segment, columns: Columns, lines: Sequence[int], taken: int) -> Batch:
        places = LinePlaces(self.source, segment.start, lines)
        return batch_of(columns.ids, columns.titles, columns.texts, places, taken)

    def _rows(self, segment: Segment, size: int) -> Iterator[_Rows]:
        number = 0
        for block in self.source.raw_blocks(segment.start, segment.end, size):
            lines = block.data.split(b"\n")
            lines.pop()
            if columns := plain_columns(lines, block.data):
                places: Sequence[int] = range(number, number + len(lines))
                yield _Rows(columns, lines, places, len(block.data), block.taken)
            else:
                strict = self._strict(segment, number, lines)
                yield _Rows(*strict, len(block.data), block.taken)
            number += len(lines)

    def _strict(
        self, segment: Segment, number: int, lines: list[bytes]
    ) -> tuple[Columns, list[bytes], list[int]]:
        """Read line by line, with an error that names the line."""
        base = self.source.line_number(segment.start) + number
        kept, places, documents = [], [], []
        for place, line in enumerate(lines):
            stripped = line.strip()
            if stripped and not stripped.startswith(b"#"):
                fields = as_object(self.source, base + place, stripped)
                documents.append(as_document(self.source, base + place, fields))
                kept.append(line)
                places.append(number + place)
        columns = Columns(
            [each.id for each in documents],
            [each.title for each in documents],
            [each.text for each in documents],
        )
        return columns, kept, places
