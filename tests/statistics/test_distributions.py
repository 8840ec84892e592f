from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from ragstone.statistics import noncentral_t_cdf, noncentral_t_sf, t_cdf, t_ppf, t_sf

DFS = [1, 2, 3, 4, 5, 7.5, 9, 19, 49, 99, 299, 999, 6999, 20_000, 1e5]
TS = [1e-9, 1e-3, 0.1, 0.5, 1, 1.7, 1.7320508, 1.8, 2, 2.5, 3, 5, 10, 20, 30, 37, 100, 1e4, 1e8]

degrees = st.floats(1, 1e5) | st.integers(1, 100_000)


def exact_tail(t: float, df: int) -> Decimal:
    """Return P(T > t) for an even df from its finite sum (Abramowitz and Stegun 26.7.4)."""
    with localcontext() as context:
        context.prec = 420
        square = Decimal(df) / (Decimal(df) + Decimal(t) ** 2)
        term = total = Decimal(1)
        for k in range(1, df // 2):
            term *= square * (2 * k - 1) / (2 * k)
            total += term
        return (1 - (1 - square).sqrt() * total) / 2


@pytest.mark.parametrize("df", [2, 4, 10, 32, 100, 998, 6998])
@pytest.mark.parametrize("t", TS)
def test_tail_is_the_exact_sum(t: float, df: int) -> None:
    exact = exact_tail(t, df)
    if exact > Decimal("1e-300"):
        assert abs(Decimal(t_sf(t, df)) / exact - 1) < Decimal("2e-13")


@pytest.mark.parametrize("df", DFS)
@pytest.mark.parametrize("t", TS[1:])  # near 0, scipy's Cauchy is not exact
def test_tails_agree_with_scipy(t: float, df: float) -> None:
    expected = float(stats.t.sf(t, df))
    if expected > 1e-300:
        assert t_sf(t, df) == pytest.approx(expected, rel=1e-12, abs=0)
        assert t_cdf(-t, df) == t_sf(t, df)
    assert t_cdf(t, df) == pytest.approx(float(stats.t.cdf(t, df)), rel=1e-13, abs=0)


@settings(max_examples=200, deadline=None)
@given(st.floats(-50, 50).filter(lambda t: abs(t) > 1e-3), degrees)
def test_cdf_agrees_with_scipy_anywhere(t: float, df: float) -> None:
    expected = float(stats.t.cdf(t, df))
    if expected > 1e-300:
        assert t_cdf(t, df) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("df", DFS)
@pytest.mark.parametrize(
    "p", [1e-300, 1e-100, 1e-20, 1e-6, 0.001, 0.025, 0.2, 0.2499, 0.2501, 0.4, 0.49, 0.51, 0.975]
)
def test_quantiles_agree_with_scipy(p: float, df: float) -> None:
    found, expected = t_ppf(p, df), float(stats.t.ppf(p, df))
    if abs(expected) < 1e150:  # scipy squares it
        assert found == pytest.approx(expected, rel=1e-11, abs=0)
    assert t_cdf(found, df) == pytest.approx(p, rel=1e-12, abs=0)


@settings(max_examples=200, deadline=None)
@given(st.floats(1e-300, 1, exclude_max=True), degrees)
def test_quantile_inverts_cdf(p: float, df: float) -> None:
    assert t_cdf(t_ppf(p, df), df) == pytest.approx(p, rel=2e-12, abs=0)


@pytest.mark.parametrize("t", [-2e5, -3.0, -1e-3, -1e-9, 1e-15, 4e-8, 0.7])
def test_one_degree_of_freedom_is_cauchy(t: float) -> None:
    assert t_sf(t, 1) == pytest.approx(math.atan2(1.0, t) / math.pi, rel=1e-14, abs=0)


def test_the_middle() -> None:
    assert t_cdf(0.0, 3) == t_sf(0.0, 3) == t_cdf(-0.0, 3) == 0.5
    assert t_ppf(0.5, 3) == 0.0
    p = 0.5 + 1e-9
    assert t_ppf(p, 7) == pytest.approx((p - 0.5) / stats.t.pdf(0, 7), rel=1e-13, abs=0)


def test_far_out() -> None:
    assert t_sf(math.inf, 3) == t_cdf(-math.inf, 3) == 0.0
    assert t_cdf(math.inf, 3) == 1.0
    assert t_sf(1e300, 1) == pytest.approx(1e-300 / math.pi, rel=1e-12, abs=0)
    assert t_ppf(1e-300, 1) == pytest.approx(-1e300 / math.pi, rel=1e-12, abs=0)
    assert t_sf(3.0, 1e12) == pytest.approx(float(stats.norm.sf(3.0)), rel=1e-9, abs=0)
    with pytest.raises(OverflowError, match="beyond the largest float"):
        t_ppf(5e-324, 1)


@pytest.mark.parametrize("df", [0, 0.5, -1, math.inf, math.nan])
def test_impossible_df(df: float) -> None:
    with pytest.raises(ValueError, match="degrees of freedom must be at least 1"):
        t_sf(1.0, df)


def test_impossible_arguments() -> None:
    with pytest.raises(ValueError, match="t is not a number"):
        t_cdf(math.nan, 3)
    for p in (0.0, 1.0, -0.1, math.nan):
        with pytest.raises(ValueError, match="p must be between 0 and 1"):
            t_ppf(p, 3)
    with pytest.raises(ValueError, match="must be finite"):
        noncentral_t_cdf(1.0, 3, math.inf)


@pytest.mark.parametrize("df", [1, 2, 3, 9, 49, 299, 6999, 100_000])
@pytest.mark.parametrize("noncentrality", [-8.0, -1.0, 0.0, 0.3, 2.8, 7.0])
@pytest.mark.parametrize("t", [-12.7, -2.0, -0.1, 0.0, 0.5, 1.96, 3.0, 12.7])
def test_noncentral_agrees_with_scipy(t: float, noncentrality: float, df: int) -> None:
    below, expected = noncentral_t_cdf(t, df, noncentrality), stats.nct.cdf(t, df, noncentrality)
    if not math.isnan(expected):  # scipy's way of saying 0 or 1 far out
        assert below == pytest.approx(float(expected), abs=1e-11)
    assert below + noncentral_t_sf(t, df, noncentrality) == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.floats(-10, 10), degrees)
def test_noncentral_without_effect_is_central(t: float, df: float) -> None:
    assert noncentral_t_cdf(t, df, 0.0) == pytest.approx(t_cdf(t, df), abs=1e-12)


@pytest.mark.parametrize("noncentrality", [30.0, 300.0, 1e3, 1e4, 1e6, 1e10])
@pytest.mark.parametrize("ratio", [0.1, 0.5, 1.0, 2.0])
def test_noncentral_with_a_narrow_step(noncentrality: float, ratio: float) -> None:
    # With 1 degree of freedom T is (Z + noncentrality) / |N|, so that T > t > 0
    # means |N| < (Z + noncentrality) / t; the rest is the mean over Z.
    t = noncentrality / ratio
    z, weights = np.polynomial.hermite_e.hermegauss(30)
    shares = special.erf((z + noncentrality) / t / math.sqrt(2))
    expected = float(weights @ shares) / math.sqrt(2 * math.pi)
    assert noncentral_t_sf(t, 1, noncentrality) == pytest.approx(expected, abs=1e-13)
