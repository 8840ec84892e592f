"""The flow of a comparison, from two Scores to a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from ragstone.gate.calibration import (
    MIN_KAPPA,
    Calibrations,
    advisory_reasons,
    doubts,
    few_labels_reasons,
    misfit,
)
from ragstone.gate.comparability import comparability
from ragstone.gate.comparison import Comparison, Counts, MeasureComparison, Result
from ragstone.gate.coverage import Pairs, coverage_reasons
from ragstone.gate.decision import Change, Decision
from ragstone.gate.diff import Diff, diff_of
from ragstone.gate.evidence import Statistics
from ragstone.gate.floors import FloorResult, floor_results
from ragstone.gate.item_limits import ItemLimit, item_limits
from ragstone.gate.options import Limits
from ragstone.gate.policy import Policy
from ragstone.gate.reason import REFUSALS, Reason, gravest_first, verdict_of
from ragstone.gate.side import Side, ordered
from ragstone.gate.unmeasured import samples_failed
from ragstone.gate.waiver import ADVISORY, too_few_items, waiver_reason
from ragstone.gate.wording import exactly
from ragstone.measures import Aggregate, Measure, nDCG
from ragstone.model import Scores
from ragstone.model.scored import Scored

Judged: TypeAlias = list[tuple[MeasureComparison, Reason | None]]


def compare(
    baseline: Scores | Scored,
    candidate: Scores | Scored,
    *,
    budgets: Limits = (),
    floors: Limits = (),
    max_item_drops: Limits = (),
    max_recall_regression_pct: float = 2.0,
    max_regression_pct: float | None = None,
    alpha: float | None = None,
    test: str = "permutation",
    permutations: int = 10_000,
    resamples: int = 2_000,
    seed: int = 0,
    primary_measure: str | None = None,
    top: int = 10,
    max_failed: str | int = "0",
    max_not_applicable: str | int = "0",
    aggregates: Iterable[str] = (),
    calibrations: Calibrations = (),
    min_kappa: float = MIN_KAPPA,
) -> Comparison:
    """Tell whether a candidate is worse than a baseline on the same items.

    baseline and candidate: Scores, or what has them, as reports and evaluations do.
    budgets and floors: `{name: limit}`, or texts like `nDCG@10=2` (percent of the baseline),
    `latency_ms:p95=50abs` (units of the measure), `recall=off`; a name without cutoff covers
    every cutoff. max_item_drops: how much worse a single item may get, in units of the measure.
    Quality measures without a budget have max_recall_regression_pct (R) or max_regression_pct (the
    others; by default that of R). alpha: a measure over budget then fails only if its change is
    significant under `test` (`permutation` or `t-test`), two-sided. permutations, seed: random sign
    flips, where more than 20 items changed; McNemar's exact test where values are 0 or 1.
    resamples: of the bootstrap, which tests quantiles. primary_measure: what the `top` most
    regressed queries are ranked by, by default one that failed, else a gated one, nDCG first.
    max_failed, max_not_applicable: how many items of the candidate (a count or `N%`) may go
    unmeasured. aggregates: more than the usual, as `R@5:micro`. calibrations, min_kappa: which
    judges agree with people, and how far they have to; what others judged is advisory.

    Raises UsageError for settings that cannot be, InputError for scores that cannot be read.

    >>> from ragstone.model import Cell, ScoresBuilder
    >>> def scores(*values):
    ...     builder = ScoresBuilder(["RR@10"])
    ...     for number, value in enumerate(values):
    ...         builder.add(f"q{number}", [Cell(value)])
    ...     return builder.build()
    >>> found = compare(scores(1.0, 0.5, 1.0), scores(1.0, 0.5, 0.25), budgets=["mrr=5"])
    >>> found.verdict, int(found.exit_code), [reason.code for reason in found.reasons]
    ('fail', 4, ['budget_exceeded'])
    >>> found["RR@10"].change_pct, found.most_regressed[0].id
    (-30.0, 'q2')
    """
    policy = Policy.of(
        budgets=budgets,
        floors=floors,
        max_item_drops=max_item_drops,
        max_recall_regression_pct=max_recall_regression_pct,
        max_regression_pct=max_regression_pct,
        alpha=alpha,
        test=test,
        permutations=permutations,
        resamples=resamples,
        seed=seed,
        primary_measure=primary_measure,
        top=top,
        max_failed=max_failed,
        max_not_applicable=max_not_applicable,
        aggregates=aggregates,
        calibrations=calibrations,
        min_kappa=min_kappa,
    )
    return _Comparing.of(baseline, candidate, policy).comparison()


@dataclass(frozen=True, slots=True)
class _Comparing:
    """What is known before a single aggregate is judged."""

    old: Side
    new: Side
    policy: Policy
    reasons: tuple[Reason, ...]
    pairs: Mapping[Measure, Pairs]
    statistics: Statistics
    floors: Mapping[str, FloorResult]
    diff: Diff
    item_limits: Mapping[str, ItemLimit]

    @classmethod
    def of(
        cls, baseline: Scores | Scored, candidate: Scores | Scored, policy: Policy
    ) -> _Comparing:
        """Find what may be compared, pair it, and run the tests once for all of it.

        Raises UsageError for a policy that names a measure which neither side has.
        """
        old, new = Side.of("baseline", baseline), Side.of("candidate", candidate)
        policy.check_names(_all(old, new))
        policy = replace(policy, advisory=doubts(old, new, policy.trust))
        found = [
            *comparability(old, new, policy),
            *advisory_reasons(policy.advisory),
            *few_labels_reasons(old, policy.trust, policy.advisory),
        ]
        paired = [
            Pairs.of(measure, old, new)
            for measure in old.columns
            if measure in new.columns and not any(_refuses(each, measure) for each in found)
        ]
        found += coverage_reasons(paired, old, new, policy)
        compared = [each for each in paired if each.positions]
        diff = diff_of(compared, old, new)
        return cls(
            old,
            new,
            policy,
            tuple(found),
            {each.measure: each for each in paired},
            Statistics.of(compared, policy),
            {each.name: each for each in floor_results(new, policy.floors, policy.advisory)},
            diff,
            {each.measure: each for each in item_limits(compared, diff, policy.item_limits)},
        )

    @property
    def compared(self) -> list[Pairs]:
        """The columns that have items to compare."""
        return list(self.statistics.pairs.values())

    def comparison(self) -> Comparison:
        """Judge every aggregate and put the results together."""
        aggregates = [
            aggregate
            for measure in _all(self.old, self.new)
            for aggregate in self.policy.compared(measure)
        ]
        judged = [self._judge(aggregate) for aggregate in aggregates]
        primary = self._primary([measure for measure, _ in judged])
        return Comparison(
            tuple(measure for measure, _ in judged),
            gravest_first(
                [
                    *self.reasons,
                    *self._samples_failed(),
                    *self._verdicts(judged),
                    *self._waivers(aggregates),
                ]
            ),
            tuple(self.floors.values()),
            tuple(self.item_limits.values()),
            None if primary is None else str(primary),
            tuple(self.diff.regressed(str(primary), self.policy.top)),
            self._counts(primary, self.diff),
            self.diff,
            self.policy.settings(),
        )

    def _samples_failed(self) -> Iterator[Reason]:
        """Say of the candidate that its system failed, unless a measure that is watched does."""
        watched = [each for each in self.pairs if self.policy.watches(each)]
        yield from samples_failed(self.new, self.policy.allowances, watched)

    def _verdicts(self, judged: Judged) -> Iterator[Reason]:
        """Go through why budgets, floors and limits of items are not held."""
        found = [reason for _, reason in judged]
        found += [floor.reason for floor in self.floors.values()]
        for measure, limit in self.item_limits.items():
            advisory = measure in set(map(str, self.policy.advisory))
            found.append(limit.reason(advisory=advisory))
        yield from filter(None, found)

    def _waivers(self, aggregates: Iterable[Aggregate]) -> Iterator[Reason]:
        """Go through the quantiles of too few items that have a budget."""
        yield from filter(None, map(self._waiver, aggregates))

    def _waiver(self, aggregate: Aggregate) -> Reason | None:
        """Say that a quantile of too few items is not held against its budget; None elsewhere."""
        waived, budget = self._waived(aggregate), self.policy.budget(aggregate)
        if waived in {"", ADVISORY} or budget is None or not budget.gates:
            return None
        return waiver_reason(str(aggregate), waived, tuple(self.policy.asked_of(aggregate)))

    def _not_applied(self, aggregate: Aggregate) -> Iterator[str]:
        """Go through the options that name an aggregate and are not held against it."""
        floor = self.floors.get(str(aggregate))
        if floor is not None and floor.waived:
            yield f"--floor {floor.name}={exactly(floor.floor)}"
        if self._waived(aggregate):
            yield from self.policy.asked_of(aggregate)
        if aggregate.measure in self.policy.advisory and self._misfit:
            yield "--calibration"

    @property
    def _misfit(self) -> str:
        """Why none of the calibrations is about anything here; nothing where one is."""
        return misfit(self.policy.trust.calibrations, self.old.scores, self.new.scores)

    def _waived(self, aggregate: Aggregate) -> str:
        """Say why neither budget nor floor can fail an aggregate; nothing where they can."""
        if aggregate.measure in self.policy.advisory:
            return ADVISORY
        pairs = self.pairs.get(aggregate.measure)
        return too_few_items(aggregate, len(pairs.positions)) if pairs else ""

    def _judge(self, aggregate: Aggregate) -> tuple[MeasureComparison, Reason | None]:
        """Compare an aggregate; the reason is why it is over its budget, if it fails by that."""
        change = self._change(aggregate)
        if change is None:
            return self._refused(aggregate), None
        evidence = self.statistics.evidence(aggregate)
        decision = Decision(change, evidence, self.policy.alpha, self._waived(aggregate))
        described, reason = self._described(aggregate), decision.reason
        judged = replace(
            described,
            result=self._result(decision),
            baseline=change.baseline,
            candidate=change.candidate,
            change=change.absolute,
            change_pct=change.percent,
            margin=change.margin,
            over_budget=change.over_budget,
            coverage=self.pairs[aggregate.measure].coverage,
            evidence=evidence,
            reasons=(*described.reasons, *([reason.code] if reason else [])),
            notes=(*described.notes, *decision.notes()),
        )
        return judged, reason

    def _change(self, aggregate: Aggregate) -> Change | None:
        """Recompute an aggregate over the pairs; None where there are none."""
        pairs = self.pairs.get(aggregate.measure)
        if pairs is None or not (self.old.has(aggregate) and self.new.has(aggregate)):
            return None
        before, after = aggregate.of(pairs.baseline), aggregate.of(pairs.candidate)
        if before is None or after is None:
            return None
        return Change(aggregate, before, after, self.policy.budget(aggregate))

    def _result(self, decision: Decision) -> Result:
        """Return the first result whose condition holds."""
        aggregate = decision.change.aggregate
        floor, limit = self.floors.get(str(aggregate)), self._item_limit(aggregate)
        undecided = any(each.effect == "inconclusive" for each in self._about(aggregate))
        undecided = undecided or any(self._not_applied(aggregate))
        broken = (floor is not None and floor.failed) or (limit is not None and not limit.passed)
        limited = floor or limit or decision.change.margin is not None
        outcomes: list[tuple[bool, Result]] = [
            (decision.waived == ADVISORY, "advisory"),
            (decision.fails or broken, "fail"),
            (undecided, "inconclusive"),
            (decision.passes_by_test, "not_significant"),
            (bool(limited) and not decision.waived, "pass"),
        ]
        return next((result for holds, result in outcomes if holds), "not_gated")

    def _refused(self, aggregate: Aggregate) -> MeasureComparison:
        """Describe what is not compared: each side's own value, and no change."""
        described, pairs = self._described(aggregate), self.pairs.get(aggregate.measure)
        demanded = verdict_of(self._about(aggregate))
        result: Result = "inconclusive" if demanded == "inconclusive" else "not_comparable"
        return replace(
            described,
            result="fail" if described.below_floor else result,
            baseline=self.old.value(aggregate),
            candidate=self.new.value(aggregate),
            coverage=pairs.coverage if pairs else None,
        )

    def _described(self, aggregate: Aggregate) -> MeasureComparison:
        """Say of an aggregate what does not depend on its change."""
        declared = aggregate.measure.declaration
        budget, floor = self.policy.budget(aggregate), self.floors.get(str(aggregate))
        limit, waived = self._item_limit(aggregate), self._waived(aggregate)
        doubt = self.policy.advisory.get(aggregate.measure)
        not_applied = tuple(self._not_applied(aggregate))
        told = [f"{ADVISORY}: {', '.join(not_applied)} not applied"]
        own = [
            floor.reason if floor else None,
            limit.reason() if limit else None,
            self._waiver(aggregate),
        ]
        found = [*self._about(aggregate), *filter(None, own)]
        return MeasureComparison(
            str(aggregate),
            str(aggregate.measure),
            declared.direction.value,
            declared.unit,
            "not_gated",
            None,
            None,
            budget=str(budget) if budget else None,
            floor=floor.floor if floor else None,
            below_floor=floor is not None and floor.failed,
            item_limit=limit.limit if limit else None,
            waived=waived,
            advisory=doubt.short if doubt else "",
            not_applied=not_applied,
            notes=tuple(told if doubt and not_applied else ()),
            reasons=tuple(dict.fromkeys(reason.code for reason in found)),
        )

    def _item_limit(self, aggregate: Aggregate) -> ItemLimit | None:
        """Return what became of the items' limit; it is told of the usual aggregate alone."""
        usual = aggregate == Aggregate.default(aggregate.measure)
        return self.item_limits.get(str(aggregate.measure)) if usual else None

    def _about(self, aggregate: Aggregate) -> list[Reason]:
        names = {str(aggregate), str(aggregate.measure)}
        return [reason for reason in self.reasons if any(map(reason.about, names))]

    def _primary(self, judged: Iterable[MeasureComparison]) -> Measure | None:
        """Return the measure that queries are ranked by; one that is compared if there is one.

        By default one that failed, else one that is gated, else any; of these the first nDCG.
        """
        target, found = self.policy.primary, list(judged)
        compared = ordered(self.statistics.pairs)
        if target is not None:
            return next(filter(target.of, [*compared, *_all(self.old, self.new)]))
        failed = {each.measure for each in found if each.result == "fail"}
        gated = {each.measure for each in found if each.gated}

        def place(measure: Measure) -> tuple[bool, bool, bool]:
            name = str(measure)
            return name not in failed, name not in gated, measure.name != nDCG.name

        return min(compared, key=place, default=None)

    def _counts(self, primary: Measure | None, diff: Diff) -> Counts:
        quality = [each.measure for each in self.compared if each.measure.declaration.quality]
        worse = [diff.columns[str(measure)].worsenings for measure in quality]
        pairs = self.statistics.pairs.get(primary) if primary else None
        effect = self.statistics.effects[pairs.measure] if pairs else None
        return Counts(
            len(self.old.scores),
            len(self.new.scores),
            len(pairs.positions) if pairs else 0,
            effect.worse if effect else 0,
            effect.better if effect else 0,
            len(diff.items),
            sum(map(any, zip(*worse, strict=True))),
        )


def _all(old: Side, new: Side) -> list[Measure]:
    return ordered({*old.columns, *new.columns})


def _refuses(reason: Reason, measure: Measure) -> bool:
    return reason.code in REFUSALS and reason.about(str(measure))
