"""How far the values of a measure agree with what people say of the same items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from ragstone.errors import UsageError
from ragstone.formats.labels import Label, Labels, read_labels
from ragstone.judge.calibration_figures import (
    among_people,
    categorical,
    correlations,
    with_annotators,
)
from ragstone.judge.calibration_pairs import Joined, Lookup, Sides, by_measure, join
from ragstone.judge.calibration_result import (
    Calibrated,
    Disagreement,
    MeasureCalibration,
    PoweredMean,
)
from ragstone.judge.calibration_rows import Rated, Row, item_means, row_of
from ragstone.judge.calibration_scale import (
    SAME,
    TIE,
    Given,
    checked_level,
    number_of,
    scale_of,
    words_of,
)
from ragstone.judge.calibration_slices import (
    Traits,
    families_of_judge,
    length_effect,
    slices,
    traits_of_scores,
)
from ragstone.measures import FEW_LABELLED, LEAST_LABELLED, parse_measure
from ragstone.model import Scores
from ragstone.statistics import WEIGHTS, Draws, prediction_powered_mean


class Options(NamedTuple):
    """What `calibrate` was told, checked."""

    given: Mapping[str, Given]
    draws: Draws
    weights: str
    top: int
    traits: Traits


def calibrate(
    scores: Scores,
    labels: Labels | Iterable[Mapping[str, Any]],
    *,
    second: Scores | None = None,
    measures: Sequence[str] = (),
    thresholds: Mapping[str, float] | None = None,
    label_thresholds: Mapping[str, float] | None = None,
    scales: Mapping[str, Mapping[str, float]] | None = None,
    tie: float = TIE,
    weights: str = "none",
    min_kappa: float | None = None,
    traits: Traits | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    top: int = 10,
) -> Calibrated:
    """Compare values with labels of people; see docs/calibration.md for what each number is.

    labels: rows with id, measure, label and annotator, or `first` and `second` in place of id.
    second: the scores of the second system, where labels say which of two people prefer; an id is
    then one of both. thresholds: from which value on a measure says yes; label_thresholds: the
    same for labels that are numbers. scales: words that labels may be, and the number of each.
    tie: two values that differ by no more are equal. weights: of the kappa that counts. traits: by
    what answers may be sliced; by default what the scores have of their length. top: how many
    disagreements are kept.

    Raises InputError for labels that cannot be joined, and UsageError for settings that cannot be.

    >>> from ragstone.model import Cell, ScoresBuilder
    >>> builder = ScoresBuilder(["faithfulness"])
    >>> for number, value in enumerate([1.0, 0.5, 0.0, 1.0]):
    ...     builder.add(f"q{number}", [Cell(value)])
    >>> said = [True, False, False, True]
    >>> people = [{"id": f"q{number}", "label": label} for number, label in enumerate(said)]
    >>> found = calibrate(builder.build(), people, thresholds={"faithfulness": 0.75})
    >>> found["faithfulness"].categorical.kappa.value
    1.0
    """
    read = labels if isinstance(labels, Labels) else read_labels(labels)
    sides = Sides.of(scores, second)
    rows, warnings = by_measure(read, sides, measures)
    options = Options(
        _given(rows, thresholds or {}, label_thresholds or {}, scales or {}, tie),
        Draws(
            _positive("resamples", resamples), seed, checked_level("confidence", confidence, 0, 1)
        ),
        _weights(weights),
        top,
        traits if traits is not None else traits_of_scores(scores),
    )
    found = []
    for measure, own in rows.items():
        each, noted = _measure(measure, own, sides, read, options)
        found.append(each)
        warnings += noted
    return Calibrated(
        measures=found,
        weights=weights,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        min_kappa=UNSET if min_kappa is None else min_kappa,
        labels_missing=read.facts.get("labels_missing", 0),
        warnings=warnings,
    )


def _given(
    rows: Mapping[str, Sequence[Label]],
    thresholds: Mapping[str, float],
    label_thresholds: Mapping[str, float],
    scales: Mapping[str, Mapping[str, float]],
    tie: float,
) -> dict[str, Given]:
    """Return the settings of each measure; a name of "" is for all of them."""
    for name in {*thresholds, *label_thresholds, *scales} - {""}:
        if str(parse_measure(name)) not in rows:
            raise UsageError(
                f"{name}: no label is of this measure; labels are of {', '.join(rows)}"
            )
    if not 0 <= tie < 1e15:
        raise UsageError(f"tie is {tie!r}; a number of at least 0 was expected")

    def chosen(options: Mapping[str, Any], measure: str) -> Any:
        exact = {str(parse_measure(name)): value for name, value in options.items() if name}
        return exact.get(measure, options.get(""))

    return {
        measure: Given(
            chosen(thresholds, measure),
            chosen(label_thresholds, measure),
            chosen(scales, measure),
            tie,
        )
        for measure in rows
    }


def _positive(name: str, value: int) -> int:
    if value < 1:
        raise UsageError(f"{name} is {value}; at least 1 was expected")
    return value


def _weights(name: str) -> str:
    if name not in WEIGHTS:
        raise UsageError(f"weights is {name!r}; one of {', '.join(WEIGHTS)} was expected")
    return name


def _measure(
    measure: str, own: Sequence[Label], sides: Sides, labels: Labels, options: Options
) -> tuple[MeasureCalibration, list[str]]:
    lookup = Lookup(measure, sides)
    joined = join(measure, own, lookup, labels)
    given = options.given[measure]
    words = words_of(measure, given, preference=bool(joined.labels[0].second))
    numbers = [number_of(label, words, measure, labels) for label in joined.labels]
    scale = scale_of(measure, given, joined.labels, numbers, joined.values)
    rows = [
        row_of(label, number, value, scale)
        for label, number, value in zip(joined.labels, numbers, joined.values, strict=True)
    ]
    rated = Rated(measure, rows, scale, options.weights, options.draws)
    found = _result(rated, joined, lookup, options)
    return found, list(_warnings(found, joined, rated))


def _result(rated: Rated, joined: Joined, lookup: Lookup, options: Options) -> MeasureCalibration:
    scale, signature = rated.scale, lookup.sides.first.signature_of(rated.measure)
    judge, prompt = str(signature.get("judge", "")), str(signature.get("prompt", ""))
    by_values, by_ranks = correlations(rated)
    differ = _disagreements(rated, joined.labels)
    return MeasureCalibration(
        measure=rated.measure,
        judge=judge or UNSET,
        prompt=prompt or UNSET,
        signature=dict(signature),
        scale=scale.kind,
        threshold=UNSET if scale.threshold is None else scale.threshold,
        label_threshold=UNSET if scale.label_threshold is None else scale.label_threshold,
        tie=scale.tie if scale.kind == "preference" else UNSET,
        labels=len(rated.rows),
        items=len(rated.clusters()),
        annotators=len({row.annotator for row in rated.rows}),
        not_in_report=joined.not_in_report,
        without_value=joined.without_value,
        categorical=categorical(rated) or UNSET,
        pearson=by_values,
        spearman=by_ranks,
        with_annotators=with_annotators(rated),
        among_people=among_people(rated) or UNSET,
        powered=_powered(rated, lookup) or UNSET,
        length=length_effect(rated.rows, options.traits) or UNSET,
        slices=slices(rated, options.traits, families_of_judge(judge) if judge else set()),
        disagreements=differ[: options.top],
        disagree=len(differ),
    )


def _powered(rated: Rated, lookup: Lookup) -> PoweredMean | None:
    scale, preference = rated.scale, rated.scale.kind == "preference"
    people, measure = item_means(rated.rows)
    others = lookup.unlabelled({row.what for row in rated.rows}, preference=preference)
    if preference or scale.threshold is not None:
        others = [scale.points[scale.of_value(value)] for value in others]
    found = prediction_powered_mean(people, measure, others, confidence=rated.draws.confidence)
    if found is None:
        return None
    low, high = rated.bounds
    interval, alone = (
        (max(low, each.low), min(high, each.high)) for each in (found.interval, found.labels_only)
    )
    return PoweredMean(
        mean=min(high, max(low, found.mean)),
        low=interval[0],
        high=interval[1],
        measured=(sum(measure) + sum(others)) / (len(measure) + len(others)),
        labels_mean=sum(people) / len(people),
        labels_low=alone[0],
        labels_high=alone[1],
        factor=found.factor,
        labelled=found.labels,
        others=found.others,
    )


def _disagreements(rated: Rated, labels: Sequence[Label]) -> list[Disagreement]:
    """Return where label and verdict differ, the furthest apart first.

    Numbers without categories differ all the time; nothing is listed for them.
    """

    def furthest(pair: tuple[Label, Row]) -> tuple[float, tuple[str, str], str]:
        label, row = pair
        return -abs(row.people - row.measure), row.what, label.annotator

    differ = [
        (label, row)
        for label, row in zip(labels, rated.rows, strict=True)
        if row.codes is not None and row.codes[0] != row.codes[1]
    ]
    return [
        Disagreement(
            item=row.item,
            second=row.second or UNSET,
            annotator=row.annotator,
            label=label.text,
            value=row.value,
            verdict=rated.scale.names[row.codes[1]] if row.codes else UNSET,
        )
        for label, row in sorted(differ, key=furthest)
    ]


def _warnings(found: MeasureCalibration, joined: Joined, rated: Rated) -> Iterator[str]:
    name, scale = found.measure, rated.scale
    if found.not_in_report:
        yield f"{name}: {found.not_in_report} labels are of items that the report does not have"
    if found.without_value:
        yield (
            f"{name}: {found.without_value} labels are of items without a value (not applicable, "
            "or failed), and were left out"
        )
    if scale.kind == "continuous":
        flags = f"--threshold {name}=..."
        if not {label.value for label in joined.labels} <= {0, 1}:
            flags += f" and --label-threshold {name}=..., or --scale {name}=..."
        yield f"{name}: labels and values are compared as numbers; kappa needs {flags}"
    elif scale.kind == "ordinal":
        between = sum(abs(scale.points[scale.of_value(v)] - v) > SAME for v in joined.values)
        if between:
            yield f"{name}: {between} values lie between categories and count as the nearest"
    yield from _doubts(found)


def _doubts(found: MeasureCalibration) -> Iterator[str]:
    name = found.measure
    if found.items < LEAST_LABELLED:
        yield (
            f"{name}: {found.items} labelled items are too few to gate by; "
            f"have at least {LEAST_LABELLED}, better 100"
        )
    elif found.items < FEW_LABELLED:
        yield (
            f"{name}: {found.items} labelled items are few; "
            f"have at least {FEW_LABELLED}, better 100"
        )
    if found.categorical is UNSET:
        return
    if found.categorical.kappa.value is None:
        yield (
            f"{name}: kappa is not defined, since people and measure gave one and the same "
            "category throughout; label items of which some are bad"
        )
    elif found.categorical.exact == 1:
        yield f"{name}: all labels agree, so no interval can say what more would show"
