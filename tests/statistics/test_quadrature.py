from __future__ import annotations

import math

import pytest

from ragstone.statistics.quadrature import gauss, integrate


@pytest.mark.parametrize("power", [0, 1, 2, 17, 38])
def test_gauss_is_exact_for_polynomials(power: int) -> None:
    assert gauss(lambda x: x**power, 0.0, 1.0) == pytest.approx(1 / (power + 1), rel=1e-14, abs=0)


def test_gauss_over_an_empty_range_is_zero() -> None:
    assert gauss(math.exp, 2.0, 2.0) == 0.0


def test_integrate_finds_a_step_anywhere() -> None:
    area = integrate(lambda x: float(x > math.pi), 0.0, 10.0)
    assert area == pytest.approx(10.0 - math.pi, rel=1e-13, abs=0)


def test_integrate_a_peak_away_from_the_middle() -> None:
    area = integrate(lambda x: math.exp(-0.5 * ((x - 0.2) * 50) ** 2), 0.0, 1.0)
    assert area == pytest.approx(math.sqrt(2 * math.pi) / 50, rel=1e-13, abs=0)
