"""TOML files of a user: one table, read whole, and what it says; every error names the file."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.formats.source import Source

T = TypeVar("T")
S = TypeVar("S", bound=Struct)
_PLACE = re.compile(r" at `([\w.]+)`$")


def read_table(path: str | Path | Source) -> dict[str, Any]:
    """Read the table of a file; raises FormatError for what is no TOML."""
    source = path if isinstance(path, Source) else Source(path)
    try:
        return tomllib.loads(source.whole().decode())
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise source.error(f"not TOML: {error}") from None


def read_as(path: str | Path | Source, read: Callable[[Mapping[str, Any]], T]) -> T:
    """Read what the table of a file says; raises FormatError where `read` raises UsageError."""
    source = path if isinstance(path, Source) else Source(path)
    try:
        return read(read_table(source))
    except UsageError as error:
        raise source.error(str(error)) from None


def as_struct(
    table: Mapping[str, Any], kind: type[S], explained: Callable[[str], str] | None = None
) -> S:
    """Read a table as a Struct; raises UsageError with what was expected.

    explained: makes of a problem what is said of it; by default the known keys are named.

    >>> class Place(Struct, forbid_unknown_fields=True):
    ...     host: str
    ...     port: int = 80
    >>> as_struct({"host": "h", "prot": 1}, Place)
    Traceback (most recent call last):
    ragstone.errors.UsageError: Object contains unknown field `prot`; known: host, port
    >>> as_struct({"host": "h", "port": "x"}, Place)
    Traceback (most recent call last):
    ragstone.errors.UsageError: Expected `int`, got `str` at `port`
    """
    try:
        return msgspec.convert(dict(table), kind)
    except msgspec.ValidationError as error:
        problem = str(error).replace(" - at `$.", " at `")
        raise UsageError(explained(problem) if explained else _named(problem, kind)) from None


def check_above_zero(table: Struct) -> None:
    """Raise ValueError for a field of numbers that is not above 0 and finite; None is no limit."""
    for name in table.__struct_fields__:
        value = getattr(table, name)
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"{name} is {value:g}; a number above 0 was expected")


def _named(problem: str, kind: type[Struct]) -> str:
    """Name the known keys behind a problem with one that is not, also of an inner table."""
    if "unknown field" not in problem:
        return problem
    place = _PLACE.search(problem)
    table = _inner(kind, place[1].split(".")) if place else kind
    return f"{problem}; known: {', '.join(table.__struct_fields__)}" if table else problem


def _inner(kind: type[Struct], path: list[str]) -> type[Struct] | None:
    """Return what the table at a path is read as; None for one in a list."""
    found: type[Struct] | None = kind
    for name in path:
        type_ = get_type_hints(found).get(name)
        options = get_args(type_) or (type_,)
        structs = (each for each in options if isinstance(each, type) and issubclass(each, Struct))
        if (found := next(structs, None)) is None:
            return None
    return found
