"""Groups of things that pairs connect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T", int, bytes)


def connected(pairs: Iterable[tuple[T, T]]) -> dict[T, T]:
    """Return for each member of a pair the least member that pairs connect it with.

    >>> connected([(4, 2), (5, 4), (7, 8)])
    {2: 2, 4: 2, 5: 2, 7: 7, 8: 7}
    """
    above: dict[T, T] = {}

    def least(member: T) -> T:
        above.setdefault(member, member)
        while above[member] != member:
            above[member] = member = above[above[member]]
        return member

    for one, other in pairs:
        low, high = sorted((least(one), least(other)))
        above[high] = low
    return {member: least(member) for member in sorted(above)}
