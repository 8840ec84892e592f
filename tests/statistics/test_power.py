from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.power import TTestPower

from ragstone.statistics import detectable_effect, smallest_detectable_drop

LEVELS = [(0.05, 0.8), (0.01, 0.9), (0.001, 0.95), (0.3, 0.5), (0.05, 0.06)]


def power_of(effect: float, n: int, alpha: float) -> float:
    both = float(TTestPower().power(effect, n, alpha, alternative="two-sided"))
    if not math.isnan(both):
        return both
    # scipy has no value for the lower tail where it is below 1e-16: leave it out
    return float(TTestPower().power(effect, n, alpha / 2, alternative="larger"))


@pytest.mark.parametrize("n", [2, 3, 5, 10, 30, 50, 100, 300, 1000, 7000, 100_000])
@pytest.mark.parametrize(("alpha", "power"), LEVELS)
def test_is_the_root_of_statsmodels_power(n: int, alpha: float, power: float) -> None:
    # solve_power stops early (about 1e-5 relative), so its equation is solved here.
    found = detectable_effect(n, alpha=alpha, power=power)
    expected = optimize.brentq(
        lambda effect: power_of(effect, n, alpha) - power,
        0.5 * found,
        2 * found,
        xtol=1e-12 * found,
    )
    assert found == pytest.approx(expected, rel=1e-9, abs=0)


def test_agrees_with_solve_power_where_that_converges() -> None:
    agreed = 0
    for n in (50, 100, 300, 1000):
        for alpha, power in LEVELS:
            solved = TTestPower().solve_power(nobs=n, alpha=alpha, power=power)
            expected = float(np.squeeze(solved))
            if abs(power_of(expected, n, alpha) - power) < 1e-13:
                agreed += 1
                assert detectable_effect(n, alpha=alpha, power=power) == pytest.approx(
                    expected, rel=1e-9, abs=0
                )
    assert agreed >= 5


@pytest.mark.parametrize("n", [5, 40, 2000])
def test_drop_is_effect_times_sd(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.01, 0.17, n)
    found = smallest_detectable_drop(differences, alpha=0.01, power=0.9)
    sd = float(differences.std(ddof=1))
    assert found == pytest.approx(
        sd * detectable_effect(n, alpha=0.01, power=0.9), rel=1e-12, abs=0
    )


def test_a_drop_of_that_size_is_shown_that_often() -> None:
    n, sd = 12, 0.2
    shift = sd * detectable_effect(n, alpha=0.05, power=0.8)
    noise = np.random.default_rng(7).normal(-shift, sd, (20_000, n))
    p_values = stats.ttest_1samp(noise, 0.0, axis=1).pvalue
    assert np.mean(p_values < 0.05) == pytest.approx(0.8, abs=0.012)


def test_two_queries_at_a_tiny_alpha() -> None:
    # n = 2: P(|T| > c) -> P(|N| < effect sqrt(2) / c), c = 1 / tan(pi alpha / 2).
    alpha, power = 1e-8, 0.9
    limit = float(stats.norm.ppf(0.5 + power / 2)) / math.tan(math.pi * alpha / 2)
    assert detectable_effect(2, alpha=alpha, power=power) == pytest.approx(
        limit / math.sqrt(2), rel=1e-9, abs=0
    )


def test_undefined_without_variance() -> None:
    for differences in ([], [0.5], [0.0, 0.0], [-0.25] * 4, [0.9 - 0.8, 0.8 - 0.7]):
        assert smallest_detectable_drop(differences) is None


def test_power_that_chance_alone_gives() -> None:
    assert detectable_effect(30, alpha=0.9, power=0.8) == 0.0
    assert detectable_effect(30, alpha=0.8, power=0.8) == 0.0


@pytest.mark.parametrize("bad", [0.0, 1.0, -1.0, math.nan])
def test_alpha_and_power_are_shares(bad: float) -> None:
    with pytest.raises(ValueError, match="alpha must be between 0 and 1"):
        detectable_effect(30, alpha=bad)
    with pytest.raises(ValueError, match="power must be between 0 and 1"):
        smallest_detectable_drop([0.1, 0.2], power=bad)


def test_one_query_has_no_power() -> None:
    with pytest.raises(ValueError, match="at least 2 queries, not 1"):
        detectable_effect(1)
