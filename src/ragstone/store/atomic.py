"""Writing a file so that it is either whole or not there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from ragstone.errors import InputError

ADVICE = {
    "FileExistsError": "one of its folders is a file; choose another path",
    "IsADirectoryError": "it is a folder; name a file",
    "NotADirectoryError": "one of its folders is a file; choose another path",
    "PermissionError": "permission denied; choose another path or change its permissions",
}
LARGE = 1 << 24
DISK_FULL = "the disk is full; make room or choose another path"


def write_atomic(path: str | Path, chunks: Iterable[bytes] | bytes) -> None:
    """Write a file whole or not at all; missing folders are made, an old file is replaced.

    A pipe or a device such as /dev/stdout is written to as it is. A new file gets the
    permissions that the umask leaves, an old one keeps its own. Raises InputError with the path
    and what to do; after any error neither a part of the file nor a new folder is left.

    >>> write_atomic("/dev/null", b"report")
    """
    if "\0" in str(path):
        raise InputError(f"{str(path)!r}: cannot be written: a path has no NUL in it")
    parts = [chunks] if isinstance(chunks, bytes) else chunks
    with explained(path):
        target = Path(os.path.realpath(path))
        mode = _mode(Path(path))
        if mode is not None and not stat.S_ISREG(mode):
            _write_straight(Path(path), parts)
            return
        with _parents(target):
            _replace(target, parts, mode)


def write_stream(stream: TextIO | None, chunks: Iterable[bytes] | bytes, name: str) -> None:
    """Write to an open stream: nothing before all chunks are there, and bytes as they are.

    Raises InputError where it is closed or cannot be written, and BrokenPipeError where nobody
    reads it any more.

    >>> import io
    >>> stream = io.StringIO()
    >>> write_stream(stream, [b"a", b"b"], "the output")
    >>> stream.getvalue()
    'ab'
    """
    if stream is None:
        raise InputError(f"{name} is closed; nothing could be printed")
    try:
        with _collected(chunks) as whole:
            stream.flush()
            buffer = getattr(stream, "buffer", None)
            if buffer is None:
                stream.write(b"".join(whole).decode())
            else:
                for chunk in whole:
                    _write_all(buffer, chunk)
            (buffer or stream).flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{name} cannot be written: {_advice(error)}") from None


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write on where a part was taken: under PYTHONUNBUFFERED standard output is the bare file."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


@contextmanager
def _collected(chunks: Iterable[bytes] | bytes) -> Iterator[Iterable[bytes]]:
    if isinstance(chunks, bytes):
        yield [chunks]
        return
    import tempfile

    with tempfile.SpooledTemporaryFile(LARGE) as spool:
        for chunk in chunks:
            spool.write(chunk)
        spool.seek(0)
        yield iter(lambda: spool.read(LARGE), b"")


def _replace(target: Path, parts: Iterable[bytes], mode: int | None) -> None:
    temporary = target.with_name(f".ragstone-{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            if mode is not None:
                temporary.chmod(stat.S_IMODE(mode))
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write_straight(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("ab") as file:  # "w" would cut the file that a shell sent /dev/stdout to
        for part in parts:
            file.write(part)


def _mode(path: Path) -> int | None:
    """Return what the file is and allows; None where it is not there yet."""
    try:
        found = path.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISREG(found) and path.parent in {
        Path("/dev"),
        Path("/dev/fd"),
        Path("/proc/self/fd"),
    }:
        return stat.S_IFCHR  # standard output that goes to a file is still standard output
    return found


@contextmanager
def _parents(target: Path) -> Iterator[None]:
    """Make the folders above a file, and take the new ones away again if it is not written."""
    missing = [folder for folder in target.parents if not folder.exists()]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        with suppress(OSError):
            for folder in missing:
                folder.rmdir()
        raise


@contextmanager
def explained(path: str | Path) -> Iterator[None]:
    """Turn what the system refuses into an InputError with the path and what to do."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {_advice(error)}") from None


def _advice(error: OSError) -> str:
    import errno

    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DISK_FULL
    known = ADVICE.get(type(error).__name__)
    return known or f"{error.strerror or error}; choose another path"
