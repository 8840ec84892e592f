"""`ragstone evaluate`: what is read, printed, written and returned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Done, child, ragstone

SAMPLES: list[dict[str, Any]] = [
    {
        "id": "q1",
        "query": "When did the bridge open?",
        "answer": "The bridge opened in May 1937 [1]. It is 5 km long.",
        "contexts": [{"id": "d1", "text": "The bridge opened in May 1937."}],
        "reference": "It opened in May 1937.",
        "reference_contexts": [{"id": "d1", "text": "The bridge opened in May 1937."}],
        "answerable": True,
        "model": "small",
        "usage": {"input_tokens": 1000, "output_tokens": 100},
        "latency_ms": {"total": 400},
    },
    {
        "id": "q2",
        "query": "Who painted it?",
        "answer": "The documents do not say who painted it.",
        "contexts": [{"id": "d1", "text": "The bridge opened in May 1937."}],
        "answerable": False,
        "model": "small",
        "usage": {"input_tokens": 1000, "output_tokens": 20},
        "latency_ms": {"total": 300},
    },
]
FAILED = {"id": "q3", "query": "What?", "error": "timeout"}


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "samples.jsonl").write_text(lines(SAMPLES))
    (tmp_path / "failed.jsonl").write_text(lines([*SAMPLES, FAILED]))
    (tmp_path / "prices.toml").write_text("[models.small]\ninput = 1.0\noutput = 10.0\n")
    return tmp_path


def predicate(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.out)["predicate"]
    return found


def evaluate(folder: Path, *more: str, samples: str = "samples.jsonl") -> Done:
    return ragstone("evaluate", "--samples", samples, *more, "-q", cwd=folder)


def test_one_file_gives_retrieval_answers_and_operations(folder: Path) -> None:
    found = predicate(evaluate(folder, "--prices", "prices.toml"))
    assert found["kind"] == "ragstone.evaluate"
    assert "verdict" not in found
    summary = found["summary"]
    assert summary["R@5"] == 1.0
    assert summary["support"] == 0.5
    assert summary["abstention"] == 1.0
    assert summary["latency_ms:p50"] == 350
    assert summary["cost_usd:sum"] == pytest.approx(2 * 0.001 + 120 * 10 / 1e6)
    assert {each["measure"] for each in found["details"]["left_out"]} == {"nugget_recall"}
    assert "chrF" not in summary


def test_the_table(folder: Path) -> None:
    done = evaluate(folder, "--measure", "token_f1", "--measure", "support", "--format", "table")
    assert done.code == 0
    assert (
        done.text
        == """\
samples.jsonl: 2 samples

Answers
measure    value  aggregate  scored  by default  not applicable  failed
--------  ------  ---------  ------  ----------  --------------  ------
token_f1  0.6250  mean            1           0               1       0
support   0.5000  mean            1           0               1       0

Values that were not measured
reason        the value is    items  measures
------------  --------------  -----  --------
abstained     not applicable      1  support
no_reference  not applicable      1  token_f1

Answers with the least support (span, share, sentence)
item  support  least supported sentences
----  -------  -----------------------------
q1     0.5000  35:51 0.00 'It is 5 km long.'
"""
    )


def test_a_floor_decides(folder: Path) -> None:
    held = evaluate(folder, "--floor", "token_f1=0.5", "--measure", "token_f1")
    missed = evaluate(folder, "--floor", "token_f1=0.7", "--measure", "token_f1")
    assert (held.code, predicate(held)["verdict"]) == (0, "pass")
    assert (missed.code, predicate(missed)["verdict"]) == (4, "fail")


def test_what_was_not_measured_is_not_decided(folder: Path) -> None:
    done = evaluate(folder, "--measure", "token_f1", samples="failed.jsonl")
    found = predicate(done)
    assert (done.code, found["verdict"]) == (5, "inconclusive")
    assert "no value for 1 of 3 items" in found["details"]["not_measured"][0]["message"]
    column = found["scores"]["columns"]["token_f1"]
    assert column["values"][2] is None
    assert column["reasons"]["q3"] == "system_failed"
    allowed = evaluate(folder, "--measure", "token_f1", "--max-failed", "1", samples="failed.jsonl")
    assert allowed.code == 0


def test_an_unknown_price_can_be_forbidden(folder: Path) -> None:
    more = ["--measure", "cost_usd", "--max-not-applicable", "0"]
    assert evaluate(folder, *more).code == 5
    assert evaluate(folder, *more, "--prices", "prices.toml").code == 0


@pytest.mark.parametrize("rows", ["all", "none", "failed", "worst:1:token_f1"])
@pytest.mark.parametrize("samples", ["samples.jsonl", "failed.jsonl"])
def test_the_report_is_valid(folder: Path, samples: str, rows: str) -> None:
    evaluate(folder, "--out", "r.json", "--rows", rows, "--floor", "support=0.9", samples=samples)
    done = ragstone("validate-report", "r.json", "--inputs", ".", cwd=folder)
    assert done.code == 0, done.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": "pass", "exit_code": 0}, "verdict"),
        ({"exit_code": 0}, "exit_code"),
        ({"summary": {"support": 0.9}}, "summary"),
    ],
)
def test_a_report_that_was_changed_is_not(folder: Path, change: dict[str, Any], said: str) -> None:
    from ragstone.reports.canonical import encode

    done = evaluate(folder, "--measure", "support", samples="failed.jsonl")
    whole = json.loads(done.out)
    whole["predicate"].update(change)
    (folder / "r.json").write_bytes(encode(whole))
    checked = ragstone("validate-report", "r.json", cwd=folder)
    assert checked.code == 4
    assert said in checked.text


def test_compare_gates_it(folder: Path) -> None:
    worse = json.loads(json.dumps(SAMPLES))
    worse[0]["answer"] = "It opened in June 1952, Ada says."
    worse[0]["latency_ms"]["total"] = 900
    (folder / "worse.jsonl").write_text(lines(worse))
    evaluate(folder, "--out", "old.json")
    evaluate(folder, "--out", "new.json", samples="worse.jsonl")
    both = ["--baseline", "old.json", "--candidate", "new.json"]
    same = ragstone("compare", "--baseline", "old.json", "--candidate", "old.json", cwd=folder)
    assert same.code == 0
    done = ragstone("compare", *both, "--budget", "latency_ms=100abs", cwd=folder)
    assert done.code == 4
    reasons = predicate(done)["details"]["reasons"]
    exceeded = [each for each in reasons if each["code"] == "budget_exceeded"]
    over = {name for each in exceeded for name in each["measures"]}
    assert {"token_f1", "number_agreement", "support", "latency_ms"} <= over


def test_redacted_reports_have_no_text(folder: Path) -> None:
    (folder / "bad.txt").write_text("bridge\n")
    more = ["--profanity", "bad.txt"]
    assert b"5 km long" in evaluate(folder, *more).out
    redacted = evaluate(folder, *more, "--redact").out
    for word in (b"km", b"bridge", b"painted", b"May"):
        assert word not in redacted


def test_judgments_of_a_file(folder: Path) -> None:
    (folder / "qrels.txt").write_text("q1 0 d9 1\nq2 0 d1 1\nq7 0 d1 1\n")
    done = ragstone(
        "evaluate", "--samples", "samples.jsonl", "--qrels", "qrels.txt", "--measure", "RR@3",
        cwd=folder,
    )  # fmt: skip
    assert predicate(done)["summary"] == {"RR@3": 0.5}
    assert "warning: 1 judged query without a sample, not counted" in done.err


def test_other_tools_and_standard_input(folder: Path) -> None:
    row = {"question": "When?", "answer": "In 1937.", "contexts": ["x"], "ground_truth": "1937"}
    more = ["--samples", "-", "--measure", "token_recall"]
    done = ragstone("evaluate", *more, cwd=folder, stdin=json.dumps([row]).encode())
    assert predicate(done)["summary"] == {"token_recall": 1.0}


def test_a_support_function_of_the_user(folder: Path) -> None:
    (folder / "mine.py").write_text("def nli(pairs): return [0.25 for _ in pairs]\n")
    done = child(
        "evaluate", "--samples", "samples.jsonl", "--nli", "mine:nli", "--measure", "nli_support",
        cwd=folder,
    )  # fmt: skip
    assert predicate(done)["summary"] == {"nli_support": 0.25}


def test_similarity_by_an_encoder_of_the_user(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "import numpy as np\n"
        "def embed(texts): return np.array([[1.0, float('1937' in t)] for t in texts])\n"
    )
    done = child(
        "evaluate", "--samples", "samples.jsonl", "--encoder", "mine:embed", "--accept-model",
        "--measure", "answer_similarity", "--measure", "query_similarity", cwd=folder,
    )  # fmt: skip
    found = predicate(done)
    assert found["summary"]["answer_similarity"] == pytest.approx(1.0)
    assert found["summary"]["query_similarity"] == pytest.approx((0.5**0.5 + 1) / 2)
    assert "encoder" in found["scores"]["columns"]["answer_similarity"]["signature"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "--samples FILE is missing"),
        (["--samples", "none.jsonl"], "none.jsonl: no such file"),
        (["--samples", "samples.jsonl", "--measure", "tokn_f1"], "did you mean token_f1"),
        (["--samples", "samples.jsonl", "--measure", "faithfulness"], "it needs a judge"),
        (["--samples", "samples.jsonl", "--measure", "answer_similarity"], "--encoder MODEL"),
        (["--samples", "samples.jsonl", "--per-item"], "--per-item goes with --format table"),
        (["--samples", "samples.jsonl", "--floor", "mrr=1x"], "floor 'mrr'"),
        (["--samples", "samples.jsonl", "--max-failed", "x"], "x"),
        (["--samples", "-", "--qrels", "-"], "can be one input only"),
    ],
)
def test_what_cannot_be(folder: Path, more: list[str], said: str) -> None:
    done = ragstone("evaluate", *more, cwd=folder)
    assert done.code == 2
    assert said in done.err


def test_without_a_judge_no_socket_is_opened(folder: Path) -> None:
    (folder / "run.py").write_text(
        "import socket, sys\n"
        "def refuse(*args, **kwargs): raise SystemExit('a socket')\n"
        "socket.socket.__init__ = refuse\n"
        "socket.getaddrinfo = refuse\n"
        "from ragstone.cli.main import main\n"
        "sys.exit(main())\n"
    )
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "run.py", "evaluate", "--samples", "samples.jsonl", "--out", "r.json"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_same_bytes_whatever_the_hash_seed(folder: Path) -> None:
    more = ["evaluate", "--samples", "samples.jsonl"]
    outs = {child(*more, cwd=folder, PYTHONHASHSEED=seed).out for seed in ("1", "2")}
    assert len(outs) == 1


# ---- what must not pass --------------------------------------------------------------------------

TIMEOUTS: list[dict[str, Any]] = [
    {"id": f"q{n}", "query": "What?", "error": "Timeout", "latency_ms": 5} for n in range(3)
]


@pytest.mark.parametrize(
    ("kept", "more"),
    [
        (("id", "query", "error"), ()),
        (("id", "error", "latency_ms"), ()),
        (("id", "error", "latency_ms"), ("--measure", "latency_ms", "--floor", "latency_ms=100")),
    ],
    ids=["no column", "a column", "a floor that holds"],
)
def test_a_system_that_failed_is_not_a_pass(
    tmp_path: Path, kept: tuple[str, ...], more: tuple[str, ...]
) -> None:
    """Whatever measures were asked for or left: without fields there is no column to say it."""
    rows = [{name: row[name] for name in kept} for row in TIMEOUTS]
    (tmp_path / "samples.jsonl").write_text(lines(rows))
    done = evaluate(tmp_path, *more, "--out", "r.json")
    found = json.loads((tmp_path / "r.json").read_bytes())["predicate"]
    assert (done.code, found["verdict"]) == (5, "inconclusive")
    [said] = found["details"]["not_measured"]
    assert said["message"].startswith("the system failed on 3 of 3 samples of the report; run ")
    assert "INCONCLUSIVE: samples.jsonl: 3 samples" in done.text
    assert evaluate(tmp_path, *more, "--max-failed", "2").code == 5
    allowed = evaluate(tmp_path, *more, "--max-failed", "100%", "--out", "allowed.json")
    assert allowed.code == 0
    for name in ("r.json", "allowed.json"):
        assert ragstone("validate-report", name, cwd=tmp_path).code == 0


def test_compare_does_not_pass_a_candidate_whose_system_failed(tmp_path: Path) -> None:
    sound = [{"id": row["id"], "latency_ms": 5} for row in TIMEOUTS]
    for name, rows in (("before", sound), ("after", [*TIMEOUTS[:1], *sound[1:]])):
        (tmp_path / "samples.jsonl").write_text(lines(rows))
        code = evaluate(tmp_path, "--measure", "latency_ms", "--out", f"{name}.json").code
        assert code == (0 if name == "before" else 5)
    sides = ("--baseline", "before.json", "--candidate", "after.json", "--format", "table")
    done = ragstone("compare", *sides, "--budget", "latency_ms=5", cwd=tmp_path)
    assert done.code == 5
    assert done.text.startswith("INCONCLUSIVE: samples_failed (3 queries compared)\n")
    assert "samples_failed: the system failed on 1 of 3 samples of the candidate; " in done.text
    assert ragstone("compare", *sides, "--max-failed", "1", cwd=tmp_path).code == 0


@pytest.mark.parametrize(
    ("row", "more", "said"),
    [
        (
            {"query": None, "answer": None},
            (),
            "no measure has a value of any sample (3 samples). They have ids alone. What can be "
            "measured needs an answer, ",
        ),
        (
            {"query": "Who?", "anwser": "Ada.", "reference": "Ada"},
            ("--measure", "token_f1"),
            "They have query (3), reference (3), anwser (3); did you mean answer or answerable? "
            "Not applicable: token_f1 (3 answer_not_recorded)",
        ),
        (
            {"query": "Who?", "answer": "Ada."},
            ("--measure", "latency_ms", "--measure", "token_f1"),
            "Not applicable: token_f1 (3 no_reference), latency_ms (3 latency_missing)",
        ),
    ],
    ids=["nothing", "a slip", "other fields"],
)
def test_samples_of_which_nothing_can_be_measured_are_an_error(
    tmp_path: Path, row: dict[str, Any], more: tuple[str, ...], said: str
) -> None:
    rows = [{"id": f"q{n}", **row} for n in range(3)]
    (tmp_path / "samples.jsonl").write_text(lines(rows))
    done = evaluate(tmp_path, *more, "--out", "r.json")
    assert done.code == 2
    assert done.message.startswith("error: samples.jsonl: no measure has a value of any sample")
    assert said in done.message
    assert json.loads((tmp_path / "r.json").read_bytes())["predicate"]["verdict"] == "error"


def test_a_measure_that_was_asked_for_and_has_no_value_is_not_decided(folder: Path) -> None:
    more = ("--measure", "token_f1", "--measure", "nugget_recall", "--out", "r.json")
    done = evaluate(folder, *more)
    found = json.loads((folder / "r.json").read_bytes())["predicate"]
    assert (done.code, found["verdict"]) == (5, "inconclusive")
    assert found["details"]["measures"] == ["token_f1", "nugget_recall"]
    [said] = found["details"]["not_measured"]
    assert (said["measures"], said["message"]) == (
        ["nugget_recall"],
        "nugget_recall applies to no item of the report, so nothing was measured; give the samples "
        "what it needs, or leave it out",
    )
    assert "not measured: nugget_recall applies to no item" in done.text
    assert evaluate(folder, *more, "--max-not-applicable", "100%").code == 5
    assert ragstone("validate-report", "r.json", cwd=folder).code == 0
    assert evaluate(folder).code == 0  # nobody asked for it


def test_a_floor_of_a_quantile_of_few_items_is_not_decided(folder: Path) -> None:
    more = ("--measure", "latency_ms:p95", "--floor", "latency_ms:p95=1000", "--out", "r.json")
    done = evaluate(folder, *more)
    found = json.loads((folder / "r.json").read_bytes())["predicate"]
    assert (done.code, found["verdict"], found["exit_code"]) == (5, "inconclusive", 5)
    assert found["details"]["floors"][0]["passed"] is False
    assert done.text.startswith("INCONCLUSIVE: ")
    assert "too_few_items: 2 items count, and p95 needs 60 to be gated" in done.text
    assert ragstone("validate-report", "r.json", cwd=folder).code == 0
    assert evaluate(folder, *more, "--floor", "latency_ms=1").code == 4  # a fail is graver
    (folder / "samples.jsonl").write_text(
        lines([{"id": f"q{n:02}", "latency_ms": n} for n in range(60)])
    )
    assert evaluate(folder, *more).code == 0


@pytest.mark.parametrize("flag", ["--max-failed", "--max-not-applicable"])
def test_a_limit_that_cannot_be_is_named_by_its_flag(folder: Path, flag: str) -> None:
    done = evaluate(folder, flag, "x")
    assert (done.code, done.message) == (
        2,
        f"error: {flag} is 'x'; write a count of items as 3, or a share as 5% (to 100%)",
    )
