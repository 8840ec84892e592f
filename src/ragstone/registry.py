"""One shape for everything that is looked up by name.

Layer: model | registry | progress | processes | usercode. Imports errors only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar, cast

from ragstone.errors import UnknownNameError

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """Names, with aliases, to values; an unknown name is answered with the nearest.

    >>> colours = Registry[int]("colour")
    >>> colours.add("red", 0xFF0000, aliases=["rouge"])
    >>> colours["rouge"] == colours["red"]
    True
    >>> colours["redd"]
    Traceback (most recent call last):
    ragstone.errors.UnknownNameError: unknown colour 'redd'; did you mean red?
    """

    def __init__(self, noun: str, fold: Callable[[str], str] = str) -> None:
        """Start an empty registry; `noun` is the word its errors use.

        Names that `fold` makes equal are one name. `families` make the value of a name that
        nobody has registered, where it is one of theirs, as rubric.NAME of measures.
        """
        self.noun = noun
        self._fold = fold
        self._values: dict[str, T] = {}
        self._names: dict[str, str] = {}
        self.families: list[Callable[[str], T | None]] = []

    def add(self, name: str, value: T, aliases: Iterable[str] = ()) -> None:
        """Register `value`; a name or alias that is taken is a programming error."""
        for alias in {self._fold(known) for known in (name, *aliases)}:
            if alias in self._names:
                raise ValueError(f"{self.noun} {alias!r} is registered twice")
            self._names[alias] = name
        self._values[name] = value

    def resolve(self, name: str) -> str:
        """Return the canonical name of a name or an alias."""
        canonical = self._names.get(self._fold(name))
        if canonical is None and self._of_a_family(name) is not None:
            return self._fold(name)
        if canonical is None:
            own = {self._fold(known) for known in self._values}
            aliases = [alias for alias in self._names if alias not in own]
            raise UnknownNameError(self.noun, name, [*self._values, *aliases])
        return canonical

    def _of_a_family(self, name: str) -> T | None:
        found = (family(self._fold(name)) for family in self.families)
        return next((value for value in found if value is not None), None)

    def __getitem__(self, name: str) -> T:
        """Return what is registered under a name or an alias."""
        canonical = self.resolve(name)
        if canonical in self._values:
            return self._values[canonical]
        return cast("T", self._of_a_family(canonical))

    def __contains__(self, name: object) -> bool:
        """Tell whether a name or an alias is known."""
        if not isinstance(name, str):
            return False
        return self._fold(name) in self._names or self._of_a_family(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Go through the canonical names in the order of registration."""
        return iter(self._values)

    def __len__(self) -> int:
        """Count the canonical names."""
        return len(self._values)
