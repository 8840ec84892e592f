"""Text files as documents of a corpus: their id is their path, their text is all they hold."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ragstone.errors import FormatError
from ragstone.formats.corpus.batch import CHARACTERS, Batch, batch_of
from ragstone.formats.corpus.decoding import Columns
from ragstone.formats.corpus.member import Segment
from ragstone.formats.source import Source
from ragstone.model import is_id

SUFFIXES = (".txt", ".md")
SPARK_PART = re.compile(r"part-\d{5}-[0-9a-f-]{36}\b.*\.(txt|json)(\.gz)?")


class TextFile(NamedTuple):
    """A file that is a document, and its bytes on disk."""

    path: str
    id: str
    size: int


class TextFiles:
    """Text files in the order of their ids, without a title."""

    def __init__(self, name: str, files: Sequence[TextFile]) -> None:
        """Keep the files; name: of the folder or the pattern, for messages."""
        self.name, self.files = name, files
        for file in files:
            if not is_id(file.id):
                raise FormatError(
                    "a text file's path is its id, and this one cannot be: "
                    "no tab, no line feed; rename the file",
                    where=repr(file.path),
                )

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.size for file in self.files)

    def segments(self, most: int) -> list[Segment]:
        """Cut between files."""
        found, start, size = [], 0, 0
        for place, file in enumerate(self.files):
            if size and size + file.size > most:
                found.append(Segment(start, place, size))
                start, size = place, 0
            size += file.size
        return [*found, Segment(start, len(self.files), size)]

    def batches(self, segment: Segment, characters: int) -> Iterator[Batch]:
        """Read whole files, about so many characters at a time."""
        ids: list[str] = []
        texts: list[str] = []
        places: list[str] = []
        length = taken = 0
        for file in self.files[segment.start : segment.end]:
            texts.append(Source(file.path).whole().decode())
            ids.append(file.id)
            places.append(file.path)
            length += len(texts[-1])
            taken += file.size
            if length >= characters:
                yield batch_of(ids, None, texts, places, taken)
                ids, texts, places, length, taken = [], [], [], 0, 0
        if ids:
            yield batch_of(ids, None, texts, places, taken)

    def fields(self) -> list[str]:
        """Return none: a text file has no fields."""
        return []

    def columns(self, removed: Container[str]) -> Iterator[Columns]:
        """Read the files whose id is not in `removed`."""
        for batch in self.batches(Segment(0, len(self.files), self.size), CHARACTERS):
            yield Columns(batch.ids, None, batch.texts).without(removed)

    def json_lines(self, removed: Container[str]) -> Iterator[bytes]:
        """Return each file as a row with its path and its text."""
        for columns in self.columns(removed):
            yield from columns.json_lines()


def is_text_file(path: str | Path) -> bool:
    """Tell a text file by its name; lines that Spark has written are JSON.

    >>> is_text_file("a/b.md"), is_text_file("corpus.jsonl")
    (True, False)
    """
    return Path(path).suffix.lower() in SUFFIXES and not is_spark_part(path)


def is_spark_part(path: str | Path) -> bool:
    """Tell a file of JSON lines that Spark has written, by its name.

    >>> is_spark_part("out/part-00000-ab3d5a7e-0000-4000-8000-000000000000-c000.txt")
    True
    """
    return SPARK_PART.fullmatch(Path(path).name) is not None
