from __future__ import annotations

import math
import os
import subprocess
import sys
import tracemalloc
from array import array
from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ragstone.statistics import PermutationTest, permutation_test, permutation_tests, smallest_p
from ragstone.statistics.permutation import _exact_counts, _sample

grid = st.integers(-20, 20).map(lambda i: i / 20)  # full of ties and zeros
number = grid | st.floats(-1, 1).filter(lambda d: abs(d) > 1e-6)
small = st.lists(number, min_size=2, max_size=10)
large = st.lists(number.filter(bool), min_size=21, max_size=60)


def brute_exact(differences: list[float]) -> float:
    """Count all sign patterns of all queries, in so many words."""
    tie = 1e-12 * math.fsum(map(abs, differences))
    observed = math.fsum(differences)
    sums = [
        math.fsum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    above = sum(total >= observed - tie for total in sums) / len(sums)
    below = sum(total <= observed + tie for total in sums) / len(sums)
    return min(1.0, 2 * min(above, below))


def brute_sampled(differences: list[float], permutations: int, seed: int) -> float:
    """Follow the description in the module's docstring, a query at a time."""
    sizes = sorted(abs(d) for d in differences if abs(d) > 1e-12)
    tie, observed = 1e-12 * math.fsum(sizes), abs(math.fsum(differences))
    random, sums = Random(seed), [0.0] * permutations
    for start in range(0, len(sizes), 8):
        draw = random.randbytes(permutations)
        for place, size in enumerate(sizes[start : start + 8]):
            for j in range(permutations):
                sums[j] += size if draw[j] >> (7 - place) & 1 else -size
    above = (sum(total >= observed - tie for total in sums) + 1) / (permutations + 1)
    below = (sum(total <= observed + tie for total in sums) + 1) / (permutations + 1)
    return min(1.0, 2 * min(above, below))


def scipy_exact(differences: list[float]) -> float:
    values = np.array(differences)
    result = stats.permutation_test(
        (values, np.zeros_like(values)),
        lambda x, y, axis: np.sum(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="two-sided",
        vectorized=True,
    )
    return float(result.pvalue)


def normal(n: int, mean: float = 0.0, seed: int = 0) -> list[float]:
    return [float(d) for d in np.random.default_rng(seed).normal(mean, 0.2, n)]


# Exact


@settings(max_examples=150, deadline=None)
@given(small)
def test_exact_is_the_brute_count(differences: list[float]) -> None:
    found = permutation_test(differences)
    assert found.exact
    assert found.p_value == pytest.approx(brute_exact(differences), rel=1e-12, abs=0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1).filter(lambda d: abs(d) > 1e-3), min_size=2, max_size=12))
def test_exact_agrees_with_scipy(differences: list[float]) -> None:
    found = permutation_test(differences)
    assert found.p_value == pytest.approx(scipy_exact(differences), rel=1e-12, abs=0)


@pytest.mark.parametrize("n", [15, 20])
def test_exact_with_many_queries_agrees_with_a_convolution(n: int) -> None:
    differences = [float(d) for d in np.random.default_rng(n).integers(-9, 10, n)]
    sums = Counter({0: 1})
    for size in (int(abs(d)) for d in differences):
        after: Counter[int] = Counter()
        for total, count in sums.items():
            after[total + size] += count
            after[total - size] += count
        sums = after
    observed = abs(sum(differences))
    above = sum(count for total, count in sums.items() if total >= observed)
    below = sum(count for total, count in sums.items() if total <= observed)
    expected = min(1.0, 2 * min(above, below) / 2**n)
    assert permutation_test(differences).p_value == pytest.approx(expected, rel=1e-15, abs=0)


@settings(max_examples=60, deadline=None)
@given(small, st.integers(1, 40))
def test_zeros_do_not_matter_if_exact(differences: list[float], zeros: int) -> None:
    more = [0.0] * zeros + differences
    assert permutation_test(more) == permutation_test(differences)
    assert permutation_test(more).p_value == permutation_test([*differences, 1e-17]).p_value


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 20).map(lambda i: i / 20), min_size=2, max_size=7))
def test_exact_p_holds_its_level(sizes: list[float]) -> None:
    # Over all sign patterns, at most a share alpha of them has p <= alpha.
    patterns = product((-1, 1), repeat=len(sizes))
    p_values = sorted(
        permutation_test([s * d for s, d in zip(signs, sizes, strict=True)]).p_value or 0.0
        for signs in patterns
    )
    for p_value in p_values:
        assert sum(p <= p_value + 1e-12 for p in p_values) / len(p_values) <= p_value + 1e-12


def test_ties_that_rounding_hides_are_counted() -> None:
    differences = [0.1, 0.2, 0.3, -0.6, 0.7]  # 0.1 + 0.2 + 0.3 is not 0.6 in floats
    whole = [1.0, 2.0, 3.0, -6.0, 7.0]
    assert permutation_test(differences).p_value == permutation_test(whole).p_value


def test_ties_that_rounding_hides_are_counted_in_samples() -> None:
    whole = [i % 7 - 2.75 for i in range(60)]
    tenths = [d / 10 for d in whole]  # its sums are rounded, those of the quarters are not
    expected = [permutation_test(whole, 300, seed).p_value for seed in range(20)]
    assert [permutation_test(tenths, 300, seed).p_value for seed in range(20)] == expected


def test_exact_up_to_twenty_changed_queries() -> None:
    at_limit = permutation_test([*normal(20), 0.0, 0.0])
    above = permutation_test(normal(21))
    assert (at_limit.exact, at_limit.permutations, at_limit.changed) == (True, 2**20, 20)
    assert (above.exact, above.permutations, above.changed) == (False, 10_000, 21)


# Sampled


@settings(max_examples=60, deadline=None)
@given(large, st.integers(1, 50), st.integers(0, 2**32))
def test_sampled_is_the_brute_count(differences: list[float], count: int, seed: int) -> None:
    found = permutation_test(differences, count, seed)
    assert not found.exact
    assert found.permutations == count
    assert found.p_value == brute_sampled(differences, count, seed)


def test_sampled_is_the_brute_count_over_several_blocks_of_tables() -> None:
    differences = normal(2500, mean=0.004)
    assert permutation_test(differences, 40, 5).p_value == brute_sampled(differences, 40, 5)


@pytest.mark.parametrize("seed", range(6))
def test_sampled_is_within_monte_carlo_error_of_exact(seed: int) -> None:
    differences = normal(24, mean=0.05, seed=seed)
    above, _ = _exact_counts(_sample(differences))
    share = above / 2**24
    share = min(share, 1 - share)
    error = 2 * math.sqrt(share * (1 - share) / 10_000)
    found = permutation_test(differences, seed=seed).p_value
    assert found == pytest.approx(2 * share, abs=5 * error + 2e-4)


@pytest.mark.parametrize("mean", [0.0, 0.02, -0.04])
def test_sampled_agrees_with_scipy(mean: float) -> None:
    differences = np.array(normal(150, mean=mean, seed=9))
    expected = stats.permutation_test(
        (differences, np.zeros_like(differences)),
        lambda x, y, axis: np.sum(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        rng=np.random.default_rng(1),
    ).pvalue
    found = permutation_test(differences).p_value
    error = 2 * math.sqrt(max(expected, 1e-3) / 2 / 10_000)
    assert found == pytest.approx(expected, abs=6 * error)


def test_sampled_p_is_close_to_the_t_test_for_many_queries() -> None:
    differences = normal(2000, mean=0.008, seed=4)
    expected = stats.ttest_1samp(differences, 0.0).pvalue
    assert permutation_test(differences).p_value == pytest.approx(expected, abs=0.02)


def test_the_random_stream_and_its_use_are_frozen() -> None:
    # If this fails, p-values in reports would change without anyone asking for it.
    assert Random(0).randbytes(8).hex() == "cd072cd8be6f9f62"
    differences = [(i * 37 % 101 - 45) / 100 for i in range(300)]
    found = [permutation_test(differences, 1000, seed).p_value for seed in (0, 1, 12345)]
    assert found == [12 / 1001, 10 / 1001, 8 / 1001]


# What p may not depend on


@settings(max_examples=60, deadline=None)
@given(small | large, st.randoms())
def test_row_order_does_not_matter(differences: list[float], random: Random) -> None:
    shuffled = random.sample(differences, len(differences))
    assert permutation_test(shuffled, 200) == permutation_test(differences, 200)


@settings(max_examples=60, deadline=None)
@given(small | large)
def test_swapping_the_sides_does_not_matter(differences: list[float]) -> None:
    swapped = [-d for d in differences]
    assert permutation_test(swapped, 200) == permutation_test(differences, 200)


@settings(max_examples=60, deadline=None)
@given(small | large, st.integers(1, 500))
def test_p_is_in_range(differences: list[float], count: int) -> None:
    found = permutation_test(differences, count)
    assert found.p_value is not None
    assert 0.0 < found.smallest_p <= found.p_value + 1e-15
    assert found.p_value <= 1.0


def test_other_measures_do_not_matter() -> None:
    columns = [normal(30, 0.1), normal(3000, 0.005), normal(7), [0.0] * 30, normal(1100), []]
    together = permutation_tests(columns, 500, 3)
    assert together == [permutation_test(column, 500, 3) for column in columns]
    assert permutation_tests(columns[::-1], 500, 3) == together[::-1]
    assert permutation_tests([], 500) == []


def test_any_column_of_floats_will_do() -> None:
    numbers = normal(40)
    expected = permutation_test(numbers, 100)
    assert permutation_test(array("d", numbers), 100) == expected
    assert permutation_test(np.array(numbers), 100) == expected


def test_the_hash_seed_does_not_matter() -> None:
    code = (
        "from ragstone.statistics import permutation_test as test;"
        "print(test([(i * 37 % 101 - 45) / 100 for i in range(300)], 1000))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "4711")
    }
    assert len(outputs) == 1


# Cases and limits


def test_case_52_p_is_never_zero() -> None:
    found = permutation_test([0.1 - 0.9] * 40, permutations=10_000)
    assert found == PermutationTest(2 / 10_001, False, 10_000, 40, 2 / 10_001)


def test_case_54_a_constant_drop_has_an_exact_p() -> None:
    assert permutation_test([0.5 - 0.75] * 4).p_value == 0.125


def test_case_55_alpha_that_cannot_be_reached() -> None:
    found = permutation_test([0.0 - 1.0] * 4)
    assert found == PermutationTest(0.125, True, 16, 4, 0.125)


def test_smallest_p() -> None:
    assert [smallest_p(c) for c in (0, 1, 2, 5, 6)] == [1.0, 1.0, 0.5, 0.0625, 0.03125]
    assert smallest_p(5000) == 0.0
    assert smallest_p(5000, permutations=19) == 0.1
    assert smallest_p(3, permutations=10_000) == 0.25


def test_few_permutations_limit_p_as_well() -> None:
    found = permutation_test([-0.5] * 30, permutations=19)
    assert found.p_value == found.smallest_p == 0.1


def test_identical_runs() -> None:
    found = permutation_test([0.0] * 100)
    assert found == PermutationTest(1.0, True, 1, 0, 1.0)
    assert permutation_test([1e-17, -1e-12, 0.0]) == found
    assert permutation_test([1e-17, -1.1e-12, 0.0]).changed == 1


def test_too_few_queries() -> None:
    assert permutation_test([]) == PermutationTest(None, True, 0, 0, 1.0)
    assert permutation_test([0.5]) == PermutationTest(None, True, 0, 1, 1.0)
    assert permutation_test([0.5, 0.0]).p_value == 1.0


def test_no_change_on_balance() -> None:
    assert permutation_test([0.5, -0.5] * 5).p_value == 1.0
    found = permutation_test([0.5, -0.5] * 50).p_value
    assert found == 1.0


def test_impossible_arguments() -> None:
    with pytest.raises(ValueError, match="permutations must be at least 1, not 0"):
        permutation_test([0.1, 0.2], permutations=0)
    with pytest.raises(ValueError, match="difference 1 is not finite"):
        permutation_test([0.1, math.nan])


def test_memory_stays_small() -> None:
    columns = [normal(7000, seed=seed) for seed in range(6)]
    tracemalloc.start()
    permutation_tests(columns)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000
