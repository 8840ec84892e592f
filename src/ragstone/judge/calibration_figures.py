"""The figures of agreement: over categories, over numbers, with and among annotators."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple, TypeAlias

from msgspec import UNSET

from ragstone.judge.calibration_result import (
    AmongPeople,
    Categorical,
    ConfusionCounts,
    Estimate,
    WithAnnotator,
)
from ragstone.judge.calibration_rows import Rated, Row, codes_of
from ragstone.statistics import (
    Confusion,
    Interval,
    ac1_standard_error,
    agreement_intervals,
    balanced_accuracy,
    cohen_kappa,
    correlation_intervals,
    gwet_ac1,
    kappa_standard_error,
    observed_agreement,
    pearson,
    recalls,
    spearman,
)

Figure: TypeAlias = Callable[[Confusion], float | None]
Said: TypeAlias = dict[tuple[str, str], Row]
Shared: TypeAlias = list[tuple[Row, Row]]


class _Statistic(NamedTuple):
    """A statistic of a confusion table, and its analytic standard error."""

    value: Figure
    error: Figure


def _no_error(_: Confusion) -> None:
    return None


def _kappa(weights: str) -> _Statistic:
    return _Statistic(
        partial(cohen_kappa, weights=weights), partial(kappa_standard_error, weights=weights)
    )


def categorical(rated: Rated) -> Categorical | None:
    """Return the agreement over categories; None where there are none."""
    clusters = [sorted(codes_of(item)) for item in rated.clusters()]
    table = rated.table(codes_of(rated.rows))
    if not table:
        return None
    weighted = ("linear", "quadratic") if len(table) > 2 else ()
    statistics = [
        _Statistic(gwet_ac1, ac1_standard_error),
        _Statistic(balanced_accuracy, _no_error),
        *(_kappa(weights) for weights in ("none", *weighted)),
    ]
    intervals = agreement_intervals(
        clusters, len(table), [each.value for each in statistics], rated.draws
    )
    once = all(len(item) == 1 for item in clusters)
    ac1, accuracy, kappa, *others = [
        estimate(each.value(table), interval, each.error(table) if once else None)
        for each, interval in zip(statistics, intervals, strict=True)
    ]
    return Categorical(
        confusion=ConfusionCounts(categories=list(rated.scale.names), counts=table),
        exact=observed_agreement(table) or 0.0,
        kappa=kappa,
        kappa_linear=others[0] if others else UNSET,
        kappa_quadratic=others[1] if others else UNSET,
        ac1=ac1,
        balanced_accuracy=accuracy,
        recalls=recalls(table),
    )


def estimate(value: float | None, interval: Interval | None, error: float | None) -> Estimate:
    """Put a value, its interval and its standard error together; nothing where it has no value.

    An interval without width comes of resamples that are all equal, as where every label agrees.
    That is what is not known and no certainty, so there is none.
    """
    if value is None:
        return Estimate(value=None)
    known = UNSET if error is None else error
    if interval is None or interval.low == interval.high:
        return Estimate(value=value, standard_error=known)
    return Estimate(value=value, low=interval.low, high=interval.high, standard_error=known)


def correlations(rated: Rated) -> tuple[Estimate, Estimate]:
    """Return Pearson's and Spearman's correlation of labels and values, over all labels."""
    clusters = [sorted((row.number, row.value) for row in item) for item in rated.clusters()]
    by_values, by_ranks = correlation_intervals(clusters, rated.draws)
    numbers, values = _columns(rated.rows)
    return (
        estimate(pearson(numbers, values), by_values, None),
        estimate(spearman(numbers, values), by_ranks, None),
    )


def with_annotators(rated: Rated) -> list[WithAnnotator]:
    """Return how far the measure agrees with each annotator, where there are several."""
    by_annotator = defaultdict[str, list[Row]](list)
    for row in rated.rows:
        by_annotator[row.annotator].append(row)
    if len(by_annotator) < 2:
        return []
    return [
        WithAnnotator(
            annotator=name,
            labels=len(rows),
            kappa=rated.kappa(codes_of(rows)),
            pearson=pearson(*_columns(rows)),
            spearman=spearman(*_columns(rows)),
        )
        for name, rows in sorted(by_annotator.items())
    ]


def among_people(rated: Rated) -> AmongPeople | None:
    """Compare each pair of annotators over the items that both labelled; None without any."""
    said = defaultdict[str, Said](dict)
    for row in rated.rows:
        said[row.annotator][row.what] = row
    parts = [
        shared
        for one, other in combinations(sorted(said), 2)
        if (shared := _shared(said[one], said[other]))
    ]
    if not parts:
        return None
    by_codes = bool(rated.scale.points)
    return AmongPeople(
        pairs=len(parts),
        items=len({one.what for part in parts for one, _ in part}),
        exact=_over(parts, lambda part: observed_agreement(rated.table(_codes(part)))),
        kappa=_over(parts, lambda part: rated.kappa(_codes(part))) if by_codes else None,
        pearson=_over(parts, lambda part: pearson(*_numbers(part))),
        spearman=_over(parts, lambda part: spearman(*_numbers(part))),
    )


def _shared(one: Said, other: Said) -> Shared:
    return [(row, other[what]) for what, row in one.items() if what in other]


def _over(parts: Sequence[Shared], statistic: Callable[[Shared], float | None]) -> float | None:
    """Return the mean over pairs of annotators, each weighted by the items that it shares."""
    found = [(len(part), value) for part in parts if (value := statistic(part)) is not None]
    total = sum(size for size, _ in found)
    return sum(size * value for size, value in found) / total if total else None


def _codes(part: Shared) -> list[tuple[int, int]]:
    return [(a.codes[0], b.codes[0]) for a, b in part if a.codes and b.codes]


def _numbers(part: Shared) -> tuple[list[float], list[float]]:
    return [one.number for one, _ in part], [other.number for _, other in part]


def _columns(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    return [row.number for row in rows], [row.value for row in rows]
