"""Student's t distribution, central and noncentral.

Pure `math`: no NumPy. The central one is an integral of a positive, smooth
function: with t = sqrt(df) sinh(u) the density becomes a constant times
cosh(u)^-df, so nothing cancels, and the tails keep their relative accuracy
(about 1e-13) down to the smallest float.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from ragstone.statistics.quadrature import gauss, integrate
from ragstone.statistics.roots import find_root

_HUGE = 1e150  # its square is still a float
_NEGLIGIBLE = 1e-18  # of a sum
_NORMAL_REACH = 9.0  # standard deviations to where a normal tail no longer counts
_LOG_LARGEST = 709.78  # e to the power of this is still a float
_LOG_NEGLIGIBLE = 40.0  # e^-40 is below the last digit of 1


def t_cdf(t: float, df: float) -> float:
    """Return P(T <= t) for Student's t with `df` degrees of freedom.

    `df` is at least 1; ValueError otherwise, or if `t` is not a number.

    >>> t_cdf(0.0, 5)
    0.5
    >>> round(t_cdf(2.0, 2), 12)
    0.908248290464
    """
    return t_sf(-t, df)


def t_sf(t: float, df: float) -> float:
    """Return P(T > t) for Student's t: accurate relative to its value in both tails.

    `df` is at least 1; ValueError otherwise, or if `t` is not a number.

    >>> round(t_sf(1.0, 1), 12)
    0.25
    >>> t_sf(1e10, 3) < 1e-29
    True
    """
    _check_df(df)
    if math.isnan(t):
        raise ValueError("t is not a number")
    if t == 0:
        return 0.5
    upper = _upper_tail(abs(t), df) if math.isfinite(t) else 0.0
    return upper if t >= 0 else 1.0 - upper


def t_ppf(p: float, df: float) -> float:
    """Return the quantile: the t with P(T <= t) = p.

    0 < p < 1 and `df` at least 1; ValueError otherwise. OverflowError if the
    quantile is beyond the largest float (df 1, p below 1e-308).

    >>> round(t_ppf(0.975, 10), 9)
    2.228138852
    >>> t_ppf(0.5, 10)
    0.0
    """
    _check_df(df)
    if not 0.0 < p < 1.0:
        raise ValueError(f"p must be between 0 and 1, not {p!r}")
    tail = min(p, 1.0 - p)
    if tail == 0.5:
        return 0.0
    size = _from_middle(0.5 - tail, df) if tail > 0.25 else _from_tail(tail, df)
    return math.copysign(size, p - 0.5)


def noncentral_t_cdf(t: float, df: float, noncentrality: float) -> float:
    """Return P(T <= t) for T = (Z + noncentrality) / sqrt(chi2 / df), Z standard normal.

    This is what a t statistic does when there is a true effect: the power of a t
    test. The normal probability given chi is integrated over chi (Johnson, Kotz
    and Balakrishnan, Continuous Univariate Distributions 2, ch. 31). The error is
    absolute, below 1e-12.

    >>> round(noncentral_t_cdf(2.0, 10, 0.0) - t_cdf(2.0, 10), 13)
    0.0
    >>> round(noncentral_t_cdf(2.0, 10, 1.0), 6)
    0.807612
    """
    _check_df(df)
    if not (math.isfinite(t) and math.isfinite(noncentrality)):
        raise ValueError("t and noncentrality must be finite")
    density, ends = _density_of_log_chi(df)
    if t and noncentrality / t > 0:  # the normal probability rises from 0 to 1 about here
        step, reach = math.log(noncentrality / t), _NORMAL_REACH / abs(noncentrality)
        rise = (min(max(step + side, ends[0]), ends[-1]) for side in (-reach, 0.0, reach))
        ends = sorted({*ends, *rise})

    def integrand(y: float) -> float:
        return density(y) * _normal_cdf(t * math.exp(y) - noncentrality)

    return min(1.0, math.fsum(integrate(integrand, low, high) for low, high in pairwise(ends)))


def noncentral_t_sf(t: float, df: float, noncentrality: float) -> float:
    """Return P(T > t) for the noncentral t; see `noncentral_t_cdf`.

    >>> noncentral_t_sf(2.0, 10, 1.0) == noncentral_t_cdf(-2.0, 10, -1.0)
    True
    """
    return noncentral_t_cdf(-t, df, -noncentrality)


def _check_df(df: float) -> None:
    if not 1.0 <= df < math.inf:
        raise ValueError(f"degrees of freedom must be at least 1 and finite, not {df!r}")


def _upper_tail(t: float, df: float) -> float:
    exponent, factor = _upper_tail_parts(t, df)
    return math.exp(exponent) * factor


def _upper_tail_parts(t: float, df: float) -> tuple[float, float]:
    """Return e and f with P(T > t) = f exp(e), for t >= 0.

    exp(e) is cosh(u0)^-df; the rest is the integral of (cosh(u0 + v) / cosh(u0))^-df
    over v > 0, in pieces that double in width.
    """
    if t < _HUGE:
        ratio = t * t / df
        log_cosh, tanh = 0.5 * math.log1p(ratio), math.sqrt(ratio / (1.0 + ratio))
    else:
        log_cosh, tanh = math.log(t) - 0.5 * math.log(df), 1.0

    def falling(v: float) -> float:
        half = math.sinh(0.5 * v)
        return math.exp(-df * math.log1p(2.0 * half * half + tanh * math.sinh(v)))

    total, start, width = 0.0, 0.0, 1.0 / (df * tanh + math.sqrt(df))
    while True:
        part = gauss(falling, start, start + width)
        total += part
        if part <= _NEGLIGIBLE * total:
            return -df * log_cosh, _density_at_zero(df) * total
        start, width = start + width, 2.0 * width


def _middle(t: float, df: float) -> float:
    """Return P(0 < T < t) for a t of the inner half, accurate relative to its value."""
    end = math.asinh(t / math.sqrt(df))
    half_df = 0.5 * df
    area = gauss(lambda u: math.exp(-half_df * math.log1p(math.sinh(u) ** 2)), 0.0, end)
    return _density_at_zero(df) * area


def _from_middle(area: float, df: float) -> float:
    """Return the t with P(0 < T < t) = area, for an area of at most a quarter."""
    least = area * math.sqrt(df) / _density_at_zero(df)
    return _solve_log(lambda t: math.log(_middle(t, df) / area), least)


def _from_tail(tail: float, df: float) -> float:
    """Return the t with P(T > t) = tail, for a tail of at most a quarter."""

    def excess(t: float) -> float:
        exponent, factor = _upper_tail_parts(t, df)
        return math.log(tail) - exponent - math.log(factor)

    return _solve_log(excess, 0.5)


def _solve_log(rising: Callable[[float], float], guess: float) -> float:
    """Return the positive zero of a rising function, sought in the logarithm of its argument."""

    def of_log(u: float) -> float:
        return rising(math.exp(u))

    low = high = math.log(guess)
    reach = 0.25
    while of_log(low) > 0:
        low -= reach
        reach *= 2
    while of_log(high) < 0:
        if high == _LOG_LARGEST:
            raise OverflowError("the quantile is beyond the largest float")
        high = min(high + reach, _LOG_LARGEST)
        reach *= 2
    return math.exp(find_root(of_log, low, high, tolerance=1e-15))


def _density_at_zero(df: float) -> float:
    """Return sqrt(df) x the density at 0: G((df+1)/2) / (sqrt(pi) G(df/2)), G being gamma."""
    a = 0.5 * df
    log_ratio = a * math.log1p(0.5 / a) - 0.5 + _stirling_error(a + 0.5) - _stirling_error(a)
    return math.sqrt(a / math.pi) * math.exp(log_ratio)


def _stirling_error(a: float) -> float:
    """Return log G(a) - [(a - 1/2) log a - a + log(2 pi) / 2] (NIST DLMF 5.11.1)."""
    if a < 16:
        return math.lgamma(a) - ((a - 0.5) * math.log(a) - a + 0.5 * math.log(2.0 * math.pi))
    square = 1.0 / (a * a)
    series = 1 / 1188 - square * 691 / 360360
    for coefficient in (-1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        series = coefficient + square * series
    return series / a


def _density_of_log_chi(df: float) -> tuple[Callable[[float], float], list[float]]:
    """Return the density of log sqrt(chi2 / df) and the ends and peak of where it matters."""
    a = 0.5 * df
    peak = math.sqrt(2.0 * a / math.pi) * math.exp(-_stirling_error(a))
    share = _LOG_NEGLIGIBLE / a

    def density(y: float) -> float:
        return peak * math.exp(-a * (math.expm1(2.0 * y) - 2.0 * y))

    return density, [-0.5 * (share + math.sqrt(2.0 * share)), 0.0, math.sqrt(0.5 * share)]


def _normal_cdf(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2.0))
