"""What must follow from the rows of a score report."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from msgspec import UNSET, convert

from ragstone.errors import InputError
from ragstone.gate import FloorResult
from ragstone.measures import parse_aggregate
from ragstone.reports.checks import differs, same
from ragstone.reports.faults import table_faults
from ragstone.reports.problem import Problem, child, shown
from ragstone.reports.recompute import Aggregates, Recomputed
from ragstone.reports.row_checks import TABLE, row_faults
from ragstone.reports.score import ScoreDetails, outcome
from ragstone.reports.statement import Predicate, Statement

SUMMARY = "$.predicate.summary"
FLOORS = "$.predicate.details.floors"
ROWS = "it follows from the rows"


def score_faults(statement: Statement) -> Iterator[Problem]:
    """Check rows, statistics, aggregates, floors and verdict of a score report."""
    predicate = statement.predicate
    aggregates = yield from summary_faults(predicate)
    if aggregates:
        yield from floor_faults(predicate, aggregates)
        yield from _verdict_faults(predicate)


def summary_faults(predicate: Predicate) -> Generator[Problem, None, Aggregates | None]:
    """Check rows, statistics and aggregates of any report that has them.

    Returns what computes aggregates again, or None where the rows cannot be read.
    """
    if predicate.scores is UNSET:
        return None
    broken = list(table_faults(predicate.scores, TABLE))
    yield from broken
    if broken:
        return None
    yield from row_faults(predicate.scores)
    aggregates = Aggregates(predicate.scores)
    for name, value in predicate.summary.items():
        yield from _value_faults(aggregates, name, value, child(SUMMARY, name))
    return aggregates


def _value_faults(
    aggregates: Aggregates, name: str, value: float | None, path: str
) -> Iterator[Problem]:
    """Check an aggregate's name, and its value against the rows."""
    try:
        aggregate = parse_aggregate(name)
        wanted = aggregates.of(aggregate)
    except InputError as error:
        yield Problem(path, f"cannot be computed again: {error}")
        return
    if str(aggregate) != name:
        yield Problem(path, f"is not a canonical name; {shown(str(aggregate))} was expected")
    if same(wanted.low, wanted.high):
        if not same(value, wanted.low):
            yield differs(path, value, wanted.low, ROWS)
    elif not _between(value, wanted):
        message = f"is {shown(value)}; a number from {wanted.low} to {wanted.high} was expected"
        yield Problem(path, message)


def _between(value: float | None, wanted: Recomputed) -> bool:
    if value is None or wanted.low is None or wanted.high is None:
        return False
    return wanted.low <= value <= wanted.high


def floor_faults(predicate: Predicate, aggregates: Aggregates) -> Iterator[Problem]:
    """Check the floors of any report that has them."""
    details: ScoreDetails = predicate.details
    for place, floor in enumerate(details.floors):
        path = f"{FLOORS}[{place}]"
        yield from _value_faults(aggregates, floor.name, floor.value, f"{path}.value")
        holds = convert(floor, FloorResult, from_attributes=True).passed
        if floor.passed != holds:
            yield differs(f"{path}.passed", floor.passed, holds, "it follows from value")


def _verdict_faults(predicate: Predicate) -> Iterator[Problem]:
    details: ScoreDetails = predicate.details
    wanted, _ = outcome(details.floors)
    if predicate.finding != wanted:
        because = "it follows from the floors"
        yield differs("$.predicate.verdict", predicate.finding, wanted, because)
