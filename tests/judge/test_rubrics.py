"""A rubric is a file: what it may say, how it is asked, and what it is worth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from judging import sample
from ragstone.errors import FormatError, InputError, UsageError
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
    assert one.differences(two) == (["prompt", "rubric"], [])
    assert "rubric" not in Plan.of([], ["coherence"]).signatures([judge])["coherence"]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a name of two words": ({"name": "Po lite"}, "name is 'Po lite'; lower case letters, digits"),
    "a blank question": ({"question": " "}, "question may not be empty; the text that the judge"),
    "a question of another kind": ({"question": 5}, "`question`; the text that the judge is asked"),
    "no field": ({"fields": []}, "fields may not be empty; a list of query, answer, contexts and"),
    "an unknown field": (
        {"fields": ["documents"]},
        "'documents' at `fields[0]`; a list of query",
    ),
    "a field twice": ({"fields": ["answer", "answer"]}, "fields names one twice: answer, answer"),
    "a field that is no list": ({"fields": "answer"}, "at `fields`; a list of query, answer"),
    "no scale": ({"scale": None}, "at `scale`; two or more [[scale]] tables with value, anchor"),
    "an unknown scale": ({"scale": "stars"}, "value 'stars' at `scale`; two or more [[scale]]"),
    "one anchor": ({"scale": [{"value": 1, "anchor": "a"}]}, "scale has 1 anchors; 2 to 20"),
    "an anchor twice": (
        {"scale": [{"value": 1, "anchor": "a"}, {"value": 1, "anchor": "b"}]},
        "scale has the values 1, 1; finite numbers, each once, were expected",
    ),
    "a value that is no number": (
        {"scale": [{"value": float("nan"), "anchor": "a"}, {"value": 1, "anchor": "b"}]},
        "scale has the values nan, 1; finite numbers",
    ),
    "a value that is a text": (
        {"scale": [{"value": "low", "anchor": "a"}, {"value": 1, "anchor": "b"}]},
        "Expected `float`, got `str` at `scale[0].value`; two or more [[scale]] tables",
    ),
    "a value beyond all numbers": (
        {"scale": [{"value": 10**400, "anchor": "a"}, {"value": 1, "anchor": "b"}]},
        "scale",
    ),
    "an anchor without a text": (
        {"scale": [{"value": 0, "anchor": " "}, {"value": 1, "anchor": "b"}]},
        "an anchor of scale is empty; what its value stands for",
    ),
    "an anchor without a value": (
        {"scale": [{"anchor": "a"}, {"value": 1, "anchor": "b"}]},
        "missing required field `value` at `scale[0]`; two or more [[scale]] tables",
    ),
    "an anchor with more": (
        {"scale": [{"value": 0, "anchor": "a", "text": "x"}, {"value": 1, "anchor": "b"}]},
        "unknown field `text` at `scale[0]`; known: value, anchor, label",
    ),
    "a label of two": (
        {"scale": [{"value": 1, "anchor": "a", "label": "x"}, {"value": 2, "anchor": "b"}]},
        "scale has the labels 'x', ''; none, or a word of its own for each, was expected",
    ),
    "labels that are read alike": (
        {
            "scale": [
                {"value": 1, "anchor": "a", "label": "Not at all"},
                {"value": 2, "anchor": "b", "label": "not-at-all"},
            ]
        },
        "a word of its own for each",
    ),
    "a blank label": (
        {
            "scale": [
                {"value": 1, "anchor": "a", "label": " "},
                {"value": 2, "anchor": "b", "label": "x"},
            ]
        },
        "scale has the labels ' ', 'x'; none, or a word of its own",
    ),
    "labels between which nothing is": ({"continuous": True}, "numbers and no labels"),
    "yes, no and between": ({"scale": "yes_no", "continuous": True}, "yes_no has no numbers"),
    "another direction": ({"better": "up"}, "'up' at `better`; higher or lower was expected"),
    "another language": ({"language": "de"}, "'de' at `language`; auto, en or ko was expected"),
    "another version": ({"version": "two"}, "got `str` at `version`; a whole number was expected"),
    "another key": ({"weight": 2}, "unknown field `weight`; known: name, question, fields, scale"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_rubric_that_cannot_be_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        rubric_of({**LABELLED, **change})


@pytest.mark.parametrize("key", ["name", "question", "scale"])
def test_what_a_rubric_needs_is_named(key: str) -> None:
    table = {name: value for name, value in LABELLED.items() if name != key}
    with pytest.raises(UsageError, match=rf"missing required field `{key}`; .* was expected"):
        rubric_of(table)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = polite", r"polite\.toml: not TOML: .*line 1"),
        ("name = 'polite'", r"polite\.toml: .*`question`; the text that the judge is asked"),
        (POLITE.replace("5", "nan"), r"polite\.toml: scale has the values 1, 3, nan; finite"),
    ],
    ids=["no TOML", "half of it", "NaN"],
)
def test_a_file_that_is_no_rubric_is_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=said):
        read_rubric(written(text, tmp_path))


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: no such file"):
        read_rubric(tmp_path / "none.toml")
    (tmp_path / "polite.toml").write_bytes(b'name = "polite"\nquestion = "\xff"\n')
    with pytest.raises(FormatError, match=r"polite\.toml:2: .*UTF-8"):
        read_rubric(tmp_path / "polite.toml")
