"""Whether the rows of a report are those that it says it keeps, and can be values at all."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import UNSET

from ragstone.errors import InputError
from ragstone.measures import Measure, parse_measure
from ragstone.model import Status
from ragstone.reports.checks import TOLERANCE, differs, same
from ragstone.reports.problem import Problem, child, shown
from ragstone.reports.rows import Rows, parse_rows
from ragstone.reports.table import Statistics, Table, TableColumn

TABLE = "$.predicate.scores"
AT_MOST = (("hits", "relevant"), ("hits", "retrieved"), ("relevant", "judged"))
"""Counts of which the first is never above the second."""

FREE = "free"
"""The assignment of texts that lets a gold text be found more than once."""


def row_faults(table: Table) -> Iterator[Problem]:
    """Check the policy, the counts, and each column of a sound table."""
    yield from _policy_faults(table)
    yield from _count_faults(table)
    yield from _fact_faults(table)
    for name in table.order:
        yield from _column_faults(table, name, child(f"{TABLE}.columns", name))


def range_faults(table: Table) -> Iterator[Problem]:
    """Find values that their measure cannot have; a measure that is not known has no range."""
    for name in table.order:
        try:
            measure = parse_measure(name)
        except InputError:
            continue
        column = table.columns[name]
        low, high = _range(column, measure)
        known = [value for value in column.values if value is not None]
        if known and not low - TOLERANCE <= min(known) <= max(known) <= high + TOLERANCE:
            yield from _range_faults(column, measure, child(f"{TABLE}.columns", name))


def total(table: Table) -> int:
    """Return how many items there were."""
    return len(table.items) if table.total is UNSET else table.total


def _policy_faults(table: Table) -> Iterator[Problem]:
    try:
        rows = parse_rows(table.rows)
    except InputError:
        wanted = "all, none, failed or worst:N:MEASURE was expected"
        yield Problem(f"{TABLE}.rows", f"is {shown(table.rows)}; {wanted}")
        return
    yield from _presence_faults(table, rows)
    most = _most(table, rows)
    if most is not None and len(table.items) != most:
        message = f"has {len(table.items)} entries; {most} were expected with rows {rows}"
        yield Problem(f"{TABLE}.items", message)
    if len(table.items) > total(table):
        yield Problem(f"{TABLE}.total", f"is {table.total}; there are {len(table.items)} items")
    if rows.name == "failed":
        yield from _not_failed(table)


def _presence_faults(table: Table, rows: Rows) -> Iterator[Problem]:
    """Check that what stands for the missing rows is there exactly where rows are missing."""
    partial = rows.name != "all"
    parts: dict[str, object] = {f"{TABLE}.total": table.total, f"{TABLE}.digest": table.digest}
    for name, column in table.columns.items():
        parts[f"{child(f'{TABLE}.columns', name)}.statistics"] = column.statistics
    for path, part in parts.items():
        if (part is not UNSET) != partial:
            state, wanted = ("missing", "needed") if partial else ("there", "left out")
            yield Problem(path, f"is {state}; with rows {rows} it is {wanted}")


def _most(table: Table, rows: Rows) -> int | None:
    """Return how many items a policy keeps, where that is known."""
    if rows.name == "none":
        return 0
    column = table.columns.get(rows.measure)
    if rows.name != "worst" or column is None or column.statistics is UNSET:
        return None
    return min(rows.most, column.statistics.scored + column.statistics.default)


def _not_failed(table: Table) -> Iterator[Problem]:
    columns = [column.status for column in table.columns.values() if column.status is not UNSET]
    for place, item in enumerate(table.items):
        if all(status[place] != Status.FAILED for status in columns):
            message = f"is {shown(item)}, which failed under no measure"
            yield Problem(f"{TABLE}.items[{place}]", message)


def _count_faults(table: Table) -> Iterator[Problem]:
    free = any(column.signature.get("assignment") == FREE for column in table.columns.values())
    for less, more in AT_MOST:
        if free and (less, more) == ("hits", "relevant"):
            continue
        pairs = zip(table.counts.get(less, ()), table.counts.get(more, ()), strict=False)
        for place, (low, high) in enumerate(pairs):
            if low > high:
                path = f"{TABLE}.counts.{less}[{place}]"
                yield Problem(path, f"is {low}; at most {high} was expected, its {more} count")


def _fact_faults(table: Table) -> Iterator[Problem]:
    queries = table.facts.get("queries")
    if queries is not None and queries != total(table):
        yield differs(f"{TABLE}.facts.queries", queries, total(table), "there are so many items")
    for name, fact in table.facts.items():
        if name.startswith("queries_without_") and fact > total(table):
            message = f"is {fact}; at most {total(table)} was expected, the number of items"
            yield Problem(child(f"{TABLE}.facts", name), message)


def _column_faults(table: Table, name: str, path: str) -> Iterator[Problem]:
    column = table.columns[name]
    if column.status is not UNSET and not any(column.status):
        yield Problem(f"{path}.status", "is all 0; it is left out where every value is scored")
    if "measure_version" not in column.signature:
        yield Problem(f"{path}.signature", "has no field 'measure_version'")
    if column.weights is not UNSET:
        for place, weight in enumerate(column.weights):
            if weight < 0:
                yield Problem(f"{path}.weights[{place}]", f"is {weight}; a weight is at least 0")
    try:
        measure = parse_measure(name)
    except InputError as error:
        yield Problem(path, f"is not a measure that this version of ragstone knows: {error}")
        return
    if str(measure) != name:
        yield Problem(path, f"is not a canonical name; {shown(str(measure))} was expected")
    yield from _range_faults(column, measure, path)
    if column.statistics is not UNSET:
        yield from _statistics_faults(column.statistics, total(table), f"{path}.statistics")


def _range(column: TableColumn, measure: Measure) -> tuple[float, float]:
    """Return what a measure's values are from and to; free matching can count a gold twice."""
    low, high = measure.declaration.range
    return low, math.inf if column.signature.get("assignment") == FREE else high


def _range_faults(column: TableColumn, measure: Measure, path: str) -> Iterator[Problem]:
    low, high = _range(column, measure)
    for place, value in enumerate(column.values):
        if value is None:
            continue
        if not low - TOLERANCE <= value <= high + TOLERANCE:
            message = f"is {value}; {measure} is from {low:g} to {high:g}"
            yield Problem(f"{path}.values[{place}]", message)
        elif measure.declaration.binary and value not in {0.0, 1.0}:
            yield Problem(f"{path}.values[{place}]", f"is {value}; {measure} is 0 or 1")
    kept = column.statistics
    if kept is UNSET or kept.min is None or kept.max is None:
        return
    if kept.min < low - TOLERANCE or kept.max > high + TOLERANCE:
        message = f"go from {kept.min} to {kept.max}; {measure} is from {low:g} to {high:g}"
        yield Problem(f"{path}.statistics", message)
    for place, value in enumerate(column.values):
        if value is not None and not kept.min <= value <= kept.max:
            message = f"is {value}; its statistics go from {kept.min} to {kept.max}"
            yield Problem(f"{path}.values[{place}]", message)


def _statistics_faults(kept: Statistics, items: int, path: str) -> Iterator[Problem]:
    counted = kept.scored + kept.default
    found = counted + kept.not_applicable + kept.failed
    if found != items:
        yield Problem(path, f"count {found} items; {items} were expected, the total")
    if not counted:
        wrong = (kept.min, kept.max) != (None, None) or kept.sum or kept.sum_of_squares
        if wrong:
            yield Problem(path, "have numbers, though no item counts")
        return
    if kept.min is None or kept.max is None or kept.min > kept.max:
        yield Problem(path, f"go from {shown(kept.min)} to {shown(kept.max)}, which cannot be")
        return
    low, high = sorted((kept.min * counted, kept.max * counted))
    if not (low <= kept.sum <= high or same(kept.sum, low) or same(kept.sum, high)):
        message = f"is {kept.sum}; {counted} values from {kept.min} to {kept.max} cannot sum to it"
        yield Problem(f"{path}.sum", message)
    least = kept.sum * kept.sum / counted
    if kept.sum_of_squares < least and not same(kept.sum_of_squares, least):
        message = f"is {kept.sum_of_squares}; at least {least} was expected"
        yield Problem(f"{path}.sum_of_squares", message)
