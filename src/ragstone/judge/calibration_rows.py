"""Labels beside values on one scale, and what both figures and slices need of them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragstone.formats.labels import Label
from ragstone.judge.calibration_scale import Scale
from ragstone.measures import parse_measure
from ragstone.statistics import Draws, cohen_kappa


class Row(NamedTuple):
    """A label beside its value.

    number, value: as they were given; people, measure: as points of one scale where there is one.
    codes: the categories of both, where there are categories.
    """

    item: str
    second: str
    annotator: str
    people: float
    measure: float
    number: float
    value: float
    codes: tuple[int, int] | None = None

    @property
    def what(self) -> tuple[str, str]:
        """What was labelled: the item, and of a preference the second one."""
        return self.item, self.second


class Rated(NamedTuple):
    """All rows of one measure, and how they are to be compared."""

    measure: str
    rows: Sequence[Row]
    scale: Scale
    weights: str
    draws: Draws

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest label that there can be, as far as that is known."""
        if self.scale.points:
            return self.scale.points[0], self.scale.points[-1]
        low, high = parse_measure(self.measure).declaration.range
        return (low, high) if self.comparable else (-math.inf, math.inf)

    @property
    def comparable(self) -> bool:
        """Whether a label and a value are numbers of the same scale."""
        if self.scale.kind != "continuous":
            return True
        low, high = parse_measure(self.measure).declaration.range
        return all(low <= row.number <= high for row in self.rows)

    def clusters(self) -> list[list[Row]]:
        """Return the rows of each item."""
        found = defaultdict[tuple[str, str], list[Row]](list)
        for row in self.rows:
            found[row.what].append(row)
        return list(found.values())

    def table(self, codes: Iterable[tuple[int, int]]) -> list[list[int]]:
        """Count pairs of categories."""
        size = range(len(self.scale.points))
        counts = Counter(codes)
        return [[counts[i, j] for j in size] for i in size]

    def kappa(self, codes: Iterable[tuple[int, int]]) -> float | None:
        """Return the kappa that counts; None without categories, or where it is not defined."""
        return cohen_kappa(self.table(codes), self.weights) if self.scale.points else None


def codes_of(rows: Iterable[Row]) -> list[tuple[int, int]]:
    """Return the categories of rows that have some."""
    return [row.codes for row in rows if row.codes is not None]


def row_of(label: Label, number: float, value: float, scale: Scale) -> Row:
    """Put a label, a number by now, and its value on the scale."""
    who = (*label.what, label.annotator)
    if scale.kind == "continuous":
        return Row(*who, number, value, number, value)
    codes = scale.of_label(number), scale.of_value(value)
    if scale.kind == "preference" or scale.threshold is not None:
        people, measure = (scale.points[code] for code in codes)
        return Row(*who, people, measure, number, value, codes)
    return Row(*who, number, value, number, value, codes)


def item_means(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    """Return of each item the mean of its labels, and its value."""
    people = defaultdict[tuple[str, str], list[float]](list)
    measure: dict[tuple[str, str], float] = {}
    for row in rows:
        people[row.item, row.second].append(row.people)
        measure[row.item, row.second] = row.measure
    return [sum(labels) / len(labels) for labels in people.values()], list(measure.values())
