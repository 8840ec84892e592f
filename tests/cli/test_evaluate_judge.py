"""`ragstone evaluate --judge`, against a server on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from commands import EPOCH, RAGSTONE, Done, ragstone
from judging import GOOD, by_item, honest, says
from loopback import Loopback, answer, later

ITEMS = ("q1", "q2", "q3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {
            "id": item,
            "query": "What is it?",
            "answer": f"This is item {item}. It is blue.",
            "contexts": [{"id": f"d-{item}", "text": f"This is item {item}. It is blue."}],
        }
        for item in ITEMS
    ]
    (tmp_path / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def judge(folder: Path, server: Loopback, name: str = "judge", more: str = "") -> None:
    """Write the file of a judge that asks a server."""
    (folder / f"{name}.toml").write_text(
        f'name = "{name}"\nmodel = "tested"\nendpoint = "http://127.0.0.1:{server.port}/v1"\n{more}'
        "[limits]\ntimeout = 5.0\nattempts = 1\nconcurrency = 1\nstop_after = 2\n"
        "[prices]\ninput = 1.0\noutput = 4.0\n"
    )


def evaluate(folder: Path, *more: str) -> Done:
    args = ("--samples", "samples.jsonl", "--judge", "judge.toml", "-q", *more)
    return ragstone("evaluate", *args, cwd=folder)


def report(folder: Path, name: str = "out.json") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / name).read_text())["predicate"]
    return found


def test_a_replay_from_the_cache_is_the_same_report_with_the_server_down(folder: Path) -> None:
    with Loopback(by_item({"q2": says("nonsense")}, honest())) as server:
        judge(folder, server)
        first = evaluate(folder, "--cache", "judge.db", "--out", "out.json")
        asked = len(server.requests)
    assert (first.code, asked > 6) == (5, True), first.err
    again = evaluate(folder, "--cache", "judge.db", "--offline", "--out", "again.json")
    assert again.code == 5, again.err
    assert (folder / "again.json").read_bytes() == (folder / "out.json").read_bytes()
    said = report(folder)["details"]["judging"]
    assert said["measures"] == ["faithfulness", "answer_relevance", "coherence", "toxicity",
                                "context_relevance"]  # fmt: skip
    assert said["judges"][0]["attempts"] == asked
    assert {"measure": "faithfulness", "reason": "not_json", "verdicts": 1} in said["failures"]
    assert report(folder)["summary"]["faithfulness"] == 1.0
    assert report(folder)["summary"]["support"] == 1.0
    assert ragstone("validate-report", "out.json", cwd=folder).code == 0


def test_offline_needs_a_cache_and_options_need_a_judge(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        judge(folder, server)
        assert "--cache" in evaluate(folder, "--offline").message
        done = ragstone("evaluate", "--samples", "samples.jsonl", "--estimate", cwd=folder)
        assert (done.code, server.requests) == (2, [])
    assert "--estimate goes with --judge" in done.message


def test_a_redacted_report_quotes_neither_samples_nor_replies(folder: Path) -> None:
    reply = says('{"reason": "It is blue, says Q.", "verdict": "mostly"}')
    with Loopback(by_item({"q2": says("It is blue nonsense")}, reply)) as server:
        judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json", "--redact")
        assert done.code == 5, done.err
        assert "blue" not in (folder / "out.json").read_text()
        assert "blue" not in done.text


def test_an_estimate_asks_nothing(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        judge(folder, server)
        more = ("--measure", "coherence", "--estimate", "--repeat", "2", "--out", "out.json")
        done = evaluate(folder, *more)
        assert (done.code, server.requests) == (0, [])
    assert "tested" in done.text
    assert " 6 " in done.text
    assert "$" in done.text
    assert [each.name for each in folder.glob("out*")] == []


def test_the_cap_stops_with_5_whatever_may_fail(folder: Path) -> None:
    with Loopback(says(GOOD)) as server:
        judge(folder, server)
        more = ("--measure", "coherence", "--max-cost", "0.019", "--max-failed", "100%")
        done = evaluate(folder, *more, "--out", "out.json")
        assert 0 < len(server.requests) < 3
    assert done.code == 5, done.err
    assert report(folder)["details"]["judging"]["stop"]["reason"] == "spend_cap"
    assert (folder / "out.json.journal").exists()
    assert ragstone("validate-report", "out.json", cwd=folder).code == 0


def test_an_endpoint_that_refuses_the_key_ends_with_2(folder: Path) -> None:
    with Loopback(answer(401)) as server:
        judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json")
    assert done.code == 2
    assert report(folder)["exit_code"] == 2


def test_repeats_have_a_spread_and_two_judges_an_agreement(folder: Path) -> None:
    better = says('{"reason": "It reads well.", "verdict": "coherent"}')
    with Loopback(says(GOOD)) as server, Loopback(by_item({"q2": better})) as other:
        judge(folder, server)
        judge(folder, other, "other", 'provider = "elsewhere"\n')
        more = ("--judge", "other.toml", "--measure", "coherence", "--repeat", "2")
        done = evaluate(folder, *more, "--out", "out.json")
        assert (done.code, len(server.requests), len(other.requests)) == (0, 6, 6), done.err
    said = report(folder)["details"]["judging"]
    [spread], [pair] = said["spread"], said["agreement"]
    assert (spread["repeats"], spread["within_sd"]) == (2, 0.0)
    assert (pair["exact"], pair["differ"][0]["item"]) == (2 / 3, "q2")
    titles = ("Judges\n", "Spread between repeats\n", "Agreement between judges\n")
    assert [title for title in titles if title in done.text] == list(titles)
    assert " 67%  " in done.text
    assert not (folder / "out.json.journal").exists()
    assert ragstone("validate-report", "out.json", cwd=folder).code == 0


def test_a_judged_measure_is_advisory_to_compare(folder: Path) -> None:
    for verdict, name in (("coherent", "before.json"), ("incoherent", "after.json")):
        with Loopback(says(f'{{"reason": "So.", "verdict": "{verdict}"}}')) as server:
            judge(folder, server)
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


def test_a_run_that_was_killed_goes_on(folder: Path) -> None:
    args = ["evaluate", "--samples", "samples.jsonl", "--judge", "judge.toml", "-q"]
    args += ["--measure", "coherence", "--out", "out.json"]
    with Loopback(by_item({"q3": later(30.0, says(GOOD))})) as server:
        judge(folder, server)
        environment = {**os.environ, **EPOCH}
        with subprocess.Popen([*RAGSTONE, *args], cwd=folder, env=environment) as process:
            until = time.monotonic() + 20
            while len(server.requests) < 3 and time.monotonic() < until:
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
        assert len(server.requests) == 3
    with Loopback(says(GOOD)) as server:
        judge(folder, server)
        refused = ragstone(*args, cwd=folder)
        assert refused.code == 2
        assert "resume" in refused.err
        done = ragstone(*args, "--resume", cwd=folder)
        assert (done.code, len(server.requests)) == (0, 1), done.err
    assert report(folder)["summary"]["coherence"] == pytest.approx(2 / 3)
    assert not (folder / "out.json.journal").exists()


def test_a_calibrated_measure_is_gated(folder: Path) -> None:
    rows = [
        {
            "id": f"q{number}",
            "query": "What is it?",
            "answer": f"This is item q{number}. It is blue.",
        }
        for number in range(40)
    ]
    (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    labels = [{"id": row["id"], "label": number < 20} for number, row in enumerate(rows)]
    (folder / "human.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    bad = says('{"reason": "So.", "verdict": "incoherent"}')
    good = says('{"reason": "So.", "verdict": "coherent"}')
    half = by_item({f"q{number}": bad for number in range(20, 40)}, good)
    for script, name in ((half, "before.json"), (bad, "after.json")):
        with Loopback(script) as server:
            judge(folder, server)
            done = evaluate(folder, "--measure", "coherence", "--out", name)
            assert done.code == 0, done.err
    given = ("--labels", "human.jsonl", "--report", "before.json", "--threshold", "coherence=0.5")
    done = ragstone("calibrate", *given, "--out", "c.json", cwd=folder)
    assert done.code == 0, done.err
    sides = ("--baseline", "before.json", "--candidate", "after.json")
    assert ragstone("compare", *sides, cwd=folder).code == 0
    assert ragstone("compare", *sides, "--calibration", "c.json", cwd=folder).code == 4


def test_an_endpoint_that_is_down_ends_with_2_and_what_was_done_is_kept(folder: Path) -> None:
    with Loopback(by_item({"q2": answer(500), "q3": answer(500)})) as server:
        judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json")
    assert done.code == 2, done.err
    assert report(folder)["exit_code"] == 2
    with Loopback(says(GOOD)) as server:
        judge(folder, server)
        done = evaluate(folder, "--measure", "coherence", "--out", "out.json", "--resume")
        assert (done.code, len(server.requests)) == (0, 2), done.err


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda said: said["agreement"][0].update(exact=1.0), "agreement[0].exact"),
        (lambda said: said["agreement"][0].update(differing=0), "agreement[0].differ"),
        (lambda said: said.update(measures=["toxicity"]), "measures[0]"),
        (lambda said: said["judges"][0].update(repairs=99), "judges[0].repairs"),
    ],
    ids=["exact", "differ", "measures", "repairs"],
)
def test_a_report_that_was_changed_is_invalid(change: Any, place: str, folder: Path) -> None:
    better = says('{"reason": "It reads well.", "verdict": "coherent"}')
    with Loopback(says(GOOD)) as server, Loopback(by_item({"q2": better})) as other:
        judge(folder, server)
        judge(folder, other, "other", 'provider = "elsewhere"\n')
        more = ("--judge", "other.toml", "--measure", "coherence", "--out", "out.json")
        assert evaluate(folder, *more).code == 0
    whole = json.loads((folder / "out.json").read_text())
    change(whole["predicate"]["details"]["judging"])
    (folder / "out.json").write_text(json.dumps(whole))
    done = ragstone("validate-report", "out.json", cwd=folder)
    assert done.code != 0
    assert f"judging.{place}" in done.text + done.err
