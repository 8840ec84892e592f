"""What keeps two sides from being compared: their items, cutoffs and columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias, TypeVar

from ragstone.errors import InputError, count, listed
from ragstone.gate.policy import Policy
from ragstone.gate.reason import Effect, Reason
from ragstone.gate.side import Side, ordered
from ragstone.gate.signatures import signature_reasons
from ragstone.measures import Measure
from ragstone.model import Scalar

K = TypeVar("K", bound=Hashable)

Family: TypeAlias = tuple[str, tuple[tuple[str, Scalar], ...]]
"""A measure's name and parameters: what is the same at every cutoff."""


def comparability(old: Side, new: Side, policy: Policy) -> list[Reason]:
    """Return what can be said of two sides without comparing a value."""
    shared = [measure for measure in old.columns if measure in new.columns]
    torn = torn_families(old, new)
    found = [
        *_query_sets(old, new),
        *_cutoffs(old, new, torn, policy),
        *_lost(old, new, torn, policy),
        *_gained(old, new, torn, policy),
        *_unweighted(old, new, shared, policy),
        *_not_numbers(old, new, shared, policy),
        *signature_reasons(old, new, shared, policy),
    ]
    if not shared and all(reason.effect == "note" for reason in found):
        found.append(_nothing_shared(old, new))
    return found


def torn_families(old: Side, new: Side) -> set[Family]:
    """Return the families that both sides have, but at no common cutoff."""
    here, there = set(map(_family, old.columns)), set(map(_family, new.columns))
    return (here & there) - {_family(each) for each in old.columns if each in new.columns}


def effect_of(measures: Iterable[Measure], decides: Callable[[Measure], bool]) -> Effect:
    """Return `fail` if any of the measures decides, else `note`."""
    return "fail" if any(map(decides, measures)) else "note"


def _query_sets(old: Side, new: Side) -> Iterator[Reason]:
    if old.scores.items == new.scores.items:
        return
    was, now = set(old.scores.items), set(new.scores.items)
    if was == now:
        raise InputError("the items of a report must be unique, and ascend by code point")
    parts = [
        f"{len(ids)} only in {name} ({listed(sorted(ids))})"
        for name, ids in ((old.name, was - now), (new.name, now - was))
        if ids
    ]
    message = f"query sets differ: {', '.join(parts)}; score both on the same queries"
    yield Reason("query_set_mismatch", "fail", message)


def _cutoffs(old: Side, new: Side, torn: set[Family], policy: Policy) -> Iterator[Reason]:
    families = defaultdict[tuple[str, str, Effect], list[Family]](list)
    for family in sorted(torn):
        effect = effect_of(_members(family, old, new), policy.gates)
        families[_cut_at(family, old), _cut_at(family, new), effect].append(family)
    for (was, now, effect), group in families.items():
        measures = chain.from_iterable(_members(family, old, new) for family in group)
        names = listed([str(Measure(name, None, inside)) for name, inside in group])
        yield Reason(
            "k_mismatch",
            effect,
            f"{names}: the cutoff is {was} in the {old.name} and {now} in the {new.name}; "
            "score both with the same --k",
            tuple(map(str, ordered(measures))),
        )


def _lost(old: Side, new: Side, torn: set[Family], policy: Policy) -> Iterator[Reason]:
    for effect, group in _by_effect(_only_in(old, new, torn), policy.watches):
        advice = f"; score the {new.name} with the same measures, or set a budget off"
        yield _missing(group, effect, old, new, advice if effect == "fail" else "")


def _gained(old: Side, new: Side, torn: set[Family], policy: Policy) -> Iterator[Reason]:
    """A measure that is new is a fail only where a limit on it is asked for by name."""

    def demanded(measure: Measure) -> bool:
        targets = policy.limits_on(measure)
        return not all(any(map(target.of, old.columns)) for target in targets)

    for effect, group in _by_effect(_only_in(new, old, torn), demanded):
        advice = f"; score the {old.name} with it, or leave its limit out"
        yield _missing(group, effect, new, old, advice if effect == "fail" else ": not compared")


def _missing(group: list[Measure], effect: Effect, here: Side, there: Side, advice: str) -> Reason:
    names = tuple(map(str, group))
    message = f"only the {here.name} has {listed(names)}, the {there.name} does not{advice}"
    return Reason("measure_missing", effect, message, names)


def _unweighted(old: Side, new: Side, shared: list[Measure], policy: Policy) -> Iterator[Reason]:
    """Name the :micro aggregates for which only one side has weights; neither is an error."""
    for aggregate in chain.from_iterable(map(policy.compared, shared)):
        for here, there in ((old, new), (new, old)):
            if there.has(aggregate):
                continue
            if not here.has(aggregate):
                here.check_weights([aggregate])
            wanted = policy.watches_aggregate if here is old else policy.demands
            yield Reason(
                "measure_missing",
                "fail" if wanted(aggregate) else "note",
                f"only the {here.name} has the weights for {aggregate}; "
                f"score the {there.name} with --measure {aggregate}",
                (str(aggregate),),
            )


def _not_numbers(old: Side, new: Side, shared: list[Measure], policy: Policy) -> Iterator[Reason]:
    for side in (old, new):
        for measure in shared:
            if items := side.unusable(measure):
                yield Reason(
                    "measure_missing",
                    effect_of([measure], policy.watches),
                    f"{measure} is not a finite number for {count(len(items), 'item')} of the "
                    f"{side.name} ({listed(items)}); measure them again",
                    (str(measure),),
                )


def _nothing_shared(old: Side, new: Side) -> Reason:
    has = [
        f"the {side.name} has {listed([str(each) for each in side.columns]) or 'none'}"
        for side in (old, new)
    ]
    message = f"there is nothing to compare: {', '.join(has)}; score both with the same measures"
    return Reason("measure_missing", "fail", message)


def _family(measure: Measure) -> Family:
    return measure.name, measure.parameters


def _members(family: Family, *sides: Side) -> list[Measure]:
    return [each for side in sides for each in side.columns if _family(each) == family]


def _cut_at(family: Family, side: Side) -> str:
    cutoffs = [each.cutoff for each in _members(family, side)]
    return ", ".join("full depth" if cutoff is None else str(cutoff) for cutoff in cutoffs)


def _only_in(here: Side, there: Side, torn: set[Family]) -> list[Measure]:
    lacking = [measure for measure in here.columns if measure not in there.columns]
    return [measure for measure in lacking if _family(measure) not in torn]


def _by_effect(
    measures: list[Measure], decides: Callable[[Measure], bool]
) -> Iterator[tuple[Effect, list[Measure]]]:
    groups = defaultdict[Effect, list[Measure]](list)
    for measure in measures:
        groups[effect_of([measure], decides)].append(measure)
    yield from groups.items()
