"""Attributes of a span: from OTLP's typed values to plain ones, taken by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ragstone.formats.samples.chat import parsed
from ragstone.formats.samples.fields import finite

_NUMBER = re.compile(r"\.\d+(?=\.|$)")


class Attributes:
    """Attributes by name; what nobody took is kept."""

    def __init__(self, values: Any) -> None:
        """Read OTLP's list of key and value."""
        pairs = values if isinstance(values, list) else []
        self._left: dict[str, Any] = {
            str(pair["key"]): plain_value(pair.get("value"))
            for pair in pairs
            if isinstance(pair, Mapping) and "key" in pair
        }

    def has(self, prefix: str) -> bool:
        """Tell whether a name begins so."""
        return any(name.startswith(prefix) for name in self._left)

    def take(self, *names: str) -> Any:
        """Take the first of some attributes that is there and not null."""
        for name in names:
            value = self._left.pop(name, None)
            if value is not None:
                return value
        return None

    def text(self, *names: str) -> str | None:
        """Take the first that is a text; others stay."""
        return next((self._left.pop(name) for name in names if self._is(name, str)), None)

    def count(self, *names: str) -> int | None:
        """Take the first that is a whole number of at least 0; OTLP writes integers as texts."""
        for name in names:
            number = finite(self._left.get(name))
            if number is not None and number >= 0 and number.is_integer():
                del self._left[name]
                return int(number)
        return None

    def number(self, *names: str) -> float | None:
        """Take the first that is a finite number of at least 0."""
        for name in names:
            number = finite(self._left.get(name))
            if number is not None and number >= 0:
                del self._left[name]
                return number
        return None

    def json(self, *names: str) -> Any:
        """Take the first that is there; a text of JSON is read."""
        return parsed(self.take(*names))

    def nested(self, prefix: str) -> Any:
        """Take all that begins with a name, which were one value once: lists have numbers.

        `a.0.b` and `a.1.b` become a list of two objects with b.
        """
        found = {name: self._left[name] for name in self._left if name.startswith(f"{prefix}.")}
        for name in found:
            del self._left[name]
        tree: dict[str, Any] = {}
        for name, value in found.items():
            *path, last = name.removeprefix(f"{prefix}.").split(".")
            inner = tree
            for part in path:
                inner = inner.setdefault(part, {})
                if not isinstance(inner, dict):
                    break
            else:
                inner[last] = value
        return _lists(tree)

    def left(self) -> dict[str, Any]:
        """Return what nobody took."""
        return dict(self._left)

    @staticmethod
    def without_numbers(name: str) -> str:
        """Return a name that is the same for all entries of a list.

        >>> Attributes.without_numbers("llm.tools.0.tool.json_schema")
        'llm.tools.[].tool.json_schema'
        """
        return _NUMBER.sub(".[]", name)

    def _is(self, name: str, kind: type) -> bool:
        return isinstance(self._left.get(name), kind)


def plain_value(value: Any) -> Any:
    """Return one of OTLP's typed values as JSON has it.

    >>> plain_value({"arrayValue": {"values": [{"intValue": "3"}, {"stringValue": "a"}]}})
    [3, 'a']
    """
    if not isinstance(value, Mapping):
        return value
    for name, inner in value.items():
        if name == "intValue":
            return int(inner) if isinstance(inner, str) and inner.lstrip("-").isdigit() else inner
        if name == "arrayValue":
            return [plain_value(each) for each in _values(inner)]
        if name == "kvlistValue":
            pairs = [each for each in _values(inner) if isinstance(each, Mapping)]
            return {str(each.get("key")): plain_value(each.get("value")) for each in pairs}
        return inner
    return None


def _values(value: Any) -> Iterable[Any]:
    values = value.get("values") if isinstance(value, Mapping) else None
    return values if isinstance(values, list) else []


def _lists(tree: Any) -> Any:
    """Make lists of objects whose names are all numbers."""
    if not isinstance(tree, dict):
        return tree
    inner = {name: _lists(value) for name, value in tree.items()}
    if inner and all(name.isdecimal() for name in inner):
        return [inner[name] for name in sorted(inner, key=int)]
    return inner
