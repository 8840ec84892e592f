"""`ragstone score`: every flag, every format, where its report goes, and what an error leaves."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from commands import EPOCH, RAGSTONE, Done, child, ragstone
from ragstone.reports import read_report, validate_report
from ragstone.scoring.workers import run_parts as run_in_parts

SCORE = ["score", "--qrels", "qrels.trec", "--run", "run.trec"]
SIX = ["R@5", "P@5", "nDCG@5", "RR@5", "AP@5", "Success@5"]


def score(folder: Path, *more: str, stdin: bytes = b"", **environment: str) -> Done:
    return ragstone(*SCORE, *more, cwd=folder, stdin=stdin, **environment)


def report_of(done: Done) -> dict[str, Any]:
    assert (done.code, done.err) == (0, "")
    assert validate_report(done.out, "-").ok
    found: dict[str, Any] = json.loads(done.out)["predicate"]
    return found


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# ---- what is computed ----------------------------------------------------------------------------


def test_the_six_measures_at_five(small: Path) -> None:
    report = report_of(score(small))
    assert report["kind"] == "ragstone.score"
    assert report["scores"]["order"] == SIX
    assert report["summary"]["RR@5"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert report["summary"]["R@5"] == pytest.approx((1 + 1 + 0.5) / 3)
    assert [(each["role"], each["name"]) for each in report["inputs"]] == [
        ("qrels", "qrels.trec"),
        ("run", "run.trec"),
    ]
    assert "verdict" not in report


def test_k(small: Path) -> None:
    found = report_of(score(small, "--k", "1"))["summary"]
    assert set(found) == {name.replace("@5", "@1") for name in SIX}
    assert found["RR@1"] == pytest.approx(2 / 3)


def test_measures_replace_the_six_and_stay_in_their_order(small: Path) -> None:
    names = ["P(rel=2)@1", "ndcg_cut_1", "ndcg_cut_2", "map", "R@5:micro", "recall_at_k", "P_5"]
    given = [part for name in names for part in ("--measure", name)]
    report = report_of(score(small, *given, "--k", "3"))
    assert report["scores"]["order"] == [
        "P(rel=2)@1", "nDCG@1", "nDCG@2", "AP", "R@5", "R@3", "P@5",
    ]  # fmt: skip
    assert report["summary"]["R@5:micro"] == pytest.approx(3 / 4)
    assert report["summary"]["P(rel=2)@1"] == pytest.approx(1 / 3)


def test_a_measure_twice_is_one(small: Path) -> None:
    report = report_of(score(small, "--measure", "RR", "--measure", "mrr"))
    assert report["scores"]["order"] == ["RR"]


def test_the_relevance_level(small: Path) -> None:
    report = report_of(score(small, "--relevance-level", "2", "--measure", "RR"))
    assert report["summary"] == {"RR": pytest.approx(1 / 3)}
    assert report["signature"]["relevance_level"] == 2


def test_trec_eval_nine_orders_by_floats(tmp_path: Path) -> None:
    (tmp_path / "qrels.trec").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run.trec").write_text("1 Q0 a 1 0.87654321987 t\n1 Q0 b 2 0.87654321985 t\n")
    values = {}
    for version in ("10", "9"):
        done = score(tmp_path, "--measure", "AP", "--trec-eval", version)
        assert done.message == (
            "warning: 1 query ordered differently by trec_eval 9 (float32 scores) and 10 (double)"
        )
        found = json.loads(done.out)["predicate"]
        assert found["signature"]["trec_eval"] == int(version)
        values[version] = found["summary"]["AP"]
    assert values == {"10": 1.0, "9": 0.5}


@pytest.mark.parametrize("qrels", ["trec", "jsonl"])
@pytest.mark.parametrize("run", ["trec", "jsonl"])
def test_formats_told_and_named(small: Path, qrels: str, run: str) -> None:
    files = ["score", "--qrels", f"qrels.{qrels}", "--run", f"run.{run}"]
    found = report_of(ragstone(*files, cwd=small))
    named = [*files, "--qrels-format", qrels, "--run-format", run]
    assert report_of(ragstone(*named, cwd=small)) == found
    assert found["summary"] == report_of(score(small))["summary"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--qrels-format", "jsonl"], "qrels.trec:1: not JSON (Expecting value): 'q1 0 a 2'"),
        (["--run-format", "jsonl"], "run.trec:1: not JSON (Expecting value): 'q1 Q0 a 1 3 t'"),
        (["--qrels-format", "beir"], "qrels.trec:1: 1 columns ('q1 0 a 2'); BEIR qrels have 3, "),
    ],
)
def test_a_format_named_wrong(small: Path, flags: list[str], message: str) -> None:
    done = score(small, *flags)
    assert done.code == 2
    assert done.message.startswith(f"error: {message}")


def test_two_workers_give_what_one_gives(made: Path) -> None:
    args = ["score", "--qrels", "qrels/test.tsv", "--run", "baseline.trec"]
    alone = ragstone(*args, cwd=made)
    assert child(*args, "--workers", "2", cwd=made) == alone


def test_workers_are_asked_for(small: Path) -> None:
    asked: list[int] = []

    def run_parts(*args: Any) -> Any:
        asked.append(args[-1])
        return run_in_parts(*args)

    with mock.patch("ragstone.scoring.workers.run_parts", run_parts):
        for number in ("1", "2"):
            assert score(small, "--workers", number).code == 0
    assert asked == [2]


def test_an_error_in_a_worker_is_an_error(small: Path) -> None:
    with (small / "run.trec").open("a") as run:
        run.write("q4 Q0 a 1 high t\n")
    done = child(*SCORE, "--workers", "2", "--out", "new/report.json", cwd=small)
    assert (done.code, done.out) == (2, b"")
    assert done.message == "error: run.trec:6: the score 'high' is not a finite number such as 12.5"
    assert read_report(small / "new" / "report.json").exit_code == 2


# ---- the two hidden names ------------------------------------------------------------------------


def test_the_names_of_toolkit_rag_quality(small: Path) -> None:
    args = ["--queries", "qrels.jsonl", "--retrieved", "run.jsonl"]
    done = ragstone("score", *args, cwd=small)
    assert report_of(done)["summary"] == report_of(score(small))["summary"]
    shown = ragstone("score", "--help", cwd=small).text
    assert "--queries" not in shown
    assert "--retrieved" not in shown


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "--qrels FILE is missing; see ragstone score --help"),
        (["--qrels", "x"], "--run FILE is missing; see ragstone score --help"),
        (["--run", "x"], "--qrels FILE is missing; see ragstone score --help"),
        (["--qrels", "x", "--queries", "x"], "--qrels is given twice, under two names; give it on"),
        (
            ["--qrels", "x", "--run", "x", "--retrieved", "x"],
            "--run is given twice, under two names; give it once",
        ),
        (["--qrels", "-", "--run", "-"], "standard input (-) can be one input only"),
        (["--queries", "-", "--retrieved", "-"], "standard input (-) can be one input only"),
    ],
)
def test_each_input_is_named_once(tmp_path: Path, args: list[str], message: str) -> None:
    done = ragstone("score", *args, "--out", "new/report.json", cwd=tmp_path)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")
    assert everything(tmp_path) == {}


# ---- standard input ------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["qrels", "run"])
@pytest.mark.parametrize("packed", [False, True])
def test_an_input_from_standard_input(small: Path, role: str, *, packed: bool) -> None:
    data = (small / f"{role}.trec").read_bytes()
    args = [arg if arg != f"{role}.trec" else "-" for arg in SCORE]
    done = ragstone(*args, cwd=small, stdin=gzip.compress(data) if packed else data)
    report, usual = report_of(done), report_of(score(small))
    assert report["scores"] == usual["scores"]
    [(name, digest)] = [(e["name"], e["sha256"]) for e in report["inputs"] if e["role"] == role]
    [wanted] = [each["sha256"] for each in usual["inputs"] if each["role"] == role]
    assert name == "-"
    assert (digest == wanted) is not packed


def test_errors_in_standard_input_name_it(small: Path) -> None:
    args = ["score", "--qrels", "qrels.trec", "--run", "-"]
    assert ragstone(*args, cwd=small, stdin=b"q1 Q0 a 1\n").message.startswith(
        "error: -:1: cannot tell the format of a run from 'q1 Q0 a 1'; expected TREC (6 columns"
    )
    assert ragstone(*args, cwd=small).message == (
        "error: -: the file is empty: it has no line of data"
    )


def test_standard_input_that_is_closed(small: Path) -> None:
    command = '"$@" <&-'
    done = subprocess.run(
        ["bash", "-c", command, "bash", *RAGSTONE, "score", "--qrels", "-", "--run", "run.trec"],
        cwd=small,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"error: -: standard input is closed; a file was expected\n"


# ---- what is printed -----------------------------------------------------------------------------

TABLE = """\
run.trec: 3 queries

measure     value  aggregate  queries  by default
---------  ------  ---------  -------  ----------
RR         0.8333  mean             3           0
R@5:micro  0.7500  micro            3           0
num_ret         5  sum              3           0

signature: te10|rel1|q:b7cd3f|n3
"""
CHOSEN = ["--measure", "RR", "--measure", "R@5:micro", "--measure", "num_ret"]


def test_a_table(small: Path) -> None:
    assert score(small, *CHOSEN, "--format", "table") == Done(0, TABLE.encode(), "")


def test_a_table_with_every_query(small: Path) -> None:
    done = score(small, *CHOSEN, "--format", "table", "--per-query")
    queries = """\
query      RR     R@5  num_ret
-----  ------  ------  -------
q1     1.0000  1.0000        2
q2     0.5000  1.0000        2
q3     1.0000  0.5000        1
"""
    assert done.text == TABLE.replace("\nsignature", f"\n{queries}\nsignature")


def test_markdown(small: Path) -> None:
    done = score(small, "--measure", "RR", "--format", "markdown", "--per-query")
    assert done == Done(0, done.out, "")
    assert (
        done.text
        == """\
**run.trec: 3 queries**

| measure | value | aggregate | queries | by default |
| --- | ---: | --- | ---: | ---: |
| RR | 0.8333 | mean | 3 | 0 |

| query | RR |
| --- | ---: |
| q1 | 1.0000 |
| q2 | 0.5000 |
| q3 | 1.0000 |

signature: te10\\|rel1\\|q:b7cd3f\\|n3
"""
    )


def test_lines_of_trec_eval(small: Path) -> None:
    names = ["map", "P_1", "nDCG@10", "num_rel_ret", "F1@3", "R@5:p50"]
    given = [part for name in names for part in ("--measure", name)]
    done = score(small, *given, "--format", "trec_eval")
    assert done.text == (
        "map                   \tall\t0.6667\n"
        "P_1                   \tall\t0.6667\n"
        "ndcg_cut_10           \tall\t0.7480\n"
        "num_rel_ret           \tall\t3\n"
        "F1@3                  \tall\t0.4667\n"
        "recall_5:p50          \tall\t1.0000\n"
    )
    lines = score(small, *given, "--format", "trec_eval", "--per-query").text.splitlines(True)
    assert "".join(lines[-6:]) == done.text
    assert [line.split("\t")[1] for line in lines[:-6]] == ["q1"] * 6 + ["q2"] * 6 + ["q3"] * 6
    assert lines[5] == "recall_5              \tq1\t1.0000\n"  # a query has no percentile


def test_json_has_every_query_already(small: Path) -> None:
    for more in ([], ["--format", "json"], ["--format", "json", "--out", "report.json"]):
        done = score(small, "--per-query", *more)
        assert done.code == 2
        assert done.message == "error: --per-query goes with --format trec_eval, table or markdown"
    assert read_report(small / "report.json").kind == "ragstone.error"


def test_a_file_gets_the_report_and_a_person_the_table(small: Path) -> None:
    printed = score(small)
    done = score(small, "--out", "report.json")
    assert (small / "report.json").read_bytes() == printed.out
    assert done.text.startswith("run.trec: 3 queries\n\nmeasure ")
    for name in ("json", "table", "markdown", "trec_eval"):
        alone = score(small, "--format", name)
        assert score(small, "--format", name, "--out", "report.json") == alone


# ---- floors --------------------------------------------------------------------------------------


def test_a_floor_that_holds(small: Path) -> None:
    done = score(small, "--floor", "mrr=0.5", "--floor", "R@5=0.1", "--format", "table")
    assert done.code == 0
    assert done.text.startswith("PASS: run.trec: 3 queries\n")
    assert "\nfloor held: RR@5 0.8333, at least 0.5 was asked for\n" in done.text
    assert json.loads(score(small, "--floor", "mrr=0.5").out)["predicate"]["verdict"] == "pass"


def test_a_floor_of_a_quantile_of_few_queries_is_not_decided(small: Path) -> None:
    done = score(small, "--measure", "RR", "--floor", "RR:p95=0.1", "--out", "report.json")
    assert done.code == 5
    assert done.text.startswith("INCONCLUSIVE: run.trec: 3 queries\n")
    assert "too_few_items: 3 items count, and p95 needs 60 to be gated" in done.text
    assert ragstone("validate-report", "report.json", cwd=small).code == 0


def test_a_floor_that_does_not(small: Path) -> None:
    done = score(small, "--floor", "RR@5=0.9", "--floor", "ndcg=0.1", "--out", "report.json")
    assert (done.code, done.err) == (4, "")
    assert done.text.startswith("FAIL: run.trec: 3 queries\n")
    assert "\nbelow its floor: RR@5 0.8333, at least 0.9 was asked for\n" in done.text
    report = read_report(small / "report.json")
    assert (report.exit_code, report.verdict) == (4, "fail")
    assert {floor.name: floor.passed for floor in report.details.floors} == {
        "RR@5": False,
        "nDCG@5": True,
    }


@pytest.mark.parametrize(
    ("floor", "message"),
    [
        ("0.5", "floor '0.5': write it as MEASURE=LEVEL, like nDCG@10=0.6"),
        ("=0.5", "floor '=0.5': write it as MEASURE=LEVEL, like nDCG@10=0.6"),
        ("RR@5=x", "floor 'RR@5': 'x' is not a level; write a number like nDCG@10=0.6"),
        ("RR@5=nan", "floor 'RR@5': 'nan' is not a level; write a number like nDCG@10=0.6"),
        ("RR@5=2", "floor 'RR@5': '2' is outside the range of RR@5, 0 to 1"),
        ("AP=0.1", None),
        (
            "Bpref=0.1",
            "floor 'Bpref' names no measure of the report; there is: AP@5, nDCG@5, P@5, R@5",
        ),
    ],
)
def test_floors_that_cannot_be(small: Path, floor: str, message: str | None) -> None:
    done = score(small, "--floor", floor)
    assert done.code == (2 if message else 0)
    assert message is None or done.message.startswith(f"error: {message}")


# ---- which rows are kept -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "items"),
    [("all", ["q1", "q2", "q3"]), ("none", []), ("failed", []), ("worst:1", ["q2"])],
)
def test_rows(small: Path, rows: str, items: list[str]) -> None:
    report = report_of(score(small, "--measure", "RR", "--rows", rows))
    assert report["scores"]["items"] == items
    assert report["summary"] == {"RR": pytest.approx(2.5 / 3)}


@pytest.mark.parametrize("rows", ["some", "worst", "worst:x", "worst:1:AP", ""])
def test_rows_that_cannot_be(small: Path, rows: str) -> None:
    done = score(small, "--measure", "RR", "--rows", rows)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(
        (f"error: --rows {rows}", "error: unknown column 'AP'; known: RR")
    )


# ---- where the report goes -----------------------------------------------------------------------


def test_new_folders_are_made_and_dots_are_understood(small: Path) -> None:
    assert score(small, "--out", "new/deep/../report.json").code == 0
    assert (small / "new" / "report.json").is_file()
    (small / "here").mkdir()
    up = [arg if not arg.endswith(".trec") else f"../{arg}" for arg in SCORE]
    assert ragstone(*up, "--out", "../up.json", cwd=small / "here").code == 0
    assert (small / "up.json").read_bytes() == (small / "new" / "report.json").read_bytes()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (".", ".: cannot be written: it is a folder; name a file"),
        ("run.trec/x", "run.trec/x: cannot be written: one of its folders is a file; choose an"),
        ("/dev/full", "/dev/full: cannot be written: the disk is full; make room or choose an"),
        ("/proc/x/y", "/proc/x/y: cannot be written: "),
        ("a\0b", "'a\\x00b': cannot be written: a path has no NUL in it"),
        ("", "Invalid value for '--out': the name is empty; a path was expected; see "),
        ("-", "Invalid value for '--out': - is standard output, which has other uses here; name a"),
        ("run.trec", "--out run.trec is what --run reads; name another file"),
        ("./x/../qrels.trec", "--out ./x/../qrels.trec is what --qrels reads; name another file"),
        ("link", "--out link is what --run reads; name another file"),
    ],
)
def test_where_no_report_can_go(small: Path, out: str, message: str) -> None:
    (small / "x").mkdir()
    (small / "link").symlink_to("run.trec")
    before = everything(small)
    for more in ([], ["--measure", "unknown"]):
        done = score(small, "--out", out, *more)
        assert (done.code, done.out) == (2, b"")
        assert everything(small) == before
        if not more:
            assert done.message.startswith(f"error: {message}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(small: Path) -> None:
    (small / "locked").mkdir(mode=0o500)
    done = score(small, "--out", "locked/report.json")
    assert done.message == (
        "error: locked/report.json: cannot be written: permission denied; "
        "choose another path or change its permissions"
    )


def test_the_report_to_standard_output_by_its_name(small: Path) -> None:
    done = child(*SCORE, "--out", "/dev/stdout", "--format", "json", cwd=small)
    assert done.out == score(small).out * 2


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_is_full(small: Path, unbuffered: str) -> None:
    for name, more in (("json", []), ("table", []), ("trec_eval", ["--per-query"])):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [*RAGSTONE, *SCORE, "--format", name, *more, "--out", "report.json"],
                cwd=small,
                stdout=full,
                stderr=subprocess.PIPE,
                env={**os.environ, **EPOCH, "PYTHONUNBUFFERED": unbuffered},
                check=False,
            )
        assert done.returncode == 2
        assert done.stderr == (
            b"error: standard output cannot be written: the disk is full; make room or choose "
            b"another path\n"
        )
        # It was whole before anything was printed, and is no report of an error.
        assert (small / "report.json").read_bytes() == score(small).out


# ---- what an error leaves ------------------------------------------------------------------------

Spoil = Callable[[Path], object]

ERRORS: dict[str, tuple[Spoil, list[str], str, list[str]]] = {
    "no qrels": (lambda f: (f / "qrels.trec").unlink(), [], "qrels.trec: no such file", ["run"]),
    "no run": (lambda f: (f / "run.trec").unlink(), [], "run.trec: no such file", ["qrels"]),
    "folder": (
        lambda f: (f / "run.trec").rename(f / "run").with_name("run.trec").mkdir(),
        [],
        "run.trec: is a folder; a file was expected",
        ["qrels"],
    ),
    "unknown measure": (
        lambda _: None,
        ["--measure", "ndgc"],
        "unknown measure 'ndgc'; did you mean nDCG?",
        ["qrels", "run"],
    ),
    "bad floor": (
        lambda _: None,
        ["--floor", "x"],
        "floor 'x': write it as MEASURE=LEVEL, like nDCG@10=0.6",
        ["qrels", "run"],
    ),
    "bad line": (
        lambda f: (f / "run.trec").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 x t\n"),
        [],
        "run.trec:2: the score 'x' is not a finite number such as 12.5",
        ["qrels", "run"],
    ),
    "swapped": (
        lambda f: (f / "qrels.trec").write_text("q1 Q0 a 1 3 t\n"),
        [],
        "qrels.trec:1: cannot tell the format of qrels from 'q1 Q0 a 1 3 t'; expected TREC "
        "(4 columns: query 0 document grade), BEIR (3 columns between tabs) or JSON lines, or "
        "name the format; this looks like a run, not qrels",
        ["qrels", "run"],
    ),
    "nothing shared": (
        lambda f: (f / "run.trec").write_text("9 Q0 a 1 3 t\n"),
        [],
        "no judged query has a result: the qrels have 'q1', 'q2', 'q3', the run has '9'; the query "
        "ids of the two must be the same text",
        ["qrels", "run"],
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_report_names_what_could_be_read(small: Path, name: str) -> None:
    spoil, more, message, roles = ERRORS[name]
    spoil(small)
    before = everything(small)
    done = score(small, *more)
    assert (done.code, done.out, done.message) == (2, b"", f"error: {message}")
    assert everything(small) == before
    again = score(small, *more, "--out", "new/report.json")
    assert again == done
    report = read_report(small / "new" / "report.json")
    assert (report.kind, report.verdict, report.exit_code) == ("ragstone.error", "error", 2)
    assert (report.details.command, report.details.message) == ("score", message)
    assert [file.role for file in report.inputs] == roles
    assert [each.name for each in report.statement.subject] == [f"{r}.trec" for r in roles]
    assert validate_report((small / "new" / "report.json").read_bytes(), "x", small).ok


def test_no_input_no_error_report(tmp_path: Path) -> None:
    done = score(tmp_path, "--out", "new/report.json")
    assert done.message == "error: qrels.trec: no such file"
    assert everything(tmp_path) == {}


def test_standard_input_that_was_not_reached_is_left_alone(small: Path) -> None:
    args = ["score", "--qrels", "no.trec", "--run", "-", "--out", "report.json"]
    done = ragstone(*args, cwd=small, stdin=b"q1 Q0 a 1 3 t\n")
    assert done.message == "error: no.trec: no such file"
    assert not (small / "report.json").exists()


def test_an_error_replaces_the_old_report(small: Path) -> None:
    score(small, "--out", "report.json")
    score(small, "--out", "report.json", "--measure", "x")
    assert read_report(small / "report.json").kind == "ragstone.error"


def test_the_clock_of_the_report(small: Path) -> None:
    assert report_of(score(small))["created_at"] == "2025-06-15T15:06:40Z"
    done = score(small, "--out", "report.json", SOURCE_DATE_EPOCH="now")
    assert done.code == 2
    assert done.message == (
        "error: SOURCE_DATE_EPOCH is 'now'; whole seconds since 1970 were expected, "
        "as in 1750000000"
    )
    assert not (small / "report.json").exists()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--k", "0"], "Invalid value for '--k': 0 is not in the range x>=1; see ragstone score"),
        (["--k", "x"], "Invalid value for '--k': 'x' is not a valid integer range; see ragstone"),
        (["--k", "1000000000"], "R@1000000000: a cutoff is a whole number of at least 1, below"),
        (["--relevance-level", "0"], "Invalid value for '--relevance-level': 0 is not in the ra"),
        (["--relevance-level", str(10**9)], "Invalid value for '--relevance-level': 1000000000 "),
        (["--workers", "0"], "Invalid value for '--workers': 0 is not in the range 1<=x<=256"),
        (["--trec-eval", "8"], "Invalid value for '--trec-eval': '8' is not one of '10', '9'"),
        (["--measure", ""], "'' is not a measure; write one like nDCG@10 or P(rel=2)@5"),
        (["--measure", "IPrec"], "IPrec needs a recall level, as in IPrec@0.1"),
        (["--measure", "RR@0"], "RR@0: a cutoff is a whole number of at least 1, below 10**9"),
        (["--measure", "nDCG:micr"], "unknown aggregate 'micr'; did you mean micro?"),
        (["--measure"], "Option '--measure' requires an argument"),
        (["more"], "Got unexpected extra argument (more); see ragstone score --help"),
    ],
)
def test_flags_that_cannot_be(small: Path, flags: list[str], message: str) -> None:
    done = score(small, *flags)
    assert (done.code, done.out) == (2, b"")
    assert done.message.startswith(f"error: {message}")


# ---- a drop-in for trec_eval ---------------------------------------------------------------------


@pytest.mark.parametrize("version", ["10.0", "9.0.8"])
@pytest.mark.parametrize("side", ["baseline", "candidate"])
@pytest.mark.parametrize(
    ("name", "qrels"), [("cranfield", "qrels.trec"), ("scifact", "qrels/test.tsv")]
)
def test_every_byte_that_trec_eval_prints(
    shared: Path, name: str, qrels: str, side: str, version: str
) -> None:
    folder = shared / "data" / name
    expected = (folder / f"{side}.trec_eval-{version}.txt").read_bytes()
    names = dict.fromkeys(line.split()[0].decode() for line in expected.splitlines())
    given = [part for measure in names for part in ("--measure", measure)]
    files = ["--qrels", qrels, "--run", f"{side}.trec", "--trec-eval", version.partition(".")[0]]
    lines = ["--format", "trec_eval", "--per-query", "--quiet"]
    done = ragstone("score", *files, *given, *lines, cwd=folder)
    assert (done.code, done.err) == (0, "")
    assert done.out == expected


def test_a_k_that_does_nothing_is_said(small: Path) -> None:
    done = score(small, "--k", "10", "--measure", "nDCG")
    assert done.code == 0
    assert "--k 10 does nothing here: a measure's cutoff stands in its name, as nDCG@10" in done.err
    for flags in (["--k", "10"], ["--measure", "nDCG"], ["--k", "10", "--measure", "ndcg_at_k"]):
        assert score(small, *flags).err == ""
