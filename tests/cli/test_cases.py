"""Faults that people reported of other tools, through the command line: code, line and report.

What is computed in each case is tested beside scoring and the gate; this is what a user sees.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import judged
from commands import Done, ragstone
from ragstone.reports import build_score, read_report, validate_report, write_report

QRELS = ("qrels.trec", "qrels.tsv", "queries.jsonl", "queries.json")
RUNS = ("run.trec", "retrieved.jsonl")

# Case -> measure -> mean, or measure -> query -> value.
VALUES: dict[str, dict[str, float | dict[str, float]]] = {
    "01": {"RR": 0.75, "AP": 0.75, "nDCG@2": 0.815465},
    "04": {"AP": 1.0},
    "12": {"AP": 0.333333, "RR": 0.333333},
    "16": {"AP": 0.5, "nDCG@5": {"1": 0.0, "2": 1.0}, "R@5": {"1": 0.0, "2": 1.0}},
    "18": {"nDCG@2": 0.613147},
    "21": {"AP@4": 0.416667, "RR@4": 1.0},
    "23": {"RR": 0.5},
    "29": {"AP": 0.5, "RR": 0.5},
    "31": {"AP": {"1": 1.0, "2": 1.0}},
    "33": {"AP": {"1": 1.0, "1200": 1.0, "3": 1.0}},
    "38": {"R@2": {"q1": 1.0, "q2": 1.0}},
    "40": {"RR": {"001": 0.5, "1": 1.0}},
    "42": {"AP": {"NA": 1.0, "True": 1.0, "nan": 1.0}},
    "43": {"AP": 0.0},
}
WARNINGS = {
    "04": "1 query ordered differently by trec_eval 9 (float32 scores) and 10 (double)",
    "12": "1 judged query without results, scored 0",
    "23": "1 query retrieved the document that has the query's own id",
    "43": "1 retrieved id not matched: differs from a judged id only by Unicode form (NFC, NFD)",
}
FACTS = {
    "12": {"queries_without_results": 1, "queries_without_relevant": 1},
    "16": {"queries_without_relevant": 1},
    "23": {"self_retrieved_queries": 1},
    "43": {"ids_differing_by_unicode_form": 1},
}
ERRORS = {
    "06": "run.trec:2: document 'a' is listed twice for query '1', first at line 1; a document may",
    "08": "qrels.trec:2: document 'a' of query '1' has grade 2 here and 1 above; keep one of the",
    "09": "qrels.trec:1: the grade of document 'a', query '1' is '0.5'; a grade must be an integer",
    "14": "no judged query has a result: the qrels have 'q1', 'q2', the run has '1', '2'; the",
    "25": "run.trec:1: the score 'nan' is not a finite number such as 12.5",
    "27": "run.trec:1: the score '0,9' is not a finite number such as 12.5",
    "35": "run.trec:2: 4 columns ('2 Q0 b 1'); a run has 6: query Q0 document rank score tag",
    "45": "queries.json:1: JSON array; expected one object per line (JSON lines)",
    "49": "queries.jsonl:2: query '44' has two rows, the first at line 1; a query has one row",
}


class Case:
    """A copy of a case's folder, and the command on its files."""

    def __init__(self, shared: Path, number: str, into: Path) -> None:
        [found] = (shared / "cases").glob(f"{number}-*")
        self.folder = Path(shutil.copytree(found, into / "case"))

    def score(self, *more: str) -> Done:
        [qrels] = [name for name in QRELS if (self.folder / name).is_file()]
        run = next((name for name in RUNS if (self.folder / name).is_file()), None)
        if run is None:
            run = "run.trec"
            (self.folder / run).write_text("q1 Q0 a 1 1 t\n")
        return ragstone("score", "--qrels", qrels, "--run", run, *more, cwd=self.folder)


def chosen(names: Sequence[str]) -> list[str]:
    return [part for name in names for part in ("--measure", name)]


@pytest.mark.parametrize("number", VALUES)
def test_a_case_is_scored(shared: Path, tmp_path: Path, number: str) -> None:
    expected = VALUES[number]
    done = Case(shared, number, tmp_path).score(*chosen(list(expected)))
    assert done.code == 0
    assert validate_report(done.out, "-").ok
    assert done.err == "".join(f"warning: {WARNINGS[n]}\n" for n in WARNINGS if n == number)
    report: dict[str, Any] = json.loads(done.out)["predicate"]
    table = report["scores"]
    for name, value in expected.items():
        if isinstance(value, dict):
            assert dict(zip(table["items"], table["columns"][name]["values"], strict=True)) == value
        else:
            assert report["summary"][name] == pytest.approx(value, abs=5e-7)
    facts = FACTS.get(number, {})
    assert {name: table["facts"][name] for name in facts} == facts


@pytest.mark.parametrize("number", VALUES)
def test_the_table_shows_the_same(shared: Path, tmp_path: Path, number: str) -> None:
    done = Case(shared, number, tmp_path).score(
        *chosen(list(VALUES[number])), "--format", "table", "--per-query", "--quiet"
    )
    assert (done.code, done.err) == (0, "")
    for name, value in VALUES[number].items():
        if isinstance(value, float):
            assert re.search(rf"^{re.escape(name)} +{value:.4f} ", done.text, re.MULTILINE)
        else:
            for query in value:
                assert re.search(rf"^{re.escape(query)} ", done.text, re.MULTILINE)
    assert "\r" not in done.text


@pytest.mark.parametrize("number", ERRORS)
def test_a_case_is_an_error(shared: Path, tmp_path: Path, number: str) -> None:
    done = Case(shared, number, tmp_path).score("--out", "new/report.json")
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {ERRORS[number]}")
    report = read_report(tmp_path / "case" / "new" / "report.json")
    assert (report.kind, report.verdict, report.exit_code) == ("ragstone.error", "error", 2)
    assert report.details.message == done.message.removeprefix("error: ")


# ---- the gate ------------------------------------------------------------------------------------

P_VALUE_MISSING = "undefined on these differences; the budget decides"
GATES: dict[str, tuple[list[str], int, str]] = {
    "52": (["--alpha", "0.001"], 4, "FAIL: RR@10 got worse"),
    "54": (["--alpha", "0.05", "--test", "t-test"], 4, P_VALUE_MISSING),
    "55": (["--alpha", "0.05"], 4, "the test could not have failed: with 4 changed queries"),
    "59": ([], 0, "PASS: no measure is gated (2 queries compared)"),
    "61": ([], 4, "query sets differ: 2 only in baseline (q2, q3); score both on the same queries"),
}


def compared(shared: Path, number: str, folder: Path, *flags: str) -> Done:
    """Make the two reports of a case's scores.csv and compare them."""
    [case] = (shared / "cases").glob(f"{number}-*")
    with (case / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for side in ("baseline", "candidate"):
        values = {row["id"]: float(row[side]) for row in rows if row[side]}
        scores = judged.scores({"RR@10": list(values.values())}, list(values))
        write_report(build_score(scores, []), folder / f"{side}.json")
    args = ["--baseline", "baseline.json", "--candidate", "candidate.json"]
    return ragstone("compare", *args, *flags, cwd=folder)


@pytest.mark.parametrize("number", GATES)
def test_a_case_of_the_gate(shared: Path, tmp_path: Path, number: str) -> None:
    flags, code, said = GATES[number]
    done = compared(shared, number, tmp_path, *flags, "--format", "table")
    assert (done.code, done.err) == (code, "")
    assert said in done.text
    printed = compared(shared, number, tmp_path, *flags)
    assert printed.code == code
    assert validate_report(printed.out, "-").ok
    assert not re.search(r"nan|inf\b|infinity", (done.text + printed.text).casefold())


def test_a_p_value_is_never_zero(shared: Path, tmp_path: Path) -> None:
    done = compared(shared, "52", tmp_path)
    [measure] = json.loads(done.out)["predicate"]["details"]["measures"]
    assert measure["evidence"]["p_value"] == pytest.approx(2 / 10_001)
    assert "  0.0002  " in compared(shared, "52", tmp_path, "--format", "table").text


def test_without_variance_only_the_t_test_is_silent(shared: Path, tmp_path: Path) -> None:
    [measure] = json.loads(compared(shared, "54", tmp_path).out)["predicate"]["details"]["measures"]
    found = measure["evidence"]
    assert (found["p_value"], found["p_value_other"], found["exact"]) == (0.125, None, True)


def test_from_zero_there_is_no_percent(shared: Path, tmp_path: Path) -> None:
    [measure] = json.loads(compared(shared, "59", tmp_path).out)["predicate"]["details"]["measures"]
    assert (measure["change"], measure["change_pct"]) == (0.25, None)
    assert "  n/a  " in compared(shared, "59", tmp_path, "--format", "table").text


def test_no_number_is_not_a_pass(shared: Path, tmp_path: Path) -> None:
    case = Case(shared, "57", tmp_path)
    args = ["--baseline", "baseline.json", "--candidate", "candidate.json", "--out", "new.json"]
    done = ragstone("compare", *args, cwd=case.folder)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith('error: baseline.json: is not a report: found an object with "n')
    swapped = ["--baseline", "candidate.json", "--candidate", "baseline.json"]
    assert ragstone("compare", *swapped, cwd=case.folder).message.startswith(
        "error: candidate.json: $.recall is NaN, $.ndcg is null; a report holds finite numbers"
    )


def test_every_folder_of_these_kinds_has_its_test(shared: Path) -> None:
    wanted = set()
    for path in (shared / "cases").glob("*/expected.md"):
        [kind] = re.findall(r"^Kind: (\w+)", path.read_text("utf-8"), re.MULTILINE)
        if kind in {"score", "format", "gate"}:
            wanted.add(path.parent.name.split("-")[0])
    assert wanted == {*VALUES, *ERRORS, *GATES, "57"}
