"""A cache on disk, shared by runs and processes: digests to JSON or raw numbers, never code."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from ragstone.errors import InputError
from ragstone.store.atomic import explained
from ragstone.store.plain import canonical

MAGIC = 0x52414753  # "RAGS", the application id of the file
FORM = 1
KEYS_AT_ONCE = 500
ANEW = "delete it to start anew, or choose another path"

_GET = "SELECT key, value FROM entries WHERE key IN ({})"
_PUT = "INSERT INTO entries VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


def cache_key(**fields: Any) -> str:
    """Return the key of a value: sha256 of the canonical JSON of all that it depends on.

    >>> cache_key(model="m", text="a") == cache_key(text="a", model="m")
    True
    """
    return hashlib.sha256(canonical(fields)).hexdigest()


class Cache:
    """Values by key in a SQLite file, for several threads and processes at once.

    A value that was put is there after the process is killed; a power cut may take the last ones.
    Raises InputError for a file that is damaged or no cache of ragstone, and where others keep it
    busy for longer than `busy_seconds`.

    read_only: whether nothing can be put; so it is too where the file or its folder does not let
    itself be written, as in a checkout that is mounted for reading.
    """

    def __init__(
        self, path: str | Path, *, read_only: bool = False, busy_seconds: float = 30.0
    ) -> None:
        """Open a cache; the file and missing folders are made, unless it is `read_only`."""
        import sqlite3

        self.path, self._lock, self._fault = Path(path), threading.RLock(), sqlite3.DatabaseError
        sealed = self.path.is_file() and not _may_write(self.path)
        self.read_only = read_only or sealed
        self._make_room()
        with self._explained():
            place = _sealed(self.path) if sealed else self.path
            self._base = sqlite3.connect(place, busy_seconds, check_same_thread=False, uri=sealed)
            self._base.isolation_level = None  # transactions are begun here, and nowhere else
            try:
                self._prepare()
            except BaseException:
                self._base.close()
                raise

    def _make_room(self) -> None:
        if not self.read_only:
            with explained(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
        elif not self.path.exists():
            raise self._error("there is no such file; name one that an earlier run has filled")

    def _prepare(self) -> None:
        if self.read_only:
            self._check()
            return
        with self._transaction():
            if not self._pragma("schema_version"):  # an empty file
                self._base.execute("CREATE TABLE entries (key TEXT PRIMARY KEY, value BLOB)")
                self._base.execute(f"PRAGMA application_id = {MAGIC}")
                self._base.execute(f"PRAGMA user_version = {FORM}")
            self._check()
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")

    def _check(self) -> None:
        ours, form = self._pragma("application_id"), self._pragma("user_version")
        if not self._pragma("schema_version"):
            raise self._error("it is empty; name one that an earlier run has filled")
        if ours != MAGIC:
            raise self._error("it is a database of another program; choose another path")
        if form != FORM:
            raise self._error(f"it has form {form}, this version reads {FORM}; {ANEW}")

    def _pragma(self, name: str) -> int:
        return int(self._base.execute(f"PRAGMA {name}").fetchone()[0])

    def get(self, key: str) -> bytes | None:
        """Return a value; None where there is none."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Return the values of those keys that have one."""
        wanted, found = list(dict.fromkeys(keys)), dict[str, bytes]()
        with self._lock, self._explained():
            for start in range(0, len(wanted), KEYS_AT_ONCE):
                some = wanted[start : start + KEYS_AT_ONCE]
                found.update(self._base.execute(_GET.format(",".join("?" * len(some))), some))
        return found

    def put(self, key: str, value: bytes) -> None:
        """Keep a value; it takes the place of an older one."""
        self.put_many({key: value})

    def put_many(self, values: Mapping[str, bytes]) -> None:
        """Keep values, all of them or, after an error, none."""
        if strange := [key for key, value in values.items() if type(value) is not bytes]:
            raise TypeError(f"the value of {strange[0]} is not bytes")
        if self.read_only:
            raise self._error("it is open for reading only; copy it to where it can be written")
        with self._explained(), self._transaction():
            self._base.executemany(_PUT, values.items())

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    def __enter__(self) -> Self:
        """Return the cache."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, self._base:  # the connection commits, or rolls back after an error
            self._base.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except self._fault as error:
            busy = "locked" in str(error)
            raise self._error(f"{error}; {'try again later' if busy else ANEW}") from None

    def _error(self, problem: str) -> InputError:
        return InputError(f"{self.path}: the cache cannot be used: {problem}")


def _may_write(path: Path) -> bool:
    """Tell whether file and folder can be written; SQLite needs both, for its log."""
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)


def _sealed(path: Path) -> str:
    """Return the address by which SQLite reads a file beside which it can make no other.

    Immutable: it takes no lock. Where a log has what is not yet in the file, that is left to
    SQLite, which reads both or says why it cannot.
    """
    log = path.with_name(f"{path.name}-wal")
    pending = log.exists() and log.stat().st_size > 0
    return f"{path.absolute().as_uri()}?mode=ro{'' if pending else '&immutable=1'}"
