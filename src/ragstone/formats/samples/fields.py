"""The fields of one object: each is taken by name and checked, and what nobody took is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from ragstone.errors import FormatError
from ragstone.formats.jsonl import is_whole, shown
from ragstone.formats.samples.reading import Memory, Place
from ragstone.model import is_id

T = TypeVar("T")


class Fields:
    """An object of a file, or one inside it.

    Errors name the file, the place, the sample where its id is known, and the field.
    """

    def __init__(
        self,
        reading: Memory,
        place: Place,
        values: dict[str, Any],
        *,
        outer: Fields | None = None,
        path: str = "",
    ) -> None:
        """Keep the values. outer: the object of the sample; path: from there to this one."""
        self.reading, self.place, self.left = reading, place, dict(values)
        self.path = path
        self._outer, self._item = outer, ""

    @property
    def item(self) -> str:
        """The sample's id, empty as long as it is not known."""
        return self._outer.item if self._outer else self._item

    def claim(self, item: str) -> str:
        """Make it the sample's id; raises FormatError where another sample has it."""
        self._item = item
        return self.reading.claim(item, self.place)

    def error(self, problem: str) -> FormatError:
        """Build an error about this object."""
        who = f"sample {self.item!r}: " if self.item else ""
        return self.reading.error(f"{who}{problem}", self.place)

    def wrong(self, name: str, value: object, expected: str) -> FormatError:
        """Build an error about a field that is not what it should be."""
        return self.error(f"{self.path}{name} is {shown(value)}; {expected} was expected")

    def take(self, *names: str) -> tuple[str, Any]:
        """Take the first of some fields that is there and not null; return its name too."""
        for name in names:
            value = self.left.pop(name, None)
            if value is not None:
                return name, value
        return names[0], None

    def text(self, *names: str) -> str | None:
        """Take a text; it may be empty."""
        name, value = self.take(*names)
        return None if value is None else self.checked_text(name, value)

    def checked_text(self, name: str, value: object) -> str:
        """Return a text that is one; half a surrogate pair is none."""
        if not isinstance(value, str):
            raise self.wrong(name, value, "a text")
        if not is_whole(value):
            raise self.error(
                f"{self.path}{name} has half of a surrogate pair in it; whole characters only"
            )
        return value

    def texts(self, *names: str) -> tuple[str, ...] | None:
        """Take a list of texts."""
        return self.each(self.checked_text, *names, expected="a list of texts")

    def text_or_texts(self, *names: str) -> str | tuple[str, ...] | None:
        """Take a text, or several that stand for it."""
        name, value = self.take(*names)
        if value is None or isinstance(value, str):
            return None if value is None else self.checked_text(name, value)
        self.left[name] = value
        return self.each(self.checked_text, name, expected="a text or a list of texts")

    def each(
        self, read: Callable[[str, Any], T], *names: str, expected: str
    ) -> tuple[T, ...] | None:
        """Take a list and read each of its values, which have names such as `contexts[2]`."""
        name, values = self.take(*names)
        if values is None:
            return None
        if not isinstance(values, list):
            raise self.wrong(name, values, expected)
        return tuple(read(f"{name}[{number}]", value) for number, value in enumerate(values))

    def identifier(self, *names: str) -> str | None:
        """Take an id: a text, or an integer as its decimal text."""
        name, value = self.take(*names)
        return None if value is None else self.checked_id(name, value)

    def checked_id(self, name: str, value: object) -> str:
        """Return an id that is one."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not is_id(value):
            raise self.wrong(name, value, "an id (some text without tabs and line feeds)")
        return value

    def number(self, *names: str, least: float | None = 0.0) -> float | None:
        """Take a finite number, by default one that is not negative."""
        name, value = self.take(*names)
        if value is None:
            return None
        found = finite(value)
        if found is None or (least is not None and found < least):
            above = "" if least is None else f" of at least {least:g}"
            raise self.wrong(name, value, f"a finite number{above}")
        return found

    def count(self, *names: str) -> int | None:
        """Take a whole number that is not negative; 3.0 is one."""
        name, value = self.take(*names)
        if value is None:
            return None
        found = finite(value)
        if found is None or found < 0 or not found.is_integer():
            raise self.wrong(name, value, "a whole number of at least 0")
        return int(found)

    def flag(self, *names: str) -> bool | None:
        """Take true or false."""
        name, value = self.take(*names)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, value, "true or false")
        return value

    def inner(self, name: str, value: object, expected: str = "an object") -> Fields:
        """Return the fields of an object inside this one."""
        if not isinstance(value, dict):
            raise self.wrong(name, value, expected)
        path = f"{self.path}{name}."
        return Fields(self.reading, self.place, value, outer=self._outer or self, path=path)

    def object(self, *names: str) -> Fields | None:
        """Take an object."""
        name, value = self.take(*names)
        return None if value is None else self.inner(name, value)

    def rest(self, ignored: Sequence[str] = ()) -> dict[str, Any]:
        """Return what nobody took, and count it; what is ignored is neither kept nor counted."""
        kept = {name: value for name, value in self.left.items() if name not in ignored}
        for name in kept:
            self.reading.unknown[without_numbers(f"{self.path}{name}")] += 1
        return kept


def finite(value: object) -> float | None:
    """Return a finite number as a float; None for anything else.

    >>> finite(2), finite(True), finite("2"), finite(float("inf")), finite(10**400)
    (2.0, None, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def without_numbers(path: str) -> str:
    """Return a path that is the same for all entries of a list.

    >>> without_numbers("contexts[12].title")
    'contexts[].title'
    """
    return "".join(_without(path))


def _without(path: str) -> Iterator[str]:
    inside = False
    for char in path:
        if char == "]":
            inside = False
        if not inside:
            yield char
        if char == "[":
            inside = True
