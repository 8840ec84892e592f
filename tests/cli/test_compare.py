"""`ragstone compare`: every flag, each verdict with its code, what is read and what is refused."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import judged
from commands import Done, ragstone
from ragstone.measures import parse_aggregate
from ragstone.reports import build_score, read_report, validate_report, write_report

COMPARE = ["compare", "--baseline", "before.json", "--candidate", "after.json"]
TOOLKIT = Path(__file__).resolve().parents[1] / "reports" / "fixtures" / "toolkit"

Column = Sequence[float | None]


class Reports:
    """Writes the reports of two sides into a folder, and compares them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(
        self,
        name: str,
        columns: dict[str, Column],
        ids: Sequence[str] = (),
        aggregates: Sequence[str] = (),
        rows: str = "all",
        **signature: str,
    ) -> None:
        scores = judged.scores(columns, ids, **signature)
        wanted = [parse_aggregate(each) for each in [*columns, *aggregates]]
        write_report(
            build_score(scores, [], aggregates=wanted, rows=rows), self.folder / f"{name}.json"
        )

    def both(self, before: dict[str, Column], after: dict[str, Column], **options: Any) -> None:
        self.write("before", before, **options)
        self.write("after", after, **options)

    def compare(self, *flags: str) -> Done:
        return ragstone(*COMPARE, *flags, cwd=self.folder)

    def report(self, *flags: str) -> dict[str, Any]:
        done = self.compare(*flags)
        assert done.err == ""
        assert validate_report(done.out, "-").ok
        found: dict[str, Any] = json.loads(done.out)["predicate"]
        assert found["exit_code"] == done.code
        return found

    def measure(self, name: str, *flags: str) -> dict[str, Any]:
        [found] = [e for e in self.report(*flags)["details"]["measures"] if e["name"] == name]
        return dict(found)


@pytest.fixture
def reports(tmp_path: Path) -> Reports:
    return Reports(tmp_path)


def codes(report: dict[str, Any]) -> list[str]:
    return [reason["code"] for reason in report["details"]["reasons"]]


# ---- operations ----------------------------------------------------------------------------------

TIMES: tuple[dict[str, Column], dict[str, Column]] = (
    {"latency_ms": [100.0 + n for n in range(80)]},
    {"latency_ms": [130.0 + n for n in range(80)]},
)


def test_absolute_budgets_and_ceilings_of_quantiles(reports: Reports) -> None:
    reports.both(*TIMES, aggregates=["latency_ms:p95"])
    for flags, code in (
        (["--budget", "latency_ms:p95=50abs"], 0),
        (["--budget", "latency_ms:p95=20abs"], 4),
        (["--budget", "latency_ms:p95=20abs", "--alpha", "0.05"], 4),
        (["--floor", "latency_ms:p95=300"], 0),
        (["--floor", "latency_ms:p95=200"], 4),
        (["--budget", "latency_ms:p99=1abs"], 5),
        (["--floor", "latency_ms:p99=1"], 5),
        (["--budget", "latency_ms:p99=off"], 0),
        (["--max-item-drop", "latency_ms=30"], 0),
        (["--max-item-drop", "latency_ms=29.9"], 4),
    ):
        assert reports.report(*flags)["exit_code"] == code, flags
    measure = reports.measure("latency_ms:p95", "--resamples", "99", "--seed", "3")
    assert (measure["evidence"]["test"], measure["evidence"]["resamples"]) == ("bootstrap", 99)
    assert measure["evidence"]["interval"] == [30.0, 30.0]


def test_what_a_single_query_lost(reports: Reports) -> None:
    reports.both({"RR": [1.0] * 99}, {"RR": [1.0] * 98 + [0.2]})
    assert reports.compare().code == 0
    done = reports.compare("--max-item-drop", "mrr=0.5", "--format", "table")
    assert done.code == 4
    assert "item_dropped: RR: 1 item got worse by more than 0.5, the most that one may: q98" in (
        done.text
    )
    found = reports.report("--max-item-drop", "mrr=0.5")
    assert [each["id"] for each in found["details"]["item_limits"][0]["beyond"]] == ["q98"]
    refused = reports.compare("--max-item-drop", "RR:p50=1")
    assert refused.code == 2
    assert "an item has no p50; name the measure alone: RR" in refused.err


def test_what_failed_on_both_sides_was_not_measured(reports: Reports) -> None:
    same: dict[str, Column] = {"RR": [1.0, None, 1.0]}
    reports.both(same, same)
    done = reports.compare("--format", "table")
    assert done.code == 5
    assert done.text.startswith("INCONCLUSIVE: not_measured (2 queries compared)\n")
    assert reports.compare("--max-failed", "1").code == 0


# ---- verdicts ------------------------------------------------------------------------------------

FELL: tuple[dict[str, Column], dict[str, Column]] = ({"nDCG@10": [1.0] * 8}, {"nDCG@10": [0.5] * 8})


def test_what_did_not_change_passes(reports: Reports) -> None:
    same: dict[str, Column] = {"nDCG@10": [1.0, 0.5], "RR": [1.0, 1.0]}
    reports.both(same, same)
    done = reports.compare("--format", "table")
    assert (done.code, done.err) == (0, "")
    assert done.text.startswith("PASS: 2 gated measures within budget (2 queries compared)\n")
    assert reports.report()["verdict"] == "pass"


def test_what_fell_fails(reports: Reports) -> None:
    reports.both(*FELL)
    done = reports.compare("--format", "table")
    assert (done.code, done.err) == (4, "")
    assert done.text.startswith(
        "FAIL: nDCG@10 got worse beyond what is allowed (8 queries compared)\n"
    )
    assert "budget_exceeded: nDCG@10 fell from 1 to 0.5 (-50%), over its budget of 2%" in done.text
    assert codes(reports.report()) == ["budget_exceeded"]


def test_what_was_not_measured_decides_nothing(reports: Reports) -> None:
    reports.both({"RR": [1.0, 1.0]}, {"RR": [1.0, None]})
    done = reports.compare("--format", "table")
    assert (done.code, done.err) == (5, "")
    assert done.text.startswith("INCONCLUSIVE: coverage_changed (1 query compared)\n")
    assert "1 item only in the baseline (q1 failed: timeout)" in done.text
    assert reports.report()["verdict"] == "inconclusive"
    for flag in ("--max-failed=1", "--max-failed=50%"):
        assert reports.compare(flag).code == 0


def test_what_newly_does_not_apply(tmp_path: Path) -> None:
    from ragstone.model import Cell, ScoresBuilder, Status

    for name, status in (("before", Status.SCORED), ("after", Status.NOT_APPLICABLE)):
        builder = ScoresBuilder(["RR"])
        builder.add("q0", [Cell(1.0)])
        builder.add("q1", [Cell(1.0, status, reason="no answer was asked for")])
        write_report(build_score(builder.build(), []), tmp_path / f"{name}.json")
    reports = Reports(tmp_path)
    assert reports.compare().code == 5
    assert reports.compare("--max-failed=1").code == 5
    assert reports.compare("--max-not-applicable=1").code == 0


MISMATCHES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "query_set_mismatch": (
        {"columns": {"RR": [1.0]}, "ids": ["a"]},
        {"columns": {"RR": [1.0]}, "ids": ["b"]},
    ),
    "k_mismatch": ({"columns": {"RR@5": [1.0]}}, {"columns": {"RR@10": [1.0]}}),
    "measure_missing": ({"columns": {"RR": [1.0], "AP": [1.0]}}, {"columns": {"RR": [1.0]}}),
    "judgments_mismatch": (
        {"columns": {"RR": [1.0]}, "judgments": "0" * 64},
        {"columns": {"RR": [1.0]}, "judgments": "1" * 64},
    ),
    "signature_mismatch": (
        {"columns": {"RR": [1.0]}, "tokenizer": "a"},
        {"columns": {"RR": [1.0]}, "tokenizer": "b"},
    ),
}


@pytest.mark.parametrize("code", MISMATCHES)
def test_what_cannot_be_compared_fails(reports: Reports, code: str) -> None:
    before, after = MISMATCHES[code]
    reports.write("before", **before)
    reports.write("after", **after)
    done = reports.compare("--format", "table")
    assert (done.code, done.err) == (4, "")
    whole = "all is " if code == "measure_missing" else ""
    assert done.text.startswith(f"FAIL: not {whole}comparable, {code} (")
    assert f"\n{code}: " in done.text
    assert codes(reports.report()) == [code]


def test_another_relevance_level(small: Path) -> None:
    for name, level in (("before", "1"), ("after", "2")):
        args = ["--qrels", "qrels.trec", "--run", "run.trec", "--relevance-level", level]
        ragstone("score", *args, "--out", f"{name}.json", cwd=small)
    assert codes(Reports(small).report()) == ["relevance_level_mismatch"]


def test_what_one_side_does_not_say_is_noted(reports: Reports) -> None:
    reports.write("before", {"RR": [1.0]}, judgments="0" * 64)
    reports.write("after", {"RR": [1.0]})
    report = reports.report()
    assert (report["exit_code"], codes(report)) == (0, ["signature_unknown"])


# ---- budgets and floors --------------------------------------------------------------------------

DROP: tuple[dict[str, Column], dict[str, Column]] = (
    {"R@5": [1.0] * 10, "nDCG@5": [1.0] * 10, "nDCG@10": [1.0] * 10},
    {"R@5": [0.95] * 10, "nDCG@5": [0.95] * 10, "nDCG@10": [0.95] * 10},
)


@pytest.mark.parametrize(
    ("flags", "failed"),
    [
        ([], ["R@5", "nDCG@5", "nDCG@10"]),
        (["--max-recall-regression-pct", "5"], []),
        (["--max-recall-regression-pct", "5", "--max-regression-pct", "4"], ["nDCG@5", "nDCG@10"]),
        (["--max-regression-pct", "5"], ["R@5"]),
        (["--budget", "ndcg=5"], ["R@5"]),
        (["--budget", "ndcg=5", "--budget", "recall=5"], []),
        (["--budget", "ndcg=5", "--budget", "nDCG@10=4", "--budget=R@5=off"], ["nDCG@10"]),
        (["--budget", "ndcg=0.05abs", "--budget", "R=0.04abs"], ["R@5"]),
        (["--budget", "ndcg=off", "--budget", "R=none"], []),
        (["--budget", "R=9", "--budget", "ndcg=9%", "--floor", "nDCG@10=0.96"], ["nDCG@10"]),
        (["--budget", "R=9", "--budget", "ndcg=9%", "--floor", "ndcg=0.95"], []),
    ],
)
def test_budgets_and_floors(reports: Reports, flags: list[str], failed: list[str]) -> None:
    reports.both(*DROP)
    report = reports.report(*flags)
    found = [e["name"] for e in report["details"]["measures"] if e["result"] == "fail"]
    assert sorted(found) == sorted(failed)
    assert report["exit_code"] == (4 if failed else 0)


def test_the_table_says_which_floor(reports: Reports) -> None:
    reports.both(*DROP)
    off = ["--budget", "ndcg=off", "--budget", "R=off", "--format", "table"]
    done = reports.compare(*off, "--floor", "R=0.99")
    assert done.text.startswith("FAIL: R@5 is below its floor (10 queries compared)\n")
    assert "\nbelow_floor: R@5 is 0.95; its floor is at least 0.99\n" in done.text
    done = reports.compare(*off, "--floor", "R=0.9")
    assert done.text.startswith("PASS: no measure is gated, 1 floor held (10 queries compared)\n")
    assert "\nno measure is gated: only a floor can fail this comparison\n" in done.text
    done = reports.compare(*off)
    assert "\nno measure is gated: this comparison cannot fail\n" in done.text


def test_an_aggregate_beyond_the_usual(reports: Reports) -> None:
    reports.both({"RR": [1.0, 1.0, 1.0]}, {"RR": [1.0, 0.4, 0.4]})
    measure = reports.measure("RR:p50", "--budget", "RR=off", "--budget", "RR:p50=50")
    assert (measure["result"], measure["change_pct"]) == ("fail", pytest.approx(-60))
    table = reports.compare("--budget", "RR:p50=50", "--format", "table").text
    assert "bootstrap" in table


def test_what_was_scored_is_compared_without_being_named(reports: Reports) -> None:
    reports.both({"RR": [1.0, 1.0]}, {"RR": [1.0, 0.4]}, aggregates=["RR:p50"])
    assert reports.measure("RR:p50")["change"] == pytest.approx(-0.3)


# ---- evidence ------------------------------------------------------------------------------------

FEW: tuple[dict[str, Column], dict[str, Column]] = (
    {"RR": [0.5] * 20},
    {"RR": [0.5] * 13 + [0.0] * 4 + [1.0] * 3},
)


def test_alpha_lets_chance_pass(reports: Reports) -> None:
    reports.both(*FEW)
    assert reports.compare().code == 4
    measure = reports.measure("RR", "--alpha", "0.05")
    assert (measure["result"], measure["evidence"]["p_value"]) == ("not_significant", 1.0)
    done = reports.compare("--alpha", "0.05", "--format", "table")
    assert done.code == 0
    assert "RR: over budget, but p = 1 is not below alpha = 0.05" in done.text


def test_the_test(reports: Reports) -> None:
    reports.both(*FEW)
    exact = reports.measure("RR", "--alpha", "0.05")["evidence"]
    other = reports.measure("RR", "--alpha", "0.05", "--test", "t-test")["evidence"]
    assert (exact["test"], other["test"]) == ("permutation", "t-test")
    assert (exact["p_value"], exact["p_value_other"]) == (other["p_value_other"], other["p_value"])
    assert "permutation, exact\n" in reports.compare("--format", "table").text
    table = reports.compare("--test", "t-test", "--format", "table").text
    assert "t-test\n" in table
    assert "exact" not in table


def test_permutations_and_seed(reports: Reports) -> None:
    changes = [((n * 7919) % 13 - 7) / 100 for n in range(40)]
    reports.both({"RR": [0.5] * 40}, {"RR": [0.5 + change for change in changes]})

    def evidence(*flags: str) -> dict[str, Any]:
        return dict(reports.measure("RR", *flags)["evidence"])

    usual = evidence()
    assert (usual["permutations"], usual["exact"]) == (10_000, False)
    assert evidence("--seed", "0", "--permutations", "10000") == usual
    assert evidence("--seed", "1")["p_value"] != usual["p_value"]
    few = evidence("--permutations", "99")
    assert (few["permutations"], few["smallest_p"]) == (99, 2 / 100)


def test_alpha_that_no_test_could_reach(reports: Reports) -> None:
    reports.both({"RR": [1.0] * 4}, {"RR": [0.0] * 4})
    done = reports.compare("--alpha", "0.05", "--format", "table")
    assert done.code == 4
    assert "the test could not have failed: with 4 changed queries its smallest p is" in done.text


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (
            [0.0, 0.0],
            [0.0, 0.5],
            "RR         0.0000     0.2500     n/a      2%  1.0000           0/1",
        ),
        ([1.0], [1.0], "RR         1.0000     1.0000   0.00%      2%     n/a           0/0  pass"),
    ],
    ids=["baseline of zero", "one query"],
)
def test_what_has_no_number(reports: Reports, before: Column, after: Column, shown: str) -> None:
    reports.both({"RR": before}, {"RR": after})
    text = " ".join(reports.compare("--format", "table").text.split())
    assert " ".join(shown.split()) in text


# ---- the queries that lost -----------------------------------------------------------------------


def test_top_and_the_primary_measure(reports: Reports) -> None:
    ids = ["a", "b", "c"]
    reports.both(
        {"RR": [1.0, 1.0, 1.0], "nDCG@5": [1.0, 1.0, 1.0], "AP": [1.0] * 3},
        {"RR": [0.1, 0.5, 0.9], "nDCG@5": [0.9, 0.5, 0.1], "AP": [1.0] * 3},
        ids=ids,
    )

    def regressed(*flags: str) -> tuple[str, list[str]]:
        details = reports.report(*flags)["details"]
        return details["primary"], [query["id"] for query in details["most_regressed"]]

    assert regressed() == ("nDCG@5", ["c", "b", "a"])
    assert regressed("--top", "1") == ("nDCG@5", ["c"])
    assert regressed("--top", "0") == ("nDCG@5", [])
    assert regressed("--primary-measure", "mrr") == ("RR", ["a", "b", "c"])
    assert regressed("--primary-metric", "mrr") == ("RR", ["a", "b", "c"])
    assert regressed("--primary-measure", "AP") == ("AP", [])
    table = reports.compare("--top", "1", "--format", "table").text
    assert table.endswith("\nand 2 more\n")
    assert "--primary-metric" not in ragstone("compare", "--help", cwd=reports.folder).text


# ---- what is printed, and where the report goes --------------------------------------------------


def test_markdown(reports: Reports) -> None:
    reports.both(*FELL)
    lines = reports.compare("--format", "markdown", "--top", "1").text.splitlines()
    assert lines[0] == "**FAIL: nDCG@10 got worse beyond what is allowed (8 queries compared)**"
    assert lines[3] == "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    assert lines[4] == ("| nDCG@10 | 1.0000 | 0.5000 | -50.00% | 2% | 0.0078 | 8/0 | **FAIL** |")


def test_a_file_gets_the_report_and_a_person_the_table(reports: Reports) -> None:
    reports.both(*FELL)
    printed = reports.compare()
    done = reports.compare("--out", "new/compare.json")
    assert (reports.folder / "new" / "compare.json").read_bytes() == printed.out
    assert done == reports.compare("--format", "table")
    report = read_report(reports.folder / "new" / "compare.json")
    assert [(file.role, file.name) for file in report.inputs] == [
        ("baseline", "before.json"),
        ("candidate", "after.json"),
    ]
    assert [each.name for each in report.statement.subject] == ["after.json"]


@pytest.mark.parametrize("role", ["baseline", "candidate"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_report_from_standard_input(
    reports: Reports, role: str, pack: Callable[[bytes], bytes]
) -> None:
    reports.both(*FELL)
    name = {"baseline": "before.json", "candidate": "after.json"}[role]
    args = [arg if arg != name else "-" for arg in COMPARE]
    data = pack((reports.folder / name).read_bytes())
    done = ragstone(*args, cwd=reports.folder, stdin=data)
    assert (done.code, done.err) == (4, "")
    assert json.loads(done.out)["predicate"]["details"] == reports.report()["details"]


def test_one_input_from_standard_input(reports: Reports) -> None:
    done = ragstone("compare", "--baseline", "-", "--candidate", "-", cwd=reports.folder)
    assert (done.code, done.message) == (2, "error: standard input (-) can be one input only")


# ---- reports of toolkit-rag-quality --------------------------------------------------------------


@pytest.mark.parametrize("shape", ["json", "legacy.json"])
def test_reports_of_toolkit_rag_quality(tmp_path: Path, shape: str) -> None:
    for mine, theirs in (("before", "baseline"), ("after", "candidate")):
        shutil.copy(TOOLKIT / f"{theirs}.{shape}", tmp_path / f"{mine}.json")
    report = Reports(tmp_path).report()
    assert report["verdict"] in {"pass", "fail"}
    assert {each["name"].split("@")[0] for each in report["details"]["measures"]} == {
        "AP", "nDCG", "P", "R", "RR", "Success",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("compare.json", "after.json: is a report of kind rag.compare of toolkit-rag-quality; one"),
        ("error.json", "after.json: is the report of an error of toolkit-rag-quality ("),
        ("leakage.legacy.json", "after.json: is a report of kind rag.leakage of toolkit-rag-q"),
    ],
)
def test_their_other_reports(reports: Reports, name: str, message: str) -> None:
    reports.both(*FELL)
    shutil.copy(TOOLKIT / name, reports.folder / "after.json")
    done = reports.compare()
    assert done.code == 2
    assert done.message.startswith(f"error: {message}")


# ---- what is no report, or not this kind ---------------------------------------------------------

NOT_REPORTS: dict[str, tuple[bytes, str]] = {
    "missing": (b"", "after.json: no such file"),
    "empty": (b"", "after.json: is empty; a report was expected"),
    "text": (b"hello", "after.json:1: not JSON: Expecting value (column 1); a report was expected"),
    "number": (b"7", "after.json: is not a report: found 7; expected a report of ragstone, or of"),
    "array": (b"[]", "after.json: is not a report: found a list with nothing in it; expected a"),
    "other": (b'{"recall":0.8}', 'after.json: is not a report: found an object with "recall"; e'),
    "twice": (b'{"a":1,"a":1}', 'after.json: the name "a" stands twice in one object; a report'),
    "nan": (b'{"recall":NaN,"ndcg":null}', "after.json: $.recall is NaN, $.ndcg is null; a repo"),
    "deep": (b"[" * 100_000, "after.json: is nested too deeply to be a report"),
    "bytes": (b"\xff\xfe{", "after.json:1: not UTF-8: byte 0xff; a JSON report was expected"),
    "cut": (gzip.compress(b"{}" * 999)[:20], "after.json: the gzip data is damaged or cut off ("),
}


@pytest.mark.parametrize("name", NOT_REPORTS)
def test_what_is_no_report(reports: Reports, name: str) -> None:
    data, message = NOT_REPORTS[name]
    reports.both(*FELL)
    path = reports.folder / "after.json"
    path.unlink() if name == "missing" else path.write_bytes(data)
    done = reports.compare("--out", "new/compare.json")
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")
    report = read_report(reports.folder / "new" / "compare.json")
    assert (report.kind, report.details.command) == ("ragstone.error", "compare")
    roles = ["baseline"] if name == "missing" else ["baseline", "candidate"]
    assert [file.role for file in report.inputs] == roles


def test_without_a_baseline_the_candidate_is_still_named(reports: Reports) -> None:
    reports.both(*FELL)
    (reports.folder / "before.json").unlink()
    done = reports.compare("--out", "new/compare.json")
    assert done.message == "error: before.json: no such file"
    report = read_report(reports.folder / "new" / "compare.json")
    assert [file.name for file in report.inputs] == ["after.json"]


def test_a_comparison_and_an_error_have_no_scores(reports: Reports) -> None:
    reports.both(*FELL)
    reports.compare("--out", "compare.json")
    shutil.copy(reports.folder / "compare.json", reports.folder / "after.json")
    done = reports.compare("--out", "error.json")
    assert done.message == (
        "error: after.json: is a report of kind ragstone.compare, which has no scores; "
        "a report of ragstone score, match, evaluate or leakage was expected"
    )
    shutil.copy(reports.folder / "error.json", reports.folder / "after.json")
    assert reports.compare().message.startswith(
        "error: after.json: is the report of an error of compare ("
    )


def test_a_report_without_its_rows_is_not_comparable(reports: Reports) -> None:
    reports.write("before", FELL[0])
    reports.write("after", FELL[1], rows="worst:2")
    done = reports.compare("--out", "compare.json")
    assert (done.code, done.out) == (4, b"")
    assert done.message == (
        "error: after.json: has the rows of 2 of 8 items (it was written with --rows "
        "worst:2:nDCG@10), so items cannot be paired; write it again with --rows all"
    )
    report = read_report(reports.folder / "compare.json")
    assert (report.kind, report.verdict, report.exit_code) == ("ragstone.error", "fail", 4)


# ---- flags that cannot be ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--budget", "ndgc=2"], "budget 'ndgc': unknown measure 'ndgc'; did you mean nDCG?"),
        (["--budget", "nDCG@9=2"], "budget 'nDCG@9' names no measure of either report; did you m"),
        (["--budget", "ndcg"], "budget 'ndcg': write it as MEASURE=LIMIT, like nDCG@10=2"),
        (["--budget", "ndcg="], "budget 'ndcg': the limit is empty; write 2 or 2% for percent"),
        (["--budget", "ndcg=-1"], "budget 'ndcg': '-1' is negative; a limit is 0 or more: write"),
        (["--budget", "ndcg=nan"], "budget 'ndcg': 'nan' is not a limit; write 2 or 2% for perce"),
        (["--budget", "ndcg=1", "--budget", "nDCG=2"], "budget 'nDCG': nDCG has a budget already"),
        (["--floor", "ndcg=2"], "floor 'ndcg': '2' is outside the range of nDCG, 0 to 1"),
        (["--primary-measure", "mpa"], "primary measure 'mpa': unknown measure 'mpa'; did you m"),
        (["--primary-measure", "AP"], "primary measure 'AP' names no measure of either report; "),
        (["--alpha", "0"], "Invalid value for '--alpha': 0.0 is not in the range 0<x<1; see r"),
        (["--alpha", "nan"], "Invalid value for '--alpha': nan is not a finite number; see rags"),
        (["--alpha", "5%"], "Invalid value for '--alpha': '5%' is not a valid float range; s"),
        (["--max-recall-regression-pct", "-1"], "Invalid value for '--max-recall-regression-pct'"),
        (["--max-regression-pct", "nan"], "Invalid value for '--max-regression-pct': nan is n"),
        (["--test", "wilcoxon"], "Invalid value for '--test': 'wilcoxon' is not one of 'permuta"),
        (["--permutations", "0"], "Invalid value for '--permutations': 0 is not in the range"),
        (["--permutations", "100000000"], "Invalid value for '--permutations': 100000000 is not"),
        (["--seed", "-1"], "Invalid value for '--seed': -1 is not in the range x>=0; see rags"),
        (["--top", "-1"], "Invalid value for '--top': -1 is not in the range x>=0; see ragston"),
        (["--max-failed", "many"], "--max-failed is 'many'; write a count of items as 3, or a sh"),
        (["--max-not-applicable", "101%"], "--max-not-applicable is '101%'; write a count of it"),
        (["--format", "trec_eval"], "Invalid value for '--format': 'trec_eval' is not one of 't"),
        (["--out", "after.json"], "--out after.json is what --candidate reads; name another file"),
        (["--junit", "before.json"], "--junit before.json is what --baseline reads; name another"),
        (["--out", "x", "--junit", "x"], "--junit x is what --out writes; name another file"),
        (["--junit", ""], "Invalid value for '--junit': the name is empty; a path was expected"),
        (["--annotations-file", ""], "Invalid value for '--annotations-file': the name is empty"),
    ],
)
def test_flags_that_cannot_be(reports: Reports, flags: list[str], message: str) -> None:
    reports.both(*FELL)
    before = sorted(reports.folder.iterdir())
    done = reports.compare(*flags)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")
    assert sorted(reports.folder.iterdir()) == before


@pytest.mark.parametrize("missing", ["baseline", "candidate"])
def test_both_reports_are_needed(tmp_path: Path, missing: str) -> None:
    args = [part for part in ("baseline", "candidate") if part != missing]
    done = ragstone("compare", f"--{args[0]}", "x", cwd=tmp_path)
    assert done.message == f"error: Missing option '--{missing}'; see ragstone compare --help"


# ---- much of it ----------------------------------------------------------------------------------


def test_many_measures_and_long_ids_are_not_many_lines(reports: Reports) -> None:
    columns = [f"R@{n}" for n in range(1, 201)]
    ids = [f"{n}-{'x' * 3000}\n\x1b[31m|`<script>" for n in range(3)]
    reports.both(
        {name: [1.0] * 3 for name in columns}, {name: [0.0] * 3 for name in columns}, ids=ids
    )
    for name, longest in (("table", 400), ("markdown", 600)):
        done = reports.compare("--format", name)
        assert (done.code, done.err) == (4, "")
        lines = done.text.splitlines()
        assert max(map(len, lines)) < longest
        assert (
            lines[0].strip("*").startswith("FAIL: R@1, R@2, R@3, R@4, R@5, R@6, R@7, R@8 and 192 ")
        )
        assert "and 180 more reasons in the report" in lines
        assert "\x1b" not in done.text
