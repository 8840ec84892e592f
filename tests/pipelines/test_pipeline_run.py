"""Pipelines that are functions: what they may return, and what becomes of it in a sample."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.errors import InputError, PipelineError, UsageError
from ragstone.formats.samples import read_samples, write_samples
from ragstone.model.samples import (
    WARM_UP,
    Citation,
    Context,
    Latency,
    Nugget,
    Sample,
    Usage,
)
from ragstone.pipelines import run_pipeline
from ragstone.store.journal import Journal

ASKED = {"q1": "How do I get help?", "q2": "Can I pay in euros?"}
SOURCES = [{"id": "d1", "text": "F1 opens the help.", "score": 0.9}, "Refunds take a week."]
CONTEXTS = (Context("F1 opens the help.", "d1", 0.9), Context("Refunds take a week."))


def one(pipeline: Any, **options: Any) -> Sample:
    [sample] = run_pipeline(pipeline, {"q1": ASKED["q1"]}, **options)
    return sample


def returning(output: Any) -> Sample:
    return one(lambda _: output)


def refusal(output: Any, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        run_pipeline(lambda _: output, ASKED, **options)
    return str(caught.value)


def answer(text: str) -> dict[str, Any]:
    return {"answer": text.upper(), "contexts": SOURCES, "usage": {"input_tokens": 9}}


async def answer_async(text: str) -> dict[str, Any]:
    await asyncio.sleep(0.001)
    return answer(text)


class Answerer:
    """An object that can be called."""

    def __call__(self, text: str) -> dict[str, Any]:
        return answer(text)


class AsyncAnswerer:
    """The same, as a coroutine."""

    async def __call__(self, text: str) -> dict[str, Any]:
        return await answer_async(text)


def in_pieces(text: str) -> Iterator[Any]:
    yield from text.upper()
    yield {"contexts": SOURCES, "usage": {"input_tokens": 9}}


async def in_pieces_async(text: str) -> AsyncIterator[Any]:
    for piece in in_pieces(text):
        yield piece


FORMS: dict[str, Any] = {
    "function": answer,
    "async function": answer_async,
    "object": Answerer(),
    "async object": AsyncAnswerer(),
    "method": Answerer().__call__,
    "generator": in_pieces,
    "async generator": in_pieces_async,
}


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("pipeline", FORMS.values(), ids=FORMS)
def test_every_form_gives_the_same_samples(pipeline: Any, concurrency: int) -> None:
    asked = {f"q{n}": f"text {n}" for n in range(12)}
    run = run_pipeline(pipeline, asked, concurrency=concurrency)
    assert [sample.id for sample in run] == list(asked)
    assert [sample.query for sample in run] == list(asked.values())
    assert [sample.answer for sample in run] == [text.upper() for text in asked.values()]
    assert all(sample.contexts == CONTEXTS for sample in run)
    assert all(sample.usage == Usage(input_tokens=9) for sample in run)
    assert run.framework == "callable"
    assert all(sample.latency_ms and sample.latency_ms.total for sample in run)


# ---- what may come back -------------------------------------------------------------------------


def test_a_text_is_an_answer() -> None:
    sample = returning("Press F1.")
    assert (sample.answer, sample.contexts, sample.usage) == ("Press F1.", None, None)


def test_all_that_a_dict_may_say() -> None:
    sample = returning(
        {
            "answer": "Press F1 [1].",
            "documents": SOURCES,
            "usage": {"prompt_tokens": 120, "completion_tokens": 9, "total_tokens": 129},
            "model": "small-chat",
            "cost_usd": 0.0004,
            "citations": [{"contexts": ("d1", 2), "start": 0, "end": 8}],
            "latency_ms": {"retrieval": 40, "first_token": 300.5, "total": 700},
            "tags": ["smoke"],
            "reference": "F1",
            "query": ASKED["q1"],
            "trace": {"steps": [1, 2]},
            "client": object(),
        }
    )
    assert sample.latency_ms is not None
    total = sample.latency_ms.total
    assert total is not None
    assert total < 700
    assert sample == Sample(
        "q1",
        query=ASKED["q1"],
        answer="Press F1 [1].",
        contexts=CONTEXTS,
        citations=(Citation(("d1", 2), 0, 8),),
        model="small-chat",
        usage=Usage(120, 9),
        cost_usd=0.0004,
        latency_ms=Latency(total, 40.0, 300.5, extra={"reported_total": 700.0}),
        tags=(WARM_UP,),
        extra={
            "extra_tags": ["smoke"],
            "extra_reference": "F1",
            "trace": {"steps": [1, 2]},
        },
    )


def test_a_sample_is_taken_as_it_is_and_checked() -> None:
    sample = returning(
        Sample("q1", answer="a", contexts=CONTEXTS, usage=Usage(1, 2), extra={"mine": 1})
    )
    assert sample.query == ASKED["q1"]
    assert (sample.answer, sample.contexts, sample.extra) == ("a", CONTEXTS, {"mine": 1})
    assert returning(Sample("", answer="a")).id == "q1"
    assert "a Sample with the id 'q9' came back; 'q1' was expected" in refusal(Sample("q9"))
    wrong = Sample("", answer=3)  # type: ignore[arg-type]
    assert refusal(wrong) == "query 'q1': answer is 3; a text was expected"


PAGE = {"metadata": {"page": 3}}


class Document:
    """What LangChain's and Haystack's documents have."""

    def __init__(self, text: str, own: str | None, **metadata: Any) -> None:
        self.page_content, self.id, self.metadata = text, own, metadata

    def __repr__(self) -> str:
        """Be the same in each process that collects the tests."""
        return f"Document({self.page_content!r})"


@pytest.mark.parametrize(
    ("given", "context"),
    [
        ("text", Context("text")),
        (Context("text", "d", 0.5), Context("text", "d", 0.5)),
        ({"text": "text"}, Context("text")),
        ({"id": 7}, Context(None, "7")),
        ({"_id": "d", "content": "text", "page": 3}, Context("text", "d", extra=PAGE)),
        (("text", 0.5), Context("text", None, 0.5)),
        ((Document("text", "d"), 1), Context("text", "d", 1.0)),
        (Document("text", None, page=3, o=object()), Context("text", extra=PAGE)),
        ({"id": "d", "text": "half \ud800"}, Context("half \\ud800", "d")),
    ],
    ids=str,
)  # fmt: skip
def test_forms_of_a_context(given: Any, context: Context) -> None:
    assert returning({"answer": "a", "contexts": [given]}).contexts == (context,)


def test_no_context_is_not_the_same_as_none_recorded() -> None:
    assert returning({"answer": "a", "contexts": []}).contexts == ()
    assert returning({"answer": "a", "contexts": None}).contexts is None


def test_ids_from_the_metadata_and_of_the_parent() -> None:
    found = {
        "answer": "a",
        "contexts": [Document("x", "c1#2", doc="d1"), Document("y", "c1#3", doc="d2")],
    }
    keyed = one(lambda _: found, id_key="doc")
    assert [context.id for context in keyed.contexts or ()] == ["d1", "d2"]
    run = run_pipeline(lambda _: found, ASKED, fold_to_parent="^(.*)#")
    assert run.run()["q1"] == {"c1": 1.0}
    said = refusal(found, id_key="page")
    assert (
        said
        == "query 'q1': context 1: the Document has no 'page', which --id-key names; its keys: doc"
    )


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (None, "None came back; expected a text, a dict with answer, contexts and usage"),
        (3, "3 came back; expected a text"),
        ([Document("a", "d")], "a list came back and no answer; a retriever is run by"),
        ({}, "a dict with nothing in it came back; expected one with 'answer'"),
        ({"anwser": "x", "docs": []}, "a dict with 'anwser', 'docs' came back; expected one with"),
        ({"answer": {1, 2}}, "'answer' is {1, 2}; a text was expected"),
        ({"answer": "a", "contexts": 3}, "'contexts' is 3; a list of texts or documents was"),
        ({"answer": "a", "contexts": [3.5]}, "context 1: 3.5 came back as a result; expected"),
        ({"answer": "a", "contexts": [{"body": "x"}]},
         "context 1: the result has neither a text nor an id; its keys: body"),
        ({"answer": "a", "contexts": [{"id": "d", "score": "x"}]}, "context 1: the score of"),
        ({"answer": "a", "contexts": [("a", float("nan"))]}, "context 1: the score of 'a' is nan"),
        ({"answer": "a", "usage": {"tokens": 3}}, "'usage' is {'tokens': 3}"),
        ({"answer": "a", "usage": {"input_tokens": "5", "output_tokens": 2}},
         "'usage' has '5' as input_tokens; a whole number of at least 0 was expected"),
        ({"answer": "a", "usage": {"input_tokens": -1, "output_tokens": 2}},
         "'usage' has -1 as input_tokens; a whole number"),
        ({"answer": "a", "usage": {"prompt_tokens": 3, "completion_tokens": 2.5}},
         "'usage' has 2.5 as completion_tokens; a whole number"),
        ({"answer": "a", "usage": {"prompt_tokens_details": {"cached_tokens": -1}}},
         "'usage' has -1 as prompt_tokens_details.cached_tokens; a whole number"),
        ({"answer": "a", "usage": Usage(-1, 2)}, "'usage' has -1 as input_tokens; a whole number"),
        ({"answer": "a", "contexts": [Context(5)]},  # type: ignore[arg-type]
         "context 1: contexts[0].text is 5; a text was expected"),
        ({"answer": "a", "cost_usd": "free"}, "cost_usd is 'free'; a finite number"),
        ({"answer": "a", "latency_ms": {"retrieval": -1}}, "latency_ms.retrieval is -1"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_answer(output: Any, said: str) -> None:
    for on_error in ("fail", "record"):  # it would be so for every question
        assert f"query 'q1': {said}" in refusal(output, on_error=on_error)


def test_pieces_that_are_none() -> None:
    def numbers(_: str) -> Iterator[Any]:
        yield 3

    def more(_: str) -> Iterator[Any]:
        yield {"contexts": []}
        yield "late"

    for pipeline in (numbers, more):
        with pytest.raises(InputError, match="came from a generator; a generator gives pieces"):
            run_pipeline(pipeline, ASKED)


def test_a_coroutine_of_a_function_that_is_not_async() -> None:
    with pytest.raises(InputError, match="a coroutine came back from a function that is not async"):
        run_pipeline(lambda text: answer_async(f"{text}"), ASKED)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Answerer, "that is a class; write module:Class() for an instance of it"),
        (lambda: answer, "write module:factory() where it makes one"),
        (object(), "expected a LangChain runnable (invoke), a LlamaIndex query engine (query)"),
        (3, "the pipeline, a int, cannot be called with a query"),
    ],
)
def test_what_is_no_pipeline(given: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        run_pipeline(given, ASKED)
    assert message in str(caught.value)


def test_request_is_not_for_a_function() -> None:
    from ragstone.pipelines import CallSettings, PipelineRunner
    from ragstone.pipelines.mapping import Expression

    request = Expression("--request", "{q: query}")
    with pytest.raises(UsageError, match="a function gets the question as it is"):
        PipelineRunner(answer, ASKED, CallSettings(), request=request)


# ---- what the question knows --------------------------------------------------------------------


def test_references_go_from_the_question_into_the_sample() -> None:
    question = Sample(
        "q1",
        query="?",
        reference=("F1", "Press F1."),
        reference_contexts=(Context(id="d1"),),
        nuggets=(Nugget("F1"),),
        answerable=False,
        lang="en",
        tags=("smoke",),
    )
    [sample] = run_pipeline(lambda _: {"answer": "x", "lang": "en"}, {"q1": question})
    assert sample.references == ("F1", "Press F1.")
    assert sample.reference_contexts == question.reference_contexts
    assert (sample.nuggets, sample.answerable) == (question.nuggets, False)
    assert (sample.lang, sample.tags, sample.extra) == ("en", ("smoke", WARM_UP), {})


GRADES: dict[str, Any] = {
    "query": "Another?",
    "reference": "wrong",
    "reference_contexts": [{"id": "d1", "text": "x"}],
    "nuggets": [{"text": "wrong", "importance": "vital"}],
    "answerable": True,
    "lang": "ko",
    "tags": ["warm-up"],
}
AS_SAMPLE = Sample(
    "",
    query="Another?",
    answer="wrong",
    reference="wrong",
    reference_contexts=(Context("x", "d1"),),
    nuggets=(Nugget("wrong"),),
    answerable=True,
    lang="ko",
    tags=("warm-up",),
)
KNOWING = Sample(
    "q2",
    query="?",
    reference="right",
    reference_contexts=(Context("y", "d2"),),
    nuggets=(Nugget("right"),),
    answerable=False,
    lang="en",
    tags=("smoke",),
)


@pytest.mark.parametrize("question", [KNOWING, Sample("q2", query="?")], ids=["gold", "none"])
@pytest.mark.parametrize(
    "given", [{"answer": "wrong", **GRADES}, AS_SAMPLE], ids=["dict", "Sample"]
)
def test_a_system_does_not_grade_itself(given: Any, question: Sample) -> None:
    run = run_pipeline(lambda _: given, {"q1": "first", "q2": question})
    sample = run.samples[1]
    for name in GRADES:
        assert getattr(sample, name) == getattr(question, name), name
    assert sample.extra == {f"extra_{name}": value for name, value in GRADES.items()}
    [line] = [line for line in run.warnings() if "the pipeline gave" in line]
    assert line.startswith(
        "for 2 of 2 samples the pipeline gave query, reference, reference_contexts, nuggets, "
        "answerable, lang, tags: these are the questions' to say"
    )


def test_questions_that_are_none() -> None:
    for asked, said in [
        ({}, "there is no query to run"),
        ({"q": 3}, "questions is a dict of ids and texts; found 'q': 3"),
        ({"q": Sample("x", query="?")}, "is a Sample with another id, or without a query"),
        ({"q": Sample("q")}, "is a Sample with another id, or without a query"),
    ]:
        with pytest.raises(InputError, match=said):
            run_pipeline(answer, asked)  # type: ignore[arg-type]


def test_the_name_of_the_model_where_the_pipeline_does_not_say_it() -> None:
    assert one(lambda _: "a", model="small").model == "small"
    assert one(lambda _: {"answer": "a", "model": "own"}, model="small").model == "own"


# ---- latency ------------------------------------------------------------------------------------


def test_the_latency_is_that_of_the_call_and_the_first_is_a_warm_up() -> None:
    pauses = iter([0.05, 0.001, 0.001])

    def slow(_: str) -> str:
        time.sleep(next(pauses))
        return "a"

    run = run_pipeline(slow, {"q1": "a", "q2": "b", "q3": "c"})
    totals = [sample.latency_ms.total or 0 for sample in run if sample.latency_ms]
    assert 50 <= totals[0] < 500
    assert max(totals[1:]) < 50
    assert [sample.is_warm_up for sample in run] == [True, False, False]
    assert (run.latency_ms(1.0) or 0) < 50


def test_the_first_token_is_measured_where_an_answer_comes_in_pieces() -> None:
    def pieces(_: str) -> Iterator[str]:
        time.sleep(0.02)
        yield ""
        time.sleep(0.02)
        yield "a"
        time.sleep(0.04)
        yield "b"

    latency = one(pieces).latency_ms
    assert latency is not None
    assert 40 <= (latency.first_token or 0) <= (latency.total or 0) - 35
    whole = one(lambda _: "ab").latency_ms
    assert whole is not None
    assert whole == Latency(whole.total)


def test_several_calls_of_a_question() -> None:
    calls: list[str] = []

    def counted(text: str) -> dict[str, Any]:
        calls.append(text)
        time.sleep(0.03 if len(calls) == 1 else 0.001)
        return {"answer": f"answer {len(calls) // 3}", "latency_ms": {"retrieval": len(calls)}}

    run = run_pipeline(counted, ASKED, repeat=3)
    first, second = run.samples
    assert calls == [ASKED["q1"]] * 3 + [ASKED["q2"]] * 3
    assert first.answer == "answer 0"
    assert not first.is_warm_up
    assert first.latency_ms is not None
    each = first.latency_ms.extra["calls"]
    assert each[0] >= 30
    assert first.latency_ms.total == pytest.approx(sum(each[1:]) / 2, abs=0.001)
    assert first.latency_ms.retrieval == 2.5
    assert second.latency_ms is not None
    assert second.latency_ms.total == sorted(second.latency_ms.extra["calls"])[1]
    assert second.latency_ms.retrieval == 5.0
    assert (
        "2 questions had different answers when asked again; the first was kept" in run.warnings()
    )


# ---- failures -----------------------------------------------------------------------------------


def fails(text: str) -> dict[str, Any]:
    if "euros" in text:
        raise ConnectionError("the model is away")
    return answer(text)


def test_a_call_that_fails_ends_the_run_or_is_kept() -> None:
    with pytest.raises(PipelineError) as caught:
        run_pipeline(fails, ASKED)
    said = str(caught.value)
    assert said.startswith("query 'q2': the pipeline failed: ConnectionError: the model is away (")
    assert said.endswith("with --on-error record such a query is kept without an answer")
    run = run_pipeline(fails, {"q2": Sample("q2", query=ASKED["q2"], reference="Yes."), "q1": "x"},
                       on_error="record")  # fmt: skip
    failed, good = run.samples
    assert (failed.id, failed.answer, failed.reference) == ("q2", None, "Yes.")
    assert failed.error is not None
    assert failed.error.startswith("ConnectionError: the model is away (")
    assert failed.latency_ms is None
    assert good.error is None
    assert run.failed == [failed]
    assert run.warnings()[0].startswith(
        "1 of 2 questions failed and are kept with their error: 'q2': ConnectionError"
    )
    with pytest.raises(PipelineError, match="every query failed; the first, 'q2'"):
        run_pipeline(fails, {"q2": ASKED["q2"]}, on_error="record")


def test_an_error_that_the_pipeline_reports_is_the_samples() -> None:
    run = run_pipeline(
        lambda text: {"error": "no quota"} if "euros" in text else {"answer": "a"}, ASKED
    )
    assert [sample.error for sample in run] == [None, "no quota"]


def test_retries_and_timeouts_are_those_of_run_retriever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragstone.pipelines.workers.FIRST_PAUSE", 0.001)
    left = [2]

    def flaky(_: str) -> str:
        if left[0]:
            left[0] -= 1
            raise ConnectionError("away")
        return "a"

    assert one(flaky, retries=2).answer == "a"
    with pytest.raises(PipelineError, match=r"no answer within 0\.05 s, which is --timeout"):
        one(lambda _: time.sleep(0.3), timeout=0.05)


def test_what_is_kept_is_taken_again_and_what_failed_is_tried_again(tmp_path: Path) -> None:
    def odd(text: str) -> dict[str, Any]:
        return {**answer(text), "client": object()}

    def shaky(text: str) -> dict[str, Any]:
        return fails(text) if "euros" in text else odd(text)

    asked = {f"q{n}": f"text {n}" for n in range(6)} | {"q9": "euros"}
    with Journal.open(tmp_path / "j", {}) as journal:
        first = run_pipeline(shaky, asked, on_error="record", kept=journal)
    calls: list[str] = []

    def again(text: str) -> dict[str, Any]:
        calls.append(text)
        return odd(text)

    with Journal.open(tmp_path / "j", {}, resume=True) as journal:
        second = run_pipeline(again, asked, kept=journal)
    assert calls == ["euros"]
    assert (first.counts, second.counts) == ({"fields_left_out": 6}, {"fields_left_out": 7})
    assert second.samples[:6] == first.samples[:6]
    assert second.samples[6].answer == "EUROS"


# ---- what is said of the samples ----------------------------------------------------------------


USAGE = {"input_tokens": 1, "output_tokens": 1}


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ({"answer": " ", "contexts": [], "usage": USAGE}, ["2 of 2 answers are"]),
        (
            {"answer": "a", "usage": USAGE},
            ["no sample has contexts, so that what an answer stands on cannot be measured there"],
        ),
        (
            {"answer": "a", "contexts": ["x"], "usage": USAGE},
            ["no context has an id, so that the samples give no retrieval run"],
        ),
        ({"answer": "a", "contexts": []}, ["no sample has usage, so that tokens and cost"]),
        (
            {"answer": "a", "contexts": [], "usage": USAGE, "o": object()},
            ["2 fields of an answer is no JSON and was left out"],
        ),
        (
            {"answer": "a", "contexts": [{"id": "d"}], "usage": {"input_tokens": 1}},
            ["2 of 2 samples have usage with one of input_tokens and output_tokens alone"],
        ),
        (
            {"answer": "a", "contexts": [{"id": "d"}], "usage": USAGE, "latncy_ms": 3},
            ["2 samples have 'latncy_ms', which ragstone does not know; did you mean latency_ms?"],
        ),
        (
            {"answer": "a", "contexts": [{"id": "d"}], "usage": USAGE, "latency_ms": {"totl": 3}},
            ["2 samples have 'latency_ms.totl', which ragstone does not know; did you mean"],
        ),
        ({"answer": "a", "contexts": [{"id": "d"}], "usage": USAGE, "shop": "b"}, []),
    ],
)  # fmt: skip
def test_what_a_reader_should_know(output: Any, said: list[str]) -> None:
    lines = run_pipeline(lambda _: output, ASKED).warnings()
    assert len(lines) == len(said)
    assert all(line.startswith(start) for line, start in zip(lines, said, strict=True))


def test_one_file_gives_retrieval_and_samples(tmp_path: Path) -> None:
    run = run_pipeline(answer, ASKED)
    (tmp_path / "samples.jsonl").write_bytes(b"".join(write_samples(run)))
    samples = read_samples(tmp_path / "samples.jsonl")
    assert tuple(samples) == run.samples
    scores = ragstone.score({"q1": ["d1"], "q2": ["d9"]}, run.run(), ["RR"])
    assert ragstone.summary(scores) == {"RR": 0.5}
