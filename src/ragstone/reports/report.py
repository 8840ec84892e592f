"""A report in memory, whoever wrote it, and how one is made and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct

from ragstone import __version__
from ragstone.errors import InputError, NotComparableError
from ragstone.model import Scalar, Scores
from ragstone.reports.canonical import encode
from ragstone.reports.clock import created_at
from ragstone.reports.kinds import KINDS, Kind
from ragstone.reports.problem import SENTENCE, shown
from ragstone.reports.statement import (
    PREDICATE_TYPE,
    STATEMENT_TYPE,
    Digest,
    Input,
    Predicate,
    Statement,
    Subject,
    Tool,
    Verdict,
)
from ragstone.reports.table import Table
from ragstone.store import write_atomic

if TYPE_CHECKING:
    from ragstone.gate import Calibration

TOOL = "ragstone"


class Report(Struct, frozen=True):
    """A report and what was read or computed for it.

    `name` is the file it came from. `kept` has the Scores of the items that are in it, or None
    for a kind without scores; `complete` says whether they are all the items there were.
    """

    statement: Statement
    name: str = ""
    kept: Scores | None = None
    complete: bool = True

    @property
    def kind(self) -> str:
        """What the report is about, such as ragstone.score."""
        return self.statement.predicate.kind

    @property
    def verdict(self) -> Verdict | None:
        """What was found; None where nothing was judged."""
        return self.statement.predicate.finding

    @property
    def exit_code(self) -> int:
        """What the policy made of the verdict."""
        return self.statement.predicate.exit_code

    @property
    def details(self) -> Any:
        """The part that is special to the kind, of the type that KINDS names."""
        return self.statement.predicate.details

    @property
    def inputs(self) -> list[Input]:
        """The files that were read."""
        return self.statement.predicate.inputs

    @property
    def summary(self) -> dict[str, float | None]:
        """The aggregates under their canonical names, in the order of the columns."""
        predicate = self.statement.predicate
        order = [] if predicate.scores is UNSET else predicate.scores.order
        places = {name: place for place, name in enumerate(order)}
        last = len(places)
        names = sorted(
            predicate.summary,
            key=lambda name: (places.get(name.partition(":")[0], last), ":" in name, name),
        )
        return {name: predicate.summary[name] for name in names}

    @property
    def aggregates(self) -> tuple[str, ...]:
        """The canonical names of the aggregates that were asked for."""
        return tuple(self.summary)

    @property
    def scores(self) -> Scores:
        """The value of every item.

        Raises InputError for a kind without scores, and NotComparableError where the report
        does not have the rows of all items.
        """
        if self.kept is None:
            raise InputError(
                f"{self.name}: {self._why_none}; a report of ragstone score, match, evaluate or "
                "leakage was expected"
            )
        table = self.statement.predicate.scores
        if not self.complete and table is not UNSET:
            of_all = "" if table.total is UNSET else f" of {table.total:,}"
            raise NotComparableError(
                f"{self.name}: has the rows of {len(table.items):,}{of_all} items (it was written "
                f"with --rows {shown(table.rows)[1:-1]}), so items cannot be paired; write it "
                "again with --rows all"
            )
        return self.kept

    @property
    def calibrations(self) -> list[Calibration]:
        """How far each judge agrees with people, for `compare` and `check_floors`.

        Raises InputError for a report of another kind than ragstone.calibrate.
        """
        from ragstone.reports.calibrate import calibrations_of  # which builds on this module

        return calibrations_of(self)[0]

    @property
    def _why_none(self) -> str:
        if self.kind == "ragstone.error":
            said = shown(self.details.message, SENTENCE)
            return f"is the report of an error of {shown(self.details.command)[1:-1]} ({said})"
        return f"is a report of kind {self.kind}, which has no scores"


def build(
    kind: str,
    details: object,
    inputs: Iterable[Input],
    *,
    verdict: Verdict | None = None,
    exit_code: int = 0,
    summary: Mapping[str, float | None] | None = None,
    signature: Mapping[str, Scalar] | None = None,
    scores: Table | None = None,
) -> Statement:
    """Put a Statement together; the subject follows from the kind and the inputs."""
    files = list(inputs)
    return Statement(
        type=STATEMENT_TYPE,
        predicate_type=PREDICATE_TYPE,
        subject=subject_of(KINDS[kind], files),
        predicate=Predicate(
            kind=kind,
            tool=Tool(name=TOOL, version=__version__),
            created_at=created_at(),
            verdict=verdict or UNSET,
            exit_code=exit_code,
            inputs=files,
            signature=dict(signature or {}),
            summary=dict(summary or {}),
            scores=scores or UNSET,
            details=details,
        ),
    )


def subject_of(kind: Kind, inputs: list[Input]) -> list[Subject]:
    """Return what a report of a kind speaks about."""
    return [
        Subject(name=file.name, digest=Digest(sha256=file.sha256))
        for file in inputs
        if not kind.subject or file.role in kind.subject
    ]


def encode_report(report: Report) -> bytes:
    """Return a report's bytes, in canonical form."""
    return encode(report.statement)


def write_report(report: Report, path: str | Path) -> None:
    """Write a report whole or not at all.

    Raises InputError where the path cannot be written or a number is not finite.
    """
    write_atomic(path, encode_report(report))
