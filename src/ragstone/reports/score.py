"""The report of `score`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, convert

from ragstone.measures import Aggregate, summary
from ragstone.model import Scores
from ragstone.reports.report import Report, build
from ragstone.reports.rows import keep, parse_rows
from ragstone.reports.statement import Input, Verdict

if TYPE_CHECKING:
    from ragstone.gate import FloorResult


class Floor(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A floor as it is written: a gate.FloorResult, whose import a plain score need not pay.

    `value` is null where no item counts, which passes no floor. `waived` says why the floor is not
    held at all: a quantile of too few items, which leaves it undecided, or a judged measure without
    the calibration that it needs, which passes; `advisory` says of the latter in few words what it
    lacks.
    """

    name: str
    floor: float
    value: float | None
    bound: Literal["at least", "at most"]
    passed: bool
    waived: str = ""
    advisory: str = ""

    @property
    def undecided(self) -> bool:
        """Whether too few items count for it to be held."""
        return bool(self.waived) and not self.advisory


class ScoreDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was noticed while scoring, and the floors that were asked for."""

    warnings: list[str] = []
    floors: list[Floor] = []


def build_score(
    scores: Scores,
    inputs: Iterable[Input],
    *,
    aggregates: Iterable[Aggregate] | None = None,
    warnings: Iterable[str] = (),
    floors: Iterable[FloorResult] = (),
    rows: str | None = None,
) -> Report:
    """Make the report of a scoring.

    aggregates: what the summary has, by default each column's usual one. floors decide the
    verdict and the exit code; without any nothing is judged. rows: which items are kept (see
    parse_rows). Raises UsageError for a policy that cannot be.

    >>> from ragstone.scoring import score
    >>> build_score(score({"q": ["a"]}, {"q": ["b", "a"]}, ["RR"]), []).summary
    {'RR': 0.5}
    """
    checked = written(floors)
    policy = parse_rows(rows, len(scores))
    verdict, exit_code = outcome(checked)
    statement = build(
        "ragstone.score",
        ScoreDetails(warnings=list(warnings), floors=checked),
        inputs,
        verdict=verdict,
        exit_code=exit_code,
        summary=summary(scores, aggregates),
        signature=scores.signature,
        scores=keep(scores, policy),
    )
    return Report(statement, kept=scores)


def written(floors: Iterable[FloorResult]) -> list[Floor]:
    """Return floors as they are written."""
    return [convert(each, Floor, from_attributes=True) for each in floors]


def outcome(floors: Sequence[Floor], not_measured: bool = False) -> tuple[Verdict | None, int]:
    """Return the verdict, and the exit code that goes with it.

    >>> outcome([]), outcome([], not_measured=True)
    ((None, 0), ('inconclusive', 5))
    """
    if not all(floor.passed or floor.undecided for floor in floors):
        return "fail", 4
    if not_measured or any(floor.undecided for floor in floors):
        return "inconclusive", 5
    return ("pass", 0) if floors else (None, 0)
