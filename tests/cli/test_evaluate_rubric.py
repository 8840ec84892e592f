"""`ragstone evaluate --rubric`: a measure of the user, from the file to a gate that it may fail."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from commands import ragstone
from judge_files import evaluate, predicate, write_judge, write_lines, write_samples
from judging import by_item, honest, prompt_of, says
from loopback import Loopback

POLITE = """
name = "polite"
question = "How polite is the answer to a customer?"
fields = ["query", "answer"]

[[scale]]
value = 1
anchor = "rude"

[[scale]]
value = 3
anchor = "neutral"

[[scale]]
value = 5
anchor = "warm and respectful"
"""
WAFFLE = """
name = "waffle"
question = "Is there waffle in it?"
better = "lower"
fields = ["answer"]
scale = "yes_no"
"""
BOTH = ("--rubric", "polite.toml", "--rubric", "waffle.toml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_samples(tmp_path, ("q1", "q2", "q3"))
    (tmp_path / "polite.toml").write_text(POLITE)
    (tmp_path / "waffle.toml").write_text(WAFFLE)
    return tmp_path


def points(number: int) -> Any:
    """Answer every question with a number of points."""
    return says(json.dumps({"reason": "So it reads.", "verdict": number}))


def test_a_rubric_is_a_measure_beside_those_that_were_named(folder: Path) -> None:
    with Loopback(by_item({"q2": points(5)}, points(3))) as server:
        write_judge(folder, server)
        more = ("--rubric", "polite.toml", "--measure", "token_f1")
        done = evaluate(folder, *more, "--out", "out.json")
        asked = [prompt_of(request) for request in server.requests]
    assert done.code == 0, done.err
    assert len(asked) == 3
    assert "How polite is the answer to a customer?" in asked[0]
    found = predicate(folder)
    assert list(found["scores"]["columns"]) == ["rubric.polite", "token_f1"]
    assert found["scores"]["columns"]["rubric.polite"]["values"] == [3, 5, 3]
    assert found["summary"]["rubric.polite"] == pytest.approx(11 / 3)
    assert found["details"]["judging"]["measures"] == ["rubric.polite"]
    named = {each["role"]: each for each in found["inputs"]}
    assert list(named) == ["samples", "judge", "rubric"]
    assert named["rubric"]["name"] == "polite.toml"
    assert named["rubric"]["sha256"] == sha256(POLITE.encode()).hexdigest()
    checked = ragstone("validate-report", "out.json", "--inputs", ".", cwd=folder)
    assert checked.code == 0, checked.text


def test_its_own_name_computes_it_alone_and_may_carry_an_aggregate(folder: Path) -> None:
    with Loopback(points(3)) as server:
        write_judge(folder, server)
        more = ("--rubric", "polite.toml", "--measure", "rubric.polite:p50")
        done = evaluate(folder, *more)
        assert len(server.requests) == 3
    assert done.code == 0, done.err
    assert json.loads(done.out)["predicate"]["summary"] == {"rubric.polite:p50": 3}


def test_without_a_name_it_is_computed_beside_all_that_fit(folder: Path) -> None:
    with Loopback(honest()) as server:
        write_judge(folder, server)
        done = evaluate(folder, *BOTH, "--out", "out.json")
    assert done.code == 0, done.err
    said = predicate(folder)["details"]["judging"]
    assert said["measures"][0] == "faithfulness"
    assert said["measures"][-2:] == ["rubric.polite", "rubric_lower.waffle"]
    assert len(said["measures"]) == 11
    assert "rubric_lower.waffle (lower is better)" in done.text


def test_an_estimate_counts_it_and_asks_nothing(folder: Path) -> None:
    with Loopback(honest()) as server:
        write_judge(folder, server)
        more = ("--measure", "coherence", *BOTH, "--estimate")
        done = evaluate(folder, *more)
        assert (done.code, server.requests) == (0, [])
    assert "3 samples; coherence, rubric.polite, rubric_lower.waffle; nothing was ask" in done.text
    [row] = [line for line in done.text.splitlines() if "tested" in line]
    assert row.split()[:4] == ["judge", "tested", "9", "0"]


def test_a_replay_from_the_cache_is_the_same_report_with_the_server_down(folder: Path) -> None:
    more = ("--cache", "judge.db", *BOTH, "--repeat", "2")
    with Loopback(by_item({"q2": says("nonsense")}, honest())) as server:
        write_judge(folder, server)
        first = evaluate(folder, *more, "--out", "out.json")
        assert len(server.requests) > 20
    again = evaluate(folder, *more, "--offline", "--out", "again.json")
    assert (first.code, again.code) == (5, 5), again.err
    assert (folder / "again.json").read_bytes() == (folder / "out.json").read_bytes()
    columns = predicate(folder)["scores"]["columns"]
    assert columns["rubric.polite"]["values"] == [1, None, 1]
    assert columns["rubric_lower.waffle"]["values"] == [1, None, 1]


def test_another_question_is_not_in_the_cache_and_not_comparable(folder: Path) -> None:
    more = ("--cache", "judge.db", "--rubric", "polite.toml", "--measure", "rubric.polite")
    with Loopback(points(3)) as server:
        write_judge(folder, server)
        assert evaluate(folder, *more, "--out", "before.json").code == 0
        (folder / "polite.toml").write_text(POLITE.replace("to a customer", "to a child"))
        offline = evaluate(folder, *more, "--offline", "--out", "offline.json")
        assert len(server.requests) == 3
        assert evaluate(folder, *more, "--out", "after.json").code == 0
        assert len(server.requests) == 6
    assert offline.code == 5
    reasons = predicate(folder, "offline.json")["scores"]["columns"]["rubric.polite"]["reasons"]
    assert set(reasons.values()) == {"not_in_cache"}
    before, after = (
        predicate(folder, name)["scores"]["columns"]["rubric.polite"]["signature"]
        for name in ("before.json", "after.json")
    )
    assert before["rubric"] != after["rubric"]
    sides = ("--baseline", "before.json", "--candidate", "after.json")
    done = ragstone("compare", *sides, "--format", "table", cwd=folder)
    assert "rubric.polite    3.0000     3.0000" in done.text
    assert "not comparable" in done.text
    assert f"rubric is '{before['rubric']}' in the baseline" in done.text


def test_a_run_that_the_cap_ended_goes_on_with_what_is_left(folder: Path) -> None:
    more = ("--rubric", "polite.toml", "--measure", "rubric.polite", "--out", "out.json")
    with Loopback(points(5)) as server:
        write_judge(folder, server)
        done = evaluate(folder, *more, "--max-cost", "0.019")
        before = len(server.requests)
        assert (done.code, before) == (5, 1), done.err
        again = evaluate(folder, *more, "--resume")
        assert (again.code, len(server.requests)) == (0, 3), again.err
    assert predicate(folder)["summary"] == {"rubric.polite": 5}
    assert not (folder / "out.json.journal").exists()


def test_a_journal_of_another_rubric_is_not_gone_on_with(folder: Path) -> None:
    more = ("--rubric", "polite.toml", "--measure", "rubric.polite", "--out", "out.json")
    with Loopback(points(5)) as server:
        write_judge(folder, server)
        assert evaluate(folder, *more, "--max-cost", "0.019").code == 5
        (folder / "polite.toml").write_text(POLITE.replace("rude", "insulting"))
        done = evaluate(folder, *more, "--resume")
        assert (done.code, len(server.requests)) == (2, 1)
    assert "out.json.journal" in done.message


def test_from_evaluate_over_compare_to_calibrate_and_a_gate_that_fails(folder: Path) -> None:
    items = [f"q{number}" for number in range(40)]
    write_samples(folder, items)
    half = by_item({item: points(1) for item in items[20:]}, points(5))
    more = ("--rubric", "polite.toml", "--measure", "rubric.polite")
    for script, name in ((half, "before.json"), (points(1), "after.json")):
        with Loopback(script) as server:
            write_judge(folder, server)
            done = evaluate(folder, *more, "--out", name)
            assert done.code == 0, done.err
    sides = ("--baseline", "before.json", "--candidate", "after.json", "--format", "table")
    advisory = ragstone("compare", *sides, cwd=folder)
    assert advisory.code == 0, advisory.err
    assert "rubric.polite: advisory, shown but unable to fail" in advisory.text
    # people gave stars, and do not quite agree with the judge
    stars = [{"id": item, "label": 5 if place < 22 else 2} for place, item in enumerate(items)]
    write_lines(folder / "human.jsonl", stars)
    given = ("--labels", "human.jsonl", "--report", "before.json", "--min-kappa", "0.6")
    yes = ("--threshold", "rubric.polite=4", "--label-threshold", "4")
    done = ragstone("calibrate", *given, *yes, "--out", "c.json", cwd=folder)
    assert done.code == 0, done.err
    assert "rubric.polite agrees with 1 person on 40 items to a kappa of 0.90" in done.text
    assert ragstone("validate-report", "c.json", cwd=folder).code == 0
    gated = ragstone("compare", *sides, "--calibration", "c.json", cwd=folder)
    assert gated.code == 4, gated.err
    assert "rubric.polite" in gated.text
    allowed = ragstone(
        "compare", *sides, "--calibration", "c.json", "--budget", "rubric.polite=2abs", cwd=folder
    )
    assert allowed.code == 0, allowed.text


def test_a_calibration_is_of_one_rubric(folder: Path) -> None:
    items = [f"q{number}" for number in range(30)]
    write_samples(folder, items)
    write_lines(folder / "human.jsonl", [{"id": each, "label": each != "q3"} for each in items])
    more = ("--rubric", "polite.toml", "--measure", "rubric.polite")
    script = by_item({"q3": points(1)}, points(5))
    for text, name in ((POLITE, "old.json"), (POLITE.replace("rude", "curt"), "new.json")):
        (folder / "polite.toml").write_text(text)
        with Loopback(script) as server:
            write_judge(folder, server)
            assert evaluate(folder, *more, "--out", name).code == 0
    given = ("--labels", "human.jsonl", "--report", "old.json", "--threshold", "4")
    assert ragstone("calibrate", *given, "--out", "c.json", cwd=folder).code == 0
    trusted, other = (
        ragstone(
            "compare", "--baseline", name, "--candidate", name, "--calibration", "c.json",
            "--format", "table", cwd=folder,
        )
        for name in ("old.json", "new.json")
    )  # fmt: skip
    assert "advisory" not in trusted.text
    assert other.text.startswith("PASS, but rubric.polite is advisory (no calibration fits): ")
    assert "warning: --calibration c.json is not used: it is about " in other.err
    assert "is not used" not in trusted.err
    words = ("--measure", "answer_length", "--calibration", "c.json", "--out", "words.json")
    unused = ragstone("evaluate", "--samples", "samples.jsonl", *words, cwd=folder)
    assert "--calibration c.json is not used: it is about " in unused.err
    assert unused.err.count("no measure is by a judge") == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--rubric", "none.toml"], "none.toml: no such file"),
        (["--rubric", "bad.toml"], "bad.toml: Object missing required field `question`; the text"),
        (["--rubric", "bytes.toml"], "bytes.toml:1: "),
        (
            ["--rubric", "polite.toml", "--rubric", "again.toml"],
            "two rubrics are called 'polite'; give each a name of its own",
        ),
        (
            ["--rubric", "polite.toml", "--measure", "rubric.rude"],
            "rubric.rude is asked by a rubric, --rubric FILE; those of --rubric are rubric.polite",
        ),
        (
            ["--measure", "rubric.rude"],
            "rubric.rude is asked by a rubric, --rubric FILE; none was given",
        ),
        (["--rubric", "-", "--samples", "-"], "standard input (-) can be one input only"),
    ],
    ids=["missing", "half", "no text", "twice", "another", "none", "standard input"],
)
@pytest.mark.parametrize("estimate", [[], ["--estimate"]], ids=["run", "estimate"])
def test_what_cannot_be(folder: Path, more: list[str], said: str, estimate: list[str]) -> None:
    (folder / "bad.toml").write_text('name = "polite"\n')
    (folder / "bytes.toml").write_bytes(b'name = "\xff"\n')
    (folder / "again.toml").write_text(POLITE)
    with Loopback(honest()) as server:
        write_judge(folder, server)
        done = evaluate(folder, *more, *estimate)
        assert server.requests == []
    assert (done.code, done.out) == (2, b"")
    assert said in done.message


def test_a_rubric_needs_a_judge(folder: Path) -> None:
    done = ragstone(
        "evaluate", "--samples", "samples.jsonl", "--rubric", "polite.toml", cwd=folder
    )  # fmt: skip
    assert (done.code, done.out) == (2, b"")
    assert done.message == "error: --rubric goes with --judge FILE"
