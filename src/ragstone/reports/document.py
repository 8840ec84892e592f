"""Bytes to a JSON document, and plain words for bytes that are none."""

from __future__ import annotations

import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ragstone.errors import FormatError, InputError
from ragstone.reports.canonical import encode
from ragstone.reports.problem import child, shown

BOM = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
LISTED = 5
SURROGATES = "[\ud800-\udfff]"


def read_bytes(path: str | Path) -> bytes:
    """Read a file; raises InputError with the path and the reason."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{path}: cannot be read: {reason}; a report was expected") from None
    except ValueError as error:  # a NUL in the path
        raise InputError(f"{str(path)!r}: cannot be read: {error}") from None


def unpack(data: bytes, name: str) -> bytes:
    """Return the bytes of a document, gzip undone."""
    if not data.startswith(GZIP):
        return data
    import gzip

    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise FormatError(f"the gzip data is damaged or cut off ({error})", where=name) from None


def parse(data: bytes, name: str) -> Any:
    """Read a JSON document; a byte-order mark is dropped.

    Raises FormatError, with the line where there is one, for bytes that are not JSON, and for
    what JSON readers disagree on: a name twice in one object, NaN, infinity.
    """
    data = data.removeprefix(BOM)
    _check_utf8(data, name)
    if not data.strip():
        raise FormatError("is empty; a report was expected", where=name)
    try:
        value = msgspec.json.decode(data)
        canonical = encode(value) == data
    except (msgspec.MsgspecError, RecursionError):
        raise _explained(data, name) from None
    if not canonical:
        _load(data, name)
    return value


def _check_utf8(data: bytes, name: str) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"not UTF-8: byte {data[error.start]:#04x}; a JSON report was expected"
        raise FormatError(problem, where=name, line=line) from None


def _explained(data: bytes, name: str) -> FormatError:
    found = list(islice(_no_numbers(_load(data, name), "$"), LISTED + 1))
    listed = ", ".join(f"{path} is {what}" for path, what in found[:LISTED])
    more = " and more" if found[LISTED:] else ""
    return FormatError(
        f"{listed or 'a number is too large'}{more}; a report holds finite numbers and "
        "whole characters only",
        where=name,
    )


def _load(data: bytes, name: str) -> Any:
    """Read slowly and strictly, for the sake of the message."""
    try:
        return json.loads(data, object_pairs_hook=_object)
    except RecursionError:
        raise FormatError("is nested too deeply to be a report", where=name) from None
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg} (column {error.colno}); a report was expected"
        raise FormatError(problem, where=name, line=error.lineno) from None
    except ValueError as error:
        raise FormatError(f"{error}; a report was expected", where=name) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {shown(twice)} stands twice in one object")
    return built


def _no_numbers(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Find what a report cannot hold, and the nulls that often stand beside a NaN."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _no_numbers(part, child(path, name))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _no_numbers(part, child(path, place))
    elif value is None:
        yield path, "null"
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, {True: "NaN"}.get(math.isnan(value), "infinite")
    elif isinstance(value, str) and not value.isascii() and re.search(SURROGATES, value):
        yield path, "half of a character"
