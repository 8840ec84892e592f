"""Runs ragstone as a user does: in this process, which is fast, or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from ragstone.cli.main import run

RAGSTONE = [sys.executable, "-m", "ragstone"]
EPOCH = {"SOURCE_DATE_EPOCH": "1750000000"}


@dataclass(frozen=True, slots=True)
class Done:
    """What a command returned and printed."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """Return standard output as text."""
        return self.out.decode()

    @property
    def message(self) -> str:
        """Return the one line on standard error."""
        line, end, rest = self.err.partition("\n")
        assert (end, rest) == ("\n", ""), self.err
        return line


def ragstone(*args: str, cwd: Path, stdin: bytes = b"", **environment: Any) -> Done:
    """Run a command in this process; environment: variables that it sees."""
    streams = [io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (stdin, b"", b"")]
    names = ("sys.stdin", "sys.stdout", "sys.stderr")
    patched = _patched(dict(zip(names, streams, strict=True)))
    with chdir(cwd), mock.patch.dict(os.environ, {**EPOCH, **environment}), patched:
        code = run(args)
    return Done(code, _bytes(streams[1]), _bytes(streams[2]).decode())


def child(*args: str, cwd: Path, stdin: bytes = b"", **environment: Any) -> Done:
    """Run a command in a process of its own; environment: variables that it sees."""
    done = subprocess.run(
        [*RAGSTONE, *args],
        cwd=cwd,
        input=stdin,
        env={**os.environ, **EPOCH, **environment},
        capture_output=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


@contextmanager
def _patched(streams: Mapping[str, io.TextIOWrapper]) -> Iterator[None]:
    patches = [mock.patch(name, stream) for name, stream in streams.items()]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()


def _bytes(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()
