"""Labels of people beside the values of a measure, joined on the id of the item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragstone.errors import InputError, listed
from ragstone.formats.labels import Label, Labels
from ragstone.measures import parse_measure
from ragstone.measures.declaration import Direction
from ragstone.model import Scores

_SHOWN = 3


class Joined(NamedTuple):
    """Labels of one measure that have a value, and how many have none."""

    measure: str
    labels: tuple[Label, ...]
    values: tuple[float, ...]
    not_in_report: int
    without_value: int


class Sides(NamedTuple):
    """Where values come from: one report, or of preferences between two systems one for each."""

    first: Scores
    second: Scores

    @classmethod
    def of(cls, first: Scores, second: Scores | None) -> Sides:
        """Take the one report for both sides where there is no second."""
        return cls(first, first if second is None else second)

    @property
    def two(self) -> bool:
        """Whether there are two reports."""
        return self.first is not self.second


class Lookup:
    """The values of one measure by item; of a preference how much better the second is."""

    def __init__(self, measure: str, sides: Sides) -> None:
        """Index both sides; lower is better turns a difference round."""
        self.sides = sides
        self.first = _by_item(sides.first, measure)
        self.second = _by_item(sides.second, measure) if sides.two else self.first
        lower = parse_measure(measure).declaration.direction is Direction.LOWER
        self.sign = -1.0 if lower else 1.0

    def knows(self, item: str, second: str) -> bool:
        """Tell whether the reports have the items at all."""
        return item in self.first and (not second or second in self.second)

    def value(self, item: str, second: str) -> float | None:
        """Return the value, or the difference; None where it does not count."""
        one = self.first[item]
        if not second:
            return one
        other = self.second[second]
        return None if one is None or other is None else self.sign * (other - one)

    def unlabelled(self, labelled: set[tuple[str, str]], *, preference: bool) -> list[float]:
        """Return the values of the items without a label.

        Of preferences there are such only between two reports, which have the same items.
        """
        items: list[tuple[str, str]] = [(item, "") for item in self.first]
        if preference:
            shared = self.sides.two
            items = [(item, item) for item in self.first if item in self.second] if shared else []
        found = (self.value(*item) for item in items if item not in labelled)
        return [value for value in found if value is not None]


def _by_item(scores: Scores, measure: str) -> dict[str, float | None]:
    column = scores[measure]
    return {item: column.value(place) for place, item in enumerate(scores.items)}


def by_measure(
    labels: Labels, sides: Sides, asked: Sequence[str]
) -> tuple[dict[str, list[Label]], list[str]]:
    """Return the labels of each measure that both sides have, and warnings about the others.

    asked: the measures that are wanted, all by default. Raises InputError where none is left.
    """
    there = [name for name in sides.first.columns if name in sides.second.columns]
    wanted = [_canonical(name) for name in asked]
    for name, said in zip(wanted, asked, strict=True):
        if name not in there:
            raise InputError(f"{said}: the report has no such measure; it has {_listed(there)}")
    found: dict[str, list[Label]] = {}
    for label in labels.rows:
        name = _canonical(label.measure) if label.measure else _only(label, wanted, there, labels)
        found.setdefault(name, []).append(_between(label, sides, labels))
    kept = {name: found[name] for name in there if name in found and name in (wanted or found)}
    if missing := [name for name in wanted if name not in kept]:
        raise InputError(f"{labels.name}: has no label of {missing[0]}; it has {_listed(found)}")
    if not kept:
        raise InputError(
            f"{labels.name}: has labels of {_listed(found)}, and the report has values of "
            f"{_listed(there)}; a label's 'measure' is the name of a column of the report"
        )
    others = [name for name in found if name not in there]
    noted = [f"labels of {_listed(others)} were not used: the report has no such measure"]
    return kept, noted if others else []


def join(measure: str, rows: Sequence[Label], lookup: Lookup, labels: Labels) -> Joined:
    """Put the value beside each label; raises InputError where there is none at all."""
    kinds = {bool(label.second) for label in rows}
    if len(kinds) > 1:
        raise InputError(
            f"{labels.name}: {measure} has both labels of single items and preferences between "
            "two; put them into two files"
        )
    known = [label for label in rows if lookup.knows(*label.what)]
    if not known:
        theirs = ", ".join(repr(label.item) for label in rows[:_SHOWN])
        ours = ", ".join(map(repr, list(lookup.first)[:_SHOWN]))
        raise InputError(
            f"{labels.name}: no label of {measure} is of an item of the report; labels are of "
            f"{theirs}, ..., the report has {ours}, ..."
        )
    valued = [(label, lookup.value(*label.what)) for label in known]
    used = sorted(
        ((label, value) for label, value in valued if value is not None),
        key=lambda pair: (pair[0].what, pair[0].annotator),
    )
    if not used:
        raise InputError(
            f"{labels.name}: no labelled item has a value of {measure} (not applicable, or failed)"
        )
    return Joined(
        measure,
        tuple(label for label, _ in used),
        tuple(value for _, value in used),
        len(rows) - len(known),
        len(known) - len(used),
    )


def _canonical(name: str) -> str:
    try:
        return str(parse_measure(name))
    except InputError:
        return name


def _only(label: Label, wanted: Sequence[str], there: Sequence[str], labels: Labels) -> str:
    """Return the measure of a label that names none."""
    choices = wanted or there
    if len(choices) != 1:
        raise labels.error(
            f"the label of {label.item!r} has no 'measure'; name one of {_listed(choices)} in the "
            "row, or for the whole file with --measure",
            label.line,
        )
    return choices[0]


def _between(label: Label, sides: Sides, labels: Labels) -> Label:
    """Return a label as a preference where there are two reports: an id is then of both."""
    if sides.two and not label.second:
        return label._replace(second=label.item)
    if not sides.two and label.second == label.item:
        raise labels.error(
            f"{label.item!r} is compared with itself; two ids, or a second report (--second), "
            "were expected",
            label.line,
        )
    return label


def _listed(names: Sequence[str] | Mapping[str, object]) -> str:
    return listed(list(names), 8) or "no measure"
