"""What a check is, and the registry of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from ragstone.lint.dataset import Dataset
from ragstone.lint.finding import Severity, Spot, Tally
from ragstone.registry import Registry


class Check(Struct, frozen=True):
    """One check: the kind of its findings, how bad they are, what it needs, what they mean.

    `needs` has roles of files, and `grades` for the scale. `find` returns the cases in the order
    of the file, or a Tally of them.
    """

    kind: str
    severity: Severity
    needs: tuple[str, ...]
    meaning: str
    find: Callable[[Dataset], Iterable[Spot]]

    def run(self, dataset: Dataset) -> Tally:
        """Count what there is to find."""
        found = self.find(dataset)
        return found if isinstance(found, Tally) else Tally(dataset.top, found)


CHECKS: Registry[Check] = Registry("kind of finding")


def check(
    kind: str, severity: Severity, *needs: str, meaning: str
) -> Callable[[Callable[[Dataset], Iterable[Spot]]], Callable[[Dataset], Iterable[Spot]]]:
    """Declare a function as a check."""

    def declare(find: Callable[[Dataset], Iterable[Spot]]) -> Callable[[Dataset], Iterable[Spot]]:
        CHECKS.add(kind, Check(kind, severity, needs, meaning, find))
        return find

    return declare
