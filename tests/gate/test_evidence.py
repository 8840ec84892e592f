from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from scipy import stats

from ragstone.gate import Evidence, compare

OLD = [0.9, 0.4, 0.6, 1.0, 0.3, 0.8, 0.5, 0.7, 0.2, 0.6, 0.9, 0.1]
NEW = [0.7, 0.4, 0.5, 0.8, 0.4, 0.5, 0.5, 0.3, 0.1, 0.7, 0.9, 0.0]


def evidence(make: Any, old: Sequence[float], new: Sequence[float], **options: Any) -> Evidence:
    found = compare(make({"RR": old}), make({"RR": new}), **options)["RR"].evidence
    assert found is not None
    return found


def test_agrees_with_scipy(make: Any) -> None:
    found = evidence(make, OLD, NEW)
    reference = stats.ttest_rel(NEW, OLD)
    interval = reference.confidence_interval(0.95)
    differences = [b - a for a, b in zip(OLD, NEW, strict=True)]
    assert found.p_value_other == pytest.approx(reference.pvalue, rel=1e-9)
    assert found.interval == pytest.approx([interval.low, interval.high], rel=1e-9)
    assert found.effect_size == pytest.approx(
        stats.tmean(differences) / stats.tstd(differences), rel=1e-9
    )
    exact = stats.permutation_test(
        (differences,), sum, permutation_type="samples", n_resamples=10**6, vectorized=False
    )
    assert found.p_value == pytest.approx(exact.pvalue, rel=1e-9)
    assert (found.exact, found.permutations) == (True, 2**9)
    assert (found.worse, found.better, found.unchanged) == (7, 2, 3)
    assert found.smallest_p == 2 / 2**9


def test_the_smallest_drop_is_that_of_alpha_or_the_usual_level(make: Any) -> None:
    from statsmodels.stats.power import TTestPower

    differences = [b - a for a, b in zip(OLD, NEW, strict=True)]
    for alpha, level in ((None, 0.05), (0.01, 0.01)):
        effect = TTestPower().solve_power(nobs=12, alpha=level, power=0.8)
        expected = effect * stats.tstd(differences)
        found = evidence(make, OLD, NEW, alpha=alpha).detectable
        assert found == pytest.approx(expected, rel=1e-6)


def test_a_budget_below_what_can_be_seen_is_flagged(make: Any) -> None:
    found = compare(make({"RR": OLD}), make({"RR": NEW}))["RR"]
    assert found.margin_undetectable
    found = compare(make({"RR": OLD}), make({"RR": NEW}), budgets=["RR=100"])["RR"]
    assert not found.margin_undetectable


def test_identical_runs_have_p_1(make: Any) -> None:
    found = evidence(make, OLD, OLD)
    assert (found.p_value, found.p_value_other) == (1.0, 1.0)
    assert found.interval == (0.0, 0.0)
    assert (found.worse, found.better, found.unchanged) == (0, 0, 12)
    assert (found.effect_size, found.detectable) == (None, None)


def test_seed_and_permutations_are_used(make: Any) -> None:
    old = [n / 100 for n in range(60)]
    new = [value + (0.04 if n % 3 else -0.06) for n, value in enumerate(old)]
    many = [evidence(make, old, new, permutations=500, seed=seed) for seed in (0, 1, 2, 0)]
    assert {each.permutations for each in many} == {500}
    assert not many[0].exact
    assert many[0] == many[3]
    assert len({each.p_value for each in many}) > 1


def test_p_does_not_depend_on_the_other_measures(make: Any) -> None:
    old = [n / 100 for n in range(60)]
    new = [value + (0.04 if n % 3 else -0.06) for n, value in enumerate(old)]
    alone = evidence(make, old, new)
    columns = {"AP": old[::-1], "RR": old}, {"AP": new, "RR": new}
    beside = compare(make(columns[0]), make(columns[1]))["RR"].evidence
    assert beside == alone
