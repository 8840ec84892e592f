"""The worked example of docs/calibration.md: 280 pairs of answers, two people."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from ragstone.answers import evaluate
from ragstone.judge.calibration import calibrate
from ragstone.judge.calibration_result import MeasureCalibration
from ragstone.judge.calibration_slices import traits_of
from ragstone.model import Scores
from ragstone.model.samples import Sample

MEASURES = ["token_f1", "token_precision", "token_recall", "rouge1", "rougeL"]
KINDS = ["correctness_label", "completeness_label", "overall_label"]

# As docs/calibration.md has them: Pearson over all labels, by what people were asked.
PEARSON = {
    "token_precision": (0.429, 0.227, 0.324),
    "token_recall": (0.305, 0.542, 0.447),
    "token_f1": (0.413, 0.559, 0.519),
    "rouge1": (0.401, 0.553, 0.511),
    "rougeL": (0.396, 0.494, 0.474),
}
LENGTH = {
    "token_precision": -0.296,
    "token_recall": 0.597,
    "token_f1": 0.311,
    "rouge1": 0.315,
    "rougeL": 0.191,
}
AMONG_PEOPLE = (0.637, 0.719, 0.701)


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[dict[str, Any]]:
    with gzip.open(shared / "data/ragchecker/human_labeled_data.json.gz") as file:
        found: list[dict[str, Any]] = json.load(file)
    return found


@pytest.fixture(scope="module")
def samples(rows: list[dict[str, Any]]) -> list[Sample]:
    return [
        Sample(
            f"{pair}/{side}",
            answer=row[f"model{side}"]["response"],
            reference=row["gt_answer"],
            model=row[f"model{side}"]["model_name"],
        )
        for pair, row in {row["instance_id"]: row for row in rows}.items()
        for side in (1, 2)
    ]


@pytest.fixture(scope="module")
def scores(samples: list[Sample]) -> Scores:
    return evaluate(samples, MEASURES).scores


def labels(rows: list[dict[str, Any]], kind: str, measure: str) -> list[dict[str, Any]]:
    """Return a preference for each row; the two rows of a pair are two people."""
    seen = Counter[int]()
    found = []
    for row in rows:
        pair = row["instance_id"]
        seen[pair] += 1
        found.append(
            {
                "first": f"{pair}/1",
                "second": f"{pair}/2",
                "measure": measure,
                "label": row[kind],
                "annotator": f"person {seen[pair]}",
            }
        )
    return found


def calibrated(
    scores: Scores, rows: list[dict[str, Any]], measure: str, kind: str, **options: Any
) -> MeasureCalibration:
    return calibrate(scores, labels(rows, kind, measure), resamples=200, **options)[measure]


@pytest.mark.parametrize("measure", MEASURES)
def test_correlation_with_people(scores: Scores, rows: list[dict[str, Any]], measure: str) -> None:
    found = [calibrated(scores, rows, measure, kind).pearson.value for kind in KINDS]
    assert found == pytest.approx(list(PEARSON[measure]), abs=0.0006)


def test_people_among_each_other(scores: Scores, rows: list[dict[str, Any]]) -> None:
    for kind, expected in zip(KINDS, AMONG_PEOPLE, strict=True):
        people = calibrated(scores, rows, "token_f1", kind).among_people
        assert people is not UNSET
        assert (people.pairs, people.items) == (1, 280)
        assert people.pearson == pytest.approx(expected, abs=0.0006)


def test_as_verdicts(scores: Scores, rows: list[dict[str, Any]]) -> None:
    rated = labels(rows, "overall_label", "token_f1")
    found = calibrate(scores, rated, tie=0.03)["token_f1"]
    assert (found.labels, found.items, found.annotators) == (560, 280, 2)
    assert found.categorical is not UNSET
    assert found.categorical.confusion.counts == [[127, 40, 38], [58, 65, 47], [33, 23, 129]]
    kappa = found.categorical.kappa
    assert (kappa.value, kappa.low, kappa.high) == pytest.approx((0.355, 0.282, 0.428), abs=0.0006)
    assert found.among_people is not UNSET
    assert found.among_people.kappa == pytest.approx(0.509, abs=0.0006)
    assert found.categorical.ac1.value == pytest.approx(0.363, abs=0.0006)
    assert found.categorical.balanced_accuracy.value == pytest.approx(0.566, abs=0.0006)


@pytest.mark.parametrize("measure", MEASURES)
def test_length(
    scores: Scores, samples: list[Sample], rows: list[dict[str, Any]], measure: str
) -> None:
    found = calibrated(scores, rows, measure, "overall_label", traits=traits_of(samples)).length
    assert found is not UNSET
    assert found.people == pytest.approx(0.190, abs=0.0006)
    assert found.measure == pytest.approx(LENGTH[measure], abs=0.0006)
