"""What a budget or a floor is about: one aggregate, or every cutoff of a family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace

from ragstone.errors import InputError, UsageError, did_you_mean, listed, nearest
from ragstone.measures import MEASURES, Aggregate, Cutoff, Measure, parse_aggregate, split_name

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Target:
    """The key of a budget or a floor.

    A name with a cutoff is one aggregate. A name without is a family: it covers every cutoff,
    and if it has no parameters, every parameter. A name without an aggregate behind a colon
    means the measure's usual aggregate.

    >>> str(Target.parse("ndcg_cut_10")), str(Target.parse("recall_at_k")), str(Target.parse("map"))
    ('nDCG@10', 'R', 'AP')
    """

    aggregate: Aggregate
    family: bool = False

    @classmethod
    def parse(cls, text: str) -> Target:
        """Read a canonical name or an alias, with or without cutoff and aggregate.

        Raises UsageError, or UnknownNameError with the nearest names.
        """
        name, _, how = text.strip().partition(":")
        parsed = split_name(name)
        if parsed.cutoff not in (None, "k"):
            return cls(parse_aggregate(text.strip()))
        # 1 is the one number that is both a rank and a recall level
        cutoff = "" if MEASURES[parsed.name].cutoff is Cutoff.NONE else "@1"
        inside = f"({parsed.parameters})" if parsed.parameters else ""
        whole = parse_aggregate(f"{parsed.name}{inside}{cutoff}" + (f":{how}" if how else ""))
        return cls(replace(whole, measure=replace(whole.measure, cutoff=None)), family=True)

    def __str__(self) -> str:
        """Print the canonical name; a family has no cutoff."""
        return str(self.aggregate)

    @property
    def precision(self) -> int:
        """How exactly this names something: the higher of two that cover the same wins."""
        return 1 + bool(self.aggregate.measure.parameters) if self.family else 3

    def covers(self, aggregate: Aggregate) -> bool:
        """Tell whether this names an aggregate."""
        if not self.family:
            return aggregate == self.aggregate
        mine, other = self.aggregate.measure, aggregate.measure
        return (
            mine.name == other.name
            and self.aggregate.how == aggregate.how
            and mine.parameters in ((), other.parameters)
        )

    def of(self, measure: Measure) -> Aggregate | None:
        """Return the aggregate of a measure that this names, or None."""
        aggregate = Aggregate(measure, self.aggregate.how)
        return aggregate if self.covers(aggregate) else None


def chosen(targets: Iterable[Target], aggregate: Aggregate) -> Target | None:
    """Return the target that decides about an aggregate: the most exact name that covers it."""
    covering = [target for target in targets if target.covers(aggregate)]
    return max(covering, key=lambda target: target.precision, default=None)


def choose(targets: Mapping[Target, T], aggregate: Aggregate) -> T | None:
    """Return what is set for an aggregate; the most exact name wins."""
    target = chosen(targets, aggregate)
    return None if target is None else targets[target]


def read_target(noun: str, text: str) -> Target:
    """Parse a target; the UsageError says what it was given for (`budget`, `floor`)."""
    try:
        return Target.parse(text)
    except InputError as error:
        raise UsageError(f"{noun} {text!r}: {error}") from None


def read_aggregate(text: str) -> Target:
    """Parse one aggregate, as reports name them: without a cutoff it is the full depth."""
    try:
        return Target(parse_aggregate(text.strip()))
    except InputError as error:
        raise UsageError(f"aggregate {text!r}: {error}") from None


def require(noun: str, target: Target, measures: Iterable[Measure], where: str) -> None:
    """Raise UsageError, with the nearest names, if a target names none of the measures."""
    known = list(measures)
    if any(target.of(measure) for measure in known):
        return
    names = [str(measure) for measure in known]
    close = nearest(str(target.aggregate.measure), names)
    hint = did_you_mean(close) or f"there is: {listed(names, 30)}"
    raise UsageError(f"{noun} {str(target)!r} names no measure of {where}; {hint}")
