"""One aggregate's change held against its budget and, with alpha, against the test."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.errors import count
from ragstone.gate.budget import Budget, exceeds
from ragstone.gate.evidence import TESTED, Evidence
from ragstone.gate.reason import Reason
from ragstone.gate.wording import plain, signed
from ragstone.measures import Aggregate, Direction

_TEST = {
    "permutation": "permutation test",
    "t-test": "t-test",
    "mcnemar": "exact McNemar test",
    "bootstrap": "paired bootstrap",
}


@dataclass(frozen=True, slots=True)
class Change:
    """An aggregate's two values over the same items, in units of the measure, and its budget."""

    aggregate: Aggregate
    baseline: float
    candidate: float
    budget: Budget | None = None

    @property
    def absolute(self) -> float:
        """Candidate - baseline."""
        return self.candidate - self.baseline

    @property
    def percent(self) -> float | None:
        """The change in percent of the size of the baseline; None where that is 0."""
        percent = self.absolute / abs(self.baseline) * 100 if self.baseline else math.nan
        return percent if math.isfinite(percent) else None

    @property
    def worsening(self) -> float:
        """The change in the direction that is worse."""
        higher = self.aggregate.measure.declaration.direction is Direction.HIGHER
        return -self.absolute if higher else self.absolute

    @property
    def margin(self) -> float | None:
        """The worsening that the budget allows; None where it does not limit."""
        return self.budget.margin(self.baseline) if self.budget else None

    @property
    def over_budget(self) -> bool:
        """Whether it got worse by more than the budget allows."""
        margin, scale = self.margin, max(abs(self.baseline), abs(self.candidate))
        return margin is not None and exceeds(self.worsening, margin, scale)

    @property
    def can_worsen(self) -> bool:
        """Whether the baseline is not the worst that the measure can be already."""
        declared = self.aggregate.measure.declaration
        worst = declared.range[0 if declared.direction is Direction.HIGHER else 1]
        return self.baseline != worst

    def __str__(self) -> str:
        """Say what changed, and by how much."""
        percent = "" if self.percent is None else f" ({signed(self.percent)}%)"
        verb = "fell" if self.absolute < 0 else "rose"
        values = f"from {plain(self.baseline)} to {plain(self.candidate)}"
        return f"{self.aggregate} {verb} {values}{percent}"


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a change fails. alpha is None where the budget decides alone.

    waived says why it cannot fail whatever it is; nothing where it can.
    """

    change: Change
    evidence: Evidence
    alpha: float | None = None
    waived: str = ""

    @property
    def significant(self) -> bool | None:
        """Whether the test finds the change significant; None where it has no say."""
        return None if self.alpha is None else self.evidence.significant(self.alpha)

    @property
    def fails(self) -> bool:
        """Whether it is over budget, and no test that could have failed says it may be chance."""
        return self.change.over_budget and self.significant is not False and not self.waived

    @property
    def passes_by_test(self) -> bool:
        """Whether it is over budget, but not significantly."""
        return self.change.over_budget and self.significant is False and not self.waived

    @property
    def reason(self) -> Reason | None:
        """Why it fails, or None."""
        if not self.fails:
            return None
        found, name = self.evidence, str(self.change.aggregate)
        pairs = found.worse + found.better + found.unchanged
        message = (
            f"{self.change}, over its budget of {self.change.budget}: {found.worse} worse and "
            f"{found.better} better of {count(pairs, 'query')}{self._tested()}"
        )
        return Reason("budget_exceeded", "fail", message, (name,))

    def notes(self) -> Iterator[str]:
        """Go through what a reader of the numbers should know, in plain words."""
        if self.change.aggregate.how not in TESTED:
            yield f"the paired tests are about means, not {self.change.aggregate.how}: no p-value"
        elif self._undecided:
            yield self._no_say()
        if self.passes_by_test:
            yield f"over budget, but p = {self._p()} is not below alpha = {plain(self.alpha or 0)}"
        budget = self.change.budget
        if self.waived and self.change.over_budget:
            yield f"over its budget of {budget}, but it cannot fail: {self.waived}"
        without_percent = budget and budget.gates and self.change.margin is None
        if without_percent and self.change.can_worsen:
            yield (
                f"a baseline of 0 has no percent, so a budget of {budget} cannot fail; set one in "
                f"units of the measure, as --budget {self.change.aggregate}=0.02abs"
            )

    @property
    def _undecided(self) -> bool:
        """Whether a test was asked for, was needed, and has no say."""
        return self.alpha is not None and self.fails and self.significant is None

    def _no_say(self) -> str:
        found = self.evidence
        if found.test_could_not_fail and found.smallest_p is not None:
            drawn = "" if found.exact else f" and {self._drawn()}"
            changed = count(found.worse + found.better, "changed query")
            return (
                f"the test could not have failed: with {changed}{drawn} its smallest p is "
                f"{plain(found.smallest_p)}, alpha is {plain(self.alpha or 0)}; the budget decides"
            )
        if self.change.aggregate.how not in TESTED:
            return "no test speaks of this aggregate; the budget decides"
        return f"the {_TEST[found.test]} is undefined on these differences; the budget decides"

    def _drawn(self) -> str:
        if self.evidence.test == "bootstrap":
            return count(self.evidence.resamples, "resample")
        return count(self.evidence.permutations, "permutation")

    def _p(self) -> str:
        return "n/a" if self.evidence.p_value is None else plain(self.evidence.p_value)

    def _tested(self) -> str:
        known = self.evidence.p_value is not None
        tested = f"; p = {self._p()} ({_TEST[self.evidence.test]})" if known else ""
        return f"{tested}; {self._no_say()}" if self._undecided else tested
