"""TOML files of a user: one table, read whole, with the file in every error."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ragstone.errors import FormatError, UsageError

if TYPE_CHECKING:
    from ragstone.formats import Source

T = TypeVar("T")


def read_table(path: str | Path | Source, read: Callable[[Mapping[str, Any]], T]) -> T:
    """Read a file and what it holds; raises FormatError, which names the file, for either."""
    from ragstone.formats import Source

    source = path if isinstance(path, Source) else Source(path)
    try:
        return read(tomllib.loads(source.whole().decode()))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FormatError(f"not TOML: {error}", where=source.name) from None
    except UsageError as error:
        raise FormatError(str(error), where=source.name) from None
