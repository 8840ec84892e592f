"""How much worse a single item may get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ragstone.errors import count, listed
from ragstone.gate.budget import exceeds
from ragstone.gate.coverage import Pairs
from ragstone.gate.diff import Diff, QueryChange
from ragstone.gate.reason import Reason
from ragstone.gate.target import Target, choose
from ragstone.gate.wording import exactly, plain
from ragstone.measures import Aggregate


@dataclass(frozen=True, slots=True)
class ItemLimit:
    """A limit on every item of a measure, and the items that got worse by more, the worst first.

    limit is in units of the measure.
    """

    measure: str
    limit: float
    beyond: tuple[QueryChange, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no item got worse by more than the limit; by as much is allowed."""
        return not self.beyond

    def reason(self, *, advisory: bool = False) -> Reason | None:
        """Say which items are beyond the limit, or nothing where none is."""
        if self.passed:
            return None
        items = [
            f"{each.id} from {plain(each.baseline)} to {plain(each.candidate)}"
            for each in self.beyond
        ]
        message = (
            f"{self.measure}: {count(len(items), 'item')} got worse by more than "
            f"{exactly(self.limit)}, the most that one may: {listed(items)}"
            + ("; it is advisory, so this cannot fail the comparison" if advisory else "")
        )
        return Reason("item_dropped", "note" if advisory else "fail", message, (self.measure,))


def item_limits(
    pairs: Iterable[Pairs], diff: Diff, limits: Mapping[Target, float]
) -> Iterator[ItemLimit]:
    """Hold the items of each compared measure against its limit, where it has one."""
    for each in pairs:
        limit = choose(limits, Aggregate.default(each.measure))
        if limit is not None:
            name = str(each.measure)
            yield ItemLimit(name, limit, beyond_limit(diff, name, limit))


def beyond_limit(diff: Diff, measure: str, limit: float) -> tuple[QueryChange, ...]:
    """Return the items that got worse by more than the limit, the worst first, ties by id."""
    worse = diff.regressed(measure)
    return tuple(change for change in worse if _exceeds(change, limit))


def _exceeds(change: QueryChange, limit: float) -> bool:
    return exceeds(abs(change.delta), limit, max(abs(change.baseline), abs(change.candidate)))
