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


HITS = [1.0] * 40 + [0.0] * 20
FEWER = [1.0] * 22 + [0.0] * 18 + [1.0] * 5 + [0.0] * 15  # 18 lost, 5 won


def test_what_is_0_or_1_has_the_exact_mcnemar_test(make: Any) -> None:
    import numpy as np
    from statsmodels.stats.contingency_tables import mcnemar

    old, new = make({"Success@5": HITS}), make({"Success@5": FEWER})
    found = compare(old, new, alpha=0.05, aggregates=["Success@5:sum"])
    for name in ("Success@5", "Success@5:sum"):
        evidence = found[name].evidence
        assert evidence is not None
        reference = mcnemar(np.array([[22, 18], [5, 15]]), exact=True).pvalue
        assert evidence.p_value == pytest.approx(reference, rel=1e-12)
        assert (evidence.test, evidence.exact, evidence.permutations) == ("mcnemar", True, 0)
        assert (evidence.worse, evidence.better, evidence.smallest_p) == (18, 5, 2 / 2**23)
        assert evidence.p_value_other == pytest.approx(stats.ttest_rel(FEWER, HITS).pvalue)
    assert found.reasons[0].message == (
        "Success@5 fell from 0.6667 to 0.45 (-32.5%), over its budget of 2%: 18 worse and 5 better "
        "of 60 queries; p = 0.01062 (exact McNemar test)"
    )


def test_mcnemar_needs_no_random_numbers(make: Any) -> None:
    old, new = make({"Success@5": HITS}), make({"Success@5": FEWER})
    many = [compare(old, new, permutations=99, seed=seed)["Success@5"].evidence for seed in (0, 1)]
    assert many[0] == many[1]
    by_t = compare(old, new, test="t-test")["Success@5"].evidence
    assert by_t is not None
    assert by_t.test == "t-test"
    assert by_t.p_value_other == many[0].p_value  # type: ignore[union-attr]


def test_mcnemar_of_few_queries_has_no_say(make: Any) -> None:
    old, new = make({"Success@5": [1.0] * 8}), make({"Success@5": [1.0, 0.0] * 4})
    found = compare(old, new, alpha=0.05)
    assert found["Success@5"].result == "fail"
    assert found["Success@5"].notes == (
        "the test could not have failed: with 4 changed queries its smallest p is 0.125, "
        "alpha is 0.05; the budget decides",
    )
    one = compare(make({"Success@5": [1.0]}), make({"Success@5": [0.0]}), alpha=0.05)
    assert one["Success@5"].evidence is not None
    assert one["Success@5"].evidence.p_value is None
    assert one["Success@5"].result == "fail"


def test_shares_under_a_binary_measure_are_flipped(make: Any) -> None:
    """Values between 0 and 1 are no answer of yes or no; sign flips take any difference."""
    found = compare(make({"Success@5": [1.0, 0.5, 1.0]}), make({"Success@5": [0.0, 0.0, 1.0]}))
    assert found["Success@5"].evidence is not None
    assert found["Success@5"].evidence.test == "permutation"


def test_a_quantile_has_the_interval_of_the_bootstrap(make: Any) -> None:
    from ragstone.statistics import bootstrap_quantile

    old = [float(n * n % 97) for n in range(97)]
    new = [value + n % 7 for n, value in enumerate(old)]
    scores = make({"wait_ms": old}), make({"wait_ms": new})
    names = {"wait_ms:p50": 0.5, "wait_ms:p95": 0.95, "wait_ms:p99": 0.99}
    found = compare(*scores, aggregates=list(names), seed=3, resamples=500, test="t-test")
    for name, share in names.items():
        expected = bootstrap_quantile(old, new, share, resamples=500, seed=3)
        evidence = found[name].evidence
        assert evidence is not None
        assert expected.interval is not None
        assert (evidence.test, evidence.p_value) == ("bootstrap", expected.p_value)
        assert evidence.interval == (expected.interval.low, expected.interval.high)
