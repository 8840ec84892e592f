"""Integrals of smooth functions by Gauss and Legendre's rule.

Pure `math`: no NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

_ORDER = 20
_DEEPEST = 60


def gauss(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the integral of `function` from `low` to `high`, by 20 nodes.

    Exact for polynomials up to degree 39.

    >>> round(gauss(math.exp, 0.0, 1.0) - (math.e - 1.0), 14)
    0.0
    """
    middle, half = (low + high) / 2, (high - low) / 2
    return half * math.fsum(
        weight * function(middle + half * node) for node, weight in _nodes_and_weights()
    )


def integrate(
    function: Callable[[float], float], low: float, high: float, *, tolerance: float = 1e-15
) -> float:
    """Return the integral of `function` from `low` to `high`, halving where it is not smooth.

    `tolerance` is absolute and holds for each piece. A kink or a step is found
    wherever it is; a peak narrower than a hundredth of the range can be missed.

    >>> round(integrate(abs, -1.0, 2.0), 12)
    2.5
    """
    return math.fsum(_pieces(function, low, high, tolerance))


def _pieces(
    function: Callable[[float], float], low: float, high: float, tolerance: float
) -> list[float]:
    pieces: list[float] = []
    todo = [(low, high, gauss(function, low, high), 0)]
    while todo:
        start, end, coarse, depth = todo.pop()
        middle = (start + end) / 2
        left, right = gauss(function, start, middle), gauss(function, middle, end)
        if abs(left + right - coarse) <= tolerance or depth == _DEEPEST:
            pieces += (left, right)
        else:
            todo += [(start, middle, left, depth + 1), (middle, end, right, depth + 1)]
    return pieces


@cache
def _nodes_and_weights() -> tuple[tuple[float, float], ...]:
    """Find the zeros of the Legendre polynomial by Newton's method."""
    pairs = []
    for index in range(_ORDER):
        node = math.cos(math.pi * (index + 0.75) / (_ORDER + 0.5))
        for _ in range(6):
            value, slope = _legendre(node)
            node -= value / slope
        slope = _legendre(node)[1]
        pairs.append((node, 2.0 / ((1.0 - node * node) * slope * slope)))
    return tuple(pairs)


def _legendre(x: float) -> tuple[float, float]:
    """Return the polynomial of degree `_ORDER` and its slope at `x`."""
    before, value = 1.0, x
    for degree in range(2, _ORDER + 1):
        before, value = value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree
    return value, _ORDER * (before - x * value) / (1.0 - x * x)
