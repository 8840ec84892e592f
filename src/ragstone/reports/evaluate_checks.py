"""What must follow from the rows of a report of evaluate."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from ragstone.errors import InputError
from ragstone.gate import check_measured
from ragstone.measures import parse_measure
from ragstone.reports.checks import differs
from ragstone.reports.evaluate import EvaluateDetails
from ragstone.reports.judging_checks import judging_faults
from ragstone.reports.problem import Problem
from ragstone.reports.score import outcome
from ragstone.reports.score_checks import floor_faults, summary_faults
from ragstone.reports.statement import Predicate, Statement
from ragstone.reports.table import Table, from_table

NOT_MEASURED = "$.predicate.details.not_measured"


def evaluate_faults(statement: Statement) -> Iterator[Problem]:
    """Check rows, aggregates and floors, what was not measured, and the verdict."""
    predicate = statement.predicate
    details: EvaluateDetails = predicate.details
    aggregates = yield from summary_faults(predicate)
    if aggregates is None or predicate.scores is UNSET:
        return
    yield from floor_faults(predicate, aggregates)
    if predicate.scores.rows == "all":
        yield from _measured_faults(details, predicate.scores)
    if details.judging is not None:
        yield from judging_faults(details.judging, from_table(predicate.scores, {}))
    yield from _verdict_faults(predicate)


def _measured_faults(details: EvaluateDetails, table: Table) -> Iterator[Problem]:
    scores = from_table(table, {})
    try:
        found = check_measured(
            scores,
            max_failed=details.max_failed,
            max_not_applicable=details.max_not_applicable,
            asked=map(parse_measure, details.measures),
        )
    except InputError as error:
        yield Problem(NOT_MEASURED, f"cannot be worked out again: {error}")
        return
    wanted = [each.message for each in found]
    said = [each.message for each in details.not_measured]
    if said != wanted:
        yield differs(NOT_MEASURED, said, wanted, "it follows from the rows")


def _verdict_faults(predicate: Predicate) -> Iterator[Problem]:
    details: EvaluateDetails = predicate.details
    verdict, exit_code = outcome(details.floors, details.undecided)
    because = "it follows from the floors and from what was measured"
    if predicate.finding != verdict:
        yield differs("$.predicate.verdict", predicate.finding, verdict, because)
    elif predicate.exit_code != exit_code:
        yield differs("$.predicate.exit_code", predicate.exit_code, exit_code, because)
