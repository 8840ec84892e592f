"""A file that one process at a time may write."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from ragstone.errors import InputError

OPENINGS = 100
"""How often a file may be replaced under our hands before that is an error."""


def open_locked(path: Path) -> int:
    """Open a file to read and append, making it if need be; only one process at a time can.

    The lock ends with the process, however it ends. Where the system has no fcntl there is none.
    Raises InputError where another process has the file, and OSError.
    """
    for _ in range(OPENINGS):
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            _lock(file, path)
            if _is(file, path):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)  # removed by its last writer between our open and our lock
    raise InputError(f"{path}: is replaced again and again; choose another path")


def _lock(file: int, path: Path) -> None:
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise InputError(f"{path}: is not a regular file; choose another path")
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in {errno.EAGAIN, errno.EACCES}:
            raise
        raise InputError(
            f"{path}: another process is writing it; wait until it has ended, or choose another "
            "path"
        ) from None


def _is(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
