"""Plain JSON in bytes: nothing but dicts, lists, texts, finite numbers, true, false and null."""

from __future__ import annotations

import math

import msgspec

from ragstone.errors import InputError

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
    _check(value, "$")
    try:
        return encoder.encode(value)
    except UnicodeEncodeError as error:
        raise InputError(f"{error.object!r:.80} is not text that UTF-8 can hold") from None


def _check(value: object, path: str) -> None:
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{path} is {value}; only finite numbers are kept")
    elif isinstance(value, list | tuple):
        for place, part in enumerate(value):
            _check(part, f"{path}[{place}]")
    elif isinstance(value, dict):
        for name, part in value.items():
            if not isinstance(name, str):
                raise TypeError(f"{path} has the key {name!r:.80}, which is no text")
            _check(part, f"{path}.{name}")
    else:
        raise TypeError(f"{path} is a {type(value).__name__}, which is not plain JSON")
