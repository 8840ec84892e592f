"""Pipelines behind HTTP: a real server on loopback, its answers and its faults."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from loopback import Loopback, Request, answer, later
from ragstone.errors import InputError, PipelineError
from ragstone.http import Retry
from ragstone.model.samples import Context, Usage
from ragstone.pipelines import PipelineEndpoint, run_pipeline

ASKED = {"q1": "one", "q2": "two", "q3": "three"}
GOOD = {
    "text": "Press F1.",
    "sources": [{"key": "d1", "body": "F1 opens the help.", "rank": 1}],
    "meta": {"usage": {"prompt_tokens": 20, "completion_tokens": 3}, "model": "small-chat"},
    "timings": {"search": 40.5},
}
RESPONSE = (
    "{answer: text, contexts: sources[].{id: key, text: body}, usage: meta.usage, "
    "model: meta.model, latency_ms: {retrieval: timings.search, total: timings.nothing}}"
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry without long waits."""
    monkeypatch.setattr("ragstone.http.Retry", partial(Retry, first=0.001))


def ask(connection: Any, request: Request) -> None:
    """Answer with what was asked."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    said = {"answer": request.json["query"].upper(), "contexts": [], "usage": usage}
    later(0.01, answer(json=said))(connection, request)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_the_usual_shape_needs_no_mapping(concurrency: int) -> None:
    with Loopback(ask) as server:
        run = run_pipeline(server.url, ASKED, concurrency=concurrency)
    assert run.framework == "http"
    assert [sample.answer for sample in run] == ["ONE", "TWO", "THREE"]
    assert sorted(request.json["query"] for request in server.requests) == ["one", "three", "two"]
    assert {tuple(request.json) for request in server.requests} == {("query",)}
    assert server.most_at_once == concurrency
    assert run.warnings() == []
    totals = [sample.latency_ms.total or 0 for sample in run if sample.latency_ms]
    assert all(9 < total < 5000 for total in totals)


def test_a_mapping_both_ways_and_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_KEY", "sk-1234567")
    with Loopback(answer(json=GOOD)) as server:
        endpoint = PipelineEndpoint(
            server.url,
            request="{question: query, mode: 'fast'}",
            response=RESPONSE,
            headers=["Authorization=Bearer RAG_KEY"],
        )
        [sample] = run_pipeline(endpoint, {"q1": "세탁기"})
    assert server.requests[0].json == {"question": "세탁기", "mode": "fast"}
    assert server.requests[0].headers["authorization"] == "Bearer sk-1234567"
    assert sample.answer == "Press F1."
    assert sample.contexts == (Context("F1 opens the help.", "d1"),)
    assert (sample.usage, sample.model) == (Usage(20, 3), "small-chat")
    assert sample.latency_ms is not None
    assert sample.latency_ms.retrieval == 40.5
    assert sample.latency_ms.extra == {}
    assert "sk-1234567" not in repr(endpoint)


def test_a_mapping_to_a_text_alone() -> None:
    with Loopback(answer(json=GOOD)) as server:
        [sample] = run_pipeline(PipelineEndpoint(server.url, response="text"), {"q1": "one"})
    assert (sample.answer, sample.contexts) == ("Press F1.", None)


@pytest.mark.parametrize(
    ("found", "response", "said"),
    [
        ({"reply": "x"}, None, "query 'q1': a dict with 'reply' came back; expected one with"),
        ([], None, "query 'q1': a list came back and no answer"),
        (GOOD, "{answer: txt}", "query 'q1': --response '{answer: txt}' finds nothing in the "
         "answer, which is an object with text, sources (a list), meta, timings"),
        (GOOD, "{answer: text, usage: timings}", "query 'q1': 'usage' is {'search': 40.5}"),
    ],
)  # fmt: skip
def test_an_answer_of_another_shape(found: Any, response: str | None, said: str) -> None:
    with Loopback(answer(json=found)) as server, pytest.raises(InputError) as caught:
        run_pipeline(PipelineEndpoint(server.url, response=response), ASKED)
    assert str(caught.value).startswith(said)


def test_a_request_without_the_question() -> None:
    with Loopback(answer(json=GOOD)) as server, pytest.raises(InputError) as caught:
        run_pipeline(PipelineEndpoint(server.url, request="{q: 'always'}"), ASKED)
    assert str(caught.value).endswith(
        "without the query, which is called query, as in '{question: query}'"
    )
    assert server.requests == []


def test_faults_are_tried_again_and_then_the_samples() -> None:
    good = answer(json={"answer": "a"})
    with Loopback([answer(503), answer(429, headers={"Retry-After": "0"}), good]) as server:
        [sample] = run_pipeline(server.url, {"q1": "one"})
    assert (sample.answer, len(server.requests)) == ("a", 3)
    with Loopback([good, answer(400, json={"detail": "too long"})]) as server:
        run = run_pipeline(server.url, ASKED, on_error="record")
    assert [sample.error is None for sample in run] == [True, False, False]
    assert "400" in (run.samples[1].error or "")
    assert "too long" in (run.samples[1].error or "")
    with Loopback(answer(500)) as server, pytest.raises(PipelineError, match="the pipeline failed"):
        run_pipeline(server.url, ASKED, retries=0)
