"""Reports of toolkit-rag-quality 1.0, as it wrote them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import FormatError
from ragstone.gate import compare
from ragstone.measures import summary
from ragstone.model import Status
from ragstone.reports import Input, parse_report, read_report, validate_report
from ragstone.scoring import score

QRELS = {
    "q1": {"d1": 2, "d2": 1, "é9": 0},
    "q2": {"d3": 1},
    "q3": {"d4": 1, "d5": 3},
    "q5": {"d6": 0},
}
RUN = {"q1": ["d1", "d7", "d2", "d1"], "q2": ["d8", "d3"]}
FOLDER = Path(__file__).resolve().parent / "fixtures" / "toolkit"

Holder = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.mark.parametrize("name", ["baseline.json", "baseline.legacy.json"])
def test_a_score_is_read_as_ours_would_be(name: str) -> None:
    report = read_report(FOLDER / name)
    scores, ours = report.scores, score(QRELS, RUN, k=3)
    assert scores.items == ours.items
    assert list(scores.columns) == ["R@3", "P@3", "nDCG@3", "RR@3", "AP@3", "Success@3"]
    for measure, column in ours.columns.items():
        assert scores[measure].values.tolist() == pytest.approx(column.values.tolist(), abs=1e-15)
        assert scores[measure].status == column.status
    assert scores["R@3"].status.tolist() == [0, 0, Status.DEFAULT, Status.DEFAULT]
    assert dict(report.summary) == pytest.approx(summary(scores))
    assert report.aggregates == tuple(scores.columns)
    assert (report.kind, report.verdict, report.complete) == ("ragstone.score", None, True)


@pytest.mark.parametrize("name", ["baseline.json", "baseline.legacy.json"])
def test_counts_and_facts_are_read(name: str) -> None:
    scores = read_report(FOLDER / name).scores
    assert {name: counts.tolist() for name, counts in scores.counts.items()} == {
        "relevant": [2, 1, 2, 0],
        "judged": [3, 1, 2, 1],
        "retrieved": [3, 2, 0, 0],
        "hits": [2, 1, 0, 0],
    }
    assert scores.facts == {
        "queries": 4,
        "unjudged_queries": 1,
        "queries_without_results": 2,
        "queries_without_relevant": 1,
        "unscored_run_queries": 1,
        "skipped_query_rows": 0,
        "skipped_retrieved_rows": 0,
        "duplicates_removed": 1,
    }


@pytest.mark.parametrize(("name", "level"), [("baseline.json", 1), ("level2.json", 2)])
def test_what_the_tool_does_not_record_is_absent_from_the_signature(name: str, level: int) -> None:
    scores = read_report(FOLDER / name).scores
    assert dict(scores.signature) == {"relevance_level": level}
    assert not any(column.signature for column in scores.columns.values())


def test_an_envelope_names_its_files_and_tool() -> None:
    report = read_report(FOLDER / "baseline.json")
    assert [(file.role, file.name) for file in report.inputs] == [
        ("qrels", "qrels.jsonl"),
        ("run", "baseline.jsonl"),
    ]
    assert report.inputs[1] == Input(
        role="run",
        name="baseline.jsonl",
        sha256="e842d12e6f54f878bc8d8f5767b032fb0e587b22a03ae1c5e358aa924650b2c4",
    )
    tool = report.statement.predicate.tool
    assert (tool.name, tool.version) == ("toolkit-rag-quality", "1.0.0")
    assert report.statement.predicate.created_at == "2025-06-15T15:06:40Z"


def test_the_legacy_shape_says_nothing_of_its_files() -> None:
    report = read_report(FOLDER / "baseline.legacy.json")
    assert report.inputs == []
    assert report.statement.subject == []
    assert report.statement.predicate.tool.version == "unknown"


@pytest.mark.parametrize("shape", ["json", "legacy.json"])
def test_two_of_them_can_be_compared(shape: str) -> None:
    sides = [read_report(FOLDER / f"{side}.{shape}").scores for side in ("baseline", "candidate")]
    found = compare(*sides)
    assert (found["R@3"].baseline, found["R@3"].candidate) == (0.5, 0.375)
    assert found.verdict == "fail"


def test_one_of_them_can_be_compared_with_ours() -> None:
    theirs, ours = read_report(FOLDER / "baseline.json").scores, score(QRELS, RUN, k=3)
    found = compare(theirs, ours)
    assert found.verdict == "pass"
    unknown = [reason for reason in found.reasons if reason.code == "signature_unknown"]
    assert unknown
    assert not any(each.change for each in found.measures)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("compare.json", "rag.compare"),
        ("compare.legacy.json", "rag.compare"),
        ("overlap.json", "rag.overlap"),
        ("overlap.legacy.json", "rag.overlap"),
        ("leakage.json", "rag.leakage"),
        ("leakage.legacy.json", "rag.leakage"),
    ],
)
def test_other_kinds_are_named(name: str, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_report(FOLDER / name)
    assert str(caught.value) == (
        f"{FOLDER / name}: is a report of kind {kind} of toolkit-rag-quality; one of its kind "
        "rag.score, or a report of kind ragstone.score, was expected"
    )


def test_an_error_is_named() -> None:
    with pytest.raises(FormatError) as caught:
        read_report(FOLDER / "error.json")
    assert str(caught.value) == (
        f'{FOLDER / "error.json"}: is the report of an error of toolkit-rag-quality ("no judged '
        "queries to score: every query row is missing an 'id' or has no relevance judgments\"); "
        "a report of scores was expected"
    )


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: str(path.name))
def test_none_of_them_is_valid_as_ours(path: Path) -> None:
    found = validate_report(path.read_bytes(), path.name)
    assert not found.ok
    [problem] = found.errors
    assert problem.message.startswith("is a report of toolkit-rag-quality (kind rag.")
    assert problem.message.endswith("only reports of ragstone can be validated")


def envelope() -> tuple[dict[str, Any], str, Mapping[str, Holder]]:
    document = json.loads((FOLDER / "baseline.json").read_bytes())
    holders: dict[str, Holder] = {
        "$.predicate.summary": lambda top: top["predicate"]["summary"],
        "$.predicate.details": lambda top: top["predicate"]["details"],
        "$.predicate.details.per_query[1]": lambda top: top["predicate"]["details"]["per_query"][1],
    }
    return document, "$.predicate", holders


def legacy() -> tuple[dict[str, Any], str, Mapping[str, Holder]]:
    document = json.loads((FOLDER / "baseline.legacy.json").read_bytes())
    holders: dict[str, Holder] = {
        "$.summary": lambda top: top["summary"],
        "$": lambda top: top,
        "$.per_query[1]": lambda top: top["per_query"][1],
    }
    return document, "$", holders


REMOVED = object()
WRONG: list[tuple[int, str, Any, str]] = [
    (0, "k", None, "null; a whole number was expected"),
    (0, "k", 0, "0; a whole number from 1 to 999999999 was expected"),
    (0, "k", 5.0, "5.0; a whole number was expected"),
    (0, "k", True, "true; a whole number was expected"),
    (0, "k", REMOVED, "null; a whole number was expected"),
    (0, "relevance_level", "1", '"1"; a whole number was expected'),
    (0, "relevance_level", 0, "0; a whole number from 1 to 999999999 was expected"),
    (0, "queries", -1, "-1; a whole number from 0 to 999999999 was expected"),
    (1, "per_query", [], "a list with nothing in it; a row for each query was expected"),
    (2, "id", None, "null; a text was expected"),
    (2, "id", 7, "7; a text was expected"),
    (2, "recall", None, "null; a number from 0 to 1 was expected"),
    (2, "recall", REMOVED, "null; a number from 0 to 1 was expected"),
    (2, "ndcg", 1.5, "1.5; a number from 0 to 1 was expected"),
    (2, "ndcg", -0.1, "-0.1; a number from 0 to 1 was expected"),
    (2, "ap", "0.5", '"0.5"; a number from 0 to 1 was expected'),
    (2, "mrr", True, "true; a number from 0 to 1 was expected"),
    (2, "hit", "yes", '"yes"; a number from 0 to 1 was expected'),
    (2, "hit_count", 1.5, "1.5; a whole number was expected"),
    (2, "judged_count", REMOVED, "null; a whole number was expected"),
    (2, "duplicates_removed", -1, "-1; a whole number from 0 to 999999999 was expected"),
]


@pytest.mark.parametrize("shape", [envelope, legacy])
@pytest.mark.parametrize(("holder", "field", "value", "problem"), WRONG)
def test_what_is_wrong_in_it_is_named(
    shape: Any, holder: int, field: str, value: Any, problem: str
) -> None:
    document, _, holders = shape()
    path, find = list(holders.items())[holder]
    if value is REMOVED:
        del find(document)[field]
    else:
        find(document)[field] = value
    with pytest.raises(FormatError) as caught:
        parse_report(json.dumps(document).encode(), "old.json")
    assert str(caught.value) == f"old.json: {path}.{field} is {problem}"


@pytest.mark.parametrize("shape", [envelope, legacy])
@pytest.mark.parametrize(("value", "shown"), [(None, "null"), ("x", '"x"'), (99, "99")])
def test_every_mean_that_is_no_number_is_named(shape: Any, value: Any, shown: str) -> None:
    document, root, holders = shape()
    summary_of = holders[f"{root}.summary"](document)
    summary_of.update(recall_at_k=value, ndcg_at_k=value)
    with pytest.raises(FormatError) as caught:
        parse_report(json.dumps(document).encode(), "old.json")
    assert str(caught.value) == (
        f"old.json: in {root}.summary, recall_at_k is {shown}, ndcg_at_k is {shown}; "
        "numbers from 0 to 1 were expected"
    )


@pytest.mark.parametrize("shape", [envelope, legacy])
def test_a_mean_of_nan_is_named(shape: Any) -> None:
    document, root, holders = shape()
    holders[f"{root}.summary"](document)["ndcg_at_k"] = float("nan")
    with pytest.raises(FormatError, match=r"summary\.ndcg_at_k is NaN; a report holds finite"):
        parse_report(json.dumps(document).encode(), "old.json")


@pytest.mark.parametrize("shape", [envelope, legacy])
def test_an_id_may_stand_once(shape: Any) -> None:
    document, _, holders = shape()
    path, find = list(holders.items())[2]
    find(document)["id"] = "q1"
    with pytest.raises(FormatError) as caught:
        parse_report(json.dumps(document).encode(), "old.json")
    assert str(caught.value) == (f'old.json: {path}.id is "q1" for the second time; ids are unique')


def test_a_mean_without_rows_is_named() -> None:
    document, _, _ = legacy()
    for row in document["per_query"]:
        del row["ap"]
    with pytest.raises(FormatError, match=r"per_query\[0\]\.ap is null; a number was expected"):
        parse_report(json.dumps(document).encode(), "old.json")


def test_a_metric_that_an_older_version_did_not_have() -> None:
    document, _, _ = legacy()
    del document["summary"]["map_at_k"]
    for row in document["per_query"]:
        del row["ap"]
        del row["judged_count"]
    scores = parse_report(json.dumps(document).encode(), "old.json").scores
    assert list(scores.columns) == ["R@3", "P@3", "nDCG@3", "RR@3", "Success@3"]
    assert "judged" not in scores.counts


def test_rows_without_any_metric() -> None:
    data = b'{"summary":{"k":3},"per_query":[{"id":"q1"}]}'
    with pytest.raises(
        FormatError, match="a row with one of recall, precision, ndcg, mrr, ap, hit"
    ):
        parse_report(data, "old.json")
