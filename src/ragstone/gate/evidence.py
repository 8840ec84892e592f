"""What the paired statistics say of a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from ragstone.gate.coverage import Pairs
from ragstone.gate.policy import Policy
from ragstone.measures import QUANTILES, Aggregate, Direction, Measure

if TYPE_CHECKING:
    from ragstone.statistics import BootstrapTest, Effect

CONFIDENCE = 0.95
POWER = 0.8
USUAL_ALPHA = 0.05
"""The level of the smallest detectable drop where no alpha is given."""

SCALES = MappingProxyType({"mean": lambda _: 1.0, "sum": float})
"""The aggregates that the tests of a mean are about, and by what the mean is multiplied."""

TESTED = frozenset({*SCALES, *QUANTILES})
"""The aggregates that have a test."""

Test = Literal["permutation", "t-test", "mcnemar", "bootstrap"]
"""The tests behind a p-value; mcnemar is the permutation test of a binary measure."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A paired comparison of one column; two-sided p-values.

    p_value is that of `test`: of the one that was asked for, of `mcnemar` in place of the
    permutation test where values are 0 or 1, of `bootstrap` for a quantile. p_value_other is that
    of the other test of a mean. None where a test is undefined: below two pairs, for the t-test
    without variance, and for aggregates that have no test. exact, permutations and smallest_p speak
    of the permutation test: whether all sign patterns were counted, how many were (none where
    mcnemar's formula counts them), and the smallest p that it could have given; smallest_p also of
    the bootstrap, of which resamples is the number of draws. test_could_not_fail: no p below alpha
    was in reach, whatever the size of the drop. interval is the 95% interval of the change, by
    paired t or, of a quantile, by the bootstrap; detectable the smallest true drop that these
    queries would show at 80% power (two-sided, at alpha or 0.05), both in units of the aggregate.
    effect_size is the mean of the differences over their standard deviation. worse, better and
    unchanged count queries.
    """

    test: Test
    worse: int
    better: int
    unchanged: int
    p_value: float | None = None
    p_value_other: float | None = None
    exact: bool = False
    permutations: int = 0
    resamples: int = 0
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
class SignTest:
    """The permutation test of one column, or the exact McNemar test that it is for 0 and 1."""

    name: Test
    p_value: float | None
    exact: bool
    permutations: int
    smallest_p: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of all compared columns; the same signs are drawn for all of them."""

    policy: Policy
    pairs: Mapping[Measure, Pairs]
    tests: Mapping[Measure, SignTest]
    effects: Mapping[Measure, Effect]
    quantiles: Mapping[Aggregate, BootstrapTest]

    @classmethod
    def of(cls, pairs: Sequence[Pairs], policy: Policy) -> Statistics:
        """Run the tests that need random numbers on every column."""
        from ragstone.statistics import effect  # the first use of NumPy

        return cls(
            policy,
            {each.measure: each for each in pairs},
            _sign_tests(pairs, policy),
            {
                each.measure: effect(each.differences, higher_is_better=_is_higher(each.measure))
                for each in pairs
            },
            _quantile_tests(pairs, policy),
        )

    def evidence(self, aggregate: Aggregate) -> Evidence:
        """Return what is known of an aggregate's change."""
        found = self.effects[aggregate.measure]
        counts = Evidence(self.policy.test, found.worse, found.better, found.unchanged)
        if aggregate in self.quantiles:
            return self._of_quantile(counts, self.quantiles[aggregate])
        if aggregate.how not in SCALES:
            return counts
        test, pairs = self.tests[aggregate.measure], self.pairs[aggregate.measure]
        scale = SCALES[aggregate.how](len(pairs.positions))
        by_t_test = self._t_test(aggregate.measure)
        signs = self.policy.test == "permutation"
        return replace(
            counts,
            test=test.name if signs else "t-test",
            p_value=test.p_value if signs else by_t_test,
            p_value_other=by_t_test if signs else test.p_value,
            exact=test.exact,
            permutations=test.permutations,
            smallest_p=test.smallest_p,
            test_could_not_fail=signs and self._out_of_reach(test.smallest_p),
            interval=self._interval(aggregate.measure, scale),
            effect_size=found.d_z,
            detectable=self._detectable(aggregate.measure, scale),
        )

    def _of_quantile(self, counts: Evidence, test: BootstrapTest) -> Evidence:
        interval = test.interval
        return replace(
            counts,
            test="bootstrap",
            p_value=test.p_value,
            resamples=test.resamples,
            smallest_p=test.smallest_p,
            test_could_not_fail=self._out_of_reach(test.smallest_p),
            interval=None if interval is None else (interval.low, interval.high),
        )

    def _t_test(self, measure: Measure) -> float | None:
        from ragstone.statistics import paired_t_test

        return paired_t_test(self.pairs[measure].differences).p_value

    def _out_of_reach(self, smallest_p: float) -> bool:
        """Tell whether p < alpha was out of reach: a smallest p of alpha itself is."""
        return self.policy.alpha is not None and smallest_p >= self.policy.alpha

    def _interval(self, measure: Measure, scale: float) -> tuple[float, float] | None:
        """Return the paired t interval; where all changed by the same it has no width.

        A t-test has no statistic there, but the bootstrap of a quantile has this interval too.
        """
        from ragstone.statistics import mean_interval, moments

        differences = self.pairs[measure].differences
        interval, found = mean_interval(differences, CONFIDENCE), moments(differences)
        if interval is not None:
            return interval.low * scale, interval.high * scale
        if found.sd is None or found.mean is None:
            return None
        return found.mean * scale, found.mean * scale

    def _detectable(self, measure: Measure, scale: float) -> float | None:
        from ragstone.statistics import smallest_detectable_drop

        drop = smallest_detectable_drop(
            self.pairs[measure].differences, alpha=self.policy.alpha or USUAL_ALPHA, power=POWER
        )
        return None if drop is None else drop * scale


def _sign_tests(pairs: Sequence[Pairs], policy: Policy) -> dict[Measure, SignTest]:
    """Run McNemar's test on what is 0 or 1, and sign flips on the others."""
    from ragstone.statistics import permutation_tests

    flipped = [each for each in pairs if not each.is_binary]
    columns = [each.differences for each in flipped]
    tests = permutation_tests(columns, policy.permutations, policy.seed)
    found = {
        each.measure: SignTest(
            "permutation", test.p_value, test.exact, test.permutations, test.smallest_p
        )
        for each, test in zip(flipped, tests, strict=True)
    }
    return found | {each.measure: _mcnemar(each) for each in pairs if each.is_binary}


def _mcnemar(pairs: Pairs) -> SignTest:
    from ragstone.statistics import mcnemar_test, smallest_p

    worse, better = (sum(d == sign for d in pairs.differences) for sign in (-1.0, 1.0))
    p_value = mcnemar_test(worse, better) if len(pairs.positions) > 1 else None
    return SignTest("mcnemar", p_value, True, 0, smallest_p(worse + better))


def _quantile_tests(pairs: Sequence[Pairs], policy: Policy) -> dict[Aggregate, BootstrapTest]:
    """Run the paired bootstrap on every quantile that is compared."""
    from ragstone.statistics import QuantileColumn, bootstrap_quantiles

    asked = [(each, quantiles) for each in pairs if (quantiles := _quantiles(each, policy))]
    tested = bootstrap_quantiles(
        [
            QuantileColumn(
                each.baseline.values,
                each.candidate.values,
                tuple(QUANTILES[aggregate.how] for aggregate in quantiles),
            )
            for each, quantiles in asked
        ],
        resamples=policy.resamples,
        seed=policy.seed,
        confidence=CONFIDENCE,
    )
    return {
        aggregate: test
        for (_, quantiles), tests in zip(asked, tested, strict=True)
        for aggregate, test in zip(quantiles, tests, strict=True)
    }


def _quantiles(pairs: Pairs, policy: Policy) -> list[Aggregate]:
    return [each for each in policy.compared(pairs.measure) if each.how in QUANTILES]


def _is_higher(measure: Measure) -> bool:
    return measure.declaration.direction is Direction.HIGHER
