"""From a model's text to one JSON object, or the reason why there is none."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_FENCE = re.compile(r"```[ \t]*(?:json[c5]?)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
EXCERPT = 80


class UnusableReplyError(Exception):
    """A reply without a usable answer. reason: a code; repairable: whether to ask once more."""

    def __init__(self, reason: str, message: str, *, repairable: bool = True) -> None:
        """Keep the code."""
        super().__init__(message)
        self.reason, self.message, self.repairable = reason, message, repairable


class _StrictError(ValueError):
    """JSON that Python would read and nobody should."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def read_object(text: str) -> dict[str, Any]:
    r"""Return the one JSON object of a reply: alone, in a fence, or with prose around it.

    Raises UnusableReplyError: `empty`, `not_json`, `not_an_object`, `several_objects`,
    `duplicate_keys`, `not_finite` (NaN, Infinity) and `not_text` (half of a surrogate pair).

    >>> read_object('```json\n{"verdict": "no"}\n```'), read_object('Well: {"verdict": "no"}.')
    ({'verdict': 'no'}, {'verdict': 'no'})
    """
    text = _THOUGHT.sub("", text.lstrip("\ufeff"), count=1).strip()
    if not text:
        raise UnusableReplyError("empty", "the reply is empty")
    found = _found(text)
    if "\\u" in text:
        _check_texts(found)
    return found


def _check_texts(found: dict[str, Any]) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UnusableReplyError(
            "not_text", "the reply has half of a surrogate pair in it, which is no text"
        ) from None


def _found(text: str) -> dict[str, Any]:
    try:
        return _object(text)
    except json.JSONDecodeError:
        pass
    fences = _FENCE.findall(text)
    if len(fences) > 1:
        raise UnusableReplyError("several_objects", f"the reply has {len(fences)} blocks of code")
    return _around(fences[0].strip() if fences else text)


def _object(text: str) -> dict[str, Any]:
    try:
        found = _DECODER.decode(text)
    except _StrictError as error:
        raise UnusableReplyError(error.reason, str(error)) from None
    except RecursionError:
        raise UnusableReplyError("not_json", "the reply is nested too deep") from None
    if not isinstance(found, dict):
        kind = {list: "a list", str: "a text", type(None): "null"}.get(type(found), "a number")
        raise UnusableReplyError("not_an_object", f"the reply is {kind}; one object was expected")
    return found


def _around(text: str) -> dict[str, Any]:
    """Find the one object in a text; a brace that begins none ends the search.

    What stands inside of an object that was cut off is not the answer.
    """
    found: list[dict[str, Any]] = []
    start = text.find("{")
    while start >= 0:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except _StrictError as error:
            raise UnusableReplyError(error.reason, str(error)) from None
        except (json.JSONDecodeError, RecursionError) as error:
            raise UnusableReplyError("not_json", _not_json(text, error)) from None
        found.append(value)
        start = text.find("{", end)
    if len(found) != 1:
        reason = "several_objects" if found else "not_json"
        what = f"{len(found)} objects" if found else "no JSON"
        raise UnusableReplyError(reason, f"the reply has {what} in it; one object was expected")
    return found[0]


def _not_json(text: str, error: Exception) -> str:
    place = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
    return f"the reply is not JSON{place}: {' '.join(text.split())[:EXCERPT]!r}"


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _StrictError("duplicate_keys", f"the reply has the key {twice!r} twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise _StrictError("not_finite", f"the reply has {name} in it, which is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
