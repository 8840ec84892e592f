"""Levels that a measure may not fall below, or rise above where lower is better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ragstone.gate.budget import TOLERANCE
from ragstone.gate.calibration import MIN_KAPPA, Calibrations, Doubt, Trust
from ragstone.gate.options import Limits, read_floors
from ragstone.gate.reason import Reason
from ragstone.gate.side import Side
from ragstone.gate.target import Target, choose, require
from ragstone.gate.waiver import ADVISORY, too_few_items, waiver_reason
from ragstone.gate.wording import exactly, plain
from ragstone.measures import Aggregate, Direction, Measure
from ragstone.model import Scores
from ragstone.model.scored import Scored


@dataclass(frozen=True, slots=True)
class FloorResult:
    """A floor and the value that was held against it, both in units of the measure.

    value is over all items that count, None where none does. bound says which way the floor
    holds: it is a ceiling (`at most`) for a measure of which lower is better. waived says why the
    floor is not held at all: a quantile of too few items, or an advisory measure; advisory says of
    the latter in few words what it lacks.
    """

    name: str
    floor: float
    value: float | None
    bound: Literal["at least", "at most"]
    waived: str = ""
    advisory: str = ""

    @property
    def undecided(self) -> bool:
        """Whether too few items count for the floor to be held."""
        return bool(self.waived) and not self.advisory

    @property
    def failed(self) -> bool:
        """Whether it is held, and the value is not known or on the wrong side."""
        return not self.waived and not self._reached

    @property
    def passed(self) -> bool:
        """Whether it neither failed nor is undecided; an advisory measure always passes."""
        return not self.failed and not self.undecided

    @property
    def _reached(self) -> bool:
        """Whether the value is on the right side; one that is equal is."""
        if self.value is None:
            return False
        if math.isclose(self.value, self.floor, rel_tol=TOLERANCE):
            return True
        return (self.value > self.floor) == (self.bound == "at least")

    @property
    def noun(self) -> str:
        """What this bound is called."""
        return "its floor" if self.bound == "at least" else "its ceiling"

    @property
    def reason(self) -> Reason | None:
        """Why it did not pass, or None."""
        if self.passed:
            return None
        if self.undecided:
            return waiver_reason(
                self.name, self.waived, [f"--floor {self.name}={exactly(self.floor)}"]
            )
        found = "has no value: no item counts" if self.value is None else f"is {plain(self.value)}"
        message = f"{self.name} {found}; {self.noun} is {self.bound} {plain(self.floor)}"
        return Reason("below_floor", "fail", message, (self.name,))


def check_floors(
    scores: Scores | Scored,
    floors: Limits,
    *,
    calibrations: Calibrations = (),
    min_kappa: float = MIN_KAPPA,
) -> tuple[FloorResult, ...]:
    """Hold aggregates against absolute levels.

    floors are `{"nDCG@10": 0.6}` or texts like `nDCG@10=0.6`; a name without cutoff covers every
    cutoff that there is, the name that is most exact wins. The floor of a quantile is undecided
    where too few items count: p95 needs 60, p99 300. calibrations, min_kappa: which judges agree
    with people, and how far they have to; what others judged is advisory and passes. Raises
    UsageError for a level or a name that cannot be, or that the scores do not have.

    >>> from ragstone.model import Cell, ScoresBuilder
    >>> builder = ScoresBuilder(["RR"])
    >>> builder.add("q1", [Cell(0.5)])
    >>> [(each.name, each.passed) for each in check_floors(builder.build(), ["mrr=0.6"])]
    [('RR', False)]
    """
    read, side = read_floors(floors), Side.of("report", scores)
    for target in read:
        require("floor", target, side.columns, "the report")
    trust = Trust.of(calibrations, min_kappa)
    return floor_results(side, read, trust.doubts(side))


def floor_results(
    side: Side, floors: Mapping[Target, float], advisory: Mapping[Measure, Doubt]
) -> tuple[FloorResult, ...]:
    """Hold what floors name of a side's measures against them; advisory ones cannot fail.

    Raises UsageError for a :micro aggregate of a column that kept no weights.
    """
    named = [each for measure in side.columns for each in _named(measure, floors)]
    side.check_weights(named)
    return tuple(
        _held(side, aggregate, floor, advisory.get(aggregate.measure))
        for aggregate in named
        if (floor := choose(floors, aggregate)) is not None
    )


def _named(measure: Measure, floors: Mapping[Target, float]) -> list[Aggregate]:
    named = {target.of(measure) for target in floors}
    return sorted(filter(None, named), key=str)


def _held(side: Side, aggregate: Aggregate, floor: float, doubt: Doubt | None) -> FloorResult:
    higher = aggregate.measure.declaration.direction is Direction.HIGHER
    bound: Literal["at least", "at most"] = "at least" if higher else "at most"
    name, value = str(aggregate), side.value(aggregate)
    if doubt:
        return FloorResult(name, floor, value, bound, f"{ADVISORY}: {doubt.why}", doubt.short)
    items = sum(1 for _ in side.columns[aggregate.measure].counted())
    return FloorResult(name, floor, value, bound, too_few_items(aggregate, items))
