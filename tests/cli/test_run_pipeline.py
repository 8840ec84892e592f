"""`ragstone run-pipeline` as a user runs it: files, messages, exit codes, and what is left."""

from __future__ import annotations

import json
import signal
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from live import Live, wait_for
from loopback import Loopback, answer
from ragstone.cli.main import run as run_here
from ragstone.formats.samples import read_samples
from ragstone.model.samples import Sample, Usage, qrels_of, run_of

ASK = '''
import os, time

def ask(text):
    """Deterministic, and slow where it is asked to be."""
    time.sleep(float(os.environ.get("PAUSE", "0")))
    number = int(text.split()[1])
    contexts = [{"id": f"d{number}", "text": f"page {number}"}, {"id": "d0", "text": "page 0"}]
    usage = {"prompt_tokens": 100 + number, "completion_tokens": 5}
    return {"answer": f"answer to {text}", "contexts": contexts, "usage": usage}

async def ask_async(text):
    return ask(text)

def fails(text):
    if text == "text 3":
        raise ConnectionError("the model is away")
    return ask(text)

def marked(text):
    with open("calls.txt", "a") as calls:
        calls.write(text + "\\n")
    return ask(text)

def factory():
    return ask

def listed(text):
    return ["d1"]

def slipped(text):
    return {**ask(text), "latncy_ms": 3}
'''

LIVE = Live("pipeline", "mine:ask", "samples.jsonl")
run, ok, refused, started = LIVE.run, LIVE.ok, LIVE.refused, LIVE.started


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A module with pipelines, twenty questions with references, and judgments of ten."""
    (tmp_path / "mine.py").write_text(ASK)
    rows = [
        {"_id": f"q{n}", "text": f"text {n}", "reference": f"answer {n}", "answerable": n != 7,
         "reference_contexts": [{"id": f"d{n}"}], "metadata": {}}
        for n in range(20)
    ]  # fmt: skip
    (tmp_path / "queries.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "qrels.txt").write_text("".join(f"q{n} 0 d{n} 1\n" for n in range(0, 20, 2)))
    return tmp_path


def samples(folder: Path, name: str = "samples.jsonl") -> list[Sample]:
    return read_samples(folder / name)


# ---- the samples --------------------------------------------------------------------------------


def test_samples_with_all_that_is_known(folder: Path) -> None:
    said = ok(folder, "--model", "small-chat")
    assert "note: samples.jsonl: 20 samples (callable); latency p50 " in said
    assert "warning" not in said
    found = samples(folder)
    assert [sample.id for sample in found] == [f"q{n}" for n in range(20)]
    seventh = found[7]
    assert (seventh.query, seventh.answer) == ("text 7", "answer to text 7")
    assert (seventh.references, seventh.answerable) == (("answer 7",), False)
    assert (seventh.usage, seventh.model) == (Usage(107, 5), "small-chat")
    assert seventh.latency_ms is not None
    assert [sample.is_warm_up for sample in found] == [True, *[False] * 19]
    assert not (folder / "samples.jsonl.journal").exists()


def test_the_samples_give_a_run_and_its_judgments(folder: Path) -> None:
    ok(folder)
    found = samples(folder)
    assert run_of(found)["q7"] == {"d7": 2.0, "d0": 1.0}
    assert qrels_of(found)["q7"] == {"d7": 1}


def without_clock(path: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [{k: v for k, v in row.items() if k not in ("latency_ms", "tags")} for row in rows]


@pytest.mark.parametrize("more", [[], ["--concurrency", "4"], ["--timeout", "9"]], ids=str)
@pytest.mark.parametrize("pipeline", ["mine:ask", "mine:ask_async", "mine:factory()"])
def test_the_samples_are_the_same_however_it_is_run(
    pipeline: str, more: list[str], folder: Path
) -> None:
    ok(folder, out="expected.jsonl")
    ok(folder, *more, pipeline=pipeline)
    expected = without_clock(folder / "expected.jsonl")
    assert without_clock(folder / "samples.jsonl") == expected


def test_only_judged_questions_another_field_and_a_packed_file(folder: Path) -> None:
    ok(folder, "--qrels", "qrels.txt", "--query-field", "text", out="samples.jsonl.gz")
    found = samples(folder, "samples.jsonl.gz")
    assert [sample.id for sample in found] == [f"q{n}" for n in range(0, 20, 2)]


def test_a_file_of_samples_has_questions_too(folder: Path) -> None:
    ok(folder, out="first.jsonl")
    (folder / "queries.jsonl").write_bytes((folder / "first.jsonl").read_bytes())
    ok(folder)
    assert without_clock(folder / "samples.jsonl") == without_clock(folder / "first.jsonl")


def test_several_calls_of_a_question(folder: Path) -> None:
    ok(folder, "--repeat", "3")
    latency = samples(folder)[5].latency_ms
    assert latency is not None
    assert len(latency.extra["calls"]) == 3
    assert latency.total == sorted(latency.extra["calls"])[1]


def test_slips_in_the_names_of_fields_are_pointed_out(folder: Path) -> None:
    rows = [{"id": "q1", "text": "text 1", "refrence": "b", "title": "c", "anwser": 1, "shop": 2}]
    (folder / "queries.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    said = ok(folder, pipeline="mine:slipped").splitlines()
    slip = "which ragstone does not know; did you mean"
    assert said[:3] == [
        f"warning: queries.jsonl: 1 question has 'anwser', {slip} answer?",
        f"warning: queries.jsonl: 1 question has 'refrence', {slip} reference?",
        f"warning: 1 sample has 'latncy_ms', {slip} latency_ms?",
    ]


def test_what_a_pipeline_prints_goes_to_stderr(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "print('imported')\n\ndef ask(text):\n    print('asked')\n    return text\n"
    )
    said = ok(folder).splitlines()  # which sees that stdout is empty
    assert (said.count("imported"), said.count("asked")) == (1, 20)


# ---- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        (["--header", "A=B"], {}, "--header is for an endpoint; --pipeline is 'mine:ask'"),
        (["--response", "a"], {}, "--response is for an endpoint; --pipeline is 'mine:ask'"),
        (["--request", "{q: query}"], {}, "a function gets the question as it is"),
        (["--request", "{q"], {}, "--request '{q': "),
        ([], {"pipeline": "mine"}, "--pipeline 'mine': expected module:attribute, module"),
        ([], {"pipeline": "mien:ask"}, "--pipeline 'mien:ask': there is no module 'mien'"),
        ([], {"pipeline": "mine:aks"}, "has no 'aks'; did you mean ask"),
        ([], {"pipeline": "mine:factory"}, "write module:factory() where it makes one"),
        ([], {"pipeline": "mine:listed"}, "query 'q0': a list came back and no answer"),
        (["--framework", "haystack"], {}, "a single component needs a Pipeline around it"),
        (["--fold-to-parent", "(x"], {}, "--fold-to-parent '(x': no regular expression"),
        (["--qrels", "nowhere"], {}, "nowhere: no such file"),
        ([], {"out": "queries.jsonl"}, "--out queries.jsonl is what --queries reads"),
        ([], {"out": "-"}, "- is standard output, which has other uses here; name a file"),
    ],
)  # fmt: skip
def test_what_is_refused(
    args: list[str], options: dict[str, str], message: str, folder: Path
) -> None:
    assert message in refused(folder, *args, **options)
    assert not list(folder.glob("*.journal"))


def test_a_question_that_cannot_be_is_said_before_anything_is_run(folder: Path) -> None:
    row = {"id": "q1", "text": "text 1", "answerable": "no"}
    (folder / "queries.jsonl").write_text(f"{json.dumps(row)}\n")
    said = refused(folder, pipeline="mine:marked")
    assert "queries.jsonl:1: sample 'q1': answerable is 'no'; true or false was expected" in said
    assert not (folder / "calls.txt").exists()


def test_a_pipeline_that_fails_and_what_can_be_done(folder: Path) -> None:
    said = refused(folder, pipeline="mine:fails")
    assert "error: query 'q3': the pipeline failed: ConnectionError: the model is away" in said
    assert "(mine.py:" in said
    assert "3 of 20 queries are kept in samples.jsonl.journal: the same command with --res" in said
    said = ok(folder, "--on-error", "record", "--resume", pipeline="mine:fails")
    assert "warning: 1 of 20 questions failed and are kept with their error: 'q3': Conn" in said
    assert "note: samples.jsonl: 20 samples, 1 failed (callable)" in said
    found = samples(folder)
    assert (found[3].answer, found[3].references) == (None, ("answer 3",))
    assert (found[3].error or "").startswith("ConnectionError: the model is away (mine.py:")


# ---- broken off, and continued ------------------------------------------------------------------


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(folder: Path) -> None:
    with started(folder, pause="0.1") as process:
        wait_for(folder / "samples.jsonl.journal", 3)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 3, said
    assert "queries are kept in samples.jsonl.journal: the same command with --resume cont" in said
    assert not (folder / "samples.jsonl").exists()
    assert "go on with it by --resume, or delete" in refused(folder, pipeline="mine:marked")
    said = refused(folder, "--resume", "--repeat", "2", pipeline="mine:marked")
    assert "made with other settings: repeat was 1 and is 2" in said
    text = (folder / "queries.jsonl").read_text()
    (folder / "queries.jsonl").write_text(text.replace('"answer 9"', '"another 9"'))
    assert "other settings: queries was" in refused(folder, "--resume", pipeline="mine:marked")
    (folder / "queries.jsonl").write_text(text)
    ok(folder, "--resume", pipeline="mine:marked")
    ok(folder, out="expected.jsonl")
    expected = without_clock(folder / "expected.jsonl")
    assert without_clock(folder / "samples.jsonl") == expected


def test_nothing_to_resume_is_said(folder: Path) -> None:
    done = ok(folder, "--resume")
    assert "warning: nothing to resume: there is no samples.jsonl.journal; starting anew" in done


def test_kill_9_in_the_middle_of_600_questions_at_concurrency_8(folder: Path) -> None:
    rows = [json.dumps({"id": f"q{n}", "text": f"text {n}"}) for n in range(600)]
    (folder / "queries.jsonl").write_text("\n".join(rows) + "\n")
    ok(folder, "--concurrency", "8", out="expected.jsonl")
    journal = folder / "samples.jsonl.journal"

    with started(folder, "--concurrency", "8", pause="0.003") as process:
        wait_for(journal, 200)
        process.kill()
    assert not (folder / "samples.jsonl").exists()
    done = {json.loads(line)["key"] for line in journal.read_bytes().split(b"\n")[1:-1]}
    assert 200 <= len(done) < 600

    (folder / "calls.txt").unlink()
    ok(folder, "--concurrency", "8", "--resume", pipeline="mine:marked")
    expected = without_clock(folder / "expected.jsonl")
    assert without_clock(folder / "samples.jsonl") == expected
    again = (folder / "calls.txt").read_text().splitlines()
    assert {f"q{text.split()[1]}" for text in again} == {f"q{n}" for n in range(600)} - done
    assert len(again) == 600 - len(done)
    assert not journal.exists()


# ---- an endpoint, and a file with the options ---------------------------------------------------


def test_an_endpoint_from_a_file_and_a_flag_that_wins(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_KEY", "sk-1234567")
    found = {"text": "yes", "docs": [{"key": "d1", "body": "page"}]}
    with Loopback(answer(json=found)) as server:
        (folder / "ragstone.toml").write_text(
            f'[pipeline]\npipeline = "{server.url}?token=secret"\n'
            'request = "{question: query}"\n'
            'response = "{answer: text, contexts: docs[].{id: key, text: body}}"\n'
            '[pipeline.header]\nAuthorization = "Bearer RAG_KEY"\n'
        )
        base = ["run-pipeline", "--config", "ragstone.toml", "--queries", "queries.jsonl"]
        with chdir(folder):
            code = run_here([*base, "--out", "samples.jsonl", "--qrels", "qrels.txt"])
    assert code == 0
    assert {request.json["question"] for request in server.requests} == {
        f"text {n}" for n in range(0, 20, 2)
    }
    assert server.requests[0].headers["authorization"] == "Bearer sk-1234567"
    first = samples(folder)[0]
    assert first.answer == "yes"
    assert [(each.id, each.text) for each in first.contexts or ()] == [("d1", "page")]
    assert "secret" not in (folder / "samples.jsonl").read_text()


def test_a_table_of_options_that_cannot_be(folder: Path) -> None:
    (folder / "x.toml").write_text("[pipeline]\nkk = 3\n")
    assert "x.toml: [pipeline] has 'kk', which is no flag" in refused(folder, "--config", "x.toml")
