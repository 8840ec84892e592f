"""The report of `calibrate`, and what `compare` takes from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import UNSET

from ragstone.errors import InputError
from ragstone.judge.calibration_result import Calibrated, MeasureCalibration
from ragstone.measures import LEAST_LABELLED
from ragstone.reports.report import Report, build
from ragstone.reports.statement import Input, Verdict
from ragstone.statistics import cohen_kappa

if TYPE_CHECKING:
    from ragstone.gate import Calibration

KIND = "ragstone.calibrate"
EXIT_CODE_OF: dict[Verdict | None, int] = {None: 0, "pass": 0, "fail": 4, "inconclusive": 5}


def build_calibrate(result: Calibrated, inputs: Iterable[Input]) -> Report:
    """Make the report; it has a verdict where a least kappa was asked for."""
    verdict = verdict_of(result)
    code = EXIT_CODE_OF[verdict]
    return Report(build(KIND, result, inputs, verdict=verdict, exit_code=code))


def verdict_of(result: Calibrated) -> Verdict | None:
    """Return pass, fail, or inconclusive where there is no kappa to believe; None unasked.

    A kappa of fewer than 10 labelled items is not believed, whatever it is.
    """
    if result.min_kappa is UNSET:
        return None
    kappas = [
        None if each.items < LEAST_LABELLED else result.kappa(each) for each in result.measures
    ]
    if any(kappa is not None and kappa < result.min_kappa for kappa in kappas):
        return "fail"
    return "inconclusive" if None in kappas else "pass"


def recomputed_kappa(result: Calibrated, measure: MeasureCalibration) -> float | None:
    """Compute the kappa that counts from the confusion table; None without a table."""
    if measure.categorical is UNSET:
        return None
    counts = measure.categorical.confusion.counts
    weights = result.weights if len(counts) > 2 else "none"
    return cohen_kappa(counts, weights)


def calibrations_of(report: Report) -> tuple[list[Calibration], list[str]]:
    """Return how far each judge in a report agrees with people, and what is of no use in it.

    The kappa is computed anew from the confusion table; the one in the report is not believed.
    Raises InputError for a report of another kind.
    """
    from ragstone.gate import Calibration

    if report.kind != KIND:
        raise InputError(
            f"{report.name}: is a report of kind {report.kind}; one of kind {KIND} was expected, "
            "as `ragstone calibrate --out` writes it"
        )
    result: Calibrated = report.details
    found, notes = [], []
    for each in result.measures:
        kappa = recomputed_kappa(result, each)
        categorical = each.categorical
        if each.judge is UNSET:
            notes.append(f"{each.measure} was not judged, so it needs no calibration")
        elif kappa is None or categorical is UNSET:
            why = "there is no threshold" if categorical is UNSET else "it is not defined"
            notes.append(f"there is no kappa of {each.measure}: {why}; see `ragstone calibrate`")
        else:
            prompt = "" if each.prompt is UNSET else each.prompt
            interval = categorical.weighted(result.weights)
            found.append(
                Calibration(each.judge, prompt, kappa, each.items, interval.low, interval.high)
            )
    return found, [f"{report.name}: {note}" for note in notes]
