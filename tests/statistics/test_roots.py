from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from scipy import optimize

from ragstone.statistics.roots import find_root

FUNCTIONS: list[tuple[Callable[[float], float], float, float]] = [
    (lambda x: x * x - 2.0, 0.0, 2.0),
    (lambda x: math.cos(x) - x, 0.0, 1.0),
    (lambda x: math.exp(x) - 1e-5, -50.0, 1.0),
    (lambda x: (x - 1.0) ** 3, 0.0, 3.0),
    (lambda x: math.copysign(1.0, x - 0.3), 0.0, 1.0),
    (lambda x: 1e-200 * (x - 0.7), 0.0, 1.0),
]


@pytest.mark.parametrize(("function", "low", "high"), FUNCTIONS)
def test_agrees_with_brent(function: Callable[[float], float], low: float, high: float) -> None:
    expected = optimize.brentq(function, low, high, xtol=1e-14, maxiter=1000)
    found = find_root(function, low, high)
    assert found == pytest.approx(expected, abs=1e-9) or function(found) == 0.0


def test_either_end_may_be_the_root() -> None:
    assert find_root(lambda x: x, 0.0, 1.0) == 0.0
    assert find_root(lambda x: x - 1.0, 0.0, 1.0) == 1.0


def test_the_ends_may_come_in_either_order() -> None:
    assert find_root(lambda x: x - 0.25, 1.0, 0.0) == pytest.approx(0.25, abs=1e-14)


def test_it_needs_few_steps() -> None:
    calls: list[float] = []

    def function(x: float) -> float:
        calls.append(x)
        return math.exp(x) - 5.0

    find_root(function, 0.0, 4.0)
    assert len(calls) < 20


def test_equal_signs_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"same sign at 1\.0 and 2\.0"):
        find_root(lambda x: x, 1.0, 2.0)
