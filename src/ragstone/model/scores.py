"""Scores: one value per item and measure, with its status and its signature."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, field

from ragstone.errors import InputError

FAILED_SAMPLES = "failed_samples"
"""The fact that counts the samples whose system failed; they may have values all the same."""

Scalar: TypeAlias = str | int | float
N = TypeVar("N", int, float)


class Status(IntEnum):
    """What a value is. The first two enter an aggregate, the others are counted beside it."""

    SCORED = 0
    DEFAULT = 1  # nothing was retrieved or answered, or nothing was relevant
    NOT_APPLICABLE = 2
    FAILED = 3

    @property
    def counts(self) -> bool:
        """Whether a value of this status enters an aggregate."""
        return self <= Status.DEFAULT


class Cell(NamedTuple):
    """One item's value under one measure, on its way into a Scores."""

    value: float
    status: Status = Status.SCORED
    weight: float = 0.0
    reason: str = ""
    note: str = ""


class Signature(Mapping[str, Scalar]):
    """What must be equal for two numbers to be compared.

    >>> Signature.of(judgments="ab", trec_eval="10").differences(Signature.of(judgments="cd"))
    (['judgments'], ['trec_eval'])
    """

    __slots__ = ("fields",)

    def __init__(self, fields: tuple[tuple[str, Scalar], ...] = ()) -> None:
        """Keep the fields, which ascend by name."""
        self.fields = fields

    def __eq__(self, other: object) -> bool:
        """Compare the fields."""
        return isinstance(other, Signature) and self.fields == other.fields

    def __hash__(self) -> int:
        """Hash the fields."""
        return hash(self.fields)

    def __repr__(self) -> str:
        """Print as keywords of Signature.of."""
        return f"Signature.of({', '.join(f'{name}={value!r}' for name, value in self.fields)})"

    @classmethod
    def of(cls, fields: Mapping[str, Scalar] | None = None, **more: Scalar) -> Signature:
        """Build one from a mapping, from keywords, or from both."""
        return cls(tuple(sorted({**(fields or {}), **more}.items())))

    def __getitem__(self, name: str) -> Scalar:
        """Return one field."""
        return dict(self.fields)[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the fields, ascending."""
        return (name for name, _ in self.fields)

    def __len__(self) -> int:
        """Count the fields."""
        return len(self.fields)

    def differences(self, other: Signature) -> tuple[list[str], list[str]]:
        """Return the fields that differ, and the fields that only one side has."""
        mine, theirs = dict(self.fields), dict(other.fields)
        shared = mine.keys() & theirs.keys()
        return sorted(f for f in shared if mine[f] != theirs[f]), sorted(
            mine.keys() ^ theirs.keys()
        )


UNSIGNED = Signature()


class Column(Struct, frozen=True):
    """One measure's values, one per item; a value that does not count is stored as 0.

    values and weights are arrays of C doubles, status one of C signed bytes; weights is None
    where the measure has no denominator. reasons and notes are keyed by the item's position.
    """

    values: array[float]
    status: array[int]
    weights: array[float] | None = None
    reasons: Mapping[int, str] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    signature: Signature = UNSIGNED

    def counted(self) -> Iterator[int]:
        """Return the positions whose value enters an aggregate."""
        return (i for i, status in enumerate(self.status) if status <= Status.DEFAULT)

    def value(self, position: int) -> float | None:
        """Return the value at a position, or None where it does not count."""
        return self.values[position] if self.status[position] <= Status.DEFAULT else None

    def tally(self) -> dict[Status, int]:
        """Count the items by status."""
        return {status: self.status.count(status) for status in Status}

    def at(self, positions: Sequence[int]) -> Column:
        """Return the column of the items at some positions, which ascend."""
        if len(positions) == len(self.values):
            return self
        moved = {old: new for new, old in enumerate(positions)}
        weights = self.weights
        return Column(
            array("d", [self.values[i] for i in positions]),
            array("b", [self.status[i] for i in positions]),
            None if weights is None else array("d", [weights[i] for i in positions]),
            {moved[i]: said for i, said in self.reasons.items() if i in moved},
            {moved[i]: said for i, said in self.notes.items() if i in moved},
            self.signature,
        )


class Scores(Struct, frozen=True):
    """One value per item and measure, and all that is needed to compare them.

    items are unique and ascend by code point; every column and every count has one entry per
    item. facts are file-level counters.
    """

    items: tuple[str, ...]
    columns: Mapping[str, Column]
    signature: Signature = UNSIGNED
    counts: Mapping[str, array[int]] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        """Count the items."""
        return len(self.items)

    def __getitem__(self, measure: str) -> Column:
        """Return a measure's column; measures print as their canonical name."""
        return self.columns[str(measure)]

    def signature_of(self, measure: str) -> Signature:
        """Return all that makes a column comparable: what is shared, and its own."""
        return Signature.of({**self.signature, **self.columns[measure].signature})

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns of plain values, as polars.DataFrame and pandas.DataFrame take them.

        A value that does not count is None.
        """
        table: dict[str, list[Any]] = {"id": list(self.items)}
        for name, counts in self.counts.items():
            table[name] = counts.tolist()
        for name, column in self.columns.items():
            table[name] = [column.value(i) for i in range(len(self.items))]
        return table


class ScoresBuilder:
    """Fills a Scores from a stream of items in any order, and sorts once.

    >>> builder = ScoresBuilder(["AP"], counts=["relevant"])
    >>> builder.add("q1", [Cell(0.5)], [3])
    >>> builder.build().to_dict()
    {'id': ['q1'], 'relevant': [3], 'AP': [0.5]}
    """

    def __init__(
        self, columns: Sequence[str], counts: Sequence[str] = (), weighted: Iterable[str] = ()
    ) -> None:
        """Name the columns, the counts, and the columns that keep their weights."""
        self._columns, self._counts = tuple(columns), tuple(counts)
        self._weighted = frozenset(weighted)
        self._places: dict[str, int] = {}
        # rows lie one behind the other, a number per column
        self._values, self._weights = array("d"), array("d")
        self._status, self._numbers = array("b"), array("q")
        self._reasons: dict[tuple[int, int], str] = {}
        self._notes: dict[tuple[int, int], str] = {}

    def add(self, item: str, cells: Sequence[Cell], counts: Sequence[int] = ()) -> None:
        """Add an item's cells and counts, in the order of the columns and counts.

        Raises InputError for a second row of an item and for a value that is not finite.
        """
        if item in self._places:
            raise InputError(f"item {item!r} has two rows; one was expected")
        if len(cells) != len(self._columns) or len(counts) != len(self._counts):
            raise ValueError(f"item {item!r}: one cell a column and one number a count is needed")
        values, weights = [cell.value for cell in cells], [cell.weight for cell in cells]
        if not math.isfinite(sum(values) + sum(weights)):
            self._refuse(item, values, weights)
        place = self._places[item] = len(self._places)
        self._values.extend(values)
        self._status.extend([cell.status for cell in cells])
        self._numbers.extend(counts)
        if self._weighted:
            self._weights.extend(weights)
        for column, cell in enumerate(cells):
            if cell.reason:
                self._reasons[column, place] = cell.reason
            if cell.note:
                self._notes[column, place] = cell.note

    def _refuse(self, item: str, values: Sequence[float], weights: Sequence[float]) -> None:
        """Raise if a number is not finite; a sum can be infinite where no number is."""
        for name, value, weight in zip(self._columns, values, weights, strict=True):
            for what, number in ((name, value), (f"the weight of {name}", weight)):
                if not math.isfinite(number):
                    raise InputError(f"item {item!r}: {what} is {number}, not a finite number")

    def __contains__(self, item: str) -> bool:
        """Tell whether an item has a row."""
        return item in self._places

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._places)

    def merge(self, other: ScoresBuilder) -> None:
        """Take over another builder's rows, of the same columns; an item in both is an error."""
        if twice := self._places.keys() & other._places.keys():
            raise InputError(f"item {min(twice)!r} has two rows; one was expected")
        offset = len(self._places)
        self._values.extend(other._values)
        self._weights.extend(other._weights)
        self._status.extend(other._status)
        self._numbers.extend(other._numbers)
        for mine, theirs in ((self._reasons, other._reasons), (self._notes, other._notes)):
            mine.update({(column, row + offset): said for (column, row), said in theirs.items()})
        self._places.update({item: row + offset for item, row in other._places.items()})

    def build(
        self,
        signature: Signature = UNSIGNED,
        columns: Mapping[str, Signature] = MappingProxyType({}),
        facts: Mapping[str, int] = MappingProxyType({}),
    ) -> Scores:
        """Sort by item and freeze; `columns` holds what is special to a column's signature."""
        items = tuple(sorted(self._places))
        order = [self._places[item] for item in items]
        return Scores(
            items,
            {
                name: self._column(i, order, columns.get(name, UNSIGNED))
                for i, name in enumerate(self._columns)
            },
            signature,
            {
                name: _picked(self._numbers, i, len(self._counts), order)
                for i, name in enumerate(self._counts)
            },
            dict(facts),
        )

    def _column(self, column: int, order: Sequence[int], signature: Signature) -> Column:
        width = len(self._columns)
        moved = {old: new for new, old in enumerate(order)}
        values = _picked(self._values, column, width, order)
        status = _picked(self._status, column, width, order)
        for place, one in enumerate(status):
            if one > Status.DEFAULT:
                values[place] = 0.0
        weighted = self._columns[column] in self._weighted
        return Column(
            values,
            status,
            _picked(self._weights, column, width, order) if weighted else None,
            {moved[row]: said for (i, row), said in self._reasons.items() if i == column},
            {moved[row]: said for (i, row), said in self._notes.items() if i == column},
            signature,
        )


def _picked(rows: array[N], column: int, width: int, order: Sequence[int]) -> array[N]:
    """Return one column of numbers that lie row by row, in another order of the rows."""
    numbers = rows[column::width]
    return array(rows.typecode, [numbers[row] for row in order])
