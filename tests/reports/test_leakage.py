"""The report of leakage: written, checked, drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from editing import Edit, edited, leak
from ragstone.corpus.leakage.result import Leakage
from ragstone.corpus.leakage.search import Search
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.formats.corpus import Batch
from ragstone.formats.items import read_items
from ragstone.gate import Allowance
from ragstone.reports import Input, Report, encode_report, validate_report
from ragstone.reports.leakage import build_leakage
from ragstone.reports.renderers import text
from ragstone.reports.renderers.leakage import page

DETAILS = "$.predicate.details"
COPY = "how do I renew my library card"
DOCUMENTS = {
    "d1": f"Visitors ask: {COPY}?",
    "d2": f"{COPY}, they said",
    "d3": "how do I renew my passport",
    "d4": "nothing of it",
    "d5": "?!",
}
ITEMS = [
    {"id": "a", "question": COPY, "answer": "nothing of it"},
    {"id": "b", "question": "what is the capital of that country", "answer": "..."},
    {"id": "c", "question": "renew my library card how"},
    {"id": "d"},
]


def result(documents: Mapping[str, str] = DOCUMENTS, **told: Any) -> Leakage:
    usual = {"threshold": 0.6, "unit": "auto", "shingle": 3, "char_shingle": 4, "documents": 3}
    search = Search.of(read_items(ITEMS), LeakageSettings(**{**usual, "min_words": 0, **told}))
    job = search.containing()
    state = job.start()
    job.read(state, Batch(list(documents), list(documents.values()), list(documents)))
    return search.result(state, {"documents": len(documents), "truncated": 0})


@pytest.fixture
def inputs() -> list[Input]:
    return [Input(role=role, name=f"{role}.jsonl", sha256="0" * 64) for role in ("items", "corpus")]


@pytest.fixture
def report(inputs: list[Input]) -> Report:
    return build_leakage(result(), inputs)


@pytest.mark.parametrize(
    ("most", "verdict", "code"),
    [("0", "fail", 4), ("1", "fail", 4), ("2", "pass", 0), ("66%", "fail", 4), ("67%", "pass", 0)],
)
def test_verdict_and_code(inputs: list[Input], most: str, verdict: str, code: int) -> None:
    """Two of three items that could be looked for leak."""
    report = build_leakage(result(), inputs, max_leaks=Allowance.of(most))
    assert (report.verdict, report.exit_code, report.details.max_leaks) == (verdict, code, most)
    assert validate_report(encode_report(report), "x.json").errors == []
    assert [each.name for each in report.statement.subject] == ["items.jsonl"]


def test_what_could_not_be_checked_is_warned_of(report: Report) -> None:
    assert report.details.warnings == [
        "1 document has no word; nothing can stand in it",
        "1 text not looked for: no letter or digit (items b)",
        "1 item has no text that could be looked for, and no value",
    ]
    lines = text.render(page(report)).splitlines()
    assert lines[0] == "FAIL: 2 of 3 items leak (0 allowed); 5 documents read"
    assert [f"warning: {each}" for each in report.details.warnings] == [
        line for line in lines if line.startswith("warning: ")
    ]


def test_no_leak(inputs: list[Input]) -> None:
    report = build_leakage(result({"d": "nothing at all"}), inputs)
    assert (report.verdict, report.exit_code) == ("pass", 0)
    drawn = text.render(page(report))
    assert drawn.startswith("PASS: 0 of 3 items leak (0 allowed); 1 document read\n")
    assert "Texts that leak" not in drawn


def test_one_line_a_text_and_the_best_first(report: Report) -> None:
    lines = text.render(page(report)).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Texts that leak: 3"))
    assert [line.split()[:5] for line in lines[start + 3 : start + 6]] == [
        ["a", "answer", "1.0000", "d4", "1"],
        ["a", "question", "1.0000", "d1", "3"],
        ["c", "question", "0.6667", "d1", "2"],
    ]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (leak(0, shared=2), f"{DETAILS}.leaks[0]"),
        (leak(1, containment=0.7), f"{DETAILS}.leaks[1].containment"),
        (leak(1, end=99), f"{DETAILS}.leaks[1].passage"),
        (leak(0, documents_at_threshold=9), f"{DETAILS}.leaks[0].documents_at_threshold"),
        (leak(0, item_id="c"), "are not in the order of item, field"),
        (leak(0, field="x"), 'name the field "x", which is no field'),
        (lambda p: p["details"]["leaks"].pop(1), 'has 2 documents for "a"; 3 were expected'),
        (lambda p: p["details"].update(leaking_items=3), f"{DETAILS}.leaking_items"),
        (lambda p: p["details"].update(max_leaks="2"), "$.predicate.verdict"),
        (lambda p: p["details"].update(max_leaks="many"), f"{DETAILS}.max_leaks"),
        (lambda p: p["details"]["fields"][0].update(leaking=0), f"{DETAILS}.fields[0].leaking"),
        (lambda p: p["details"]["not_checked"][0].update(texts=5), f"{DETAILS}.not_checked"),
        (lambda p: p["summary"].update(leaked=0.5), "$.predicate.summary.leaked"),
        (lambda p: p["signature"].pop("items"), "has no field 'items'"),
        (lambda p: p["details"]["settings"].update(threshold=0.9), "below the threshold of 0.9"),
        (
            lambda p: p["scores"]["columns"]["containment"]["values"].__setitem__(2, 0.9),
            "$.predicate.scores.columns.containment.values[2]",
        ),
    ],
)
def test_what_does_not_agree_is_found(report: Report, edit: Edit, said: str) -> None:
    found = edited(report, edit)
    assert any(said in each for each in found), found


def test_the_report_as_it_is_agrees(report: Report) -> None:
    assert edited(report, lambda predicate: None) == []


@pytest.mark.parametrize("rows", ["none", "failed", "worst:1:containment"])
def test_rows_may_be_left_out_and_leaks_may_not(inputs: list[Input], rows: str) -> None:
    report = build_leakage(result(), inputs, rows=rows)
    assert len(report.details.leaks) == 6
    assert validate_report(encode_report(report), "x.json").errors == []
