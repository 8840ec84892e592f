"""The report of `evaluate`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ragstone.answers import Evaluation, LeftOut
from ragstone.measures import summary
from ragstone.reports.judging import Judging, judging
from ragstone.reports.report import Report, build
from ragstone.reports.rows import keep, parse_rows
from ragstone.reports.score import ScoreDetails, outcome, written
from ragstone.reports.statement import Input

if TYPE_CHECKING:
    from ragstone.gate import FloorResult, Reason
    from ragstone.judge import Judged


class NotMeasured(Struct, frozen=True, kw_only=True):
    """Measures that too few items have a value of, and what is to be said of it."""

    measures: list[str]
    message: str


class EvaluateDetails(ScoreDetails, frozen=True, kw_only=True, omit_defaults=True):
    """What was noticed, the floors, what was not computed or not measured, and how prices stood.

    measures: those that were asked for by name, which must have a value at all. max_failed and
    max_not_applicable: how many items might be without a value. prices: model -> where its price is
    from. redacted: whether the notes quote no text of the samples. judging: of
    the judges, where there were any.
    """

    left_out: list[LeftOut] = field(default_factory=list)
    not_measured: list[NotMeasured] = field(default_factory=list)
    measures: list[str] = field(default_factory=list)
    max_failed: str = "0"
    max_not_applicable: str = "100%"
    prices: dict[str, str] = field(default_factory=dict)
    redacted: bool = False
    judging: Judging | None = None

    @property
    def undecided(self) -> bool:
        """Whether too little was measured, or a judge was stopped, for a verdict."""
        return bool(self.not_measured) or (self.judging is not None and bool(self.judging.stop))


def build_evaluate(
    found: Evaluation,
    inputs: Iterable[Input],
    *,
    warnings: Iterable[str] = (),
    floors: Iterable[FloorResult] = (),
    not_measured: Sequence[Reason] = (),
    measures: Iterable[str] = (),
    max_failed: str = "0",
    max_not_applicable: str = "100%",
    rows: str | None = None,
    redacted: bool = False,
    judged: Judged | None = None,
) -> Report:
    """Make the report of an evaluation.

    floors and not_measured decide: a floor that is missed fails (exit code 4); else what was not
    measured leaves it undecided (5). Without a floor and with everything measured, nothing is
    judged. measures: those that were asked for by name. rows: which items are kept (see
    parse_rows).

    >>> from ragstone.answers import evaluate
    >>> from ragstone.model.samples import Sample
    >>> build_evaluate(evaluate([Sample("q", answer="a b", reference="b")], ["rouge1"]), []).summary
    {'rouge1': 0.6666666666666666}
    """
    checked = written(floors)
    scores = found.scores
    details = EvaluateDetails(
        warnings=list(warnings),
        floors=checked,
        left_out=list(found.left_out),
        not_measured=[
            NotMeasured(measures=list(each.measures), message=each.message) for each in not_measured
        ],
        measures=list(measures),
        max_failed=max_failed,
        max_not_applicable=max_not_applicable,
        prices=dict(found.prices),
        redacted=redacted,
        judging=None if judged is None else judging(judged),
    )
    verdict, exit_code = outcome(checked, details.undecided)
    statement = build(
        "ragstone.evaluate",
        details,
        inputs,
        verdict=verdict,
        exit_code=exit_code,
        summary=summary(scores, found.aggregates),
        signature=scores.signature,
        scores=keep(scores, parse_rows(rows, len(scores))),
    )
    return Report(statement, kept=scores)
