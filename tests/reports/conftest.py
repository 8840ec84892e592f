"""Scores with every status, and a report of each kind, made at a fixed time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ragstone.errors import InputError
from ragstone.gate import check_floors, compare
from ragstone.measures import parse_aggregate
from ragstone.model import Cell, Scores, ScoresBuilder, Signature, Status
from ragstone.reports import (
    Input,
    Report,
    build_compare,
    build_error,
    build_score,
    encode,
    encode_report,
)

EPOCH = "1750000000"
FIXTURES = Path(__file__).resolve().parent / "fixtures"
INPUTS = {
    "qrels": "3cc5a5ec8fce1b5d5e9a2f6d9bb6aee1bd1e8cc5d5e9f42d5b2e1a4f1c3b7d90",
    "run": "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447",
}

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(autouse=True)
def _fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    monkeypatch.setattr("ragstone.reports.report.__version__", "1.2.3")


@pytest.fixture
def fixtures() -> Path:
    return FIXTURES


@pytest.fixture
def inputs() -> list[Input]:
    return [Input(role=role, name=f"{role}.txt", sha256=digest) for role, digest in INPUTS.items()]


def make_scores(shift: float = 0.0) -> Scores:
    """Five queries under three measures; one not applicable, one failed, one by default."""
    builder = ScoresBuilder(
        ["R@5", "nDCG@10", "Success@5"],
        counts=["relevant", "judged", "retrieved", "hits"],
        weighted=["R@5"],
    )
    failed = Cell(0.0, Status.FAILED, 2.0, reason="no answer in 30 s")
    nothing = Cell(0.0, Status.NOT_APPLICABLE, 0.0, reason="nothing was asked")
    rows = {
        "q1": [Cell(0.5, weight=2.0, note="Ünïcode"), Cell(0.25 - shift), Cell(1.0)],
        "q2": [Cell(0.0, Status.DEFAULT, 1.0)] * 3,
        "q3": [failed, Cell(1e-7), Cell(0.0)],
        "q4": [Cell(1 / 3, weight=3.0), nothing, Cell(1.0)],
        "日本": [Cell(1.0, weight=4.0), Cell(1.0 - shift), Cell(1.0)],
    }
    for place, item in enumerate(reversed(rows)):
        builder.add(item, rows[item], [place, place + 1, place, place // 2])
    return builder.build(
        Signature.of(judgments="0" * 64, relevance_level=1, trec_eval=10),
        {name: Signature.of(measure_version=1) for name in ("R@5", "nDCG@10", "Success@5")},
        {"queries": 5, "queries_without_results": 1, "unjudged_queries": 2},
    )


@pytest.fixture
def scores() -> Scores:
    return make_scores()


@pytest.fixture
def report(scores: Scores, inputs: list[Input]) -> Report:
    """Make the report of a score that asked for five aggregates and two floors."""
    names = ["R@5", "R@5:micro", "nDCG@10", "nDCG@10:p50", "Success@5:sum"]
    return build_score(
        scores,
        inputs,
        aggregates=[parse_aggregate(name) for name in names],
        warnings=["2 queries have no judgments: q8, q9"],
        floors=check_floors(scores, ["R@5=0.4", "ndcg=0.9"]),
    )


@pytest.fixture
def comparison(scores: Scores, inputs: list[Input]) -> Report:
    sides = [
        Input(role=role, name=f"{role}.json", sha256=file.sha256)
        for role, file in zip(("baseline", "candidate"), inputs, strict=True)
    ]
    compared = compare(scores, make_scores(shift=0.125), alpha=0.05, floors=["nDCG@10=0.5"], top=1)
    return build_compare(compared, sides, signature=scores.signature)


@pytest.fixture
def failure(inputs: list[Input]) -> Report:
    return build_error("score", InputError("run.txt:3: 4 columns; 6 were expected"), inputs)


@pytest.fixture
def document(report: Report) -> dict[str, Any]:
    """Return the score report as plain values, to be spoiled."""
    found: dict[str, Any] = msgspec.json.decode(encode_report(report))
    return found


@pytest.fixture
def spoil(document: dict[str, Any]) -> Callable[[Edit], bytes]:
    """Return a function that edits the report and returns its canonical bytes."""

    def edited(edit: Edit) -> bytes:
        edit(document)
        return encode(document)

    return edited
