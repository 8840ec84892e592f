"""The shared cases of kind judge: what other tools get wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from judging import sample
from ragstone.judge import CallableJudge, CallFailedError, judge_samples, rubric_of
from ragstone.judge.reading import UnusableReplyError, read_object
from ragstone.judge.rubric import Graded
from ragstone.judge.shapes import Verdicts
from ragstone.measures import parse_aggregate
from ragstone.model import Cell, Scores, ScoresBuilder, Status


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def item_of(messages: list[dict[str, str]], items: Iterable[str]) -> str:
    """Return the item that is asked about."""
    text = " ".join(message["content"] for message in messages)
    [found] = [item for item in items if f"item {item}." in text]
    return found


SHARE = rubric_of(
    {
        "name": "share",
        "question": "How much of it is right?",
        "continuous": True,
        "scale": [{"value": 0, "anchor": "none"}, {"value": 1, "anchor": "all"}],
    }
)
YES_NO = rubric_of({"name": "right", "question": "Is it right?", "scale": "yes_no"})


def scores_of(cells: dict[str, Cell]) -> Scores:
    builder = ScoresBuilder(["rubric.share"])
    for item, cell in cells.items():
        builder.add(item, [cell])
    return builder.build()


def judged_rows(rows: list[Any]) -> dict[str, Cell]:
    """Judge items with a judge that fails as the rows say."""
    by_item = {row["id"]: row for row in rows}

    def judge(messages: list[dict[str, str]], schema: object) -> str:
        row = by_item[item_of(messages, by_item)]
        if row.get("error") == "timeout":
            raise CallFailedError("timeout", "no answer")
        if row.get("error") == "parse":
            return "I would say it is fine."
        return json.dumps({"reason": "", "verdict": row["score"]})

    samples = [sample(item) for item in by_item]
    judged = judge_samples(samples, [SHARE], CallableJudge(judge))
    return dict(zip(judged.items, judged.cells["rubric.share"], strict=True))


ROWS = [
    {"id": "q1", "score": 1.0},
    {"id": "q2", "score": None, "error": "timeout"},
    {"id": "q3", "score": None, "error": "parse"},
    {"id": "q4", "score": 0.5},
]


def check_84(rows: list[Any]) -> None:
    scores = scores_of(judged_rows(rows))
    column = scores["rubric.share"]
    assert parse_aggregate("rubric.share").of(column) == 0.75
    assert column.tally()[Status.SCORED] == 2
    assert column.tally()[Status.FAILED] == 2
    assert dict(column.reasons) == {1: "timeout", 2: "not_json; 2 attempts"}


def check_84_in_the_gate(rows: list[Any]) -> None:
    from ragstone.gate import compare

    whole = scores_of({row["id"]: Cell(0.75) for row in rows})
    part = scores_of(judged_rows(rows))
    found = compare(whole, part, budgets=["rubric.share=50"])
    assert found.verdict == "inconclusive"
    assert int(found.exit_code) == 5
    assert "coverage_changed" in [reason.code for reason in found.reasons]


REPLIES = {
    "fence": '```json\n{"verdict": "yes", "score": 1}\n```',
    "prose": 'Here is my answer: {"verdict":"no","score":0} Hope this helps.',
    "comma": '{"verdict":"yes","score":1,}',
    "cut": '{"verdict":"yes","reason":"the text sa',
    "empty": "",
    "two": '{"score":1}\n{"score":0}',
}


def check_86(replies: dict[str, str]) -> None:
    found: dict[str, Any] = {}
    for name, text in replies.items():
        try:
            found[name] = read_object(text)["score"]
        except UnusableReplyError as error:
            found[name] = error.reason
    assert found == {
        "fence": 1,
        "prose": 0,
        "comma": "not_json",
        "cut": "not_json",
        "empty": "empty",
        "two": "several_objects",
    }


def check_86_in_a_run(replies: dict[str, str]) -> None:
    """No reply of these ends the run, and each is kept for whoever looks."""

    def judge(messages: list[dict[str, str]], schema: object) -> str:
        [name] = [
            name for name in replies if any(f"item {name}." in m["content"] for m in messages)
        ]
        return replies[name]

    judged = judge_samples([sample(name) for name in replies], [YES_NO], CallableJudge(judge))
    cells = dict(zip(judged.items, judged.cells["rubric.right"], strict=True))
    assert (cells["fence"].value, cells["prose"].value) == (1.0, 0.0)
    failed = {failure.item: failure for failure in judged.failures}
    assert set(failed) == {"comma", "cut", "empty", "two"}
    assert all(failure.raw == replies[item] for item, failure in failed.items())
    assert all(failure.reason for failure in failed.values())


COUNTS = [
    {"id": "q1", "claims": ["a", "b", "c"], "verdicts": [1]},
    {"id": "q2", "claims": ["a", "b"], "verdicts": [1, -1]},
    {"id": "q3", "claims": ["a"], "verdicts": [1, 1, 1]},
]


def check_88(rows: list[Any]) -> None:
    by_item = {row["id"]: row for row in rows}
    words = {1: "supported", -1: "unknown"}

    def judge(messages: list[dict[str, str]], schema: Any) -> Any:
        row = by_item[item_of(messages, by_item)]
        if "claims" in schema["properties"]:
            return {"claims": row["claims"]}
        given = enumerate(row["verdicts"], 1)
        said = [{"id": n, "quote": "It is blue", "verdict": words[each]} for n, each in given]
        return {"verdicts": said}

    judged = judge_samples(
        [sample(item) for item in by_item], ["faithfulness"], CallableJudge(judge)
    )
    reasons = [cell.reason.partition(";")[0] for cell in judged.cells["faithfulness"]]
    assert {cell.status for cell in judged.cells["faithfulness"]} == {Status.FAILED}
    assert reasons == ["wrong_count", "wrong_verdict", "wrong_count"]


TYPES = [{"score": "0.9"}, {"score": True}, {"score": {"value": 0.9}}, {"score": [0.9]}]
TYPES += [{"Score": 0.9}]


def check_90(replies: list[Any]) -> None:
    def value(rubric: Any, reply: dict[str, Any]) -> Any:
        given = {("verdict" if name == "score" else name): each for name, each in reply.items()}
        try:
            return Graded(rubric).read(given)[0]
        except UnusableReplyError as error:
            return error.reason

    assert [value(SHARE, reply) for reply in replies] == [
        0.9,
        "wrong_type",
        "wrong_type",
        "wrong_type",
        "missing_field",
    ]
    assert value(YES_NO, replies[1]) == 1.0


def test_rows_without_a_score_are_counted_beside_the_mean() -> None:
    check_84(ROWS)
    check_84_in_the_gate(ROWS)


def test_replies_with_something_around_them() -> None:
    check_86(REPLIES)
    check_86_in_a_run(REPLIES)


def test_as_many_verdicts_as_claims() -> None:
    check_88(COUNTS)


def test_types_of_a_score() -> None:
    check_90(TYPES)


def test_a_verdict_that_there_is_none_of_is_not_support() -> None:
    with pytest.raises(UnusableReplyError):
        Verdicts(1).read({"verdicts": [{"id": 1, "quote": "", "verdict": "-1"}]})


def test_shared_case_84(shared: Path) -> None:
    rows = lines(shared / "cases/84-unscored-rows-inflate-mean/rows.jsonl")
    check_84(rows)
    check_84_in_the_gate(rows)


def test_shared_case_86(shared: Path) -> None:
    rows = lines(shared / "cases/86-judge-json-wrapped/replies.jsonl")
    replies = {row["id"]: row["reply"] for row in rows}
    check_86(replies)
    check_86_in_a_run(replies)


def test_shared_case_88(shared: Path) -> None:
    check_88(lines(shared / "cases/88-verdict-count-mismatch/rows.jsonl"))


def test_shared_case_90(shared: Path) -> None:
    check_90(lines(shared / "cases/90-judge-string-types/replies.jsonl"))
