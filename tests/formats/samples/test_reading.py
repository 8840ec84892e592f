"""Samples that cannot be read: every message names file, place, finding and expectation."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import FormatError, UnknownNameError
from ragstone.formats import Source
from ragstone.formats.samples import SAMPLES_FORMATS, open_samples, read_samples
from ragstone.model.samples import Context, Latency, Sample, Usage


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "samples.jsonl"


def written(path: Path, *rows: Any) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def refusal(path: Path, *rows: Any) -> str:
    with pytest.raises(FormatError) as caught:
        read_samples(written(path, *rows))
    return str(caught.value).replace(str(path), "samples.jsonl")


Q1 = {"id": "q1", "query": "?"}

BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"query": 3}, "query is 3; a text was expected"),
    ({"answer": ["a"]}, "answer is an array; a text was expected"),
    ({"query": "half \ud800"}, "query has half of a surrogate pair in it; whole characters only"),
    ({"contexts": "a"}, "contexts is 'a'; a list of texts or of objects like"),
    ({"contexts": ["a", 2]}, "contexts[1] is 2; a text or an object like {id, text, score} was"),
    ({"contexts": [{"score": 1}]}, "contexts[0] has neither a text nor an id"),
    ({"contexts": [{"text": 1}]}, "contexts[0].text is 1; a text was expected"),
    ({"contexts": [{"id": "a\tb"}]}, "contexts[0].id is 'a\\tb'; an id (some text without tabs"),
    ({"contexts": [{"id": ""}]}, "contexts[0].id is ''; an id"),
    ({"contexts": [{"id": True}]}, "contexts[0].id is true; an id"),
    ({"contexts": [{"id": "d", "score": "0,9"}]}, "contexts[0].score is '0,9'; a finite number"),
    ({"reference": 3}, "reference is 3; a text or a list of texts was expected"),
    ({"reference": ["a", None]}, "reference[1] is null; a text was expected"),
    ({"nuggets": {"text": "a"}}, "nuggets is an object; a list of {text, importance} was"),
    ({"nuggets": [{"text": "a", "importance": "high"}]}, "nuggets[0].importance is 'high'; vital"),
    ({"nuggets": [{"importance": "okay"}]}, "nuggets[0] has no text"),
    ({"citations": [{"start": 0}]}, "citations[0] has no contexts"),
    ({"citations": [{"contexts": [0]}]}, "citations[0].contexts[0] is 0; an id, or a"),
    ({"citations": [{"contexts": [1], "start": 0}]}, "citations[0] has one of start and end; both"),
    (
        {"answer": "abc", "citations": [{"contexts": [1], "start": 1, "end": 4}]},
        "citations[0] goes from 1 to 4, and the answer has 3 characters; a part of it was expected",
    ),
    ({"citations": [{"contexts": [1], "start": 4, "end": 2}]}, "citations[0] goes from 4 to 2"),
    ({"answerable": "no"}, "answerable is 'no'; true or false was expected"),
    ({"usage": 12}, "usage is 12; an object was expected"),
    ({"usage": {"input_tokens": 1.5}}, "usage.input_tokens is 1.5; a whole number of"),
    ({"usage": {"output_tokens": -1}}, "usage.output_tokens is -1; a whole number of"),
    ({"cost_usd": -0.1}, "cost_usd is -0.1; a finite number of at least 0 was expected"),
    ({"cost_usd": True}, "cost_usd is true; a finite number of at least 0 was expected"),
    ({"latency_ms": "fast"}, "latency_ms is 'fast'; a finite number of at least 0 was expected"),
    ({"latency_ms": {"total": -1}}, "latency_ms.total is -1; a finite number of at least 0 was"),
    ({"error": False}, "error is false; a text was expected"),
    ({"tags": "smoke"}, "tags is 'smoke'; a list of texts was expected"),
    ({"tags": [1]}, "tags[0] is 1; a text was expected"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), BAD_FIELDS, ids=[said[:40] for _, said in BAD_FIELDS])
def test_a_field_that_cannot_be(path: Path, fields: dict[str, Any], said: str) -> None:
    assert f"samples.jsonl:2: sample 'q2': {said}" in refusal(path, Q1, {"id": "q2", **fields})


def test_infinity_and_nan_are_refused(path: Path) -> None:
    path.write_text('{"id": "q1", "query": "?", "cost_usd": 1e999}\n')
    with pytest.raises(FormatError, match=r"cost_usd is Infinity; a finite number"):
        read_samples(path)
    path.write_text('{"id": "q1", "query": "?", "cost_usd": NaN}\n')
    with pytest.raises(FormatError, match=r":1: NaN is not JSON and not a finite number"):
        read_samples(path)


def test_an_id_is_there_once(path: Path) -> None:
    said = refusal(path, Q1, {"id": "q2", "answer": "a"}, Q1)
    assert said == (
        "samples.jsonl:3: sample 'q1' is here a second time, the first is at line 1; "
        "ids are unique in a file"
    )


def test_a_sample_without_an_id(path: Path) -> None:
    assert refusal(path, Q1, {"query": "?"}) == (
        "samples.jsonl:2: a sample without an id; 'id' was expected"
    )
    assert refusal(path, Q1, {"id": 1.5}) == (
        "samples.jsonl:2: id is 1.5; an id (some text without tabs and line feeds) was expected"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("\n# nothing\n", "the file is empty"),
        ("[]", "the file has no sample"),
        ('{"results": []}', "the file has no sample"),
        ('{"id": "q1", "query": "a"}\nnot json\n', ":2: not JSON"),
        ('{"id": "q1", "query": "a"}\n[1]\n', ":2: JSON array; expected one object per line"),
        ('{"id": "q1", "id": "q2", "query": "a"}\n', ":1: the key 'id' stands twice"),
        ('[{"id": "q1", "query": "a"}, 3]', "[1]: is 3; an object was expected"),
        ('{\n"results": [\n{"gt_answer": "a"},\n{"gt_answer" "b"}\n]}', ":4: not JSON"),
        ('{"results": [{"gt_answer": "a"}, "b"]}', "results[1]: is 'b'; an object was expected"),
        ("q1\t0\td1\t1\n", ":1: not JSON"),
    ],
)
def test_a_file_that_is_none(path: Path, text: str, said: str) -> None:
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_samples(path)
    assert said in str(caught.value)


def test_a_file_of_another_kind_is_named_as_such(path: Path) -> None:
    said = refusal(path, {"id": "q1", "retrieved_ids": ["d1"]})
    assert "samples.jsonl:1: cannot tell the format of these samples: a row has 'id', " in said
    assert "'retrieved_ids'; this looks like a run; expected objects like" in said
    assert "one of otlp, langsmith, promptfoo, ragchecker, deepeval, ragas, jsonl" in said


def test_an_unknown_format_is_answered_with_the_nearest(path: Path) -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown samples format 'raga'; did you mean ragas"
    ):
        open_samples(written(path, Q1), "raga")


def test_a_place_inside_a_document_is_named(path: Path) -> None:
    said = refusal(
        path, {"results": [{"query_id": "0", "gt_answer": "a"}, {"query_id": "1", "query": 5}]}
    )
    assert said == "samples.jsonl:1: results[1]: sample '1': query is 5; a text was expected"


def test_ids_and_texts_must_be_as_many(path: Path) -> None:
    row = {"user_input": "?", "retrieved_contexts": ["a"], "retrieved_context_ids": ["d1", "d2"]}
    assert "retrieved_contexts has 1 texts and retrieved_context_ids has 2 ids" in refusal(
        path, row
    )


def test_what_is_accepted(path: Path) -> None:
    rows = [
        {"id": 7, "contexts": [""], "latency_ms": 3},
        {"id": "b", "query": "", "usage": None, "contexts": None, "tags": None, "error": ""},
    ]
    assert read_samples(written(path, *rows)) == [
        Sample("7", contexts=(Context(""),), latency_ms=Latency(3.0)),
        Sample("b", query=""),
    ]


def test_byte_order_mark_line_ends_and_gzip(path: Path) -> None:
    text = '\ufeff{"id": "q1", "query": "줄\u2028끝"}\r\n\r\n{"id": "q2", "query": "b"}'
    path.write_bytes(gzip.compress(text.encode()))
    assert [sample.query for sample in read_samples(path)] == ["줄\u2028끝", "b"]


def test_reading_is_one_by_one(path: Path) -> None:
    written(path, Q1, {"id": "q2", "answer": 5})
    samples: Iterator[Sample] = iter(open_samples(Source(path)))
    assert next(samples).id == "q1"
    with pytest.raises(FormatError, match="sample 'q2': answer is 5"):
        next(samples)


def test_a_slip_of_the_pen_is_pointed_out(path: Path) -> None:
    rows = [
        {"id": "a", "query": "?", "anwser": "x", "team": 1},
        {"id": "b", "query": "?", "Answer": 1},
    ]
    file = open_samples(written(path, *rows))
    list(file)
    assert file.unknown == {"anwser": 1, "team": 1, "Answer": 1}
    assert file.notes() == [
        f"{path}: 1 sample has 'Answer', which ragstone does not know; did you mean answer?",
        f"{path}: 1 sample has 'anwser', which ragstone does not know; did you mean answer?",
    ]


def test_half_a_surrogate_pair_in_a_trace_is_refused(path: Path) -> None:
    run = {"id": "r", "run_type": "llm", "inputs": {"query": "\ud800"}, "outputs": {"output": "a"}}
    assert refusal(path, run) == (
        "samples.jsonl: sample 'r' has half of a surrogate pair in it; whole characters only"
    )


# ---- files of other tools ------------------------------------------------------------------------

CASE = {"name": "test_case_0", "input": "When?", "actualOutput": "1937", "success": True}
TURNS = {
    "name": "talk",
    "turns": [
        {"role": "user", "content": "When?"},
        {"role": "assistant", "content": "1937", "retrievalContext": ["In 1937."]},
    ],
}


def only(path: Path, document: Any, name: str = "auto") -> Sample:
    """Return the one sample of a document."""
    path.write_text(json.dumps(document))
    [sample] = open_samples(path, name)
    return sample


@pytest.mark.parametrize("name", ["auto", "deepeval"])
@pytest.mark.parametrize("under", [True, False])
def test_the_test_run_of_deepeval(path: Path, name: str, under: bool) -> None:
    run = {"testCases": [CASE], "conversationalTestCases": [], "testPassed": 1}
    sample = only(path, {"testRunData": run} if under else run, name)
    assert (sample.query, sample.answer, sample.extra) == ("When?", "1937", {})


def test_a_conversation_of_deepeval(path: Path) -> None:
    run = {"testCases": [], "conversationalTestCases": [TURNS]}
    sample = only(path, {"testRunData": run})
    assert (sample.query, sample.answer, sample.texts) == ("When?", "1937", ("In 1937.",))


def test_a_link_to_results_is_named_as_such(path: Path) -> None:
    said = refusal(path, {"testRunLink": "https://results.example/1"})
    assert "this looks like a link of deepeval to results that are kept elsewhere" in said


def turn(who: str, text: str) -> dict[str, str]:
    """Return a message as ragas writes it."""
    return {"type": who, "content": text}


@pytest.mark.parametrize(
    ("turns", "response", "expected"),
    [
        ([turn("human", "When?"), turn("ai", "1937")], None, ("When?", "1937")),
        (
            [turn("human", "Who?"), turn("ai", "Ada"), turn("human", "When?"), turn("ai", "1937")],
            None,
            ("When?", "1937"),
        ),
        (
            [turn("human", "When?"), turn("ai", "1937"), turn("human", "Thanks")],
            None,
            ("When?", "1937"),
        ),
        (
            [turn("human", "When?"), turn("ai", ""), turn("tool", "{}"), turn("ai", "1937")],
            None,
            ("When?", "1937"),
        ),
        ([turn("human", "When?")], None, ("When?", None)),
        ([turn("human", "A?"), turn("ai", "B"), turn("human", "C?")], "D", ("C?", "D")),
    ],
    ids=["two", "four", "thanks", "tool", "no answer", "answer apart"],
)
def test_a_conversation_of_ragas(
    path: Path, turns: list[Any], response: str | None, expected: tuple[str, str | None]
) -> None:
    row = {"user_input": turns, "reference": "1937"}
    sample = only(path, [row if response is None else {**row, "response": response}])
    assert (sample.query, sample.answer) == expected


def promptfoo(output: Any, provider: Any = "openai:chat:gpt-4o-mini") -> dict[str, Any]:
    """Return the results of promptfoo with one of them."""
    row = {"vars": {"query": "?", "context": "given"}, "provider": provider, "testIdx": 0}
    return {"results": {"results": [{**row, "response": {"output": output}}]}}


def test_a_structured_output_of_promptfoo(path: Path) -> None:
    sample = only(path, promptfoo({"answer": "A", "context": ["found"], "steps": 2}))
    assert (sample.answer, sample.texts, sample.extra) == ("A", ("found",), {"output.steps": 2})


def test_an_output_without_an_answer_is_read_as_json_and_warned_of(path: Path) -> None:
    path.write_text(json.dumps(promptfoo({"verdict": "A"})))
    file = open_samples(path)
    [sample] = file
    assert (sample.answer, sample.texts) == ('{"verdict": "A"}', ("given",))
    [said] = file.notes()
    assert said.startswith(f"{path}: 1 output without an answer under a usual name (answer, ")


def test_an_odd_count_of_another_tool_is_left_out_and_warned_of(path: Path) -> None:
    document = promptfoo("A")
    [row] = document["results"]["results"]
    row["response"]["tokenUsage"] = {"prompt": "5", "completion": 2}
    path.write_text(json.dumps(document))
    file = open_samples(path)
    [sample] = file
    assert sample.usage == Usage(None, 2)
    [said] = file.notes()
    assert said.endswith(
        ": 1 result with a count of tokens that is no whole number, which is left out"
    )


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai:chat:gpt-4o-mini", "openai:gpt-4o-mini"),
        ("openai:responses:gpt-4.1", "openai:gpt-4.1"),
        ("openai:gpt-4o", "openai:gpt-4o"),
        ("anthropic:messages:claude-3-5-sonnet-20241022", "anthropic:claude-3-5-sonnet-20241022"),
        ("azureopenai:chat:gpt-4o", "azure:gpt-4o"),
        ("azure:chat:gpt-4o", "azure:gpt-4o"),
        ("bedrock:converse:amazon.nova-lite-v1:0", "bedrock:amazon.nova-lite-v1:0"),
        ("bedrock:amazon.nova-lite-v1:0", "bedrock:amazon.nova-lite-v1:0"),
        ("vertex:chat:gemini-2.5-pro", "vertex:gemini-2.5-pro"),
        ("ollama:chat:llama3.1:8b", "ollama:llama3.1:8b"),
        ("ollama:llama3.1:8b", "ollama:llama3.1:8b"),
        ("togetherai:a/b", "together:a/b"),
        ("file://rag.py", "file://rag.py"),
        ({"id": "openai:chat:gpt-4o-mini", "label": "ours"}, "openai:gpt-4o-mini"),
    ],
    ids=str,
)
def test_the_model_of_a_provider_of_promptfoo(path: Path, provider: Any, model: str) -> None:
    assert only(path, promptfoo("A", provider)).model == model


@pytest.mark.parametrize("name", SAMPLES_FORMATS)
def test_a_format_that_was_named_and_is_another(path: Path, name: str) -> None:
    path.write_text('{"colour": 1, "size": 2}\n')
    with pytest.raises(FormatError) as caught:
        open_samples(path, name)
    mark = SAMPLES_FORMATS[name].marks[0]
    assert str(caught.value).startswith(
        f"{path}:1: these are no samples of the format {name}: a row has 'colour', 'size'; "
        f"expected {mark!r}"
    )


@pytest.mark.parametrize("name", ["auto", "ragas"])
@pytest.mark.parametrize(
    "table",
    [
        {"user_input": {"0": "?", "1": "??"}, "response": {"0": "a", "1": "b"}},
        {"columns": ["user_input"], "index": [0], "data": [["?"]]},
    ],
    ids=["columns", "split"],
)
def test_a_table_by_columns_is_answered_with_what_to_write(
    path: Path, table: dict[str, Any], name: str
) -> None:
    path.write_text(json.dumps(table))
    with pytest.raises(FormatError, match='orient="records"'):
        open_samples(path, name)


def test_a_slip_inside_a_field_is_pointed_out(path: Path) -> None:
    file = open_samples(written(path, {"id": "a", "query": "?", "usage": {"input_token": 3}}))
    list(file)
    [said] = file.notes()
    assert said == (
        f"{path}: 1 sample has 'usage.input_token', which ragstone does not know; did you mean "
        "usage.input_tokens?"
    )
