"""Files made of text, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return a function that puts bytes into a file and returns its path."""
    folder = tmp_path_factory.mktemp("scoring")

    def write_file(data: bytes | str, name: str = "run") -> str:
        path = Path(folder / name)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    return write_file
