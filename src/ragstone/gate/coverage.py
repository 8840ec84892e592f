"""Which items count on both sides, and what is said where the sides differ."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ragstone.errors import count, listed
from ragstone.gate.policy import Policy
from ragstone.gate.reason import Effect, Reason
from ragstone.gate.side import Side
from ragstone.gate.unmeasured import Unmeasured, unmeasured_reasons
from ragstone.measures import Measure
from ragstone.model import Column, Status


@dataclass(frozen=True, slots=True)
class Tally:
    """Items of one side by status; scored and default ones count, the others do not."""

    scored: int
    default: int
    not_applicable: int
    failed: int

    @classmethod
    def of(cls, column: Column) -> Tally:
        """Count a column's items."""
        tally = column.tally()
        return cls(*(tally[status] for status in Status))

    @property
    def counted(self) -> int:
        """The items that enter an aggregate."""
        return self.scored + self.default


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which items a measure could be compared on.

    pairs is the number of items that count on both sides, of `items` in all. only_baseline and
    only_candidate are the ids that count on one side alone, ascending.
    """

    items: int
    pairs: int
    baseline: Tally
    candidate: Tally
    only_baseline: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the items that count are others than before."""
        return bool(self.only_baseline or self.only_candidate)


@dataclass(frozen=True, slots=True)
class Pairs:
    """A measure's two columns, cut down to the items that count on both sides.

    positions are those of the items in Scores; differences are candidate - baseline, in units
    of the measure.
    """

    measure: Measure
    positions: tuple[int, ...]
    baseline: Column
    candidate: Column
    differences: array[float]
    coverage: Coverage

    @property
    def is_binary(self) -> bool:
        """Whether the measure is 0 or 1, and its values are."""
        values = {*self.baseline.values, *self.candidate.values}
        return self.measure.declaration.binary and values <= {0.0, 1.0}

    @classmethod
    def of(cls, measure: Measure, old: Side, new: Side) -> Pairs:
        """Pair the columns of two sides that have the same items."""
        was, now = old.columns[measure], new.columns[measure]
        before, after = set(was.counted()), set(now.counted())
        both = tuple(sorted(before & after))
        items = old.scores.items
        coverage = Coverage(
            len(items),
            len(both),
            Tally.of(was),
            Tally.of(now),
            tuple(items[i] for i in sorted(before - after)),
            tuple(items[i] for i in sorted(after - before)),
        )
        was, now = was.at(both), now.at(both)
        differences = array("d", [b - a for a, b in zip(was.values, now.values, strict=True)])
        return cls(measure, both, was, now, differences, coverage)


def coverage_reasons(
    pairs: Iterable[Pairs], old: Side, new: Side, policy: Policy
) -> Iterator[Reason]:
    """Go through the measures that are not covered alike, or not enough of the candidate.

    What is said of several is said once.
    """
    as_before = []
    changed = defaultdict[tuple[Hashable, str, Effect], list[str]](list)
    for each in pairs:
        if not each.positions and (missing := _without_pairs(each, new, policy)):
            yield missing
        elif each.coverage.changed:
            items = each.coverage.only_baseline, each.coverage.only_candidate
            alike = items, _difference(each, old, new), _effect(each, new, policy)
            changed[alike].append(str(each.measure))
        elif policy.watches(each.measure):
            as_before.append(Unmeasured.of(each.measure, new))
    for (_, difference, effect), names in changed.items():
        advice = _ADVICE if effect == "inconclusive" else ""
        message = (
            f"{listed(names)}: other items count than before: {difference}; "
            f"compared on those that count on both sides{advice}"
        )
        yield Reason("coverage_changed", effect, message, tuple(names))
    yield from unmeasured_reasons(as_before, policy.allowances)


_ADVICE = "; measure the others again, or allow them with --max-failed or --max-not-applicable"


def _without_pairs(pairs: Pairs, new: Side, policy: Policy) -> Reason | None:
    """Say why a measure has nothing to compare; None where both sides count, but never both."""
    before, after = pairs.coverage.baseline, pairs.coverage.candidate
    if before.counted and after.counted:
        return None
    watched = policy.watches(pairs.measure)
    if before.counted or after.counted:
        name, tally = ("candidate", after) if before.counted else ("baseline", before)
        effect: Effect = "fail" if watched else "note"
    else:
        name, tally = "reports", after
        effect = "inconclusive" if watched and not _allowed(pairs, new, policy) else "note"
    message = (
        f"{pairs.measure} has no value in the {name}: no item counts "
        f"({tally.failed} failed, {tally.not_applicable} not applicable)"
    )
    return Reason("measure_missing", effect, message, (str(pairs.measure),))


def _effect(pairs: Pairs, new: Side, policy: Policy) -> Effect:
    watched = policy.watches(pairs.measure)
    settled = not watched or (pairs.positions and _allowed(pairs, new, policy))
    return "note" if settled else "inconclusive"


def _allowed(pairs: Pairs, new: Side, policy: Policy) -> bool:
    """Tell whether the policy lets so much of the candidate go unmeasured."""
    if not pairs.coverage.items:  # a pass on nothing would say nothing
        return False
    return Unmeasured.of(pairs.measure, new).allowed(policy.allowances)


def _difference(pairs: Pairs, old: Side, new: Side) -> str:
    coverage = pairs.coverage
    parts = [
        f"{count(len(ids), 'item')} only in the {here.name} ({_why(ids, there, pairs.measure)})"
        for ids, here, there in (
            (coverage.only_baseline, old, new),
            (coverage.only_candidate, new, old),
        )
        if ids
    ]
    return ", ".join(parts)


def _why(ids: tuple[str, ...], side: Side, measure: Measure) -> str:
    """List items with what the side that lost them says of each."""
    column = side.columns[measure]
    places: Mapping[str, int] = {item: i for i, item in enumerate(side.scores.items)}
    return listed([f"{item} {_state(column, places[item])}" for item in ids])


def _state(column: Column, position: int) -> str:
    status = Status(column.status[position]).name.lower().replace("_", " ")
    reason = column.reasons.get(position)
    return f"{status}: {reason}" if reason else status
