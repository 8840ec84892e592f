"""The append-only file behind --resume: what is finished, kept as it finishes.

JSON lines. The first says what the records belong to, with its digest; each other line is a key and
its record. A line counts when its line feed is there. `append` returns when the line is with the
system, so a process that is killed loses nothing that it had appended; the disk is synced when the
last time is more than a second ago and at the end, so a power cut can take what came since.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from ragstone.errors import FormatError, InputError, shortened
from ragstone.store.atomic import explained
from ragstone.store.lock import open_locked
from ragstone.store.plain import canonical, plain

FORM = 1
MAGIC = b'{"ragstone_journal":'
SYNC_SECONDS = 1.0
MOST_DIFFERENCES = 6
_NOT_SET = object()


class _Head(msgspec.Struct):
    ragstone_journal: int
    digest: str
    header: dict[str, Any]


class _Line(msgspec.Struct):
    key: str
    record: Any


class _Found(NamedTuple):
    """What an old file holds: its header, where each record lies, where the next one goes."""

    header: dict[str, Any]
    places: dict[str, tuple[int, int]]
    end: int


class Records(Mapping[str, Any]):
    """The records of a journal, read from the file when they are asked for."""

    def __init__(self, file: int, places: dict[str, tuple[int, int]]) -> None:
        """Keep where each lies: offset and length."""
        self._file, self._places = file, places

    def __getitem__(self, key: str) -> Any:
        """Return a record, as plain JSON."""
        offset, length = self._places[key]
        return msgspec.json.decode(os.pread(self._file, length, offset), type=_Line).record

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, in the order in which they came first."""
        return iter(self._places)

    def __len__(self) -> int:
        """Count the keys."""
        return len(self._places)

    def __contains__(self, key: object) -> bool:
        """Tell whether there is a record, without reading it."""
        return key in self._places


class Journal:
    """Records by key, on disk as soon as they are appended; made by `Journal.open`.

    The last record of a key counts. May be appended to from several threads.
    """

    def __init__(self, path: Path, file: int, found: _Found, clock: Callable[[], float]) -> None:
        """Go on at the end of an open file."""
        self.path = path
        self._file, self._places, self._end = file, found.places, found.end
        self._open, self._lock = True, threading.Lock()
        self._clock, self._synced = clock, clock()

    @classmethod
    def open(
        cls,
        path: str | Path,
        header: Mapping[str, Any],
        *,
        resume: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Start a journal, or go on with one; missing folders are made.

        header: what must be equal to go on, as plain JSON: settings, digests of inputs, the form
        of the records. It must not hold a secret.

        Raises InputError where there are records already and `resume` is not set, where they were
        made with another header, which it names, where another process has the file, and where it
        is no journal; FormatError, with the line, where it is damaged before its last line.
        """
        path = Path(path)
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            file = open_locked(path)
            try:
                return cls(path, file, _begun(path, file, header, resume), clock)
            except BaseException:
                os.close(file)
                raise

    @property
    def done(self) -> Mapping[str, Any]:
        """All records by key: those that were there, and those appended since."""
        return Records(self._file, self._places)

    def append(self, key: str, record: Any) -> None:
        """Keep a record; when this returns, it is kept even if the process is killed.

        Raises InputError where the disk is full or a number is not finite, and TypeError for what
        is not plain JSON; then nothing is kept of the record.
        """
        line = plain({"key": key, "record": record}) + b"\n"
        with self._lock, explained(self.path):
            if not self._open:
                raise ValueError("the journal is closed")
            self._write(line)
            self._places[key] = (self._end - len(line), len(line))
            if self._clock() - self._synced >= SYNC_SECONDS:
                self._sync()

    def _write(self, line: bytes) -> None:
        if os.fstat(self._file).st_size != self._end:  # an append that was broken off
            os.ftruncate(self._file, self._end)
        try:
            _write_all(self._file, line)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise
        self._end += len(line)

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced = self._clock()

    def close(self) -> None:
        """Sync and close; the file stays for the next run."""
        with self._lock, explained(self.path):
            if self._open:
                self._open = False
                try:
                    self._sync()
                finally:
                    os.close(self._file)

    def remove(self) -> None:
        """Close and delete the file: for when the final result is in place."""
        with self._lock, explained(self.path):
            if self._open:
                self._open = False
                try:
                    self.path.unlink(missing_ok=True)  # while locked: nobody else's file
                finally:
                    os.close(self._file)

    def __enter__(self) -> Self:
        """Return the journal."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it; the file stays."""
        self.close()


def _begun(path: Path, file: int, header: Mapping[str, Any], resume: bool) -> _Found:
    """Return what the file holds, or make it one that holds nothing."""
    fields = canonical(dict(header))
    found = _read(path, file)
    if found is None or not found.places:
        return _fresh(file, fields)
    if not resume:
        raise InputError(
            f"{path}: holds {len(found.places)} finished records of a run that is not complete; go "
            "on with it by --resume, or delete the file to start over"
        )
    _compare(path, found.header, msgspec.json.decode(fields))
    os.ftruncate(file, found.end)
    return found


def _fresh(file: int, fields: bytes) -> _Found:
    digest = hashlib.sha256(fields).hexdigest()
    line = MAGIC + b'%d,"digest":"%b","header":%b}\n' % (FORM, digest.encode(), fields)
    os.ftruncate(file, 0)
    _write_all(file, line)
    return _Found(msgspec.json.decode(fields), {}, len(line))


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _read(path: Path, file: int) -> _Found | None:
    """Return what a journal holds; None for an empty file, or one with a torn first line."""
    with os.fdopen(os.dup(file), "rb") as reader:
        reader.seek(0)
        first = reader.readline()
        if not first.startswith(MAGIC[: len(first)]):
            raise InputError(f"{path}: is not a journal of ragstone; choose another path")
        if not first.endswith(b"\n"):
            return None
        header = _header(path, first)
        places, end = _places(path, reader, len(first))
        return _Found(header, places, end)


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        head = msgspec.json.decode(line, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _damaged(path, 1) from None
    if head.ragstone_journal != FORM:
        raise InputError(
            f"{path}: a journal of form {head.ragstone_journal}, which this version does not read; "
            "finish the run with the version that began it, or delete the file to start over"
        )
    if hashlib.sha256(canonical(head.header)).hexdigest() != head.digest:
        raise _damaged(path, 1)
    return head.header


def _places(path: Path, lines: Iterator[bytes], end: int) -> tuple[dict[str, tuple[int, int]], int]:
    """Return where each record lies, and the end of the last whole one."""
    places: dict[str, tuple[int, int]] = {}
    torn: int | None = None
    for number, line in enumerate(lines, 2):
        if torn is not None:
            raise _damaged(path, torn)
        key = _key(line)
        if key is None:
            torn = number
            continue
        places[key] = (end, len(line))
        end += len(line)
    return places, end


def _key(line: bytes) -> str | None:
    """Return the key of a whole line; None for another, which is all right at the end only."""
    if not line.endswith(b"\n"):
        return None
    try:
        return msgspec.json.decode(line, type=_Line).key
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _damaged(path: Path, line: int) -> FormatError:
    return FormatError(
        "damaged; delete the file to start over, or the lines from here on to keep those before",
        where=str(path),
        line=line,
    )


def _compare(path: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Raise InputError, naming what differs, if the records belong to another run."""
    differences = list(_differences(old, new))
    if differences:
        more = len(differences) - MOST_DIFFERENCES
        few = [*differences[:MOST_DIFFERENCES], *([f"and {more} more"] if more > 0 else [])]
        raise InputError(
            f"{path}: its records were made with other settings: {'; '.join(few)}; run it "
            "with the same settings, or delete the file to start over"
        )


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], within: str = "") -> Iterator[str]:
    """Say of each field in which two headers differ how; of a table the fields in it that do."""
    for name in sorted({*old, *new}):
        was, now = old.get(name, _NOT_SET), new.get(name, _NOT_SET)
        if _text(was) == _text(now):
            continue
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _differences(was, now, f"{within}{name}.")
        elif within and now is _NOT_SET:
            yield f"{within}{name} is gone"
        elif within and was is _NOT_SET:
            yield f"{within}{name} is new"
        else:
            yield f"{within}{name} was {' and is '.join(_apart(_text(was), _text(now)))}"


def _text(value: Any) -> str:
    return "not set" if value is _NOT_SET else canonical(value).decode()


def _apart(was: str, now: str, most: int = 80) -> tuple[str, str]:
    """Return two texts, long ones cut short, but not where they differ first."""
    short = shortened(was, most), shortened(now, most)
    if short[0] != short[1]:
        return short
    pairs = enumerate(zip(was, now, strict=False))
    first = next((n for n, (a, b) in pairs if a != b), min(len(was), len(now)))
    part = slice(first - most // 4, first + most // 2)
    return f"... {was[part]} ...", f"... {now[part]} ..."
