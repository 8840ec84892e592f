"""Scores as they are written: by column, in the order of the items."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from ragstone.model import Column, Scalar, Scores, Signature, Status

SHA256: Final = "^[0-9a-f]{64}$"

Sha256: TypeAlias = Annotated[str, Meta(pattern=SHA256, max_length=64)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Code: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Fields: TypeAlias = dict[str, str | int | float]


class Statistics(Struct, frozen=True, kw_only=True):
    """What is kept of a column whose rows are not all written; sums over the items that count."""

    scored: Count
    default: Count
    not_applicable: Count
    failed: Count
    sum: float
    sum_of_squares: float
    min: float | None
    max: float | None
    weights_sum: float | UnsetType = UNSET
    weighted_sum: float | UnsetType = UNSET


class TableColumn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One measure: a value per item, null where it does not count.

    `status` is left out where every value is scored. `reasons` and `notes` are keyed by item.
    """

    values: list[float | None]
    status: list[Code] | UnsetType = UNSET
    weights: list[float] | UnsetType = UNSET
    reasons: dict[str, str] = {}
    notes: dict[str, str] = {}
    signature: Fields = {}
    statistics: Statistics | UnsetType = UNSET


class Table(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Items, columns, counts per item, and facts about the files.

    `rows` says which items are here. Where it is not `all`, `total` is how many there were and
    `digest` the sha256 of this object with all rows, in canonical form. `order` has the names
    of the columns in the order in which they were asked for.
    """

    rows: str
    items: list[str]
    order: list[str]
    columns: dict[str, TableColumn]
    counts: dict[str, list[Count]]
    facts: dict[str, Count]
    total: Count | UnsetType = UNSET
    digest: Sha256 | UnsetType = UNSET


def to_table(scores: Scores) -> Table:
    """Write Scores out, all rows; its shared signature stands beside the table in a report."""
    items = scores.items
    return Table(
        rows="all",
        items=list(items),
        order=list(scores.columns),
        columns={name: _to_column(items, column) for name, column in scores.columns.items()},
        counts={name: counts.tolist() for name, counts in scores.counts.items()},
        facts=dict(scores.facts),
    )


def from_table(table: Table, signature: Mapping[str, Scalar]) -> Scores:
    """Read back the items that a table has; the table must be sound (see table_faults)."""
    places = {item: place for place, item in enumerate(table.items)}
    return Scores(
        tuple(table.items),
        {name: _from_column(places, table.columns[name]) for name in table.order},
        Signature.of(signature),
        {name: array("q", counts) for name, counts in table.counts.items()},
        dict(table.facts),
    )


def _to_column(items: tuple[str, ...], column: Column) -> TableColumn:
    values: list[float | None] = list(column.values)
    if any(status > Status.DEFAULT for status in column.status):
        values = [column.value(place) for place in range(len(items))]
    return TableColumn(
        values=values,
        status=column.status.tolist() if any(column.status) else UNSET,
        weights=UNSET if column.weights is None else column.weights.tolist(),
        reasons={items[place]: text for place, text in column.reasons.items()},
        notes={items[place]: text for place, text in column.notes.items()},
        signature=dict(column.signature),
    )


def _from_column(places: Mapping[str, int], column: TableColumn) -> Column:
    values: Iterable[float] = (0.0 if value is None else value for value in column.values)
    status = bytes(len(column.values)) if column.status is UNSET else column.status
    return Column(
        array("d", values),
        array("b", status),
        None if column.weights is UNSET else array("d", column.weights),
        {places[item]: text for item, text in column.reasons.items()},
        {places[item]: text for item, text in column.notes.items()},
        Signature.of(column.signature),
    )
