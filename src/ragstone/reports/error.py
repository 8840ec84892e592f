"""The report of a command that did not get to its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ragstone.errors import ExitCode, RagstoneError, readable
from ragstone.reports.problem import Problem
from ragstone.reports.report import Report, build
from ragstone.reports.statement import Input, Statement, Verdict


class ErrorDetails(Struct, frozen=True, kw_only=True):
    """Which command stopped, with which class of error, and what it said."""

    command: str
    error: str
    message: str


def build_error(command: str, error: BaseException, inputs: Iterable[Input]) -> Report:
    """Make the report of an error; inputs are the files that could be read.

    >>> from ragstone.errors import InputError
    >>> build_error("score", InputError("qrels.txt: no such file"), []).exit_code
    2
    """
    code = error.exit_code if isinstance(error, RagstoneError) else ExitCode.INTERNAL
    details = ErrorDetails(
        command=command, error=type(error).__name__, message=readable(str(error))
    )
    verdict: Verdict = "fail" if code is ExitCode.FAILED else "error"
    return Report(build("ragstone.error", details, inputs, verdict=verdict, exit_code=int(code)))


def error_faults(statement: Statement) -> Iterator[Problem]:
    """Check that the report of an error says error, and has no numbers."""
    predicate = statement.predicate
    if predicate.verdict not in {"error", "fail"}:
        message = 'is neither "error" nor "fail", as that of an error is'
        yield Problem("$.predicate.verdict", message)
    if predicate.summary:
        yield Problem("$.predicate.summary", "is not empty; the report of an error has no numbers")
