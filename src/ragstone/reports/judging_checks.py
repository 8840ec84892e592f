"""What can be told of judges to be false: names, signs, ranges, and counts that do not fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from ragstone.model import Scores
from ragstone.reports.checks import TOLERANCE, differs
from ragstone.reports.judging import JudgeAgreement, JudgeTotals, Judging, RepeatSpread
from ragstone.reports.problem import Problem, shown


def judging_faults(said: Judging, scores: Scores) -> Iterator[Problem]:
    """Check that the judged measures are columns, and each part for itself."""
    where = "$.predicate.details.judging"
    for place, name in enumerate(said.measures):
        if name not in scores.columns:
            yield Problem(f"{where}.measures[{place}]", f"{name} is no column of the scores")
    for place, judge in enumerate(said.judges):
        yield from _totals(f"{where}.judges[{place}]", judge)
    names = {judge.name for judge in said.judges}
    for place, spread in enumerate(said.spread):
        yield from _spread(f"{where}.spread[{place}]", spread, names)
    for place, pair in enumerate(said.agreement):
        yield from _agreement(f"{where}.agreement[{place}]", pair)


def _totals(at: str, judge: JudgeTotals) -> Iterator[Problem]:
    yield from _below_zero(at, judge, judge.__struct_fields__)
    if judge.attempts < judge.repairs:
        yield Problem(f"{at}.repairs", "more repairs than attempts")
    if judge.attempts < judge.calls:
        yield Problem(f"{at}.attempts", "fewer attempts than calls")


def _spread(at: str, spread: RepeatSpread, judges: Collection[str]) -> Iterator[Problem]:
    yield from _below_zero(at, spread, spread.__struct_fields__)
    if spread.judge and spread.judge not in judges:
        yield Problem(f"{at}.judge", f"is {shown(spread.judge)}, which is no judge of the report")
    if spread.changed > spread.items:
        yield Problem(f"{at}.changed", "more items that changed than items")


def _agreement(at: str, pair: JudgeAgreement) -> Iterator[Problem]:
    yield from _below_zero(at, pair, ("items", "uncommon", "mean_distance", "differing"))
    for name in ("kappa", "correlation"):
        value = getattr(pair, name)
        if value is not None and abs(value) > 1 + TOLERANCE:
            yield Problem(f"{at}.{name}", f"is {shown(value)}; -1 to 1 was expected")
    if len(pair.differ) > pair.differing:
        yield Problem(f"{at}.differ", "lists more items than differ")
    exact = (pair.items - pair.differing) / pair.items if pair.items else None
    if pair.exact != exact:
        yield differs(f"{at}.exact", pair.exact, exact, "it follows from the items that differ")


def _below_zero(at: str, part: Struct, names: Sequence[str]) -> Iterator[Problem]:
    """Find counts and amounts below 0 among some fields."""
    for name in names:
        value = getattr(part, name)
        if isinstance(value, int | float) and value < 0:
            yield Problem(f"{at}.{name}", f"is {shown(value)}; 0 or more was expected")
