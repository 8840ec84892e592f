"""Reports that hold what they say, and every way not to."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.formats.corpus import Corpus
from ragstone.gate import check_floors, compare
from ragstone.measures import parse_aggregate
from ragstone.model import Cell, Scores, ScoresBuilder, Signature, Status
from ragstone.reports import (
    Input,
    Report,
    Validation,
    build_compare,
    build_score,
    encode,
    encode_report,
    validate_report,
)
from ragstone.scoring import score

Edit = Callable[[dict[str, Any]], object]
Spoil = Callable[[Edit], bytes]


def problems(data: bytes, **more: Any) -> list[str]:
    found = validate_report(data, "x.json", **more)
    assert found.ok == (not found.errors)
    return [str(problem) for problem in found.errors]


@pytest.mark.parametrize("kind", ["report", "comparison", "failure"])
def test_what_we_write_is_valid(kind: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(kind)
    data = encode_report(report)
    assert validate_report(data, "x.json") == Validation(ok=True, kind=report.kind, errors=[])
    assert validate_report(gzip.compress(data), "x.json.gz").ok


@pytest.mark.parametrize("rows", ["all", "none", "failed", "worst:2", "worst:99:nDCG"])
@pytest.mark.parametrize("level", [1, 2])
def test_real_scores_are_valid(inputs: list[Input], rows: str, level: int) -> None:
    qrels = {"a": {"x": 2, "y": 1}, "b": {"x": 0}, "c": {"z": 1, "w": -1}}
    run = {"a": ["y", "v", "x"], "b": ["x"], "d": ["x"]}
    names = ["R@2", "P@2:micro", "nDCG", "AP", "RR", "num_ret", "num_ret:p95", "Judged@5", "ERR@3"]
    scores = score(qrels, run, [*names, "R@2:p50"], relevance_level=level)
    report = build_score(
        scores,
        inputs,
        aggregates=[parse_aggregate(name) for name in [*names, "R@2:p50"]],
        floors=check_floors(scores, ["AP=0.2", "num_ret=1"]),
        rows=rows,
    )
    assert problems(encode_report(report)) == []


CELLS = st.builds(
    Cell,
    st.floats(0, 1),
    st.sampled_from(Status),
    st.floats(0, 1e9),
    st.text(max_size=3),
    st.text(max_size=3),
)


@given(
    st.dictionaries(st.text(max_size=3), st.tuples(CELLS, CELLS), max_size=6),
    st.sampled_from(["all", "none", "failed", "worst:1", "worst:2:R@5"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_scores_are_valid(
    inputs: list[Input], rows_of: dict[str, tuple[Cell, Cell]], rows: str
) -> None:
    builder = ScoresBuilder(["AP", "R@5"], weighted=["R@5"])
    for item, cells in rows_of.items():
        builder.add(item, cells)
    own = {name: Signature.of(measure_version=1) for name in ("AP", "R@5")}
    shared = Signature.of(judgments="0" * 64, relevance_level=1, trec_eval=10)
    names = ["AP", "AP:sum", "R@5", "R@5:micro", "R@5:p95"]
    report = build_score(
        builder.build(shared, own),
        inputs,
        aggregates=[parse_aggregate(name) for name in names],
        rows=rows,
    )
    assert problems(encode_report(report)) == []


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12))
@example([(5e-324, 1.0)])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_any_comparison_is_valid(inputs: list[Input], pairs: list[tuple[float, float]]) -> None:
    sides = []
    for side in (0, 1):
        builder = ScoresBuilder(["AP", "nDCG@10", "Success@5", "latency_ms"])
        for place, pair in enumerate(pairs):
            value = pair[side]
            cells = [Cell(value), Cell(pair[0] * value), Cell(float(value > 0.5)), Cell(value)]
            builder.add(f"q{place:02}", cells)
        judge = {"nDCG@10": Signature.of(judge="m", prompt="p")}
        sides.append(builder.build(columns=judge))
    compared = compare(
        *sides,
        aggregates=["AP", "AP:sum", "AP:p95", "nDCG@10", "latency_ms:p50"],
        floors=["AP=0.5", "AP:p95=0.5", "nDCG@10=0.5"],
        max_item_drops=["AP=0.3", "nDCG=0.5", "latency_ms=0.1"],
        resamples=20,
    )
    report = build_compare(compared, [])
    assert [p for p in problems(encode_report(report)) if not p.startswith("$.subject")] == []


# --- what is no report ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "$ is empty; a report was expected"),
        (b"{\n", "$ line 2: not JSON: Expecting property name enclosed in double quotes"),
        (b'{"a":1,"a":2}\n', '$ the name "a" stands twice in one object; a report was expected'),
        (b'{"a":NaN}\n', "$ $.a is NaN; a report holds finite numbers"),
        (b"\xff\n", "$ line 1: not UTF-8: byte 0xff"),
        (b"[]\n", "$ is no report: it is a list with nothing in it; an object was expected"),
        (
            b'{"recall":0.8}\n',
            '$ is no report: it has no predicateType; "urn:ragstone:report:v1" was expected',
        ),
        (
            b'{"predicateType":"https://slsa.dev/provenance/v1"}\n',
            '$ is no report: its predicateType is "https://slsa.dev/provenance/v1"; '
            '"urn:ragstone:report:v1" was expected',
        ),
        (b"\x1f\x8b\x08", "$ the gzip data is damaged or cut off"),
    ],
)
def test_what_is_no_report(data: bytes, problem: str) -> None:
    found = validate_report(data, "x.json")
    assert (found.ok, found.kind) == (False, None)
    assert [str(each)[: len(problem)] for each in found.errors] == [problem]


def test_a_duplicate_name_deep_in_a_report(report: Report) -> None:
    data = encode_report(report).replace(b'"exit_code":4', b'"exit_code":0,"exit_code":4')
    assert problems(data) == [
        '$ the name "exit_code" stands twice in one object; a report was expected'
    ]


# --- what was changed ----------------------------------------------------------------------


def put(*steps: Any) -> Edit:
    *path, last, value = steps

    def edit(document: Any) -> None:
        for step in path:
            document = document[step]
        document[last] = value

    return edit


def drop(*steps: Any) -> Edit:
    *path, last = steps

    def edit(document: Any) -> None:
        for step in path:
            document = document[step]
        del document[last]

    return edit


P, S = "predicate", ("predicate", "scores")
R5 = (*S, "columns", "R@5")
NDCG = (*S, "columns", "nDCG@10")
HIT = (*S, "columns", "Success@5")
FLOORS = (P, "details", "floors")
A64 = "a" * 64

CHANGED: list[tuple[Edit, list[str]]] = [
    (
        put(P, "summary", "nDCG@10", 0.99),
        [
            '$.predicate.summary["nDCG@10"] is 0.99; 0.312500025 was expected: '
            "it follows from the rows"
        ],
    ),
    (
        put(P, "summary", "R@5", None),
        ['$.predicate.summary["R@5"] is null; 0.4583333333333333 was expected'],
    ),
    (put(P, "summary", "R@5:micro", 0.61), ['$.predicate.summary["R@5:micro"] is 0.61; 0.6 was']),
    (put(P, "summary", "nDCG@10:p50", 0.5), ['$.predicate.summary["nDCG@10:p50"] is 0.5; ']),
    (put(P, "summary", "Success@5:sum", 4.0), ['$.predicate.summary["Success@5:sum"] is 4.0; 3.0']),
    (
        put(P, "summary", "AP", 0.5),
        ["$.predicate.summary.AP cannot be computed again: there is no column 'AP'"],
    ),
    (
        put(P, "summary", "quality", 0.5),
        ["$.predicate.summary.quality cannot be computed again: unknown measure 'quality'"],
    ),
    (
        put(P, "summary", "nDCG@10:micro", 0.5),
        ['$.predicate.summary["nDCG@10:micro"] cannot be computed again: nDCG@10:micro: '],
    ),
    (
        put(P, "summary", "recall_5", 0.4583333333333333),
        ['$.predicate.summary.recall_5 is not a canonical name; "R@5" was expected'],
    ),
    (
        put(*NDCG, "values", 0, 0.75),
        [
            '$.predicate.summary["nDCG@10"] is 0.312500025; 0.437500025 was expected',
            '$.predicate.summary["nDCG@10:p50"] is 0.12500005; 0.375000050',
            "$.predicate.details.floors[0].value is 0.312500025; 0.437500025 was expected",
        ],
    ),
    (
        put(*HIT, "values", [2.0, 0.0, -1.0, 1.0, 1.0]),
        [
            '$.predicate.scores.columns["Success@5"].values[0] is 2.0; Success@5 is from 0 to 1',
            '$.predicate.scores.columns["Success@5"].values[2] is -1.0; Success@5 is from 0 to 1',
        ],
    ),
    (
        put(*HIT, "values", [0.5, 0.0, 0.5, 1.0, 1.0]),
        [
            '$.predicate.scores.columns["Success@5"].values[0] is 0.5; Success@5 is 0 or 1',
            '$.predicate.scores.columns["Success@5"].values[2] is 0.5; Success@5 is 0 or 1',
        ],
    ),
    (
        put(*HIT, "status", [0, 0, 0, 0, 0]),
        [
            '$.predicate.scores.columns["Success@5"].status is all 0; it is left out where every '
            "value is scored"
        ],
    ),
    (
        put(*HIT, "values", [1.0, 0.0, None, 1.0, 1.0]),
        ['$.predicate.scores.columns["Success@5"].values[2] is null with status 0 (SCORED); '],
    ),
    (
        put(*R5, "values", [0.5, 0.0, None, 1.0]),
        ['$.predicate.scores.columns["R@5"].values has 4 entries; 5 were expected'],
    ),
    (
        put(*R5, "weights", 4, -4.0),
        [
            '$.predicate.scores.columns["R@5"].weights[4] is -4.0; a weight is at least 0',
            '$.predicate.summary["R@5:micro"] is 0.6; ',
        ],
    ),
    (
        put(*R5, "signature", {"tokenizer": "a"}),
        ["$.predicate.scores.columns[\"R@5\"].signature has no field 'measure_version'"],
    ),
    (
        put(*S, "items", ["q1", "q2", "q2", "q4", "日本"]),
        [
            '$.predicate.scores.items[2] is "q2" after "q2"; items are unique and ascend',
            '$.predicate.scores.columns["R@5"].reasons names "q3", which is not among the items',
        ],
    ),
    (put(*S, "rows", "some"), ['$.predicate.scores.rows is "some"; all, none, failed or worst']),
    (
        put(*S, "rows", "none"),
        [
            "$.predicate.scores.total is missing; with rows none it is needed",
            "$.predicate.scores.digest is missing; with rows none it is needed",
            '$.predicate.scores.columns["R@5"].statistics is missing; with rows none it is needed',
            '$.predicate.scores.columns["Success@5"].statistics is missing; with rows none',
            '$.predicate.scores.columns["nDCG@10"].statistics is missing; with rows none',
            "$.predicate.scores.items has 5 entries; 0 were expected with rows none",
        ],
    ),
    (put(*S, "total", 5), ["$.predicate.scores.total is there; with rows all it is left out"]),
    (put(*S, "digest", A64), ["$.predicate.scores.digest is there; with rows all it is left out"]),
    (
        put(*S, "counts", "hits", [9, 1, 1, 0, 0]),
        [
            "$.predicate.scores.counts.hits[0] is 9; at most 4 was expected, its relevant count",
            "$.predicate.scores.counts.hits[0] is 9; at most 4 was expected, its retrieved count",
        ],
    ),
    (
        put(*S, "counts", "relevant", [6, 3, 2, 1, 0]),
        ["$.predicate.scores.counts.relevant[0] is 6; at most 5 was expected, its judged count"],
    ),
    (put(*S, "counts", "hits", 0, -1), ["$.predicate.scores.counts.hits[0] is -1; a whole number"]),
    (
        put(*S, "facts", "queries", 6),
        ["$.predicate.scores.facts.queries is 6; 5 was expected: there are so many items"],
    ),
    (
        put(*S, "facts", "queries_without_results", 6),
        ["$.predicate.scores.facts.queries_without_results is 6; at most 5 was expected"],
    ),
    (
        put(*S, "order", ["R@5", "nDCG@10"]),
        ["$.predicate.scores.order is not the names of the columns, each once"],
    ),
    (drop(P, "scores"), ["$.predicate has no field 'scores', unlike every ragstone.score"]),
    (
        drop(P, "signature", "judgments"),
        ["$.predicate.signature has no field 'judgments'"],
    ),
    (
        put(*FLOORS, 0, "value", 0.95),
        [
            "$.predicate.details.floors[0].value is 0.95; 0.312500025 was expected",
            "$.predicate.details.floors[0].passed is false; true was expected: it follows from",
        ],
    ),
    (
        put(*FLOORS, 0, "passed", True),
        [
            "$.predicate.details.floors[0].passed is true; false was expected",
            '$.predicate.verdict is "fail"; "pass" was expected: it follows from the floors',
        ],
    ),
    (
        put(P, "details", {}),
        ['$.predicate.verdict is "fail"; null was expected: it follows from the floors'],
    ),
    (
        put(P, "verdict", "pass"),
        [
            "$.predicate.exit_code is 4 with verdict pass; 0 was expected",
            '$.predicate.verdict is "pass"; "fail" was expected: it follows from the floors',
        ],
    ),
    (
        drop(P, "verdict"),
        [
            "$.predicate.exit_code is 4 without a verdict; 0 or 5 was expected",
            '$.predicate.verdict is null; "fail" was expected',
        ],
    ),
    (put(P, "exit_code", 0), ["$.predicate.exit_code is 0 with verdict fail; 4 was expected"]),
    (put(P, "exit_code", 9), ["$.predicate.exit_code is 9; a whole number of at most 5 was"]),
    (put(P, "tool", "name", "other"), ['$.predicate.tool.name is "other"; "ragstone" was']),
    (
        put(P, "created_at", "2026-02-30T10:00:00Z"),
        ['$.predicate.created_at is "2026-02-30T10:00:00Z", which is no day or no time'],
    ),
    (
        put("subject", 0, "name", "other.txt"),
        ["$.subject is not what a ragstone.score speaks about: the inputs with role run"],
    ),
    (put("subject", []), ["$.subject is not what a ragstone.score speaks about"]),
    (
        put(P, "inputs", 0, "name", "../qrels.txt"),
        ['$.predicate.inputs[0].name is "../qrels.txt"; a name without folders was expected'],
    ),
    (put("later", 1), ["$.later is not a field that this version of ragstone knows here"]),
    (
        put(*R5, "later", "x"),
        ['$.predicate.scores.columns["R@5"].later is not a field that this version of ragstone'],
    ),
    (put(*R5, "notes", {}), ['$.predicate.scores.columns["R@5"].notes is empty; it is left out']),
    (
        put(P, "summary", "Success@5:sum", 3),
        ['$.predicate.summary["Success@5:sum"] is 3; 3.0 is the canonical form'],
    ),
    (put(P, "kind", "ragstone.magic"), ['$.predicate.kind is "ragstone.magic"; this version']),
    (put(P, "kind", "ragstone.error"), ["$.predicate.details has no field 'command'"]),
]


@pytest.mark.parametrize(("edit", "expected"), CHANGED, ids=range(len(CHANGED)))
def test_what_was_changed_is_named(spoil: Spoil, edit: Edit, expected: list[str]) -> None:
    found = problems(spoil(edit))
    assert [each[: len(start)] for each, start in zip(found, expected, strict=False)] == expected
    assert len(found) >= len(expected)


def test_a_column_that_is_no_measure(spoil: Spoil) -> None:
    def rename(document: dict[str, Any]) -> None:
        table = document["predicate"]["scores"]
        table["columns"]["hit@5"] = table["columns"].pop("Success@5")
        table["columns"]["magic"] = dict(table["columns"]["hit@5"])
        table["order"] = ["R@5", "nDCG@10", "hit@5", "magic"]
        del document["predicate"]["summary"]["Success@5:sum"]

    found = problems(spoil(rename))
    assert found[0] == (
        '$.predicate.scores.columns["hit@5"] is not a canonical name; "Success@5" was expected'
    )
    assert found[1].startswith(
        "$.predicate.scores.columns.magic is not a measure that this version of ragstone knows: "
        "unknown measure 'magic'"
    )


def test_bytes_in_another_form(report: Report) -> None:
    pretty = json.dumps(json.loads(encode_report(report)), indent=1).encode()
    assert problems(pretty) == [
        "$ has no line end behind it; one was expected, as in every text file",
        "$ has spaces or line ends between its parts; none were expected",
        '$ has "\\u00dcn\\u00efcode" where "Ünïcode" is the canonical form',
    ]


def test_form_and_content_are_both_named(spoil: Spoil) -> None:
    data = spoil(put(P, "summary", "R@5", 0.5)).rstrip(b"\n")
    assert [each.split(";")[0] for each in problems(data)] == [
        "$ has no line end behind it",
        '$.predicate.summary["R@5"] is 0.5',
    ]


# --- what is kept of rows ------------------------------------------------------------------


def partial(scores: Scores, inputs: list[Input], rows: str) -> dict[str, Any]:
    report = build_score(
        scores,
        inputs,
        aggregates=[parse_aggregate(n) for n in ("R@5", "R@5:micro", "nDCG@10:p50")],
        rows=rows,
    )
    document: dict[str, Any] = json.loads(encode_report(report))
    return document


STATS = (*R5, "statistics")

KEPT: list[tuple[str, Edit, list[str]]] = [
    ("none", put(P, "summary", "R@5", 0.5), ['$.predicate.summary["R@5"] is 0.5; 0.458333333333']),
    ("none", put(P, "summary", "R@5:micro", 0.5), ['$.predicate.summary["R@5:micro"] is 0.5; 0.6']),
    (
        "none",
        put(P, "summary", "nDCG@10:p50", 1.5),
        ['$.predicate.summary["nDCG@10:p50"] is 1.5; a number from 0.0 to 1.0 was expected'],
    ),
    (
        "none",
        put(P, "summary", "nDCG@10:p50", None),
        ['$.predicate.summary["nDCG@10:p50"] is null; a number from 0.0 to 1.0 was expected'],
    ),
    (
        "none",
        put(*STATS, "scored", 4),
        ['$.predicate.scores.columns["R@5"].statistics count 6 items; 5 were expected, the total'],
    ),
    (
        "none",
        put(*STATS, "sum", 9.0),
        [
            '$.predicate.scores.columns["R@5"].statistics.sum is 9.0; 4 values from 0.0 to 1.0 '
            "cannot sum to it"
        ],
    ),
    (
        "none",
        put(*STATS, "sum_of_squares", 0.1),
        ['$.predicate.scores.columns["R@5"].statistics.sum_of_squares is 0.1; at least 0.84'],
    ),
    (
        "none",
        put(*STATS, "min", None),
        ['$.predicate.scores.columns["R@5"].statistics go from null to 1.0, which cannot be'],
    ),
    (
        "none",
        put(*STATS, "max", 1.5),
        ['$.predicate.scores.columns["R@5"].statistics go from 0.0 to 1.5; R@5 is from 0 to 1'],
    ),
    (
        "none",
        drop(*STATS, "weights_sum"),
        ['$.predicate.summary["R@5:micro"] cannot be computed again: its statistics have no'],
    ),
    ("none", put(*S, "total", 6), ["$.predicate.scores.facts.queries is 5; 6 was expected"]),
    ("none", drop(*S, "digest"), ["$.predicate.scores.digest is missing; with rows none"]),
    ("failed", put(*S, "total", 0), ["$.predicate.scores.total is 0; there are 1 items"]),
    (
        "failed",
        put(*R5, "status", [2]),
        ['$.predicate.scores.items[0] is "q3", which failed under no measure'],
    ),
    (
        "worst:2",
        put(*S, "rows", "worst:3:R@5"),
        ["$.predicate.scores.items has 2 entries; 3 were expected with rows worst:3:R@5"],
    ),
    (
        "worst:2",
        put(*NDCG, "statistics", "max", 0.0),
        ['$.predicate.scores.columns["nDCG@10"].statistics.sum is 1.2500001'],
    ),
    (
        "worst:2:nDCG@10",
        put(*NDCG, "values", 1, 1.0),
        [],
    ),
]


@pytest.mark.parametrize(("rows", "edit", "expected"), KEPT, ids=range(len(KEPT)))
def test_what_is_kept_of_rows_is_checked(
    scores: Scores, inputs: list[Input], rows: str, edit: Edit, expected: list[str]
) -> None:
    document = partial(scores, inputs, rows)
    edit(document)
    found = problems(encode(document))
    for start in expected:
        assert any(each.startswith(start) for each in found), found


# --- errors and comparisons ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (put(P, "verdict", "pass"), '$.predicate.verdict is neither "error" nor "fail"'),
        (drop(P, "verdict"), "$.predicate has no field 'verdict', which a ragstone.error has"),
        (put(P, "exit_code", 4), "$.predicate.exit_code is 4 with verdict error; 2 or 3 was"),
        (put(P, "summary", "R@5", 0.5), "$.predicate.summary is not empty; the report of an error"),
        (put("subject", []), "$.subject is not what a ragstone.error speaks about: all inputs"),
    ],
)
def test_the_report_of_an_error(failure: Report, edit: Edit, expected: str) -> None:
    document = json.loads(encode_report(failure))
    edit(document)
    assert any(each.startswith(expected) for each in problems(encode(document)))


D = (P, "details")
M = (*D, "measures", 0)
NAME = "$.predicate.details.measures[0]"

COMPARED: list[tuple[Edit, str]] = [
    (put(P, "verdict", "pass"), '$.predicate.verdict is "pass"; "fail" was expected: it follows'),
    (drop(P, "verdict"), "$.predicate has no field 'verdict', which a ragstone.compare has"),
    (drop(P, "verdict"), '$.predicate.verdict is null; "fail" was expected: it follows'),
    (put(P, "exit_code", 0), "$.predicate.exit_code is 0; 4 was expected: it follows from the"),
    (put(*D, "reasons", []), '$.predicate.verdict is "fail"; "pass" was expected'),
    (put(P, "summary", "R@5", 0.5), "$.predicate.summary does not have the candidate's value"),
    (put(*M, "candidate", 0.3), f"{NAME}.change is -0.0625; -0.0125000"),
    (put(*M, "change", -0.01), f"{NAME}.change is -0.01; -0.0625 was expected"),
    (put(*M, "change_pct", -2.0), f"{NAME}.change_pct is -2.0; -19.99999"),
    (put(*M, "baseline", None), f"{NAME}.change is -0.0625, though one side has no value"),
    (put(*M, "over_budget", False), f"{NAME}.over_budget is false; true was expected"),
    (put(*M, "margin", 0.5), f"{NAME}.over_budget is true; false was expected"),
    (put(*M, "below_floor", False), f"{NAME}.below_floor is false; true was expected"),
    (put(*M, "item_limit", 0.5), f"{NAME}.item_limit is 0.5; null was expected: it follows"),
    (
        put(*D, "item_limits", [{"measure": "nDCG@10", "limit": 0.01, "beyond": []}]),
        "$.predicate.details.item_limits[0].beyond are not the queries that are beyond 0.01",
    ),
    (put(*M, "name", "quality"), f"{NAME}.name is not a measure that this version of"),
    (put(*M, "name", "ndcg_cut_10"), f'{NAME}.name is "ndcg_cut_10"; "nDCG@10" was expected'),
    (put(*M, "direction", "lower"), f'{NAME}.direction is "lower"; "higher" was expected'),
    (put(*M, "evidence", "worse", 3), f"{NAME}.evidence.worse is 3; 2 was expected"),
    (put(*M, "evidence", "unchanged", 9), f"{NAME}.evidence.unchanged is 9; 2 was expected"),
    (put(*M, "evidence", "p_value", 1.5), f"{NAME}.evidence.p_value is 1.5; a p-value is from"),
    (put(*M, "result", "maybe"), f'{NAME}.result is "maybe"; something else'),
    (
        put(*D, "diff", "columns", "nDCG@10", "candidate", 0, 0.0),
        f"{NAME}.change is -0.0625; -0.09375 was expected: it follows from the diff",
    ),
    (
        put(*D, "diff", "items", ["q9", "q1"]),
        '$.predicate.details.diff.items[1] is "q1" after "q9"; items are unique and ascend',
    ),
    (
        put(*D, "diff", "columns", "R@5", "baseline", [0.5]),
        '$.predicate.details.diff.columns["R@5"].baseline has 1 entries; 2 were expected',
    ),
    (put(*D, "counts", "changed", 3), "$.predicate.details.counts.changed is 3; 2 was expected"),
    (put(*D, "most_regressed", []), "$.predicate.details.most_regressed are not the queries that"),
    (
        put(P, "scores", {"rows": "all", "items": [], "order": [], "columns": {}, "counts": {},
                          "facts": {}}),
        "$.predicate has a field 'scores', unlike every ragstone.compare",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "expected"), COMPARED, ids=range(len(COMPARED)))
def test_a_comparison_must_agree_with_itself(comparison: Report, edit: Edit, expected: str) -> None:
    document = json.loads(encode_report(comparison))
    edit(document)
    found = problems(encode(document))
    assert any(each.startswith(expected) for each in found), found


# --- digests -------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("qrels.txt", "run.txt"):
        (tmp_path / name).write_bytes(f"the {name}\n".encode())
    return tmp_path


@pytest.fixture
def on_disk(scores: Scores, folder: Path) -> bytes:
    inputs = [
        Input(
            role=name.partition(".")[0],
            name=name,
            sha256=hashlib.sha256((folder / name).read_bytes()).hexdigest(),
        )
        for name in ("qrels.txt", "run.txt")
    ]
    return encode_report(build_score(scores, inputs))


def test_inputs_that_are_as_they_were(folder: Path, on_disk: bytes) -> None:
    assert problems(on_disk, inputs_dir=folder) == []
    assert problems(on_disk, inputs_dir=str(folder)) == []


def test_an_input_that_changed(folder: Path, on_disk: bytes) -> None:
    was = hashlib.sha256(b"the run.txt\n").hexdigest()
    now = hashlib.sha256(b"another\n").hexdigest()
    (folder / "run.txt").write_bytes(b"another\n")
    assert problems(on_disk, inputs_dir=folder) == [
        f"$.predicate.inputs[1].sha256 is {was}; the file {folder / 'run.txt'} has {now}"
    ]


def test_an_input_that_is_not_there(folder: Path, on_disk: bytes) -> None:
    (folder / "qrels.txt").unlink()
    assert problems(on_disk, inputs_dir=folder) == [
        f"$.predicate.inputs[0] qrels.txt is not in {folder}; its bytes cannot be checked"
    ]


def test_inputs_of_one_name_stand_in_folders_by_role(folder: Path, on_disk: bytes) -> None:
    (folder / "run").mkdir()
    (folder / "run.txt").rename(folder / "run" / "run.txt")
    assert problems(on_disk, inputs_dir=folder) == []


def test_a_folder_of_files_and_a_pattern(scores: Scores, folder: Path) -> None:
    (folder / "docs").mkdir()
    for name in ("b.txt", "a.txt"):
        (folder / "docs" / name).write_bytes(name.encode())
    digest = Corpus(folder / "docs").inputs[0].digest()
    inputs = [Input(role="corpus", name=name, sha256=digest) for name in ("docs", "*.txt", "x*")]
    data = encode_report(build_score(scores, inputs))
    assert problems(data, inputs_dir=folder)[:2] == [
        f"$.predicate.inputs[1].sha256 is {digest}; the corpus {folder / '*.txt'} has "
        f"{Corpus(f'{folder}/*.txt').inputs[0].digest()}",
        f"$.predicate.inputs[2] x* is not in {folder}; its bytes cannot be checked",
    ]
    (folder / "docs" / "b.txt").write_bytes(b"changed")
    assert problems(data, inputs_dir=folder)[0].startswith(
        f"$.predicate.inputs[0].sha256 is {digest}; the corpus {folder / 'docs'} has "
    )


def test_standard_input_cannot_be_checked(scores: Scores, folder: Path) -> None:
    data = encode_report(build_score(scores, [Input(role="run", name="-", sha256=A64)]))
    assert problems(data, inputs_dir=folder) == [
        "$.predicate.inputs[0] was standard input; there is no file to check it against"
    ]


@pytest.mark.parametrize("name", ["../run.txt", "/etc/passwd", "..", "a\0b"])
def test_no_file_outside_of_the_folder_is_read(scores: Scores, folder: Path, name: str) -> None:
    data = encode_report(build_score(scores, [Input(role="run", name=name, sha256=A64)]))
    [problem] = problems(data, inputs_dir=folder)
    assert problem.endswith("a name without folders was expected")


def test_a_folder_that_is_none(folder: Path, on_disk: bytes) -> None:
    with pytest.raises(InputError, match=r"is not a folder; the folder of the inputs was expected"):
        validate_report(on_disk, "x.json", folder / "run.txt")
