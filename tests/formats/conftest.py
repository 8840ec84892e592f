"""Inputs made of bytes, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.formats import Source


@pytest.fixture(scope="session")
def source_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Source]:
    """Return a function that puts bytes into a file and opens it; its messages say `f`."""
    folder = tmp_path_factory.mktemp("formats")

    def make(data: bytes, name: str = "f") -> Source:
        path = folder / name
        path.write_bytes(data)
        source = Source(path)
        source.name = name
        return source

    return make


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that writes a file into the current folder and returns its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(data: bytes | str, name: str = "f") -> str:
        Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
        return name

    return write_file
