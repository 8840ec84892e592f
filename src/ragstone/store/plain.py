"""Plain JSON in bytes: nothing but dicts, lists, texts, finite numbers, true, false and null."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from ragstone.errors import InputError

DEEPEST = 100

_ATOMS = {str, int, bool, type(None)}
_CONTAINERS = {dict, list, tuple}
_SORTED = msgspec.json.Encoder(order="sorted")
_AS_GIVEN = msgspec.json.Encoder()


def canonical(value: object) -> bytes:
    r"""Return the one form of a value: sorted keys, no spaces, UTF-8.

    Raises InputError for a number that is not finite and for text that UTF-8 cannot hold, and
    TypeError for what is not plain.

    >>> canonical({"b": 1.0, "a": "é"})
    b'{"a":"\xc3\xa9","b":1.0}'
    """
    return _encoded(_SORTED, value)


def plain(value: object) -> bytes:
    """Return a value with its keys in the order they have; raises as `canonical` does.

    >>> plain({"b": 1, "a": [2]})
    b'{"b":1,"a":[2]}'
    """
    return _encoded(_AS_GIVEN, value)


def _encoded(encoder: msgspec.json.Encoder, value: object) -> bytes:
    if not _is_plain(value, DEEPEST):
        _check(value, "$", DEEPEST)
    try:
        return encoder.encode(value)
    except UnicodeEncodeError as error:
        raise InputError(f"{error.object!r:.80} is not text that UTF-8 can hold") from None
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"a number cannot be kept: {error}") from None


def _is_plain(value: Any, room: int) -> bool:
    """Tell fast that a value will come back; where this says no, `_check` knows what is wrong."""
    kind = type(value)
    if kind in _ATOMS or kind is float:
        return kind is not float or math.isfinite(value)
    if kind not in _CONTAINERS or not room:
        return False
    if kind is dict:
        if not set(map(type, value)) <= {str}:
            return False
        value = list(value.values())
    kinds = set(map(type, value))
    if kinds <= _ATOMS:
        return True
    if kinds == {float}:
        return all(map(math.isfinite, value))
    return all(_is_plain(part, room - 1) for part in value)


def _check(value: object, path: str, room: int) -> None:
    """Refuse what would not come back as it went in."""
    kind = type(value)
    if kind in _ATOMS:
        return
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{path} is {value}; only finite numbers are kept")
    if kind is float:
        return
    if kind not in _CONTAINERS:
        raise TypeError(f"{path} is a {kind.__name__}, which is not plain JSON")
    if not room:
        raise InputError(f"{path:.80} ... is nested deeper than {DEEPEST} levels")
    for name, part in _parts(value, path):
        _check(part, f"{path}{name}", room - 1)


def _parts(value: Any, path: str) -> Iterator[tuple[str, object]]:
    if not isinstance(value, dict):
        yield from ((f"[{place}]", part) for place, part in enumerate(value))
        return
    for name, part in value.items():
        if type(name) is not str:
            raise TypeError(f"{path} has the key {name!r:.80}, which is no text")
        yield f".{name}", part
