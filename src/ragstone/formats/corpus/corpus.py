"""A corpus: documents in one order, read in batches of bounded size, whole or in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ragstone.errors import FormatError, InputError
from ragstone.formats.corpus.batch import CHARACTERS, Batch
from ragstone.formats.corpus.census import Census
from ragstone.formats.corpus.member import Member, Named, Segment
from ragstone.formats.corpus.opening import open_paths
from ragstone.progress import Progress, Silent


class Part(NamedTuple):
    """A part of a corpus that can be read alone: segments, each with the number of its member."""

    segments: tuple[tuple[int, Segment], ...]

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(segment.size for _, segment in self.segments)


class Corpus:
    """The documents of files, folders and patterns, in their order.

    A path is a file (JSON lines, plain, gzip or Zstandard; Parquet; a text file), a BEIR folder, a
    folder of such files, a pattern such as `docs/**/*.md`, or `-` for standard input. JSON lines
    and Parquet have `id` or `_id`, `title` and `text`; a text file has its path as id.
    """

    def __init__(
        self, paths: str | Path | Sequence[str | Path], *, max_records: int | None = None
    ) -> None:
        """Find and open the files; raises InputError for what is not there or not readable.

        max_records: read only so many documents, the first.
        """
        given = [paths] if isinstance(paths, str | Path) else paths
        if max_records is not None and max_records < 1:
            raise InputError(f"at most {max_records} documents; 1 or more were expected")
        self.inputs: list[Named]
        self._members: list[Member]
        self.inputs, self._members = open_paths([str(path) for path in given])
        self.max_records = max_records

    @property
    def name(self) -> str:
        """What a message calls it: its first file."""
        more = len(self._members) - 1
        return self._members[0].name + (f" and {more} more" if more else "")

    @property
    def size(self) -> int:
        """Bytes on disk, packed as they are: the total of a reading's progress."""
        return sum(member.size for member in self._members)

    @property
    def members(self) -> Sequence[Member]:
        """The files that it is made of, in order."""
        return self._members

    def parts(self, number: int) -> list[Part]:
        """Return about so many parts of like size; one after the other they are the corpus.

        A packed file is in one part, a Parquet file is cut between row groups. There is one part
        where `max_records` is set: nobody knows where the last document is.
        """
        if self.max_records is not None:
            number = 1
        each = max(1, -(-self.size // max(1, number)))
        parts: list[list[tuple[int, Segment]]] = [[]]
        size = 0
        for place, member in enumerate(self._members):
            for segment in member.segments(each):
                if size + segment.size // 2 > each * len(parts) and parts[-1]:
                    parts.append([])
                parts[-1].append((place, segment))
                size += segment.size
        return [Part(tuple(part)) for part in parts]

    def batches(
        self,
        part: Part | None = None,
        *,
        census: Census | None = None,
        characters: int = CHARACTERS,
        progress: Progress | None = None,
    ) -> Iterator[Batch]:
        """Read the documents of a part, or of all of it, some 256 KiB at a time.

        census: counts what is read. When all is read, `check` is called; who reads parts merges
        what they counted and calls it. progress: is told of bytes on disk.
        """
        if part is not None and census is not None and not census.portable:
            raise ValueError("the census of a part has to be portable")
        counted = census or Census()
        bar = progress or Silent()
        bar.start(part.size if part else self.size)
        try:
            for batch in self._limited(self._read(part, characters), counted):
                counted.add(batch)
                yield batch
                bar.advance(batch.taken)
        finally:
            bar.finish()
        if part is None:
            self.check(counted)

    def check(self, census: Census) -> None:
        """Raise FormatError for an id that stands twice, and where nothing could be checked.

        census: of the whole corpus. The message names both places of the id.
        """
        if not census.documents:
            raise FormatError("has no document in it", where=self.name)
        if census.empty == census.documents:
            raise FormatError(self._without_texts(census), where=self.name)
        if repeated := census.repeated():
            self._refuse_repeated(repeated, census)

    def _read(self, part: Part | None, characters: int) -> Iterator[Batch]:
        whole = self.parts(1)[0] if part is None else part
        for place, segment in whole.segments:
            yield from self._members[place].batches(segment, characters)

    def _limited(self, batches: Iterator[Batch], census: Census) -> Iterator[Batch]:
        if self.max_records is None:
            yield from batches
            return
        left = self.max_records
        for batch in batches:
            if left and batch.ids:
                yield batch if len(batch.ids) <= left else batch.first(left)
            census.truncated = len(batch.ids) > left
            left = max(0, left - len(batch.ids))
            if census.truncated:
                return

    def _without_texts(self, census: Census) -> str:
        found = ", ".join(map(repr, self._members[0].fields()))
        fields = f"; 'title' and 'text' were expected, its fields are {found}" if found else ""
        if census.documents == 1:
            return f"its one document has no text{fields}"
        return f"none of its {census.documents:,} documents has a text{fields}"

    def _refuse_repeated(self, repeated: set[int], census: Census) -> None:
        """Read once more for the places; equal digests of different ids are found out here."""
        first: dict[str, str] = {}
        for batch in self._limited(self._read(None, CHARACTERS), Census()):
            for index, doc in enumerate(batch.ids):
                if census.digest(doc) not in repeated:
                    continue
                if doc in first:
                    raise FormatError(
                        f"document {doc!r} has two rows, the first at {first[doc]}; "
                        "a document has one row",
                        where=batch.places[index],
                    )
                first[doc] = batch.places[index]
