"""The report of `score`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

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
    held at all: a quantile of too few items.
    """

    name: str
    floor: float
    value: float | None
    bound: Literal["at least", "at most"]
    passed: bool
    waived: str = ""


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
    checked = [_floor(floor) for floor in floors]
    policy = parse_rows(rows, len(scores))
    failed = not all(floor.passed for floor in checked)
    verdict: Verdict = "fail" if failed else "pass"
    statement = build(
        "ragstone.score",
        ScoreDetails(warnings=list(warnings), floors=checked),
        inputs,
        verdict=verdict if checked else None,
        exit_code=4 if failed else 0,
        summary=summary(scores, aggregates),
        signature=scores.signature,
        scores=keep(scores, policy),
    )
    return Report(statement, kept=scores)


def _floor(result: FloorResult) -> Floor:
    return Floor(
        name=result.name,
        floor=result.floor,
        value=result.value,
        bound=result.bound,
        passed=result.passed,
        waived=result.waived,
    )
