"""A rubric is a file: what it may say, how it is asked, and what it is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judging import sample
from ragstone.errors import FormatError, UsageError
from ragstone.judge import CallableJudge, judge_samples, read_rubric, rubric_of
from ragstone.judge.plan import Plan
from ragstone.model import Status
from ragstone.model.samples import Context, Sample

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


def written(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "polite.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_rubric_is_asked_as_it_is_written_and_its_points_are_the_value(tmp_path: Path) -> None:
    asked: list[str] = []

    def judge(messages: list[dict[str, str]], schema: Any) -> Any:
        asked.extend(message["content"] for message in messages)
        assert schema["properties"]["verdict"] == {"type": "number", "enum": [1, 3, 5]}
        return {"reason": "It says please.", "verdict": 5}

    rubric = read_rubric(written(POLITE, tmp_path))
    judged = judge_samples([sample("q1")], [rubric], CallableJudge(judge))
    [cell] = judged.cells["rubric.polite"]
    assert (cell.value, cell.status, cell.note) == (5.0, Status.SCORED, "It says please.")
    system, user = asked
    assert "How polite is the answer to a customer?" in system
    assert "- 1: rude\n- 3: neutral\n- 5: warm and respectful" in system
    assert '{"reason":"...","verdict":5}' in system
    assert "<question>\nWhat is it?\n</question>" in user
    assert "<answer>\nThis is item q1." in user


@pytest.mark.parametrize(("given", "failed"), [(2, True), (6, True), ("3", False), (True, True)])
def test_only_the_points_of_anchors_count(given: Any, *, failed: bool, tmp_path: Path) -> None:
    rubric = read_rubric(written(POLITE, tmp_path))
    judge = CallableJudge(lambda messages, schema: {"reason": "", "verdict": given})
    [cell] = judge_samples([sample("q1")], [rubric], judge).cells["rubric.polite"]
    assert (cell.status is Status.FAILED) is failed


LABELLED: dict[str, Any] = {
    "name": "waffle",
    "question": "How much of it is waffle?",
    "better": "lower",
    "fields": ["answer"],
    "scale": [
        {"value": 0, "anchor": "none of it", "label": "None"},
        {"value": 1, "anchor": "all of it", "label": "All of it"},
    ],
}


def test_labels_are_words_and_lower_may_be_better() -> None:
    judge = CallableJudge(lambda messages, schema: {"reason": "", "verdict": "all of it"})
    judged = judge_samples([sample("q1")], [rubric_of(LABELLED)], judge)
    assert judged.cells["rubric_lower.waffle"][0].value == 1.0


def test_the_frame_is_in_the_language_of_the_sample() -> None:
    asked: list[str] = []

    def judge(messages: list[dict[str, str]], schema: Any) -> Any:
        asked.append(messages[0]["content"])
        return {"reason": "", "verdict": "None"}

    one = Sample("q1", query="안녕하세요?", answer="네, 안녕하세요.")
    judge_samples([one], [rubric_of(LABELLED)], CallableJudge(judge))
    judge_samples([one], [rubric_of({**LABELLED, "language": "en"})], CallableJudge(judge))
    assert "기준에 따라" in asked[0]
    assert "rubric" in asked[1]


def test_all_fields_of_a_sample_can_be_shown_and_a_missing_one_is_no_value() -> None:
    asked: list[str] = []

    def judge(messages: list[dict[str, str]], schema: Any) -> Any:
        asked.append(messages[1]["content"])
        return {"reason": "", "verdict": True}

    fields = ["query", "contexts", "reference", "answer"]
    table = {"name": "good", "question": "Good?", "scale": "yes_no", "fields": fields}
    samples = [
        Sample("q1", query="?", answer="a", contexts=(Context("c1"), Context("c2")), reference="r"),
        Sample("q2", query="?", answer="a", contexts=(Context("c1"),)),
        Sample("q3", query="?", answer="", contexts=(Context("c1"),), reference="r"),
    ]
    cells = judge_samples(samples, [rubric_of(table)], CallableJudge(judge)).cells["rubric.good"]
    assert [cell.reason for cell in cells] == ["", "no_reference", "no_answer"]
    assert cells[0].value == 1.0
    [text] = asked
    for part in ('<context id="2">\nc2', "<reference>\nr", "<question>\n?", "<answer>\na"):
        assert part in text


def test_a_change_of_the_rubric_changes_the_signature() -> None:
    judge = CallableJudge(lambda messages, schema: "")
    other = {**LABELLED, "question": "How much of it is padding?"}
    one, two = (
        Plan.of([], [rubric_of(table)]).signatures([judge])["rubric_lower.waffle"]
        for table in (LABELLED, other)
    )
    assert one.differences(two) == (["prompt"], [])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "Po lite"}, "lower case letters"),
        ({"question": " "}, "may not be empty"),
        ({"fields": []}, "may not be empty"),
        ({"fields": ["documents"]}, "Invalid enum value 'documents'"),
        ({"scale": [{"value": 1, "anchor": "a"}]}, "1 anchors; 2 to 20"),
        ({"scale": [{"value": 1, "anchor": "a"}] * 2}, "with other values each"),
        ({"scale": "stars"}, "Invalid enum value 'stars'"),
        ({"continuous": True}, "no labels"),
        (
            {"scale": [{"value": 1, "anchor": "a", "label": "x"}, {"value": 2, "anchor": "b"}]},
            "own",
        ),
        ({"weight": 2}, "unknown field `weight`; known: name, question"),
        ({"version": "two"}, "Expected `int`"),
    ],
)
def test_a_rubric_that_cannot_be_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rubric_of({**LABELLED, **change})


def test_a_file_that_is_no_rubric_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"polite\.toml: not TOML"):
        read_rubric(written("name = polite", tmp_path))
    with pytest.raises(FormatError, match=r"polite\.toml: .*`question`"):
        read_rubric(written("name = 'polite'", tmp_path))
