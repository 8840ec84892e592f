"""What a corpus is made of: files of one kind, read apart in segments."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple, Protocol

from ragstone.formats.corpus.batch import Batch
from ragstone.formats.corpus.decoding import Columns


class Segment(NamedTuple):
    """A part of a member: from a start to an end in the member's own units, and its bytes."""

    start: int
    end: int | None
    size: int


class Named(Protocol):
    """What a report names as an input."""

    @property
    def base_name(self) -> str:
        """The name without folders."""

    def digest(self) -> str:
        """Return a sha256 in hex."""


class Member(Protocol):
    """Files of one kind; `size` is their bytes on disk."""

    name: str

    @property
    def size(self) -> int:
        """Bytes on disk."""

    def segments(self, most: int) -> list[Segment]:
        """Cut it into segments of about `most` bytes; one after the other they are all of it."""

    def batches(self, segment: Segment, characters: int) -> Iterator[Batch]:
        """Read the documents of a segment; raises FormatError with file and line."""

    def fields(self) -> list[str]:
        """Return the names of the first document's fields, for a message."""

    def columns(self, removed: Container[str]) -> Iterator[Columns]:
        """Read the documents whose id is not in `removed`, their titles and texts apart."""

    def json_lines(self, removed: Container[str]) -> Iterator[bytes]:
        """Return the documents whose id is not in `removed` as JSON lines."""
