"""What judging gives: a cell for each item and measure, what it took, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragstone.errors import InputError
from ragstone.judge.agreement import Agreement, agreement
from ragstone.judge.asking import Stop
from ragstone.judge.exchange import Totals
from ragstone.judge.spread import Spread, spread
from ragstone.model import Cell, Signature, Status


class Failure(NamedTuple):
    """A value that there is none of: which, why, after how many attempts, and what came back."""

    item: str
    measure: str
    judge: str
    repeat: int
    reason: str
    attempts: int
    message: str
    raw: str = ""


class Who(NamedTuple):
    """A judge as reports name it."""

    name: str
    provider: str
    model: str


@dataclass(frozen=True)
class Judged:
    """The values of some samples, in their order.

    cells: measure -> one cell for each item; over several repeats and judges it is their mean, and
    failed where one of them failed. by_judge: the same for each judge alone. runs: judge ->
    measure -> a list for each repeat. totals: what each judge took; in a cached run, what it took
    when the cache was filled. stop: why not everything was asked. asked: what was put to judges in
    this run, repairs too. spent_usd: what that cost, and what it may have cost where the endpoint
    did not say.
    """

    items: tuple[str, ...]
    judges: tuple[Who, ...]
    cells: Mapping[str, Sequence[Cell]]
    by_judge: Mapping[str, Mapping[str, Sequence[Cell]]]
    runs: Mapping[str, Mapping[str, Sequence[Sequence[Cell]]]] = field(repr=False)
    signatures: Mapping[str, Signature]
    weighted: frozenset[str]
    failures: tuple[Failure, ...]
    totals: Mapping[str, Totals]
    stop: Stop | None = None
    asked: int = 0
    spent_usd: float = 0.0

    @property
    def repeat(self) -> int:
        """How often each judge was asked for each value."""
        return max((len(r) for runs in self.runs.values() for r in runs.values()), default=1)

    def spread(self, measure: str, judge: str | None = None) -> Spread | None:
        """Return how far repeats lie apart; None without repeats.

        judge: the name of the one to look at; by default all, whose mean the value is.
        """
        names = [who.name for who in self.judges] if judge is None else [judge]
        return spread(*(self.runs[name][measure] for name in names))

    def agreements(self, measure: str) -> list[Agreement]:
        """Return how far each pair of judges agrees on a measure."""
        names = [who.name for who in self.judges]
        columns = {name: self.by_judge[name][measure] for name in names}
        return [
            agreement(self.items, (first, columns[first]), (second, columns[second]))
            for place, first in enumerate(names)
            for second in names[place + 1 :]
        ]


def combined(cells: Sequence[Cell]) -> Cell:
    """Return one cell for several of the same item: repeats of a judge, or several judges.

    One that failed makes it fail: a mean over those that came back would depend on which did. One
    without a value makes none where another has one, since claims differ from repeat to repeat;
    the note says so. The value is the mean, and a default only where all are.
    """
    if len(cells) == 1:
        return cells[0]
    failed = [cell for cell in cells if cell.status is Status.FAILED]
    if failed:
        return failed[0]
    counting = [cell for cell in cells if cell.status.counts]
    if not counting:
        return cells[0]
    values = [cell.value for cell in counting]
    notes = dict.fromkeys(cell.note for cell in counting if cell.note)
    if len(counting) < len(cells):
        notes = {f"{len(counting)} of {len(cells)} had a value": None, **notes}
    return Cell(
        math.fsum(values) / len(values),
        max((cell.status for cell in counting), key=lambda status: status is Status.SCORED),
        math.fsum(cell.weight for cell in counting) / len(counting),
        next((cell.reason for cell in counting if cell.reason), ""),
        " | ".join(notes),
    )


def check_ids(items: Sequence[str]) -> None:
    """Refuse items that cannot be told apart."""
    if len(set(items)) < len(items):
        seen: set[str] = set()
        twice = next(item for item in items if item in seen or seen.add(item))  # type: ignore[func-returns-value]
        raise InputError(f"two samples have the id {twice!r}; an id of its own was expected")
