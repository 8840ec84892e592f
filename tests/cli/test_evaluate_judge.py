"""`ragstone evaluate --judge`, against a server on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from commands import EPOCH, RAGSTONE, Done, ragstone
from judge_files import evaluate, predicate, write_judge, write_lines, write_samples
from judging import GOOD, by_item, honest, says
from loopback import Loopback, answer, later
from ragstone.measures import JUDGED


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_samples(tmp_path, ("q1", "q2", "q3"))
    return tmp_path


def test_a_replay_from_the_cache_is_the_same_report_with_the_server_down(folder: Path) -> None:
    with Loopback(by_item({"q2": says("nonsense")}, honest())) as server:
        write_judge(folder, server)
        first = evaluate(folder, "--cache", "judge.db", "--out", "out.json")
        asked = len(server.requests)
    assert (first.code, asked > 6) == (5, True), first.err
    again = evaluate(folder, "--cache", "judge.db", "--offline", "--out", "again.json")
    assert again.code == 5, again.err
    assert (folder / "again.json").read_bytes() == (folder / "out.json").read_bytes()
    said = predicate(folder)["details"]["judging"]
    assert sorted(said["measures"]) == sorted(map(str, JUDGED))
    for measure in said["measures"]:
        column = predicate(folder)["scores"]["columns"][measure]
        assert [value is None for value in column["values"]] == [False, True, False], measure
        assert column["reasons"] == {"q2": "not_json; 2 attempts"}, measure
    assert said["judges"][0]["attempts"] == asked
    one_each = [(each["reason"], each["verdicts"]) for each in said["failures"]]
    assert one_each == [("not_json", 1)] * len(JUDGED)
    assert predicate(folder)["summary"]["faithfulness"] == 1.0
    assert predicate(folder)["summary"]["support"] == 1.0
    said = {each["role"]: (each["name"], each["sha256"]) for each in predicate(folder)["inputs"]}
    assert said["judge"] == ("judge.toml", sha256((folder / "judge.toml").read_bytes()).hexdigest())
    assert list(said) == ["samples", "judge"]
    checked = ragstone("validate-report", "out.json", "--inputs", ".", cwd=folder)
    assert checked.code == 0, checked.text


def test_offline_needs_a_cache_and_options_need_a_judge(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        assert "--cache" in evaluate(folder, "--offline").message
        done = ragstone("evaluate", "--samples", "samples.jsonl", "--estimate", cwd=folder)
        assert (done.code, server.requests) == (2, [])
    assert "--estimate goes with --judge" in done.message


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--floor", "coherence=high"], "'high'"),
        (["--measure", "coherence", "--floor", "toxicity=0.5"], "'toxicity' names no measure"),
        (["--max-failed", "some"], "some"),
        (["--max-not-applicable", "-1"], "-1"),
        (["--rows", "best:3"], "--rows best:3: expected"),
        (["--measure", "coherence", "--measure", "answer_similarity"], "--encoder MODEL"),
        (["--measure", "coherence", "--measure", "nDCG@3"], "nDCG@3: no sample has both contexts"),
        (["--measure", "coherence", "--measure", "leaked"], "about"),
        (["--measure", "coherence", "--prices", "judge.toml"], "judge.toml"),
        (["--measure", "token_f1"], "no measure that was named is judged"),
        (["--per-item", "--format", "json"], "--per-item goes with"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_before_a_judge_is_paid(
    more: list[str], said: str, folder: Path
) -> None:
    with Loopback(honest()) as server:
        write_judge(folder, server)
        done = evaluate(folder, *more, "--out", "out.json")
        assert server.requests == []
    assert done.code == 2
    assert said in done.message
    assert not (folder / "out.json.journal").exists()


def test_a_redacted_report_quotes_neither_samples_nor_replies(folder: Path) -> None:
    reply = says('{"reason": "It is blue, says Q.", "verdict": "mostly"}')
    with Loopback(by_item({"q2": says("It is blue nonsense")}, reply)) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json", "--redact")
        assert done.code == 5, done.err
        assert "blue" not in (folder / "out.json").read_text()
        assert "blue" not in done.text


def test_an_estimate_asks_nothing(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        more = ("--measure", "coherence", "--estimate", "--repeat", "2")
        done = evaluate(folder, *more)
        assert (done.code, server.requests) == (0, [])
    assert "tested" in done.text
    assert " 6 " in done.text
    assert "$" in done.text
    assert [each.name for each in folder.glob("out*")] == []


def test_an_estimate_for_programs(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        write_judge(folder, server, "free")
        priced = (folder / "free.toml").read_text()
        free = priced.replace("input = 1.0", "input = 0.0").replace("output = 4.0", "output = 0.0")
        (folder / "free.toml").write_text(free)
        more = ("--measure", "coherence", "--estimate", "--format", "json")
        done = evaluate(folder, *more, "--judge", "free.toml")
        assert (done.code, server.requests) == (0, []), done.err
    said = json.loads(done.out)
    assert (said["samples"], said["measures"]) == (3, ["coherence"])
    first, second = said["judges"]
    assert (first["judge"], first["calls"], first["cached"]) == ("judge", 3, 0)
    assert 0 < first["cost_usd"] < first["at_most_usd"]
    assert (second["judge"], second["at_most_usd"]) == ("free", 0.0)
    assert said["at_most_usd"] == first["at_most_usd"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cache", "c.db"], "--cache goes with --judge FILE or --encoder MODEL"),
        (["--offline"], "--offline goes with --judge FILE or --encoder MODEL"),
        (["--accept-model"], "--accept-model goes with --encoder MODEL"),
        (["--repeat", "1"], "--repeat goes with --judge FILE"),
        (["--max-cost", "0"], "--max-cost goes with --judge FILE"),
        (["--resume"], "--resume goes with --judge FILE"),
        (["--rubric", "polite.toml"], "--rubric goes with --judge FILE"),
        (["--judge", "judge.toml", "--estimate", "--out", "e.json"], "--out does nothing with"),
        (["--judge", "judge.toml", "--max-cost", "inf"], "inf is not a finite number"),
        (["--measure", "faithfulness"], "it needs a judge: --judge FILE"),
    ],
)  # fmt: skip
def test_an_option_that_does_nothing_is_refused(
    options: list[str], said: str, folder: Path
) -> None:
    (folder / "judge.toml").write_text('model = "m"\nendpoint = "http://127.0.0.1:9/v1"\n')
    done = ragstone("evaluate", "--samples", "samples.jsonl", *options, cwd=folder)
    assert done.code == 2
    assert said in done.message
    assert [each.name for each in folder.iterdir() if each.suffix in {".db", ".json"}] == []


def test_the_cap_stops_with_5_whatever_may_fail(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        more = ("--measure", "coherence", "--max-cost", "0.019", "--max-failed", "100%")
        done = evaluate(folder, *more, "--out", "out.json")
        assert 0 < len(server.requests) < 3
    assert done.code == 5, done.err
    assert predicate(folder)["details"]["judging"]["stop"]["reason"] == "spend_cap"
    assert predicate(folder)["verdict"] == "inconclusive"
    assert "judging stopped: 0.0018 dollars are spent" in done.text
    assert done.message.startswith("error: judging stopped: 0.0018 dollars are spent, and the next")
    assert (folder / "out.json.journal").exists()
    assert ragstone("validate-report", "out.json", cwd=folder).code == 0


def test_the_cap_is_said_even_where_a_report_is_printed_and_errors_only_are_asked_for(
    folder: Path,
) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--max-cost", "0.019", "--format", "json")
    assert done.code == 5
    assert done.message.startswith("error: judging stopped: ")
    assert json.loads(done.out)["predicate"]["details"]["judging"]["stop"]["reason"] == "spend_cap"


@pytest.mark.parametrize(
    ("flag", "name", "reads"),
    [
        ("--out", "samples.jsonl", "--samples"),
        ("--out", "judge.toml", "--judge"),
        ("--out", "other.toml", "--judge"),
        ("--out", "polite.toml", "--rubric"),
        ("--out", "prices.toml", "--prices"),
        ("--out", "patterns.txt", "--abstention-patterns"),
        ("--out", "words.txt", "--profanity"),
        ("--out", "encoder.toml", "--encoder-config"),
        ("--out", "qrels.txt", "--qrels"),
        ("--cache", "samples.jsonl", "--samples"),
        ("--cache", "./judge.toml", "--judge"),
    ],
)
def test_no_output_takes_the_place_of_an_input(
    flag: str, name: str, reads: str, folder: Path
) -> None:
    given = {
        "--judge": ("judge.toml", "other.toml"),
        "--rubric": ("polite.toml",),
        "--prices": ("prices.toml",),
        "--abstention-patterns": ("patterns.txt",),
        "--profanity": ("words.txt",),
        "--encoder-config": ("encoder.toml",),
        "--qrels": ("qrels.txt",),
    }
    named = [part for key, files in given.items() for file in files for part in (key, file)]
    for file in named[1::2]:
        (folder / file).write_text("x")
    before = (folder / name).read_bytes()
    done = ragstone("evaluate", "--samples", "samples.jsonl", *named, flag, name, cwd=folder)
    assert (done.code, done.out) == (2, b"")
    assert done.message == f"error: {flag} {name} is what {reads} reads; name another file"
    assert (folder / name).read_bytes() == before


def test_the_report_is_not_the_cache(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--cache", "judge.db", "--out", "judge.db")
        assert server.requests == []
    assert done.code == 2
    assert done.message == "error: --cache judge.db is what --out writes; name another file"


def test_all_files_of_judges_are_inputs_and_those_of_an_error_too(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        write_judge(folder, server, "other")
        (folder / "bad.toml").write_text("model = 'm'")
        more = ("--judge", "other.toml", "--measure", "coherence")
        assert evaluate(folder, *more, "--out", "out.json").code == 0
        bad = evaluate(folder, *more, "--judge", "bad.toml", "--out", "bad.json")
    found = [(each["role"], each["name"]) for each in predicate(folder)["inputs"]]
    judges = [("judge", "judge.toml"), ("judge", "other.toml")]
    assert found == [("samples", "samples.jsonl"), *judges]
    assert bad.code == 2
    assert bad.message.startswith("error: bad.toml: one of endpoint and callable was expected")
    found = [(each["role"], each["name"]) for each in predicate(folder, "bad.json")["inputs"]]
    assert found == [("samples", "samples.jsonl"), *judges, ("judge", "bad.toml")]


def test_an_endpoint_that_refuses_the_key_ends_with_2(folder: Path) -> None:
    with Loopback(answer(401)) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json")
    assert done.code == 2
    assert predicate(folder)["exit_code"] == 2


def test_the_least_faithful_answers_are_listed_with_what_was_found_wanting(folder: Path) -> None:
    claims = says('{"claims": ["It is blue.", "It is huge."]}')
    found = {"id": 1, "quote": "It is blue", "verdict": "supported"}
    verdicts = [found, {"id": 2, "quote": "", "verdict": "not_found"}]
    doubt = says(json.dumps({"verdicts": verdicts}))
    with Loopback(by_item({"q2": [claims, doubt]}, honest())) as server:
        write_judge(folder, server)
        measures = ("--measure", "faithfulness", "--measure", "support")
        done = evaluate(folder, *measures, "--format", "table")
        redacted = evaluate(folder, *measures, "--format", "table", "--redact")
        none = evaluate(folder, *measures, "--format", "table", "--top", "0")
    assert done.code == 0, done.err
    _, _, listed = done.text.partition("Least faithful answers, by the judge\n")
    assert "q2          0.5000  1 of 2; not_found: It is huge." in listed
    assert "q1" not in listed
    assert "Least faithful" not in redacted.text + none.text


def test_time_and_cost_of_a_judge_are_not_those_of_the_system(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    for row in rows:
        row |= {"latency_ms": {"total": 40, "first_token": 7}, "cost_usd": 0.5, "model": "small"}
    write_lines(folder / "samples.jsonl", rows)
    with Loopback(by_item({"q2": [answer(500), says(GOOD)]}, later(0.2, says(GOOD)))) as server:
        write_judge(folder, server)
        config = (folder / "judge.toml").read_text().replace("attempts = 1", "attempts = 2")
        (folder / "judge.toml").write_text(config)
        measures = ["coherence", "latency_ms:p95", "first_token_ms", "cost_usd:sum"]
        named = [part for each in measures for part in ("--measure", each)]
        done = evaluate(folder, *named, "--out", "out.json")
        assert (done.code, len(server.requests)) == (0, 4), done.err
    summary = predicate(folder)["summary"]
    assert summary == {
        "coherence": pytest.approx(2 / 3),
        "latency_ms:p95": 40,
        "first_token_ms": 7,
        "cost_usd:sum": 1.5,
    }
    [took] = predicate(folder)["details"]["judging"]["judges"]
    assert (took["attempts"], took["cost_usd"]) == (4, pytest.approx(3 * 0.0018))


def test_a_sample_whose_system_failed_is_failed_and_not_asked_about(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    rows[1]["error"] = "timeout"
    write_lines(folder / "samples.jsonl", rows)
    named = ("--measure", "coherence", "--measure", "token_f1", "--measure", "claim_recall")
    with Loopback(honest()) as server:
        write_judge(folder, server)
        estimated = evaluate(folder, *named, "--estimate")
        done = evaluate(folder, *named, "--out", "out.json")
        asked = len(server.requests)
    assert done.code == 5
    assert "no value for 1 of 3 items" in done.text
    columns = predicate(folder)["scores"]["columns"]
    reasons = {name: column["reasons"] for name, column in columns.items()}
    assert reasons == {name: {"q2": "system_failed"} for name in columns}
    assert predicate(folder)["details"]["judging"]["failures"] == []
    [row] = [line for line in estimated.text.splitlines() if "tested" in line]
    assert row.split()[2] == str(asked) == "9"


def test_repeats_have_a_spread_and_two_judges_an_agreement(folder: Path) -> None:
    better = says('{"reason": "It reads well.", "verdict": "coherent"}')
    with Loopback(says(GOOD)) as server, Loopback(by_item({"q2": better})) as other:
        write_judge(folder, server)
        write_judge(folder, other, "other", 'provider = "elsewhere"\n')
        more = ("--judge", "other.toml", "--measure", "coherence", "--repeat", "2")
        done = evaluate(folder, *more, "--out", "out.json")
        assert (done.code, len(server.requests), len(other.requests)) == (0, 6, 6), done.err
    said = predicate(folder)["details"]["judging"]
    spreads, [pair] = said["spread"], said["agreement"]
    names = [judge["name"] for judge in said["judges"]]
    assert [spread["judge"] for spread in spreads] == [*names, ""]
    for spread in spreads:
        assert (spread["repeats"], spread["within_sd"], spread["smallest_change"]) == (2, 0.0, 0.0)
    assert "coherence  their mean  " in done.text
    assert (pair["exact"], pair["differ"][0]["item"]) == (2 / 3, "q2")
    titles = ("Judges\n", "Spread between repeats\n", "Agreement between judges\n")
    assert [title for title in titles if title in done.text] == list(titles)
    assert " 67%  " in done.text
    assert not (folder / "out.json.journal").exists()
    assert ragstone("validate-report", "out.json", cwd=folder).code == 0


def test_a_judge_that_wavers_shows_the_smallest_change_that_can_be_seen(folder: Path) -> None:
    other = says('{"reason": "It reads well.", "verdict": "coherent"}')
    with Loopback(by_item({"q2": [says(GOOD), other]}, says(GOOD))) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--repeat", "2", "--out", "out.json")
        assert done.code == 0, done.err
    [spread] = predicate(folder)["details"]["judging"]["spread"]
    assert (spread["items"], spread["changed"]) == (3, 1)
    # one variance of (1/3)^2 / 2 among three items, and two repeats of it
    assert spread["within_sd"] == pytest.approx((1 / 54) ** 0.5)
    assert 0.2 < spread["smallest_change"] < 1
    assert f"{spread['smallest_change']:.4f}" in done.text
    assert "smallest visible change" in done.text


def test_a_judged_measure_is_advisory_to_compare(folder: Path) -> None:
    for verdict, name in (("coherent", "before.json"), ("incoherent", "after.json")):
        with Loopback(says(f'{{"reason": "So.", "verdict": "{verdict}"}}')) as server:
            write_judge(folder, server)
            done = evaluate(folder, "--measure", "coherence", "--out", name)
            assert done.code == 0, done.err
    done = ragstone(
        "compare",
        "--baseline",
        "before.json",
        "--candidate",
        "after.json",
        "--format",
        "table",
        cwd=folder,
    )
    assert done.code == 0, done.err
    assert "advisory" in done.text


def kept(folder: Path) -> int:
    """Count the records of a journal, below its first line."""
    path = folder / "out.json.journal"
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def test_a_run_that_was_killed_goes_on(folder: Path) -> None:
    args = ["evaluate", "--samples", "samples.jsonl", "--judge", "judge.toml", "-q"]
    args += ["--measure", "coherence", "--out", "out.json"]
    with Loopback([says(GOOD), says(GOOD), later(30.0, says(GOOD))]) as server:
        write_judge(folder, server)
        environment = {**os.environ, **EPOCH}
        with subprocess.Popen([*RAGSTONE, *args], cwd=folder, env=environment) as process:
            until = time.monotonic() + 20
            while (len(server.requests), kept(folder)) < (3, 2) and time.monotonic() < until:
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
        assert len(server.requests) == 3
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        refused = ragstone(*args, cwd=folder)
        assert refused.code == 2
        assert "resume" in refused.err
        done = ragstone(*args, "--resume", cwd=folder)
        assert (done.code, len(server.requests)) == (0, 1), done.err
    assert predicate(folder)["summary"]["coherence"] == pytest.approx(2 / 3)
    assert not (folder / "out.json.journal").exists()


@pytest.mark.parametrize("quiet", [True, False])
def test_the_first_attempt_that_is_made_again_is_told_of_unless_quiet(
    folder: Path, *, quiet: bool
) -> None:
    with Loopback([answer(503), says(GOOD), answer(503), says(GOOD), says(GOOD)]) as server:
        write_judge(folder, server)
        config = (folder / "judge.toml").read_text().replace("attempts = 1", "attempts = 2")
        (folder / "judge.toml").write_text(config)
        args = ("--samples", "samples.jsonl", "--judge", "judge.toml", "--measure", "coherence")
        done = ragstone("evaluate", *args, *["-q"] * quiet, cwd=folder)
    assert done.code == 0
    told = [line for line in done.err.splitlines() if "attempt" in line]
    assert told == ([] if quiet else ["note: judge judge: status 503; attempt 2 of 2"])


def test_an_exhausted_quota_is_about_the_account_and_not_about_the_pace(folder: Path) -> None:
    body = {"error": {"code": "insufficient_quota", "message": "You exceeded your quota"}}
    with Loopback(answer(429, json=body)) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "coherence")
        assert len(server.requests) == 1
    assert done.code == 2
    assert "is used up: look at its plan and billing" in done.message
    assert "fewer requests" not in done.message


def test_a_function_that_fails_is_shown_with_its_line(folder: Path) -> None:
    code = "\n\ndef judge(messages, schema):\n    return {}['verdict']\n"
    write_function(folder, "failing_judge", code)
    names = ("coherence", "toxicity", "answer_relevance")
    done = evaluate(folder, *(part for name in names for part in ("--measure", name)))
    assert done.code == 2
    assert "the last with: m: KeyError: 'verdict' (failing_judge.py:4, in judge)" in done.message


def test_a_function_that_cannot_be_called_so_is_refused(folder: Path) -> None:
    write_function(folder, "odd_judge", "def judge(prompt): return prompt")
    done = evaluate(folder, "--measure", "coherence", "--out", "out.json")
    assert done.code == 2
    assert "judge m: it cannot be called with the keywords messages and schema" in done.message
    assert not (folder / "out.json.journal").exists()


def test_what_a_function_prints_is_no_part_of_the_report(folder: Path) -> None:
    code = (
        "print('imported')\n\ndef judge(messages, schema):\n    print('asked')\n"
        f"    return {GOOD!r}\n"
    )
    write_function(folder, "printing_judge", code)
    done = evaluate(folder, "--measure", "coherence", "--format", "json")
    assert json.loads(done.out)["predicate"]["details"]["judging"]["judges"][0]["name"] == "m"
    said = done.err.splitlines()
    assert (said.count("imported"), said.count("asked")) == (1, 3)


def write_function(folder: Path, module: str, code: str) -> None:
    (folder / f"{module}.py").write_text(code)
    (folder / "judge.toml").write_text(f'model = "m"\ncallable = "{module}:judge"\n')


def failing_once(folder: Path, *more: str) -> Done:
    with Loopback(by_item({"q2": says("nonsense")})) as server:
        write_judge(folder, server)
        return evaluate(folder, "--measure", "coherence", *more)


def test_what_failed_can_be_asked_for_again_and_nothing_else(folder: Path) -> None:
    loud = ("--log-format", "json", "--out", "out.json")
    with Loopback(by_item({"q2": says("nonsense")})) as server:
        write_judge(folder, server)
        args = ("--samples", "samples.jsonl", "--judge", "judge.toml", "--measure", "coherence")
        done = ragstone("evaluate", *args, *loud, cwd=folder)
    assert done.code == 5, done.err
    assert "kept in out.json.journal: the same command with --resume asks for what" in done.err
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        again = evaluate(folder, "--measure", "coherence", "--out", "out.json", "--resume")
        assert (again.code, len(server.requests)) == (0, 1), again.err
    assert not (folder / "out.json.journal").exists()


@pytest.mark.parametrize(
    ("more", "code"),
    [(("--cache", "judge.db"), 5), (("--max-failed", "1"), 0)],
    ids=["cache", "allowed"],
)
def test_no_journal_stays_where_nobody_needs_it(
    more: tuple[str, ...], code: int, folder: Path
) -> None:
    assert failing_once(folder, "--out", "out.json", *more).code == code
    assert not (folder / "out.json.journal").exists()


def test_nothing_to_resume_is_said_before_all_is_asked_and_paid_anew(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        args = ("--samples", "samples.jsonl", "--judge", "judge.toml", "--measure", "coherence")
        done = ragstone("evaluate", *args, "--out", "out.json", "--resume", cwd=folder)
    assert done.code == 0
    said = "warning: nothing to resume: there is no out.json.journal; starting anew"
    assert done.err.splitlines()[0] == said


def test_what_another_measure_changes_is_named(folder: Path) -> None:
    assert failing_once(folder, "--out", "out.json").code == 5
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "toxicity", "--out", "out.json", "--resume")
        assert (done.code, server.requests) == (2, [])
    assert "measures.coherence is gone; measures.toxicity is new; run it with" in done.message


def test_a_calibrated_measure_is_gated(folder: Path) -> None:
    items = [f"q{number}" for number in range(40)]
    write_samples(folder, items)
    labels = [{"id": item, "label": number < 20} for number, item in enumerate(items)]
    write_lines(folder / "human.jsonl", labels)
    bad = says('{"reason": "So.", "verdict": "incoherent"}')
    good = says('{"reason": "So.", "verdict": "coherent"}')
    half = by_item({f"q{number}": bad for number in range(20, 40)}, good)
    for script, name in ((half, "before.json"), (bad, "after.json")):
        with Loopback(script) as server:
            write_judge(folder, server)
            done = evaluate(folder, "--measure", "coherence", "--out", name)
            assert done.code == 0, done.err
    given = ("--labels", "human.jsonl", "--report", "before.json", "--threshold", "coherence=0.5")
    done = ragstone("calibrate", *given, "--out", "c.json", cwd=folder)
    assert done.code == 0, done.err
    sides = ("--baseline", "before.json", "--candidate", "after.json")
    assert ragstone("compare", *sides, cwd=folder).code == 0
    assert ragstone("compare", *sides, "--calibration", "c.json", cwd=folder).code == 4
    with Loopback(bad) as server:  # and of one report alone, by the same rule
        write_judge(folder, server)
        floor = ("--measure", "coherence", "--floor", "coherence=0.9", "--out", "out.json")
        done = evaluate(folder, *floor)
        assert done.code == 0, done.err
        assert done.text.startswith(
            "PASS, but coherence is advisory (no calibration): --floor coherence=0.9 not applied: "
        )
        assert "floor not held against it: coherence 0.0000, at least 0.9 was asked" in done.text
        assert "it is advisory: no calibration says how far" in done.text
        assert ragstone("validate-report", "out.json", cwd=folder).code == 0
        gated = evaluate(folder, *floor, "--calibration", "c.json")
        assert gated.code == 4, gated.err
        assert "below its floor: coherence 0.0000" in gated.text
        assert "calibration" in {each["role"] for each in predicate(folder)["inputs"]}
        weak = evaluate(folder, *floor, "--calibration", "c.json", "--min-kappa", "1")
        assert weak.code == 4  # they agree wholly


def test_an_endpoint_that_is_down_ends_with_2_and_what_was_done_is_kept(folder: Path) -> None:
    with Loopback(by_item({"q2": answer(500), "q3": answer(500)})) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json")
    assert done.code == 2, done.err
    assert predicate(folder)["exit_code"] == 2
    with Loopback(says(GOOD)) as server:
        write_judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json", "--resume")
        assert (done.code, len(server.requests)) == (0, 2), done.err


CHANGED: dict[str, dict[str, Any]] = {
    "agreement[0].exact": {"exact": 1.0},
    "agreement[0].differ": {"differing": 0},
    "agreement[0].kappa": {"kappa": -1.5},
    "agreement[0].correlation": {"correlation": 1.01},
    "agreement[0].uncommon": {"uncommon": -1},
    "judges[0].repairs": {"repairs": 99},
    "judges[0].calls": {"calls": -5},
    "judges[1].attempts": {"attempts": 2},
    "judges[1].cost_usd": {"cost_usd": -0.01},
    "spread[0].smallest_change": {"smallest_change": -0.1},
    "spread[1].judge": {"judge": "nobody"},
    "spread[2].changed": {"changed": 4},
}


def changed(said: dict[str, Any], place: str) -> None:
    """Change a part of what is said of judges, as in judges[1].calls."""
    part, _, rest = place.partition("[")
    said[part][int(rest.partition("]")[0])].update(CHANGED[place])


@pytest.mark.parametrize("place", [*CHANGED, "measures[0]"])
def test_a_report_that_was_changed_is_invalid(place: str, folder: Path) -> None:
    better = says('{"reason": "It reads well.", "verdict": "coherent"}')
    with Loopback(says(GOOD)) as server, Loopback(by_item({"q2": better})) as other:
        write_judge(folder, server)
        write_judge(folder, other, "other", 'provider = "elsewhere"\n')
        more = ("--judge", "other.toml", "--measure", "coherence", "--repeat", "2")
        assert evaluate(folder, *more, "--out", "out.json").code == 0
    assert ragstone("validate-report", "out.json", cwd=folder).code == 0
    whole = json.loads((folder / "out.json").read_text())
    said = whole["predicate"]["details"]["judging"]
    said.update(measures=["toxicity"]) if place == "measures[0]" else changed(said, place)
    (folder / "out.json").write_text(json.dumps(whole))
    done = ragstone("validate-report", "out.json", cwd=folder)
    assert done.code != 0
    assert f"judging.{place}" in done.text + done.err
