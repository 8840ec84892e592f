"""What can be wrong with the rows of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import UNSET

from ragstone.model import Status
from ragstone.reports.problem import Problem, child, shown
from ragstone.reports.table import Table, TableColumn


def table_faults(table: Table, path: str) -> Iterator[Problem]:
    """Find what makes a table unreadable: lengths, order, names, statuses.

    >>> table = Table(rows="all", items=["b", "a"], order=[], columns={}, counts={}, facts={})
    >>> next(table_faults(table, "$.predicate.scores")).message
    'is "a" after "b"; items are unique and ascend by code point'
    """
    yield from order_faults(table.items, f"{path}.items")
    if sorted(table.order) != sorted(table.columns):
        yield Problem(f"{path}.order", "is not the names of the columns, each once")
    for name, counts in table.counts.items():
        yield from length_faults(counts, len(table.items), child(f"{path}.counts", name))
    for name, column in table.columns.items():
        yield from _column_faults(column, table.items, child(f"{path}.columns", name))


def order_faults(items: Sequence[str], path: str) -> Iterator[Problem]:
    """Find items that do not ascend, or stand twice."""
    for place, (before, item) in enumerate(pairwise(items), 1):
        if before >= item:
            found = f"is {shown(item)} after {shown(before)}"
            yield Problem(f"{path}[{place}]", f"{found}; items are unique and ascend by code point")


def length_faults(found: Sequence[object], wanted: int, path: str) -> Iterator[Problem]:
    """Check that there is an entry for each item."""
    if len(found) != wanted:
        yield Problem(path, f"has {len(found)} entries; {wanted} were expected")


def _column_faults(column: TableColumn, items: list[str], path: str) -> Iterator[Problem]:
    status = [0] * len(column.values) if column.status is UNSET else column.status
    yield from length_faults(column.values, len(items), f"{path}.values")
    yield from length_faults(status, len(column.values), f"{path}.status")
    if column.weights is not UNSET:
        yield from length_faults(column.weights, len(items), f"{path}.weights")
    for name, texts in (("reasons", column.reasons), ("notes", column.notes)):
        for item in sorted(texts.keys() - set(items)):
            yield Problem(f"{path}.{name}", f"names {shown(item)}, which is not among the items")
    if None in column.values or any(status):
        yield from _value_faults(column.values, status, f"{path}.values")


def _value_faults(
    values: Sequence[float | None], status: Sequence[int], path: str
) -> Iterator[Problem]:
    for place, (value, code) in enumerate(zip(values, status, strict=False)):
        counts = code <= Status.DEFAULT
        if counts == (value is None):
            wanted = "a number was" if counts else "null was"
            yield Problem(
                f"{path}[{place}]",
                f"is {shown(value)} with status {code} ({Status(code).name}); {wanted} expected",
            )
