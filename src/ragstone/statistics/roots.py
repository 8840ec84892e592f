"""Where a function is zero.

Pure `math`: no NumPy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

_MOST_STEPS = 200
_EPSILON = sys.float_info.epsilon


def find_root(
    function: Callable[[float], float], low: float, high: float, *, tolerance: float = 1e-14
) -> float:
    """Return a zero of `function` between `low` and `high`, where its signs differ.

    Chandrupatla (1997), "A new hybrid quadratic/bisection algorithm for finding
    the zero of a nonlinear function without using derivatives", Advances in
    Engineering Software 28(3). `tolerance` is absolute; a few units in the last
    place of the result are added. Raises ValueError if the signs are equal.

    >>> round(find_root(lambda x: x * x - 2.0, 0.0, 2.0), 12)
    1.414213562373
    """
    newest, older = high, low
    at_newest, at_older = function(newest), function(older)
    if at_newest * at_older > 0:
        raise ValueError(f"the function has the same sign at {low!r} and {high!r}")
    if at_newest == 0:
        return newest
    best, step = newest, 0.5
    for _ in range(_MOST_STEPS):
        point = newest + step * (older - newest)
        value = function(point)
        if (value > 0) == (at_newest > 0):
            oldest, at_oldest = newest, at_newest
        else:
            oldest, older, at_oldest, at_older = older, newest, at_older, at_newest
        newest, at_newest = point, value
        best, at_best = min((newest, at_newest), (older, at_older), key=lambda pair: abs(pair[1]))
        least = (tolerance + 2 * _EPSILON * abs(best)) / abs(older - newest)
        if at_best == 0 or least > 0.5:
            break
        step = _step((newest, at_newest), (older, at_older), (oldest, at_oldest))
        step = min(1.0 - least, max(least, step))
    return best


def _step(
    newest: tuple[float, float], older: tuple[float, float], oldest: tuple[float, float]
) -> float:
    """Return how far to go from `newest` to `older`: by a parabola if safe, else half."""
    (a, at_a), (b, at_b), (c, at_c) = newest, older, oldest
    if at_b in (at_a, at_c) or at_a == at_c:
        return 0.5
    x, y = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
    if y * y >= x or (1.0 - y) ** 2 >= 1.0 - x:
        return 0.5
    across = at_a / (at_b - at_a) * at_c / (at_b - at_c)
    return across + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
