"""Agreement of two raters over the same items, from their confusion table.

A table has a row for each category of the first rater, people as a rule, and a column for each of
the second. Its numbers are counts. Categories ascend where they have an order, which only the
weighted kappa heeds. Pure `math`: no NumPy.

- Kappa: Cohen (1960), "A coefficient of agreement for nominal scales"; weighted: Cohen (1968),
  "Weighted kappa". Its standard error: Fleiss, Cohen and Everitt (1969), "Large sample standard
  errors of kappa and weighted kappa".
- AC1 and its standard error: Gwet (2008), "Computing inter-rater reliability and its variance in
  the presence of high agreement", equations 7 and 26 for two raters.
- Balanced accuracy: Brodersen et al. (2010), "The balanced accuracy and its posterior
  distribution", as the mean recall over the categories that the first rater used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

Confusion: TypeAlias = Sequence[Sequence[float]]
"""counts[i][j]: how often the first rater said category i and the second category j."""

Weight: TypeAlias = Callable[[int, int, int], float]

WEIGHTS: dict[str, Weight] = {
    "none": lambda i, j, _: float(i == j),
    "linear": lambda i, j, q: 1.0 - abs(i - j) / (q - 1),
    "quadratic": lambda i, j, q: 1.0 - (i - j) ** 2 / (q - 1) ** 2,
}
"""How much of an agreement it is that two raters are so many categories apart, from 0 to 1."""

_NONE = 1e-12


def observed_agreement(table: Confusion) -> float | None:
    """Return the share of equal answers; None for an empty table.

    >>> observed_agreement([[45, 15], [25, 15]])
    0.6
    """
    total = _total(table)
    return sum(row[k] for k, row in enumerate(table)) / total if total else None


def cohen_kappa(table: Confusion, weights: str = "none") -> float | None:
    """Return Cohen's kappa, from -1 to 1; None where both always gave one and the same category.

    weights: `none`, or for categories in order `linear` or `quadratic`.

    >>> round(cohen_kappa([[20, 5], [10, 15]]), 6)
    0.4
    """
    shares = _shares(table)
    if shares is None:
        return None
    found, by_chance = _agreements(shares, WEIGHTS[weights])
    if 1.0 - by_chance <= _NONE:
        return None
    return max(-1.0, min(1.0, (found - by_chance) / (1.0 - by_chance)))


def kappa_standard_error(table: Confusion, weights: str = "none") -> float | None:
    """Return the large-sample standard error of kappa; None where kappa is.

    It holds for pairs of answers that are independent of each other.

    >>> round(kappa_standard_error([[20, 5], [10, 15]]), 6)
    0.126996
    """
    shares, kappa = _shares(table), cohen_kappa(table, weights)
    if shares is None or kappa is None:
        return None
    weight, q = WEIGHTS[weights], len(shares)
    rows, columns = _margins(shares)
    _, by_chance = _agreements(shares, weight)
    of_row = [sum(columns[j] * weight(i, j, q) for j in range(q)) for i in range(q)]
    of_column = [sum(rows[i] * weight(i, j, q) for i in range(q)) for j in range(q)]
    squares = math.fsum(
        shares[i][j] * (weight(i, j, q) - (of_row[i] + of_column[j]) * (1.0 - kappa)) ** 2
        for i in range(q)
        for j in range(q)
    )
    variance = squares - (kappa - by_chance * (1.0 - kappa)) ** 2
    return math.sqrt(max(0.0, variance) / _total(table)) / (1.0 - by_chance)


def gwet_ac1(table: Confusion) -> float | None:
    """Return Gwet's AC1, from -1 to 1; None for an empty table or one category.

    Where nearly all answers are in one category kappa falls to 0 although the raters agree; AC1
    does not.

    >>> high = [[118, 5], [2, 0]]
    >>> round(gwet_ac1(high), 4), round(cohen_kappa(high), 4)
    (0.9408, -0.0234)
    """
    shares = _shares(table)
    if shares is None or len(shares) < 2:
        return None
    by_chance = _ac1_chance(shares)
    found = sum(row[k] for k, row in enumerate(shares))
    return (found - by_chance) / (1.0 - by_chance)


def ac1_standard_error(table: Confusion) -> float | None:
    """Return the large-sample standard error of AC1; None where AC1 is.

    It holds for pairs of answers that are independent of each other.
    """
    shares, ac1 = _shares(table), gwet_ac1(table)
    if shares is None or ac1 is None:
        return None
    q, middle = len(shares), _middle(shares)
    found, by_chance = sum(row[k] for k, row in enumerate(shares)), _ac1_chance(shares)
    first = sum(shares[k][k] * (1.0 - middle[k]) for k in range(q)) / (q - 1)
    second = (
        math.fsum(
            shares[k][m] * (1.0 - (middle[k] + middle[m]) / 2.0) ** 2
            for k in range(q)
            for m in range(q)
        )
        / (q - 1) ** 2
    )
    variance = (
        found * (1.0 - found)
        - 4.0 * (1.0 - ac1) * (first - found * by_chance)
        + 4.0 * (1.0 - ac1) ** 2 * (second - by_chance**2)
    )
    return math.sqrt(max(0.0, variance) / _total(table)) / (1.0 - by_chance)


def recalls(table: Confusion) -> list[float | None]:
    """Return for each category of the first rater how often the second agreed; None for unused.

    >>> recalls([[45, 15, 0], [10, 30, 0], [0, 0, 0]])
    [0.75, 0.75, None]
    """
    return [row[k] / sum(row) if sum(row) else None for k, row in enumerate(table)]


def balanced_accuracy(table: Confusion) -> float | None:
    """Return the mean recall over the categories that the first rater used; None without any.

    >>> balanced_accuracy([[90, 0], [5, 5]])
    0.75
    """
    known = [recall for recall in recalls(table) if recall is not None]
    return sum(known) / len(known) if known else None


def _total(table: Confusion) -> float:
    return math.fsum(count for row in table for count in row)


def _shares(table: Confusion) -> list[list[float]] | None:
    if any(len(row) != len(table) for row in table):
        raise ValueError("a confusion table has as many columns as rows")
    total = _total(table)
    return [[count / total for count in row] for row in table] if total else None


def _margins(shares: Confusion) -> tuple[list[float], list[float]]:
    return [math.fsum(row) for row in shares], [
        math.fsum(column) for column in zip(*shares, strict=True)
    ]


def _agreements(shares: Confusion, weight: Weight) -> tuple[float, float]:
    """Return the weighted agreement that was found, and that of independent raters."""
    q = len(shares)
    rows, columns = _margins(shares)
    places = [(i, j) for i in range(q) for j in range(q)]
    found = math.fsum(shares[i][j] * weight(i, j, q) for i, j in places)
    return found, math.fsum(rows[i] * columns[j] * weight(i, j, q) for i, j in places)


def _middle(shares: Confusion) -> list[float]:
    return [(row + column) / 2.0 for row, column in zip(*_margins(shares), strict=True)]


def _ac1_chance(shares: Confusion) -> float:
    return sum(share * (1.0 - share) for share in _middle(shares)) / (len(shares) - 1)
