"""Whether a report of calibrate agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from ragstone.judge.calibration_result import Calibrated, Categorical, MeasureCalibration
from ragstone.reports.calibrate import EXIT_CODE_OF, verdict_of
from ragstone.reports.checks import differs, same
from ragstone.reports.problem import DETAILS, Problem
from ragstone.reports.statement import Statement
from ragstone.statistics import (
    WEIGHTS,
    balanced_accuracy,
    cohen_kappa,
    gwet_ac1,
    observed_agreement,
    recalls,
)

TABLE = "it follows from the confusion table"


def calibrate_faults(statement: Statement) -> Iterator[Problem]:
    """Check verdict, counts, and each statistic that follows from a confusion table."""
    predicate = statement.predicate
    details: Calibrated = predicate.details
    if predicate.summary:
        yield Problem("$.predicate.summary", "is not empty; calibrate has no items of its own")
    if details.weights not in WEIGHTS:
        yield Problem(f"{DETAILS}.weights", f"is {details.weights!r}; one of {', '.join(WEIGHTS)}")
        return
    names = [each.measure for each in details.measures]
    if len(set(names)) < len(names):
        yield Problem(f"{DETAILS}.measures", "have a measure twice")
    wanted = verdict_of(details)
    if predicate.finding != wanted:
        because = "it follows from kappa and min_kappa"
        yield differs("$.predicate.verdict", predicate.finding, wanted, because)
    elif predicate.exit_code != EXIT_CODE_OF[wanted]:
        because = "it follows from the verdict"
        yield differs("$.predicate.exit_code", predicate.exit_code, EXIT_CODE_OF[wanted], because)
    for place, each in enumerate(details.measures):
        yield from _measure_faults(each, f"{DETAILS}.measures[{place}]")


def _measure_faults(measure: MeasureCalibration, path: str) -> Iterator[Problem]:
    for name in ("judge", "prompt"):
        said, wanted = getattr(measure, name), measure.signature.get(name, UNSET)
        if said != wanted:
            found, expected = (None if each is UNSET else each for each in (said, wanted))
            yield differs(f"{path}.{name}", found, expected, "it is a field of the signature")
    if not 1 <= measure.items <= measure.labels:
        yield Problem(f"{path}.items", f"is {measure.items} with {measure.labels} labels")
    if len(measure.disagreements) > measure.disagree:
        yield Problem(f"{path}.disagreements", f"are more than the {measure.disagree} counted")
    if (measure.categorical is UNSET) != (measure.scale == "continuous"):
        yield Problem(f"{path}.categorical", f"does not go with a {measure.scale} scale")
    if measure.categorical is not UNSET:
        yield from _table_faults(measure, measure.categorical, f"{path}.categorical")


def _table_faults(measure: MeasureCalibration, found: Categorical, path: str) -> Iterator[Problem]:
    categories, counts = found.confusion.categories, found.confusion.counts
    size = len(categories)
    square = size >= 2 and len(counts) == size and all(len(row) == size for row in counts)
    if not square or any(count < 0 for row in counts for count in row):
        yield Problem(f"{path}.confusion", f"is no table of counts of {size} by {size}")
        return
    total = sum(map(sum, counts))
    if total != measure.labels:
        yield differs(f"{path}.confusion", total, measure.labels, "each label is counted once")
        return
    yield from _statistic_faults(found, path)
    for place, (said, wanted) in enumerate(zip(found.recalls, recalls(counts), strict=False)):
        if not same(said, wanted):
            yield differs(f"{path}.recalls[{place}]", said, wanted, TABLE)
    if len(found.recalls) != size:
        yield differs(f"{path}.recalls", len(found.recalls), size, "one for each category")


def _statistic_faults(found: Categorical, path: str) -> Iterator[Problem]:
    counts = found.confusion.counts
    if not same(found.exact, observed_agreement(counts)):
        yield differs(f"{path}.exact", found.exact, observed_agreement(counts), TABLE)
    wanted = {
        "kappa": cohen_kappa(counts),
        "ac1": gwet_ac1(counts),
        "balanced_accuracy": balanced_accuracy(counts),
    }
    weighted = {f"kappa_{name}": cohen_kappa(counts, name) for name in ("linear", "quadratic")}
    if len(counts) > 2:
        wanted |= weighted
    elif any(getattr(found, name) is not UNSET for name in weighted):
        yield Problem(path, "has weighted kappas, which two categories do not have")
    for name, value in wanted.items():
        estimate = getattr(found, name)
        said = None if estimate is UNSET else estimate.value
        if not same(said, value):
            yield differs(f"{path}.{name}.value", said, value, TABLE)
