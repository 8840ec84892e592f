"""What a comparison is told: budgets, floors, the test, and how much may be left unmeasured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from ragstone.errors import UnknownNameError, UsageError
from ragstone.gate.budget import Budget
from ragstone.gate.calibration import Calibration, Calibrations, Doubt, Trust
from ragstone.gate.options import (
    ITEM_LIMIT,
    Limits,
    read_budgets,
    read_floors,
    read_item_limits,
)
from ragstone.gate.target import Target, choose, chosen, read_aggregate, read_target, require
from ragstone.gate.unmeasured import Allowances
from ragstone.gate.wording import exactly
from ragstone.measures import Aggregate, Measure, R

TestName = Literal["permutation", "t-test"]
"""The test whose p-value is held against alpha."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a comparison was told, as it stands in its report.

    budgets, floors and max_item_drops are as they were given, under canonical names; aggregates
    are those beyond each column's usual one. alpha is None where no test decides. max_failed and
    max_not_applicable are a count or a percent of the items.
    """

    budgets: dict[str, str]
    floors: dict[str, float]
    max_item_drops: dict[str, float]
    aggregates: tuple[str, ...]
    max_recall_regression_pct: float
    max_regression_pct: float
    alpha: float | None
    test: TestName
    permutations: int
    resamples: int
    seed: int
    top: int
    max_failed: str
    max_not_applicable: str
    calibrations: tuple[Calibration, ...]
    min_kappa: float


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings, checked, and what they mean for an aggregate.

    advisory has the measures that cannot fail the comparison, and why.
    """

    budgets: Mapping[Target, Budget]
    floors: Mapping[Target, float]
    item_limits: Mapping[Target, float]
    aggregates: tuple[Target, ...]
    recall: Budget
    other: Budget
    alpha: float | None
    test: TestName
    permutations: int
    resamples: int
    seed: int
    primary: Target | None
    top: int
    allowances: Allowances
    trust: Trust
    advisory: Mapping[Measure, Doubt] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        *,
        budgets: Limits,
        floors: Limits,
        max_item_drops: Limits,
        max_recall_regression_pct: float,
        max_regression_pct: float | None,
        alpha: float | None,
        test: str,
        permutations: int,
        resamples: int,
        seed: int,
        primary_measure: str | None,
        top: int,
        max_failed: str | int,
        max_not_applicable: str | int,
        aggregates: Iterable[str],
        calibrations: Calibrations,
        min_kappa: float,
    ) -> Policy:
        """Check what `compare` was given; raises UsageError for what cannot be."""
        recall = _percent("max_recall_regression_pct", max_recall_regression_pct)
        other = max_regression_pct
        named = [aggregates] if isinstance(aggregates, str) else aggregates
        return cls(
            read_budgets(budgets),
            read_floors(floors),
            read_item_limits(max_item_drops),
            tuple(dict.fromkeys(map(read_aggregate, named))),
            recall,
            recall if other is None else _percent("max_regression_pct", other),
            _alpha(alpha),
            _test(test),
            _whole("permutations", permutations, 1),
            _whole("resamples", resamples, 1),
            _whole("seed", seed, 0),
            None if primary_measure is None else read_target("primary measure", primary_measure),
            _whole("top", top, 0),
            Allowances.of(max_failed, max_not_applicable),
            Trust.of(calibrations, min_kappa),
        )

    def settings(self) -> Settings:
        """Return what the report says of the policy."""
        return Settings(
            dict(sorted((str(target), str(budget)) for target, budget in self.budgets.items())),
            dict(sorted((str(target), floor) for target, floor in self.floors.items())),
            dict(sorted((str(target), limit) for target, limit in self.item_limits.items())),
            tuple(sorted(str(target) for target in self.aggregates if ":" in str(target))),
            self.recall.limit,
            self.other.limit,
            self.alpha,
            self.test,
            self.permutations,
            self.resamples,
            self.seed,
            self.top,
            str(self.allowances.failed),
            str(self.allowances.not_applicable),
            self.trust.calibrations,
            self.trust.min_kappa,
        )

    def check_names(self, measures: Sequence[Measure]) -> None:
        """Raise UsageError for a name that neither report has."""
        for noun, target in self._named():
            require(noun, target, measures, "either report")

    def budget(self, aggregate: Aggregate) -> Budget | None:
        """Return an aggregate's budget; None where it has none, as counts and latency.

        The most exact name wins, then the family, then the two defaults for quality measures.
        """
        named = choose(self.budgets, aggregate)
        if named or not aggregate.measure.declaration.quality:
            return named
        return self.recall if aggregate.measure.name == R.name else self.other

    def floor(self, aggregate: Aggregate) -> float | None:
        """Return an aggregate's floor, in units of the measure, or None."""
        return choose(self.floors, aggregate)

    def compared(self, measure: Measure) -> list[Aggregate]:
        """Return the aggregates of a measure that are compared: the usual one, then the named."""
        usual = Aggregate.default(measure)
        named = {target.of(measure) for _, target in self._named()} - {usual}
        return [usual, *sorted(filter(None, named), key=str)]

    def item_limit(self, measure: Measure) -> float | None:
        """Return how much worse an item may get under a measure, or None."""
        return choose(self.item_limits, Aggregate.default(measure))

    def gates(self, measure: Measure) -> bool:
        """Tell whether any compared aggregate of a measure, or its items, have a limit."""
        if measure in self.advisory:
            return False
        budgets = (self.budget(aggregate) for aggregate in self.compared(measure))
        limited = any(budget.gates for budget in budgets if budget)
        return limited or self.item_limit(measure) is not None

    def watches(self, measure: Measure) -> bool:
        """Tell whether any compared aggregate of a measure has a limit or a floor."""
        return self.gates(measure) or any(map(self.watches_aggregate, self.compared(measure)))

    def watches_aggregate(self, aggregate: Aggregate) -> bool:
        """Tell whether an aggregate has a limit or a floor."""
        if aggregate.measure in self.advisory:
            return False
        budget = self.budget(aggregate)
        return bool(budget and budget.gates) or self.floor(aggregate) is not None

    def demands(self, aggregate: Aggregate) -> bool:
        """Tell whether a budget that sets a limit names an aggregate."""
        named = choose(self.budgets, aggregate)
        return aggregate.measure not in self.advisory and named is not None and named.gates

    def asked_of(self, aggregate: Aggregate) -> Iterator[str]:
        """Go through the budget and the limit of items that name an aggregate, as options."""
        budget = chosen(self.budgets, aggregate)
        if budget and self.budgets[budget].gates:
            yield f"--budget {budget}={self.budgets[budget]}"
        limit = chosen(self.item_limits, aggregate)
        if limit:
            yield f"--max-item-drop {limit}={exactly(self.item_limits[limit])}"

    def limits_on(self, measure: Measure) -> list[Target]:
        """Return the targets of budgets and limits of items that name a measure."""
        if measure in self.advisory:
            return []
        budgets = (target for target, budget in self.budgets.items() if budget.gates)
        return [target for target in (*budgets, *self.item_limits) if target.of(measure)]

    def _named(self) -> Iterator[tuple[str, Target]]:
        for target in self.budgets:
            yield "budget", target
        for target in self.floors:
            yield "floor", target
        for target in self.item_limits:
            yield ITEM_LIMIT, target
        for target in self.aggregates:
            yield "aggregate", target
        if self.primary:
            yield "primary measure", self.primary


def _percent(name: str, value: float) -> Budget:
    try:
        budget = Budget.of(value)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
    if budget.kind != "percent":
        raise UsageError(f"{name} is {value!r}; a number of percent was expected")
    return budget


def _alpha(value: float | None) -> float | None:
    if value is None or (not isinstance(value, bool) and 0 < value < 1):
        return value
    raise UsageError(f"alpha is {value!r}; a number between 0 and 1 was expected, like 0.05")


def _test(value: str) -> TestName:
    known: tuple[TestName, ...] = get_args(TestName)
    for name in known:
        if name == value:
            return name
    raise UnknownNameError("test", value, known)


def _whole(name: str, value: int, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError(f"{name} is {value!r}; a whole number of at least {least} was expected")
    return value
