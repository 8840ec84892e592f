"""`ragstone lint`: what is read, printed, written and returned."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.cli.main import run
from ragstone.reports import read_report, validate_report

QUERIES = '{"_id":"q1","text":"what is rag"}\n{"_id":"q2","text":"who won"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n"
CORPUS = '{"_id":"d1","title":"A","text":"a"}\n{"_id":"d2","title":"","text":"b"}\n'
RUN = "q1 Q0 d1 1 2.0 x\nq2 Q0 d2 1 1.0 x\n"
GOOD = ["--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--corpus", "corpus.jsonl"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good set, which is the current one."""
    monkeypatch.chdir(tmp_path)
    files = {"queries.jsonl": QUERIES, "qrels.tsv": QRELS, "corpus.jsonl": CORPUS, "run": RUN}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


class Lint:
    """Runs the command in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, *args: str) -> tuple[int, str, str]:
        self.capture.readouterr()
        code = run(["lint", *args])
        return code, *self.capture.readouterr()


@pytest.fixture
def lint(capfd: pytest.CaptureFixture[str]) -> Lint:
    return Lint(capfd)


def test_a_good_set_passes(lint: Lint) -> None:
    code, out, err = lint(*GOOD, "--run", "run", "--grades", "0..1", "--format", "table")
    assert (code, out, err) == (0, "PASS: 0 errors, 0 warnings in 24 checks\n", "")


def test_an_error_is_exit_4_with_a_table(lint: Lint, folder: Path) -> None:
    (folder / "qrels.tsv").write_text(QRELS + "q3\tD1\t1\n")
    code, out, err = lint(*GOOD, "--format", "table")
    assert (code, err) == (4, "")
    assert out.startswith("FAIL: 3 errors, 1 warning in 18 checks\n")
    assert "missing-query      qrels.tsv:4  query 'q3' is not in the queries file\n" in out
    assert "missing-document   qrels.tsv:4  document 'D1', judged for query 'q3', is not" in out
    assert "document 'D1' differs only in case from 'd1' of the corpus\n" in out
    assert "not checked without --run: unknown-result, result-id-form, " in out
    assert "not checked without --grades: grade-off-scale\n" in out


def test_warnings_fail_only_when_strict(lint: Lint, folder: Path) -> None:
    (folder / "qrels.tsv").write_text(QRELS.partition("\n")[2])
    assert lint(*GOOD)[0] == 0
    assert lint(*GOOD, "--strict")[0] == 4
    assert lint(*GOOD, "--strict", "--ignore", "missing-header")[0] == 0


def test_the_report(lint: Lint, folder: Path) -> None:
    (folder / "corpus.jsonl").write_text(CORPUS + CORPUS)
    code, out, _ = lint(*GOOD, "--out", "lint.json", "--top", "1")
    assert code == 4
    assert out.startswith("FAIL: 2 errors")
    report = read_report("lint.json")
    assert (report.kind, report.verdict, report.exit_code) == ("ragstone.lint", "fail", 4)
    assert [each.role for each in report.inputs] == ["queries", "qrels", "corpus"]
    [finding] = report.details.findings
    assert (finding.kind, finding.count, len(finding.examples)) == ("repeated-document-id", 2, 1)
    assert validate_report(Path("lint.json").read_bytes(), "lint.json", folder).errors == []
    assert run(["validate-report", "lint.json", "--inputs", "."]) == 0
    assert lint(*GOOD, "--top", "1")[1].encode() == Path("lint.json").read_bytes()


def test_the_same_bytes_twice(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1750000000")
    assert lint(*GOOD) == lint(*GOOD)


def test_markdown(lint: Lint) -> None:
    _, out, _ = lint("--qrels", "qrels.tsv", "--format", "markdown", "--ignore", "missing-header")
    assert "not checked as told: missing-header" in out


def test_beir_folders_and_gzip(lint: Lint, folder: Path) -> None:
    beir = folder / "beir"
    beir.mkdir()
    (beir / "queries.jsonl").write_text(QUERIES)
    (beir / "corpus.jsonl.gz").write_bytes(gzip.compress(CORPUS.encode()))
    args = ["--queries", "beir", "--qrels", "qrels.tsv", "--corpus", "beir"]
    assert lint(*args)[0] == 0
    (beir / "queries.jsonl").unlink()
    code, _, err = lint(*args)
    assert code == 2
    assert err == (
        "error: beir: has no queries.jsonl in it; a file or a BEIR folder was expected\n"
    )


def test_standard_input(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(QUERIES.encode())))
    assert lint("--queries", "-", "--qrels", "qrels.tsv")[0] == 0
    code, _, err = lint("--queries", "-", "--qrels", "-")
    assert (code, err) == (2, "error: standard input (-) can be one input only\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "nothing to check: name --queries, --qrels, --corpus or --run"),
        (["--qrels", "none"], "none: no such file"),
        (["--qrels", "run"], "run:1: cannot tell the format of qrels"),
        (["--queries", "qrels.tsv"], "qrels.tsv:1: not JSON"),
        (["--qrels", "qrels.tsv", "--grades", "0-2"], "--grades '0-2': 0,1,2 or 0..3 was expec"),
        (["--queries", "queries.jsonl", "--near", "0"], "Invalid value for '--near': 0.0 is not"),
        (["--queries", "queries.jsonl", "--ignore", "dups"], "unknown kind of finding 'dups'; "),
        (["--queries", "queries.jsonl", "--fix"], "No such option '--fix'"),
    ],
)
def test_what_cannot_be(lint: Lint, args: list[str], message: str) -> None:
    code, out, err = lint(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_an_error_leaves_a_report(lint: Lint, folder: Path) -> None:
    (folder / "queries.jsonl").write_text(QUERIES + '{"_id":"q3","text":7}\n')
    code, _, err = lint(*GOOD, "--out", "lint.json")
    message = "queries.jsonl:3: query 'q3' has 7 as its 'text'; a string was expected"
    assert (code, err) == (2, f"error: {message}\n")
    report = read_report("lint.json")
    assert (report.kind, report.verdict) == ("ragstone.error", "error")
    assert (report.details.command, report.details.message) == ("lint", message)


def test_the_help_says_that_nothing_is_repaired(lint: Lint) -> None:
    code, out, _ = lint("--help")
    assert code == 0
    assert "there is no --fix" in " ".join(out.split())
    lint.capture.readouterr()
    assert run(["--help"]) == 0
    assert "lint" in lint.capture.readouterr().out


def test_scifact_has_warnings_only(lint: Lint, shared: Path) -> None:
    data = shared / "data" / "scifact"
    code, out, _ = lint(
        *("--queries", str(data / "queries.jsonl"), "--qrels", str(data / "qrels" / "test.tsv")),
        *("--corpus", str(data), "--format", "table", "--run", str(data / "baseline.trec")),
    )
    assert code == 0
    assert out.startswith("PASS: 0 errors, ")
    assert "duplicate-query       warning       4" in out
    assert "unjudged-query        warning     809" in out


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda each: (
        st.lists(each, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "_id", "text", "relevance"]), each, max_size=3)
    ),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.lists(JSON, max_size=3),
    st.lists(JSON, max_size=3),
    st.sampled_from(["table", "json", "markdown"]),
)
def test_whatever_stands_there_is_no_traceback(
    lint: Lint, queries: list[object], corpus: list[object], format_: str
) -> None:
    for name, rows in (("q", queries), ("c", corpus)):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    args = ["--queries", "q", "--corpus", "c", "--qrels", "qrels.tsv", "--format", format_]
    code, out, err = lint(*args)
    assert code in {0, 2, 4}
    assert (code == 2) == err.startswith("error: ")
    assert (code == 2) == (out == "")
