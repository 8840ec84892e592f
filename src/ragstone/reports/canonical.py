"""The one form a report has in bytes, and how any JSON document is read.

Sorted keys, no spaces, UTF-8, a final newline. Numbers are printed by msgspec: floats as the
shortest text that reads back as the same double, always with a point or an exponent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from ragstone.errors import InputError
from ragstone.reports.problem import child

_ENCODER = msgspec.json.Encoder(order="sorted")


def encode(value: object) -> bytes:
    r"""Return the canonical form.

    Raises InputError for a number that is not finite, and for text that UTF-8 cannot hold:
    JSON has neither, and the encoder would write NaN as null.

    >>> encode({"b": [1.0, 1e-7], "a": "é"})
    b'{"a":"\xc3\xa9","b":[1.0,1e-7]}\n'
    """
    for path, number in _not_finite(value, "$"):
        raise InputError(f"{path} is {number}; a report holds finite numbers only")
    try:
        return _ENCODER.encode(value) + b"\n"
    except UnicodeEncodeError as error:
        raise InputError(f"{error.object!r} is not text that UTF-8 can hold") from None


def _not_finite(value: object, path: str) -> Iterator[tuple[str, float]]:
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path, value
    elif isinstance(value, list | tuple):
        if not _plain(value):
            for place, part in enumerate(value):
                yield from _not_finite(part, child(path, place))
    else:
        for name, part in _parts(value):
            yield from _not_finite(part, child(path, name))


def _plain(values: Sequence[Any]) -> bool:
    """Tell quickly that a list holds finite numbers only."""
    try:
        return math.isfinite(math.fsum(values))
    except (TypeError, ValueError, OverflowError):
        return False


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        return iter(value.items())
    fields: Iterable[str] = getattr(value, "__struct_fields__", ())
    fields = getattr(value, "__dataclass_fields__", fields)
    return ((name, getattr(value, name)) for name in fields)
