"""What the paired statistics say of a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ragstone.gate.coverage import Pairs
from ragstone.gate.policy import Policy, TestName
from ragstone.measures import Aggregate, Direction, Measure

if TYPE_CHECKING:
    from ragstone.statistics import Effect, PermutationTest

CONFIDENCE = 0.95
POWER = 0.8
USUAL_ALPHA = 0.05
"""The level of the smallest detectable drop where no alpha is given."""

SCALES = MappingProxyType({"mean": lambda _: 1.0, "sum": float})
"""The aggregates that the paired tests are about, and by what the mean is multiplied."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A paired comparison of one column; two-sided p-values.

    p_value is that of `test`, p_value_other that of the other test; None where the test is
    undefined: below two pairs, for the t-test without variance, and for aggregates that are
    neither a mean nor a sum. exact, permutations and smallest_p speak of the permutation test:
    whether all sign patterns were counted, how many were, and the smallest p that it could have
    given. test_could_not_fail: no p below alpha was in reach, whatever the size of the drop.
    interval is the paired-t 95% interval of the change, detectable the smallest true drop that
    these queries would show at 80% power (two-sided, at alpha or 0.05), both in units of the
    aggregate. effect_size is the mean of the differences over their standard deviation. worse,
    better and unchanged count queries.
    """

    test: TestName
    worse: int
    better: int
    unchanged: int
    p_value: float | None = None
    p_value_other: float | None = None
    exact: bool = False
    permutations: int = 0
    smallest_p: float | None = None
    test_could_not_fail: bool = False
    interval: tuple[float, float] | None = None
    effect_size: float | None = None
    detectable: float | None = None

    def significant(self, alpha: float) -> bool | None:
        """Tell whether the change is significant; None where the test cannot say."""
        if self.p_value is None or self.test_could_not_fail:
            return None
        return self.p_value < alpha


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of all compared columns; the same signs are drawn for all of them."""

    policy: Policy
    pairs: Mapping[Measure, Pairs]
    tests: Mapping[Measure, PermutationTest]
    effects: Mapping[Measure, Effect]

    @classmethod
    def of(cls, pairs: Sequence[Pairs], policy: Policy) -> Statistics:
        """Run the permutation test on every column."""
        from ragstone.statistics import effect, permutation_tests  # the first use of NumPy

        columns = [each.differences for each in pairs]
        tests = permutation_tests(columns, policy.permutations, policy.seed)
        return cls(
            policy,
            {each.measure: each for each in pairs},
            {each.measure: test for each, test in zip(pairs, tests, strict=True)},
            {
                each.measure: effect(each.differences, higher_is_better=_is_higher(each.measure))
                for each in pairs
            },
        )

    def evidence(self, aggregate: Aggregate) -> Evidence:
        """Return what is known of an aggregate's change."""
        found = self.effects[aggregate.measure]
        counts = Evidence(self.policy.test, found.worse, found.better, found.unchanged)
        if aggregate.how not in SCALES:
            return counts
        test, pairs = self.tests[aggregate.measure], self.pairs[aggregate.measure]
        scale = SCALES[aggregate.how](len(pairs.positions))
        chosen, other = self._p_values(aggregate.measure)
        return replace(
            counts,
            p_value=chosen,
            p_value_other=other,
            exact=test.exact,
            permutations=test.permutations,
            smallest_p=test.smallest_p,
            test_could_not_fail=self._could_not_fail(test),
            interval=self._interval(aggregate.measure, scale),
            effect_size=found.d_z,
            detectable=self._detectable(aggregate.measure, scale),
        )

    def _p_values(self, measure: Measure) -> tuple[float | None, float | None]:
        """Return the p-value of the chosen test, and that of the other."""
        from ragstone.statistics import paired_t_test

        by_permutation = self.tests[measure].p_value
        by_t_test = paired_t_test(self.pairs[measure].differences).p_value
        if self.policy.test == "permutation":
            return by_permutation, by_t_test
        return by_t_test, by_permutation

    def _could_not_fail(self, test: PermutationTest) -> bool:
        """Tell whether p < alpha was out of reach: a smallest p of alpha itself is."""
        alpha = self.policy.alpha
        return alpha is not None and self.policy.test == "permutation" and test.smallest_p >= alpha

    def _interval(self, measure: Measure, scale: float) -> tuple[float, float] | None:
        from ragstone.statistics import mean_interval

        interval = mean_interval(self.pairs[measure].differences, CONFIDENCE)
        return None if interval is None else (interval.low * scale, interval.high * scale)

    def _detectable(self, measure: Measure, scale: float) -> float | None:
        from ragstone.statistics import smallest_detectable_drop

        drop = smallest_detectable_drop(
            self.pairs[measure].differences, alpha=self.policy.alpha or USUAL_ALPHA, power=POWER
        )
        return None if drop is None else drop * scale


def _is_higher(measure: Measure) -> bool:
    return measure.declaration.direction is Direction.HIGHER
