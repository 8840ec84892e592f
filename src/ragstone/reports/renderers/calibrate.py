"""What a person sees of how far measures agree with people."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from ragstone.errors import count
from ragstone.judge.calibration_result import (
    Calibrated,
    Categorical,
    Estimate,
    MeasureCalibration,
    PoweredMean,
)
from ragstone.reports import numbers
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten
from ragstone.reports.report import Report

NOBODY = "(not named)"
NAMES = {
    "none": "kappa",
    "linear": "kappa, linear weights",
    "quadratic": "kappa, quadratic weights",
}
TONES = {"pass": Tone.GOOD, "fail": Tone.BAD, "inconclusive": Tone.WARNING}


def page(report: Report) -> Page:
    """Draw of each measure the agreement, the confusion, the corrected mean and the slices."""
    details: Calibrated = report.details
    blocks: list[Text | Table] = []
    for each in details.measures:
        blocks += _measure(each, details)
    blocks += [Text(warning, Tone.WARNING) for warning in details.warnings]
    if details.labels_missing:
        blocks.append(
            Text(f"{count(details.labels_missing, 'row')} without a label yet", Tone.QUIET)
        )
    blocks.append(_method(details))
    return Page(_headline(report, details), tuple(blocks))


def _headline(report: Report, details: Calibrated) -> Text:
    said = "; ".join(_said(each, details) for each in details.measures)
    if report.verdict is None:
        return Text(said)
    word = report.verdict.upper()
    return Text(f"{word}: {said}, at least {details.min_kappa:g} asked", TONES[report.verdict])


def _said(measure: MeasureCalibration, details: Calibrated) -> str:
    people = "person" if measure.annotators == 1 else "people"
    with_whom = f"{measure.annotators} {people} on {count(measure.items, 'item')}"
    kappa = details.kappa(measure)
    if kappa is not None:
        by = f" ({details.weights} weights)" if _weighted(measure, details) else ""
        return f"{measure.measure} agrees with {with_whom} to a kappa of {kappa:.2f}{by}"
    if measure.categorical is UNSET and measure.pearson.value is not None:
        found = f"{measure.pearson.value:.2f}"
        return f"{measure.measure} correlates with {with_whom} at {found}, without a kappa"
    return f"{measure.measure} has no kappa with {with_whom}"


def _weighted(measure: MeasureCalibration, details: Calibrated) -> bool:
    """Tell whether the kappa that counts has weights."""
    has_order = measure.categorical is not UNSET and measure.categorical.kappa_linear is not UNSET
    return has_order and details.weights != "none"


def _measure(measure: MeasureCalibration, details: Calibrated) -> Iterator[Text | Table]:
    yield Text(_described(measure), Tone.QUIET)
    yield _figures(measure, details)
    if measure.categorical is not UNSET:
        yield _confusion(measure.categorical, measure.measure)
    if measure.powered is not UNSET and measure.powered.others:
        yield _powered(measure.powered, measure.scale == "preference")
    if measure.with_annotators:
        yield _annotators(measure)
    if measure.slices:
        yield _slices(measure)
    if measure.length is not UNSET:
        yield _length(measure)
    if measure.disagreements:
        yield _disagreements(measure)


def _described(measure: MeasureCalibration) -> str:
    parts = [measure.measure]
    if measure.judge is not UNSET:
        prompt = "" if measure.prompt is UNSET else f", prompt {measure.prompt[:16]}"
        parts.append(f"judged by {measure.judge}{prompt}")
    if measure.threshold is not UNSET:
        parts.append(f"yes from {measure.threshold:g}")
    if measure.label_threshold is not UNSET and measure.label_threshold != 0.5:
        parts.append(f"labels yes from {measure.label_threshold:g}")
    if measure.scale == "preference":
        parts.append("values are second minus first, better is more")
        if measure.tie is not UNSET and measure.tie > 1e-6:
            parts.append(f"a tie up to {measure.tie:g}")
    parts.append(count(measure.labels, "label"))
    return "; ".join(parts)


def _figures(measure: MeasureCalibration, details: Calibrated) -> Table:
    people = measure.among_people
    known = None if people is UNSET else people
    rows: list[list[str]] = []

    def add(name: str, estimate: Estimate, ceiling: float | None) -> None:
        row = [name, _number(estimate.value), _interval(estimate.low, estimate.high)]
        above = "" if ceiling is None else _number(ceiling)
        rows.append([*row, above] if known else row)

    if measure.categorical is not UNSET:
        found = measure.categorical
        for weights, estimate in _kappas(found):
            counts = weights == details.weights or len(found.recalls) == 2
            shown = NAMES[weights] + (" (counts)" if counts and _weighted(measure, details) else "")
            add(shown, estimate, known.kappa if known and counts else None)
        add("Gwet's AC1", found.ac1, None)
        add("balanced accuracy", found.balanced_accuracy, None)
        add("equal answers", Estimate(value=found.exact), known.exact if known else None)
    add("Pearson", measure.pearson, known.pearson if known else None)
    add("Spearman", measure.spearman, known.spearman if known else None)
    heads = [measure.measure, "with people", _of(details), *(["among people"] if known else [])]
    return Table.of(heads, rows)


def _kappas(found: Categorical) -> Iterator[tuple[str, Estimate]]:
    yield "none", found.kappa
    if found.kappa_linear is not UNSET:
        yield "linear", found.kappa_linear
    if found.kappa_quadratic is not UNSET:
        yield "quadratic", found.kappa_quadratic


def _confusion(found: Categorical, name: str) -> Table:
    categories = [shorten(each, 20) for each in found.confusion.categories]
    rows = [
        (category, *(f"{count:,}" for count in counts), _percent(recall))
        for category, counts, recall in zip(
            categories, found.confusion.counts, found.recalls, strict=True
        )
    ]
    title = f"Labels: rows are people, columns {name}"
    return Table.of(("people", *categories, "found"), rows, title)


def _powered(found: PoweredMean, preference: bool) -> Table:
    items = f"{found.labelled + found.others:,}"
    rows = [
        (f"as measured, all {items} items", _number(found.measured), ""),
        (
            f"labels alone, {count(found.labelled, 'item')}",
            _number(found.labels_mean),
            _interval(found.labels_low, found.labels_high),
        ),
        ("prediction-powered", _number(found.mean), _interval(found.low, found.high)),
    ]
    what = "preference for the second, from -1 to 1" if preference else "what people would say"
    title = f"Mean over all items: {what}"
    return Table.of(("mean", "value", "interval"), rows, title)


def _annotators(measure: MeasureCalibration) -> Table:
    rows = [
        (
            shorten(each.annotator or NOBODY),
            f"{each.labels:,}",
            _number(each.kappa),
            _number(each.pearson),
            _number(each.spearman),
        )
        for each in measure.with_annotators
    ]
    heads = ("annotator", "labels", "kappa", "Pearson", "Spearman")
    return Table.of(heads, rows, f"Each annotator with {measure.measure}")


def _slices(measure: MeasureCalibration) -> Table:
    rows = [
        (
            each.by,
            shorten(each.name) + (" (the judge's own)" if each.own else ""),
            f"{each.items:,}",
            _number(each.people),
            _number(each.measure),
            Text(_signed(each.bias), _leaning(each.low, each.high)),
            _range(numbers.change(each.low), numbers.change(each.high), each.low),
            _number(each.kappa),
        )
        for each in measure.slices
    ]
    heads = ("by", "slice", "items", "people", measure.measure, "bias", "interval", "kappa")
    return Table.of(heads, rows, "Does it lean? bias is measure minus people", left=["slice"])


def _length(measure: MeasureCalibration) -> Text:
    assert measure.length is not UNSET
    more = "how much longer the second is" if measure.scale == "preference" else "answer length"
    said = (
        f"correlation with {more}: {measure.measure} {_number(measure.length.measure)}, "
        f"people {_number(measure.length.people)}"
    )
    return Text(said, Tone.QUIET)


def _disagreements(measure: MeasureCalibration) -> Table:
    pairs = any(each.second is not UNSET for each in measure.disagreements)
    named = any(each.annotator for each in measure.disagreements)
    rows = []
    for each in measure.disagreements:
        row = [shorten(each.item)]
        row += [shorten(each.second) if each.second is not UNSET else ""] if pairs else []
        row += [shorten(each.annotator, 20)] if named else []
        verdict = "" if each.verdict is UNSET else each.verdict
        rows.append([*row, shorten(each.label, 20), _number(each.value), verdict])
    heads = ["item", *(["second"] if pairs else []), *(["annotator"] if named else [])]
    shown, whole = len(measure.disagreements), measure.disagree
    title = (
        f"Furthest from people: {shown:,} of {whole:,}" if shown < whole else "Where they differ"
    )
    left = {*heads[1:], "label", "says"}
    return Table.of([*heads, "label", "value", "says"], rows, title, left=sorted(left))


def _method(details: Calibrated) -> Text:
    share = f"{details.confidence:.0%}" if details.confidence < 0.995 else f"{details.confidence:g}"
    return Text(
        f"{share} intervals: bootstrap over items, {details.resamples:,} resamples, seed "
        f"{details.seed}; of means and biases by t",
        Tone.QUIET,
    )


def _of(details: Calibrated) -> str:
    return f"{details.confidence * 100:g}% interval"


def _number(value: float | None) -> str:
    return numbers.value(value)


def _signed(value: float | None) -> str:
    return numbers.change(value)


def _percent(value: float | None) -> str:
    return numbers.NOTHING if value is None else f"{value:.1%}"


def _interval(low: float | None, high: float | None) -> str:
    return _range(numbers.value(low), numbers.value(high), low)


def _range(low: str, high: str, known: float | None) -> str:
    return numbers.NOTHING if known is None else f"{low} to {high}"


def _leaning(low: float | None, high: float | None) -> Tone:
    """Tell whether a bias is more than chance would make it."""
    certain = low is not None and high is not None and (low > 0 or high < 0)
    return Tone.WARNING if certain else Tone.PLAIN
