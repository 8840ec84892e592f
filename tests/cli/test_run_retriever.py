"""`ragstone run-retriever` as a user runs it: files, messages, exit codes, and what is left."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from live import Live, wait_for
from ragstone import read_run

SEARCH = '''
import hashlib, os, time

def search(text):
    """Deterministic, and slow where it is asked to be."""
    time.sleep(float(os.environ.get("PAUSE", "0")))
    seed = hashlib.sha256(text.encode()).digest()
    return [(f"d{byte}", byte / 7) for byte in sorted(set(seed), reverse=True)]

async def search_async(text):
    return search(text)

def ranked(text):
    return [f"d{n}" for n in range(5)]

def fails(text):
    if text == "text 3":
        raise ConnectionError("the index is away")
    return search(text)

def marked(text):
    with open("calls.txt", "a") as calls:
        calls.write(text + "\\n")
    return search(text)

def factory():
    return search

class Documents:
    def invoke(self, text):
        return [{"id": None, "page_content": text, "metadata": {"doc_id": "a", "page": 3}}]
documents = Documents()
'''

LIVE = Live("retriever", "mine:search", "run.trec")
run, ok, refused, started = LIVE.run, LIVE.ok, LIVE.refused, LIVE.started


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A module with retrievers, twenty queries, and judgments of ten."""
    (tmp_path / "mine.py").write_text(SEARCH)
    rows = [json.dumps({"_id": f"q{n}", "text": f"text {n}"}) for n in range(20)]
    (tmp_path / "queries.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "qrels.txt").write_text("".join(f"q{n} 0 d{n} 1\n" for n in range(0, 20, 2)))
    return tmp_path


# ---- the run ------------------------------------------------------------------------------------


def test_a_trec_run_with_every_digit_of_the_scores(folder: Path) -> None:
    said = ok(folder, "--k", "10", "--tag", "mine")
    assert "note: run.trec: 20 queries, 200 results (callable); latency p50 " in said
    lines = (folder / "run.trec").read_text().splitlines()
    assert len(lines) == 200
    query, q0, doc, rank, score, tag = lines[0].split(" ")
    assert (query, q0, rank, tag) == ("q0", "Q0", "1", "mine")
    assert float(score) == int(doc[1:]) / 7
    assert [line.split()[0] for line in lines[::10]] == [f"q{n}" for n in range(20)]
    assert not (folder / "run.trec.journal").exists()


def test_a_jsonl_run_with_scores_latencies_and_texts(folder: Path) -> None:
    ok(folder, "--k", "3", "--repeat", "2", "--keep-text", out="run.jsonl")
    rows = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    assert list(rows[0]) == ["id", "results", "retrieved", "latency_ms", "latencies_ms"]
    assert list(rows[0]["results"][0]) == ["id", "score"]
    assert rows[0]["retrieved"][0] == {"id": rows[0]["results"][0]["id"], "text": None}
    assert len(rows[0]["latencies_ms"]) == 2
    assert read_run(folder / "run.jsonl")["q0"] == {
        each["id"]: each["score"] for each in rows[0]["results"]
    }


def test_ranks_alone(folder: Path) -> None:
    ok(folder, retriever="mine:ranked", out="run.jsonl")
    row = json.loads((folder / "run.jsonl").read_text().splitlines()[0])
    assert row["retrieved_ids"] == ["d0", "d1", "d2", "d3", "d4"]
    ok(folder, retriever="mine:ranked")
    assert (folder / "run.trec").read_text().startswith("q0 Q0 d0 1 5.0 ragstone\nq0 Q0 d1 2 4.0")


@pytest.mark.parametrize("more", [[], ["--concurrency", "4"], ["--timeout", "9"]], ids=str)
@pytest.mark.parametrize("retriever", ["mine:search", "mine:search_async", "mine:factory()"])
def test_the_bytes_are_the_same_however_it_is_run(
    retriever: str, more: list[str], folder: Path
) -> None:
    ok(folder, out="expected.trec")
    ok(folder, *more, retriever=retriever)
    assert (folder / "run.trec").read_bytes() == (folder / "expected.trec").read_bytes()


def test_only_judged_queries_and_a_packed_run(folder: Path) -> None:
    ok(folder, "--qrels", "qrels.txt", "--to", "trec", out="run.gz")
    assert list(read_run(folder / "run.gz")) == [f"q{n}" for n in range(0, 20, 2)]


def test_judged_queries_that_are_not_there_are_warned_of(folder: Path) -> None:
    with (folder / "qrels.txt").open("a") as file:
        file.write("q77 0 d1 1\n")
    said = ok(folder, "--qrels", "qrels.txt")
    assert "1 judged query is not in queries.jsonl" in said
    (folder / "other.txt").write_text("x1 0 d1 1\n")
    said = refused(folder, "--qrels", "other.txt", out="other.trec")
    assert "other.txt judges none of the queries in queries.jsonl: the judgments have" in said
    said = refused(folder, "--qrels", "queries.jsonl", out="other.trec")
    assert "queries.jsonl has no judgments: none of its rows has relevant_ids or" in said


def test_another_field_of_the_queries(folder: Path) -> None:
    rows = [{"id": "q1", "text": "wrong", "title": "text 1"}]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ok(folder, "--query-field", "title", retriever="mine:marked")
    assert (folder / "calls.txt").read_text() == "text 1\n"
    said = refused(folder, "--query-field", "query", out="x.trec")
    assert "queries.jsonl:1: query 'q1' has no text in 'query'" in said


@pytest.mark.parametrize("query", ["q 1", " q1"])
def test_a_query_id_that_trec_cannot_hold_is_said_before_anything_is_run(
    folder: Path, query: str
) -> None:
    (folder / "queries.jsonl").write_text(f'{{"id": "{query}", "text": "one"}}\n')
    said = refused(folder, retriever="mine:marked")
    assert f"queries.jsonl: the query id '{query}' has white space in it" in said
    assert not (folder / "calls.txt").exists()
    ok(folder, retriever="mine:marked", out="run.jsonl")


def test_out_is_a_folder(folder: Path) -> None:
    (folder / "x.trec").mkdir()
    assert "--out x.trec is a folder; name a file" in run(folder, out="x.trec").err


def test_quiet_says_nothing(folder: Path) -> None:
    assert ok(folder, "--quiet", "--k", "2") == ""


def test_what_a_retriever_prints_goes_to_stderr(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "print('imported')\n\ndef search(text):\n    print('asked')\n    return ['d1']\n"
    )
    said = ok(folder).splitlines()  # which sees that stdout is empty
    assert (said.count("imported"), said.count("asked")) == (1, 20)


# ---- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        (
            [],
            {"out": "run.csv"},
            "does not say its format by its ending; add --to trec or --to jso",
        ),
        (["--keep-text"], {}, "--keep-text goes with a JSONL run; write one with --to jsonl"),
        (["--tag", "a b"], {}, "a run's tag is one word"),
        (["--tag", "a"], {"out": "run.jsonl"}, "--tag goes with a TREC run"),
        (["--k", "0"], {}, "0 is not in the range x>=1"),
        (["--header", "A=B"], {}, "--header is for an endpoint; --retriever is 'mine:search'"),
        (["--request", "q"], {}, "--request is for an endpoint"),
        ([], {"retriever": "mine"}, "expected module:attribute, module:factory()"),
        ([], {"retriever": "mien:search"}, "there is no module 'mien'"),
        ([], {"retriever": "mine:serch"}, "has no 'serch'; did you mean search or search_async?"),
        ([], {"retriever": "mine:factory"}, "write module:factory() where it makes one"),
        (["--framework", "haystack"], {}, "cannot be called with a query; a pipeline, or"),
        (["--fold-to-parent", "(x"], {}, "--fold-to-parent '(x': no regular expression"),
        (["--qrels", "nowhere"], {}, "nowhere: no such file"),
        (["--to", "trec"], {"out": "queries.jsonl"}, "--out queries.jsonl is what --queries reads"),
    ],
)
def test_what_is_refused(
    args: list[str], options: dict[str, str], message: str, folder: Path
) -> None:
    assert message in refused(folder, *args, **options)
    assert not list(folder.glob("*.journal"))


def test_a_result_without_an_id_names_query_rank_and_flag(folder: Path) -> None:
    said = refused(folder, retriever="mine:documents")
    assert "error: query 'q0', rank 1: the result has no id" in said
    assert "--id-key doc_id" in said
    ok(folder, "--id-key", "doc_id", retriever="mine:documents")
    assert (folder / "run.trec").read_text().startswith("q0 Q0 a 1 1.0 ")


def test_a_retriever_that_fails_and_what_can_be_done(folder: Path) -> None:
    said = refused(folder, retriever="mine:fails")
    assert "error: query 'q3': the retriever failed: ConnectionError: the index is away" in said
    assert "(mine.py:" in said
    assert ", in fails)" in said
    assert "3 of 20 queries are kept in run.trec.journal: the same command with --resume" in said
    said = run(folder, "--verbose", "--resume", retriever="mine:fails").err
    assert "Traceback" in said
    said = ok(folder, "--on-error", "record", "--to", "jsonl", "--resume", retriever="mine:fails")
    assert "warning: 1 of 20 queries failed and are kept without results" in said
    rows = [json.loads(line) for line in (folder / "run.trec").read_text().splitlines()]
    assert rows[3]["retrieved_ids"] == []
    assert rows[3]["error"].startswith("ConnectionError: the index is away (mine.py:")
    assert read_run(folder / "run.trec")["q3"] == {}


# ---- broken off, and continued -------------------------------------------------------------------


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(folder: Path) -> None:
    with started(folder, pause="0.1") as process:
        wait_for(folder / "run.trec.journal", 3)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 3, said
    assert "error: interrupted; " in said
    assert "queries are kept in run.trec.journal: the same command with --resume continues" in said
    assert not (folder / "run.trec").exists()
    said = refused(folder, retriever="mine:marked")
    assert "go on with it by --resume, or delete the file to start over" in said
    said = refused(folder, "--resume", "--k", "7", retriever="mine:marked")
    assert "made with other settings: k was 100 and is 7" in said
    ok(folder, "--resume", retriever="mine:marked")
    ok(folder, out="expected.trec")
    assert (folder / "run.trec").read_bytes() == (folder / "expected.trec").read_bytes()


def without_latencies(path: Path) -> bytes:
    return re.sub(rb',"latency_ms":[0-9.]+', b"", path.read_bytes())


@pytest.mark.parametrize("out", ["run.trec", "run.jsonl"])
def test_kill_9_in_the_middle_of_2000_queries_at_concurrency_16(out: str, folder: Path) -> None:
    rows = [json.dumps({"id": f"q{n}", "text": f"text {n}"}) for n in range(2000)]
    (folder / "queries.jsonl").write_text("\n".join(rows) + "\n")
    ok(folder, "--concurrency", "16", out=f"expected-{out}")
    journal = folder / f"{out}.journal"

    with started(folder, "--concurrency", "16", out=out, pause="0.002") as process:
        wait_for(journal, 700)
        process.kill()
    assert not (folder / out).exists()
    done = {json.loads(line)["key"] for line in journal.read_bytes().split(b"\n")[1:-1]}
    assert 700 <= len(done) < 2000

    (folder / "calls.txt").unlink()
    ok(folder, "--concurrency", "16", "--resume", retriever="mine:marked", out=out)
    expected = without_latencies(folder / f"expected-{out}")
    assert without_latencies(folder / out) == expected  # of a TREC run, every byte
    assert expected.count(b"\n") >= 2000
    again = (folder / "calls.txt").read_text().splitlines()
    assert len(again) == 2000 - len(done)
    assert {f"q{text.split()[1]}" for text in again} == {f"q{n}" for n in range(2000)} - done
    assert not journal.exists()


# ---- a file with the options --------------------------------------------------------------------


def test_options_from_a_file_and_a_flag_that_wins(folder: Path) -> None:
    (folder / "ragstone.toml").write_text(
        '[retriever]\nretriever = "mine:search"\nqueries = "queries.jsonl"\nk = 7\n'
        'out = "from-file.trec"\nfold-to-parent = "^(d)"\nquery_field = "text"\n'
    )
    base = [sys.executable, "-m", "ragstone", "run-retriever", "--config", "ragstone.toml"]
    subprocess.run(base, cwd=folder, check=True, capture_output=True)
    assert (folder / "from-file.trec").read_text().count("\n") == 20
    more = ["--fold-to-parent", "(.*)", "--k", "2", "--out", "flag.trec"]
    subprocess.run([*base, *more], cwd=folder, check=True, capture_output=True)
    assert (folder / "flag.trec").read_text().count("\n") == 40


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[retriever]\nkk = 3\n",
            "x.toml: [retriever] has 'kk', which is no flag; did you mean k?",
        ),
        ("[retriever]\nk = [3]\n", "x.toml: [retriever] k is a list; one value was expected"),
        ("[retriever]\nresume = 1\n", "x.toml: [retriever] resume is 1; true or false was expect"),
        ("[retriever]\nk = 'x'\n", "Invalid value for '--k'"),
        ("[other]\n", "x.toml: has no table [retriever]"),
        ("[retriever\n", "x.toml: not TOML: "),
    ],
)
def test_a_file_that_cannot_be(text: str, message: str, folder: Path) -> None:
    (folder / "x.toml").write_text(text)
    assert message in refused(folder, "--config", "x.toml")


# ---- the tour -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_tour_on_scifact(shared: Path, tmp_path: Path) -> None:
    data = shared / "data" / "scifact"
    (tmp_path / "examples").symlink_to(Path(__file__).resolve().parents[2] / "examples")
    (tmp_path / "scifact").symlink_to(data)
    qrels = ["--qrels", "scifact/qrels/test.tsv"]

    def ragstone(*args: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "ragstone", *args],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    for side in ("baseline", "candidate"):
        ragstone("run-retriever", "--retriever", f"examples.bm25:{side}()", "--queries",
                 "scifact/queries.jsonl", *qrels, "--out", f"{side}.trec")  # fmt: skip
        ragstone("score", *qrels, "--run", f"{side}.trec", "--k", "10", "--out", f"{side}.json")
    table = ragstone("compare", "--baseline", "baseline.json", "--candidate", "candidate.json",
                     "--alpha", "0.05", "--out", "compare.json", code=4)  # fmt: skip
    summary = json.loads((tmp_path / "baseline.json").read_text())["predicate"]["summary"]
    assert 0.655 < summary["nDCG@10"] < 0.670
    assert "Most regressed queries (nDCG@10)" in table
    assert "\n1100 " in table
