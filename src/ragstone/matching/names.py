"""Which measures and aggregates are computed of matched texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ragstone.errors import UsageError
from ragstone.measures import AP, F1, RR, Aggregate, Measure, P, R, Success, nDCG, parse_aggregate
from ragstone.registry import Registry

MICRO = frozenset({"P", "R", "F1"})
"""Measures that are a share of a count; only of these is a micro average usual."""


def default_measures(ks: Sequence[int] = (5,)) -> list[Measure]:
    """Return the seven measures at each cutoff.

    >>> default_measures([3])[:4]
    [Measure('R@3'), Measure('P@3'), Measure('F1@3'), Measure('nDCG@3')]
    """
    return [measure @ k for k in ks for measure in (R, P, F1, nDCG, RR, AP, Success)]


def as_aggregates(
    measures: Iterable[str | Measure | Aggregate] | None,
    ks: Sequence[int] = (5,),
    *,
    average: str = "macro",
    criteria: str = "partial",
) -> list[Aggregate]:
    """Read what is to be computed.

    measures: names or measures, by default the seven at each cutoff; a name that ends in `_at_k`
    is computed at each. average: macro (the mean over queries), micro (of P, R and F1, over all
    texts), or both. criteria: partial, where any gold makes a success, or all.

    >>> [str(each) for each in as_aggregates(["recall@3", "hit@3"], average="both", criteria="all")]
    ['R@3', 'R@3:micro', 'Success(share=1.0)@3']
    """
    given = default_measures(ks) if measures is None else list(measures)
    read = [each for name in given for each in _read(name, ks)]
    if not read:
        raise UsageError("no measure was named")
    criterion = CRITERIA[criteria]
    chosen = [
        each for aggregate in read for each in AVERAGES[average](_criterion(aggregate, criterion))
    ]
    return list(dict.fromkeys(chosen))


def _read(given: str | Measure | Aggregate, ks: Sequence[int]) -> list[Aggregate]:
    if isinstance(given, Aggregate):
        return [given]
    if isinstance(given, Measure):
        return [Aggregate.default(given)]
    return [parse_aggregate(given, k=k) for k in ks]


def _criterion(aggregate: Aggregate, change: Callable[[Measure], Measure]) -> Aggregate:
    return Aggregate(change(aggregate.measure), aggregate.how)


def _partial(measure: Measure) -> Measure:
    return measure


def _all(measure: Measure) -> Measure:
    given = dict(measure.parameters)
    return measure(share=1.0) if measure.name == "Success" and "share" not in given else measure


def _macro(aggregate: Aggregate) -> list[Aggregate]:
    return [aggregate]


def _micro(aggregate: Aggregate) -> list[Aggregate]:
    by_mean = aggregate.how == aggregate.measure.declaration.aggregate
    if by_mean and aggregate.measure.name in MICRO:
        return [Aggregate(aggregate.measure, "micro")]
    return [aggregate]


def _both(aggregate: Aggregate) -> list[Aggregate]:
    return [aggregate, *_micro(aggregate)]


CRITERIA: Registry[Callable[[Measure], Measure]] = Registry("criteria")
CRITERIA.add("partial", _partial)
CRITERIA.add("all", _all)

AVERAGES: Registry[Callable[[Aggregate], list[Aggregate]]] = Registry("average")
AVERAGES.add("macro", _macro)
AVERAGES.add("micro", _micro)
AVERAGES.add("both", _both)
