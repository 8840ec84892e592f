"""The best assignment of retrieved texts to gold texts, for every cutoff at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

START = -1


def assign(weights: Sequence[Mapping[int, float]]) -> dict[int, int]:
    """Return the row of each column that is assigned one.

    weights: for each row the columns that it may have, with weights up to 1. Rows come one after
    the other, and each that can be assigned beside all those before is. Rows that can be assigned
    together form a matroid, so for every k as many of the first k rows are assigned as can be.
    Of all assignments of these rows it is one with the highest sum of weights: each row is added by
    a shortest augmenting path (Kuhn 1955; Jonker and Volgenant 1987).

    >>> assign([{0: 0.9, 1: 0.8}, {0: 0.7}, {1: 1.0}])
    {0: 1, 1: 0}
    """
    paths = _Paths(weights)
    for row in range(len(weights)):
        paths.add(row)
    return paths.owners


class _Paths:
    """Owners of columns, and the prices that show them to be the best (dual variables)."""

    def __init__(self, weights: Sequence[Mapping[int, float]]) -> None:
        self.weights = weights
        self.owners: dict[int, int] = {}
        self.row_prices = [0.0] * len(weights)
        self.prices: dict[int, float] = {}

    def add(self, row: int) -> None:
        """Assign a row, and move others where that makes room; or leave it out."""
        distances: dict[int, float] = {}
        came_from: dict[int, int] = {}
        visited = [START]
        owners = {**self.owners, START: row}
        while visited[-1] == START or visited[-1] in self.owners:
            here = visited[-1]
            self._look(owners[here], here, visited, distances, came_from)
            ahead = {column: far for column, far in distances.items() if column not in visited}
            nearest = min(ahead, key=lambda column: (ahead[column], column), default=None)
            if nearest is None:
                return
            self._pay(ahead[nearest], visited, owners, distances)
            visited.append(nearest)
        column = visited[-1]
        while column != START:
            self.owners[column] = owners[came_from[column]]
            column = came_from[column]

    def _look(
        self,
        row: int,
        here: int,
        visited: Sequence[int],
        distances: dict[int, float],
        came_from: dict[int, int],
    ) -> None:
        """See from a row which columns can be reached, and how dear each is."""
        for column, weight in self.weights[row].items():
            dear = 1 - weight - self.row_prices[row] - self.prices.get(column, 0.0)
            if column not in visited and dear < distances.get(column, math.inf):
                distances[column], came_from[column] = dear, here

    def _pay(
        self,
        price: float,
        visited: Sequence[int],
        owners: Mapping[int, int],
        distances: dict[int, float],
    ) -> None:
        for column in visited:
            self.row_prices[owners[column]] += price
            self.prices[column] = self.prices.get(column, 0.0) - price
        for column in distances:
            if column not in visited:
                distances[column] -= price
