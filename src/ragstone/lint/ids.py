"""Ids that a person takes for the same and a program does not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import combinations

from ragstone.text import normalise

_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")


def folded(name: str) -> str:
    """Return an id without blanks, case, Unicode form and leading zeros of its numbers.

    >>> folded(" Doc-007"), folded("doc-7"), folded("v1.07"), folded("0")
    ('doc-7', 'doc-7', 'v1.07', '0')
    """
    return _ZEROS.sub("", _unblanked(normalise(name)))


def difference(one: str, other: str) -> str:
    """Say in what two ids with one folded form differ.

    >>> difference("Doc 7", "doc7"), difference("007", "7")
    ('blanks and case', 'leading zeros')
    """
    for number in range(1, len(_FOLDS)):
        for some in combinations(_FOLDS, number):
            if _without(some, one) == _without(some, other):
                return " and ".join(some)
    return " and ".join(_FOLDS)


def looks_like(name: str, twin: str) -> str:
    """Say of an id that it is another but for its form.

    >>> looks_like("D7", "d7")
    "'D7' differs only in case from 'd7'"
    """
    return f"{name!r} differs only in {difference(name, twin)} from {twin!r}"


class Ids:
    """The ids of one file, and which of them is another in its form only.

    Beside the ids themselves only those that are not in their folded form cost memory.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Start with some ids, or none."""
        self._known: set[str] = set()
        self._by_form: dict[str, str] = {}
        for name in names:
            self.add(name)

    def __contains__(self, name: object) -> bool:
        """Tell whether exactly this id is there."""
        return name in self._known

    def __len__(self) -> int:
        """Count the ids."""
        return len(self._known)

    def add(self, name: str) -> str | None:
        """Add an id; return one that was there and differs from it in form only."""
        form = folded(name)
        twin = self._twin(name, form)
        self._known.add(name)
        if form != name:
            self._by_form.setdefault(form, name)
        return twin

    def twin(self, name: str) -> str | None:
        """Return an id that differs from `name` in form only."""
        return self._twin(name, folded(name))

    def _twin(self, name: str, form: str) -> str | None:
        if form != name and form in self._known:
            return form
        other = self._by_form.get(form)
        return None if other == name else other


def _unblanked(name: str) -> str:
    return "".join(name.split())


def _composed(name: str) -> str:
    seen = "".join(char for char in name if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", seen)


_FOLDS: dict[str, Callable[[str], str]] = {
    "Unicode form": _composed,
    "blanks": _unblanked,
    "case": str.lower,
    "leading zeros": lambda name: _ZEROS.sub("", name),
}


def _without(some: Iterable[str], name: str) -> str:
    for each in some:
        name = _FOLDS[each](name)
    return name
