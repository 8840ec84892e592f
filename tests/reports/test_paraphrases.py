"""The report of `leakage --method embedding`: written, checked, drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editing import Edit, edited, leak
from ragstone.corpus.paraphrases.check import paraphrases
from ragstone.corpus.paraphrases.result import Paraphrases
from ragstone.encoders import open_encoder
from ragstone.gate import Allowance
from ragstone.reports import Input, Report, encode_report, validate_report
from ragstone.reports.leakage import build_paraphrases
from ragstone.reports.renderers import text
from ragstone.reports.renderers.paraphrases import page

DETAILS = "$.predicate.details"
DOCUMENTS = {"d1": "aab", "d2": "aaab", "d3": "ccc", "d4": " "}
ITEMS = [
    {"id": "a", "question": "aab", "answer": "ccc"},
    {"id": "b", "question": "?"},
    {"id": "c", "question": "bbbbbc"},
    {"id": "d", "question": "ab"},
]


def letters(texts: list[str]) -> list[list[float]]:
    return [[float(text.count(letter)) for letter in "abc"] for text in texts]


@pytest.fixture
def result(tmp_path: Path) -> Paraphrases:
    path = tmp_path / "corpus.jsonl"
    rows = (json.dumps({"id": key, "text": value}) for key, value in DOCUMENTS.items())
    path.write_text("".join(f"{row}\n" for row in rows))
    return paraphrases(path, ITEMS, open_encoder(letters, name="mine:letters"), threshold=0.9)


@pytest.fixture
def inputs() -> list[Input]:
    return [Input(role=role, name=f"{role}.jsonl", sha256="0" * 64) for role in ("items", "corpus")]


@pytest.fixture
def report(result: Paraphrases, inputs: list[Input]) -> Report:
    return build_paraphrases(result, inputs, notes=["the encoder was accepted by hand"])


@pytest.mark.parametrize(
    ("most", "verdict", "code"),
    [("1", "fail", 4), ("2", "pass", 0), ("66%", "fail", 4), ("67%", "pass", 0)],
)
def test_verdict_and_code(
    result: Paraphrases, inputs: list[Input], most: str, verdict: str, code: int
) -> None:
    """Two of three items that could be looked for leak."""
    report = build_paraphrases(result, inputs, max_leaks=Allowance.of(most))
    assert (report.verdict, report.exit_code, report.details.max_leaks) == (verdict, code, most)
    assert validate_report(encode_report(report), "x.json").errors == []
    assert [each.name for each in report.statement.subject] == ["items.jsonl"]


def test_what_a_person_sees(report: Report) -> None:
    lines = text.render(page(report)).splitlines()
    assert lines[0] == "FAIL: 2 of 3 items leak (0 allowed); 4 documents read"
    start = next(i for i, line in enumerate(lines) if line.startswith("Texts that leak: 3"))
    assert [line.split()[:5] for line in lines[start + 3 : start + 6]] == [
        ["a", "answer", "1.0000", "d3", "1"],
        ["a", "question", "1.0000", "d1", "2"],
        ["d", "question", "0.9487", "d1", "1"],
    ]
    assert "warning: the encoder was accepted by hand" in lines
    assert lines[-1] == (
        "mine:letters; 3 passages of up to 400 characters; a text leaks at a cosine of 0.9"
    )
    assert "Texts that leak" not in text.render(page(report, 0))
    assert "Texts that leak: 1 of 3" in text.render(page(report, 1))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (leak(0, similarity=1.5), f"{DETAILS}.leaks[0].similarity"),
        (leak(3, similarity=0.95), "columns.paraphrase_similarity.values[3]"),
        (leak(1, end=99), f"{DETAILS}.leaks[1].passage"),
        (leak(0, documents_at_threshold=0), f"{DETAILS}.leaks[0].documents_at_threshold"),
        (leak(0, item_id="c"), "are not in the order of item, field"),
        (leak(0, field="x"), 'name the field "x", which is no field'),
        (lambda p: p["details"]["leaks"].pop(2), 'has 1 documents for "a"; 2 were expected'),
        (lambda p: p["details"].update(leaking_items=3), f"{DETAILS}.leaking_items"),
        (lambda p: p["details"].update(max_leaks="2"), "$.predicate.verdict"),
        (lambda p: p["details"]["fields"][0].update(leaking=0), f"{DETAILS}.fields[0].leaking"),
        (lambda p: p["details"]["not_checked"][0].update(texts=5), f"{DETAILS}.not_checked"),
        (lambda p: p["summary"].update(leaked=0.5), "$.predicate.summary.leaked"),
        (lambda p: p["signature"].pop("encoder"), "has no field 'encoder'"),
        (lambda p: p["details"]["settings"].update(threshold=0.96), "below the threshold of 0.96"),
        (
            lambda p: p["scores"]["columns"]["leaked"]["values"].__setitem__(2, 1.0),
            "columns.leaked.values[2]",
        ),
        (
            lambda p: (
                p["scores"]["columns"].pop("leaked"),
                p["scores"]["order"].remove("leaked"),
                [p["summary"].pop(name) for name in list(p["summary"]) if "leaked" in name],
            ),
            "columns has no leaked",
        ),
    ],
)
def test_what_does_not_agree_is_found(report: Report, edit: Edit, said: str) -> None:
    assert edited(report, lambda _: None) == []
    found = edited(report, edit)
    assert any(said in each for each in found), found
