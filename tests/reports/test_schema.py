"""The schema of the file is that of the types, and refuses nothing that is valid."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ragstone.model import Scores
from ragstone.reports import (
    KINDS,
    Input,
    Report,
    build_score,
    encode,
    encode_report,
    validate_report,
)
from ragstone.reports import schema as made

FILE = Path(__file__).resolve().parents[2] / "schemas" / "report.v1.json"
SCHEMA: dict[str, Any] = json.loads(FILE.read_bytes())
VALIDATOR = Draft202012Validator(SCHEMA)

Edit = Callable[[dict[str, Any]], object]


def test_the_file_is_what_the_types_say() -> None:
    remedy = "python -m ragstone.reports.schema > schemas/report.v1.json"
    assert FILE.read_text("utf-8") == made.text(), remedy


def test_the_module_prints_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ragstone.reports.schema"], check=True, capture_output=True
    )
    assert done.stdout == FILE.read_bytes()


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["$id"] == "urn:ragstone:report:v1"
    assert SCHEMA["title"] == "A report of ragstone, version 1"
    assert all("title" in part for part in SCHEMA["$defs"].values())
    assert set(KINDS) < set(SCHEMA["$defs"])


def test_every_reference_leads_somewhere() -> None:
    text = FILE.read_text("utf-8")
    references = {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}
    assert references == set(SCHEMA["$defs"])


@pytest.mark.parametrize("kind", ["report", "comparison", "failure"])
def test_what_we_write_passes(kind: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(kind)
    VALIDATOR.validate(json.loads(encode_report(report)))


@pytest.mark.parametrize("rows", ["none", "failed", "worst:2"])
def test_reports_without_all_rows_pass(scores: Scores, inputs: list[Input], rows: str) -> None:
    VALIDATOR.validate(json.loads(encode_report(build_score(scores, inputs, rows=rows))))


GONE = object()
R5 = ("predicate", "scores", "columns", "R@5")

BOTH_REFUSE: list[tuple[Any, ...]] = [
    ("_type", GONE),
    ("_type", "https://in-toto.io/Statement/v0.1"),
    ("predicateType", "urn:ragstone:report:v2"),
    ("later", 1),
    ("subject", GONE),
    ("subject", {}),
    ("subject", 0, "digest", {}),
    ("subject", 0, "digest", "sha256", "A" * 64),
    ("subject", 0, "name", ""),
    ("predicate", "kind", "ragstone.magic"),
    ("predicate", "kind", "ragstone.error"),
    ("predicate", "kind", GONE),
    ("predicate", "tool", "version", GONE),
    ("predicate", "tool", "later", "x"),
    ("predicate", "created_at", "yesterday"),
    ("predicate", "created_at", "2026-01-01T00:00:00.5Z"),
    ("predicate", "verdict", "maybe"),
    ("predicate", "verdict", None),
    ("predicate", "verdict", "pass"),
    ("predicate", "verdict", "inconclusive"),
    ("predicate", "verdict", GONE),
    ("predicate", "exit_code", 0),
    ("predicate", "exit_code", 5),
    ("predicate", "exit_code", -1),
    ("predicate", "exit_code", 4.5),
    ("predicate", "exit_code", "4"),
    ("predicate", "inputs", 1, "sha256", "ab"),
    ("predicate", "inputs", 1, "role", GONE),
    ("predicate", "inputs", "run.txt"),
    ("predicate", "signature", "tokenizer", None),
    ("predicate", "signature", "tokenizer", [1]),
    ("predicate", "summary", "R@5", "0.5"),
    ("predicate", "summary", []),
    ("predicate", "scores", GONE),
    ("predicate", "scores", "rows", GONE),
    ("predicate", "scores", "items", 0, 1),
    ("predicate", "scores", "counts", "hits", 0, -1),
    ("predicate", "scores", "counts", "hits", 0, None),
    ("predicate", "scores", "facts", "queries", 2.5),
    ("predicate", "scores", "facts", "queries", 2**63),
    ("predicate", "scores", "digest", "ab"),
    ("predicate", "scores", "total", -1),
    (*R5, "values", 0, "0.5"),
    (*R5, "values", GONE),
    (*R5, "status", 0, 4),
    (*R5, "status", 0, -1),
    (*R5, "weights", 0, None),
    (*R5, "reasons", "q3", 1),
    (*R5, "later", True),
    (*R5, "statistics", {"sum": 1.0}),
    ("predicate", "details", None),
    ("predicate", "details", "later", 1),
    ("predicate", "details", "warnings", "one"),
    ("predicate", "details", "floors", 0, "passed", "no"),
    ("predicate", "details", "floors", 0, "bound", "near"),
]


def edited(document: Any, *steps: Any) -> Any:
    *path, last, value = steps
    holder = document
    for step in path:
        holder = holder[step]
    if value is GONE:
        del holder[last]
    else:
        holder[last] = value
    return document


@pytest.mark.parametrize("steps", BOTH_REFUSE)
def test_both_validators_refuse(document: dict[str, Any], steps: tuple[Any, ...]) -> None:
    spoiled = edited(document, *steps)
    assert not VALIDATOR.is_valid(spoiled)
    assert not validate_report(encode(spoiled), "x.json").ok


@pytest.mark.parametrize(
    "steps",
    [
        ("predicate", "scores", {"rows": "all"}),
        ("predicate", "verdict", GONE),
        ("predicate", "verdict", "pass"),
        ("predicate", "details", "reasons", 0, "code", "because"),
        ("predicate", "details", "measures", 0, "result", "maybe"),
        ("predicate", "details", "measures", 0, "evidence", {}),
        ("predicate", "details", "diff", "columns", "R@5", GONE, "x"),
        ("predicate", "details", "settings", GONE),
    ],
)
def test_both_refuse_a_comparison(comparison: Report, steps: tuple[Any, ...]) -> None:
    document = json.loads(encode_report(comparison))
    if GONE in steps[:-1]:
        document["predicate"]["details"]["diff"]["columns"]["R@5"]["later"] = 1
    else:
        document = edited(document, *steps)
    assert not VALIDATOR.is_valid(document)
    assert not validate_report(encode(document), "x.json").ok


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    return [path, *(place for step, part in parts for place in places(part, (*path, step)))]


VALUES = [None, True, 0, 1, -1, 7, 0.5, "", "x", "pass", "R@5", 2**63, "[]", "{}"]


@given(st.data())
@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_what_the_schema_refuses_we_refuse(
    report: Report, comparison: Report, failure: Report, data: st.DataObject
) -> None:
    document = json.loads(encode_report(data.draw(st.sampled_from([report, comparison, failure]))))
    steps = data.draw(st.sampled_from(places(document)[1:]))
    value = data.draw(st.sampled_from([GONE, *VALUES]))
    value = json.loads(value) if value in {"[]", "{}"} else value
    spoiled = edited(document, *steps, value)
    if not VALIDATOR.is_valid(spoiled):
        assert not validate_report(encode(spoiled), "x.json").ok
