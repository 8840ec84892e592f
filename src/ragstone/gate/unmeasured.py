"""How much of one side has no value, and whether that may be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ragstone.errors import count, listed
from ragstone.gate.options import Allowance
from ragstone.gate.reason import Reason
from ragstone.gate.side import Side
from ragstone.measures import Measure
from ragstone.model import FAILED_SAMPLES, Scores, Status
from ragstone.model.scored import Scored


@dataclass(frozen=True, slots=True)
class Allowances:
    """How many items may have failed to be measured, and to how many a measure may not apply."""

    failed: Allowance
    not_applicable: Allowance

    @classmethod
    def of(cls, max_failed: str | int, max_not_applicable: str | int) -> Allowances:
        """Read both; raises UsageError, naming the option, for what is neither count nor share."""
        return cls(
            Allowance.of(max_failed, "max_failed"),
            Allowance.of(max_not_applicable, "max_not_applicable"),
        )


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """The items of one side that have no value under a measure.

    Those whose reason the measure excuses, as the first call of a pipeline, are not among them.
    """

    measure: Measure
    side: str
    items: int
    failed: tuple[str, ...]
    not_applicable: tuple[str, ...]
    why: tuple[str, ...]

    @classmethod
    def of(cls, measure: Measure, side: Side) -> Unmeasured:
        """Look through a column."""
        column, items = side.columns[measure], side.scores.items
        excused = measure.declaration.excused
        lacking = {
            i: column.reasons.get(i, "")
            for i, status in enumerate(column.status)
            if not Status(status).counts and column.reasons.get(i) not in excused
        }
        failed = tuple(items[i] for i in lacking if column.status[i] == Status.FAILED)
        others = tuple(items[i] for i in lacking if column.status[i] != Status.FAILED)
        said = Counter(filter(None, lacking.values())).most_common()
        why = tuple(f"{number} {reason}" for reason, number in sorted(said, key=_often))
        return cls(measure, side.name, len(items), failed, others, why)

    def allowed(self, allowances: Allowances) -> bool:
        """Tell whether so many may go without a value."""
        return self._within(allowances) == (True, True)

    def too_much(self, allowances: Allowances) -> Iterator[str]:
        """Go through what is more than is allowed, in words that go behind the measure's name.

        Where a measure need not apply to every item, items that it does not apply to are no
        finding: they are the same on both sides, or other items count than before.
        """
        failed, not_applicable = self._within(allowances)
        if not failed:
            yield self._said(self.failed, "failed", "--max-failed")
        if not not_applicable and self.measure.declaration.complete:
            yield self._said(self.not_applicable, "not measured", "--max-not-applicable")

    def _within(self, allowances: Allowances) -> tuple[bool, bool]:
        return (
            allowances.failed.allows(len(self.failed), self.items),
            allowances.not_applicable.allows(len(self.not_applicable), self.items),
        )

    def _said(self, items: tuple[str, ...], what: str, option: str) -> str:
        because = f"; why: {listed(self.why)}" if self.why else ""
        return (
            f"no value for {len(items)} of {count(self.items, 'item')} of the {self.side} "
            f"({what}: {listed(items)}{because}); measure them again, or allow them with {option}"
        )


def unmeasured_reasons(found: Iterable[Unmeasured], allowances: Allowances) -> Iterator[Reason]:
    """Go through what is not measured; what is said of several measures is said once."""
    alike = defaultdict[str, list[str]](list)
    for each in found:
        for said in each.too_much(allowances):
            alike[said].append(str(each.measure))
    for said, names in alike.items():
        message = f"{listed(names)} {'has' if len(names) == 1 else 'have'} {said}"
        yield Reason("not_measured", "inconclusive", message, tuple(names))


def samples_failed(
    side: Side, allowances: Allowances, measures: Iterable[Measure]
) -> Iterator[Reason]:
    """Say that the system failed on more samples than may, whatever its measures have values of.

    Nothing is said where one of the measures lacks a value of as many items: it says so itself.
    """
    failed = side.scores.facts.get(FAILED_SAMPLES, 0)
    samples = side.scores.facts.get("samples", len(side.scores))
    if allowances.failed.allows(failed, samples):
        return
    if any(len(Unmeasured.of(each, side).failed) >= failed for each in measures):
        return
    message = (
        f"the system failed on {failed:,} of {count(samples, 'sample')} of the {side.name}; run "
        "them again, or allow them with --max-failed"
    )
    yield Reason("samples_failed", "inconclusive", message)


def _without_value(side: Side, measures: Iterable[Measure]) -> Iterator[Reason]:
    """Say which measures have no value at all, though none failed; those have been told of."""
    names = []
    for measure in measures:
        found = Unmeasured.of(measure, side)
        if next(side.columns[measure].counted(), None) is None and not found.failed:
            names.append(str(measure))
    if names:
        verb = "applies" if len(names) == 1 else "apply"
        message = (
            f"{listed(names)} {verb} to no item of the {side.name}, so nothing was measured; give "
            f"the samples what {'it needs' if len(names) == 1 else 'they need'}, or leave "
            f"{'it' if len(names) == 1 else 'them'} out"
        )
        yield Reason("not_measured", "inconclusive", message, tuple(names))


def check_measured(
    scores: Scores | Scored,
    *,
    max_failed: str | int = "0",
    max_not_applicable: str | int = "100%",
    measures: Iterable[Measure] | None = None,
    asked: Iterable[Measure] = (),
) -> tuple[Reason, ...]:
    """Say which measures have too few values to be believed; each reason is `inconclusive`.

    max_failed: how many items, a count or `N%`, may have failed. max_not_applicable: how many may
    be without a value under a measure that every item has one of, such as cost; 0 is right for what
    has a floor. measures: those looked at, by default all. asked: those that somebody named, which
    must have a value at all. Items whose system failed (the fact `failed_samples`) count against
    max_failed whatever is measured. Raises UsageError for limits that cannot be.

    >>> from ragstone.model import Cell, ScoresBuilder
    >>> builder = ScoresBuilder(["cost_usd"])
    >>> builder.add("q1", [Cell(0.002)])
    >>> builder.add("q2", [Cell(0.0, Status.NOT_APPLICABLE, reason="price_unknown")])
    >>> [found] = check_measured(builder.build(), max_not_applicable=0)
    >>> print(found.code, found.message)  # doctest: +ELLIPSIS
    not_measured cost_usd has no value for 1 of 2 items of the report (not measured: q2; why: ...
    >>> check_measured(builder.build())
    ()
    """
    side, allowances = Side.of("report", scores), Allowances.of(max_failed, max_not_applicable)
    wanted = set(side.columns if measures is None else measures)
    looked_at = [measure for measure in side.columns if measure in wanted]
    found = [Unmeasured.of(measure, side) for measure in looked_at]
    named = set(asked)
    return (
        *samples_failed(side, allowances, looked_at),
        *unmeasured_reasons(found, allowances),
        *_without_value(side, [measure for measure in looked_at if measure in named]),
    )


def _often(said: tuple[str, int]) -> tuple[int, str]:
    reason, number = said
    return -number, reason
