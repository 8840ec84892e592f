"""One folder with the same documents in every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import write_all


@pytest.fixture(scope="session")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rows in every form."""
    folder = tmp_path_factory.mktemp("forms")
    write_all(folder)
    return folder
