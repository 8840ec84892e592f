"""What a report of `evaluate` says of its judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from ragstone.judge import Agreement, Judged

MOST_DIFFERENCES = 20


class JudgeTotals(Struct, frozen=True, kw_only=True):
    """A judge and what it took, as `ragstone.judge.Totals` counts it, in US dollars and tokens.

    From a cache it is what the judge took when the cache was filled.
    """

    name: str
    provider: str
    model: str
    calls: int
    attempts: int
    repairs: int
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int
    reasoning_tokens: int
    cost_usd: float | None
    unpriced: int
    uncertain: int


class FailedVerdicts(Struct, frozen=True, kw_only=True):
    """How many verdicts of a measure, over judges and repeats, there are none of, and why."""

    measure: str
    reason: str
    verdicts: int


class RepeatSpread(Struct, frozen=True, kw_only=True):
    """How far repeats lie apart (see `ragstone.judge.Spread`).

    judge: whose; empty for the mean of several judges, which the value is.
    """

    measure: str
    judge: str = ""
    items: int
    repeats: int
    within_sd: float
    means: list[float]
    changed: int
    smallest_change: float | None


class JudgeDifference(Struct, frozen=True, kw_only=True):
    """An item that two judges gave different values."""

    item: str
    first: float
    second: float


class JudgeAgreement(Struct, frozen=True, kw_only=True):
    """How far two judges agree (see `ragstone.judge.Agreement`).

    differing: how many items they differ on; differ: the furthest apart of these.
    """

    measure: str
    first: str
    second: str
    items: int
    uncommon: int
    exact: float | None
    mean_difference: float | None
    mean_distance: float | None
    correlation: float | None
    kappa: float | None
    differing: int
    differ: list[JudgeDifference]


class JudgeStop(Struct, frozen=True, kw_only=True):
    """Why not everything was asked."""

    reason: str
    message: str
    judge: str = ""


class Judging(Struct, frozen=True, kw_only=True):
    """The judges of a report, what they took, and how sure they are."""

    measures: list[str]
    repeat: int
    judges: list[JudgeTotals]
    failures: list[FailedVerdicts]
    spread: list[RepeatSpread]
    agreement: list[JudgeAgreement]
    stop: JudgeStop | None = None


def judging(judged: Judged) -> Judging:
    """Return what a report says of a judge's result; the same for a run and its replay."""
    failed = Counter((each.measure, each.reason) for each in judged.failures)
    return Judging(
        measures=list(judged.cells),
        repeat=judged.repeat,
        judges=[
            JudgeTotals(**who._asdict(), **msgspec.structs.asdict(judged.totals[who.name]))
            for who in judged.judges
        ],
        failures=[
            FailedVerdicts(measure=measure, reason=reason, verdicts=number)
            for (measure, reason), number in sorted(failed.items())
        ],
        spread=[each for name in judged.cells for each in _spreads(name, judged)],
        agreement=[_agreement(name, x) for name in judged.cells for x in judged.agreements(name)],
        stop=None
        if judged.stop is None
        else msgspec.convert(judged.stop, JudgeStop, from_attributes=True),
    )


def _spreads(measure: str, judged: Judged) -> Iterator[RepeatSpread]:
    """Say it of each judge, and then of the mean of several."""
    names = [who.name for who in judged.judges]
    for judge in [*names, None] if len(names) > 1 else names:
        if found := judged.spread(measure, judge):
            fields = {**found._asdict(), "means": list(found.means)}
            yield RepeatSpread(measure=measure, judge=judge or "", **fields)


def _agreement(measure: str, found: Agreement) -> JudgeAgreement:
    differ = [
        JudgeDifference(item=each.item, first=each.first, second=each.second)
        for each in found.differ[:MOST_DIFFERENCES]
    ]
    fields = {**found._asdict(), "differ": differ}
    return JudgeAgreement(measure=measure, differing=len(found.differ), **fields)
