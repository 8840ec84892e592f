"""Writes the traces in tests/formats/samples/golden: OpenTelemetry's SDK, OpenInference's names.

Run it to make them anew: `PYTHONPATH=src python tests/support/made_traces.py`. A test checks that
they are what this makes. Ids and times are fixed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from openinference.semconv.trace import (
    DocumentAttributes,
    MessageAttributes,
    OpenInferenceMimeTypeValues,
    OpenInferenceSpanKindValues,
    RerankerAttributes,
    SpanAttributes,
)
from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Span, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as genai
from opentelemetry.trace import Status, StatusCode, set_span_in_context

GOLDEN = Path(__file__).parents[1] / "formats/samples/golden"
START = 1_780_000_000_000_000_000  # nanoseconds
MS = 1_000_000


class Counted(IdGenerator):
    """Ids that count up."""

    def __init__(self) -> None:
        self._spans, self._traces = 0, 0

    def generate_span_id(self) -> int:
        self._spans += 1
        return 0xABCD_0000_0000_0000 + self._spans

    def generate_trace_id(self) -> int:
        self._traces += 1
        return 0xFEED_0000_0000_0000_0000_0000_0000_0000 + self._traces


class Recorder:
    """Records spans one inside the other, at times that are told in milliseconds."""

    def __init__(self) -> None:
        self._out = StringIO()
        self._provider = TracerProvider(
            id_generator=Counted(),
            resource=Resource({"service.name": "helpdesk"}),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(SimpleSpanProcessor(FileSpanExporter(stream=self._out)))
        self._tracer = self._provider.get_tracer("helpdesk.rag", "1.0")
        self._open: list[Span] = []

    @contextmanager
    def span(
        self, name: str, start: float, end: float, attributes: Mapping[str, Any]
    ) -> Iterator[Span]:
        """Open a span inside the one that is open."""
        context = set_span_in_context(self._open[-1]) if self._open else None
        span = self._tracer.start_span(
            name, context, attributes=dict(attributes), start_time=START + round(start * MS)
        )
        assert isinstance(span, Span)
        self._open.append(span)
        yield span
        self._open.pop().end(START + round(end * MS))

    def lines(self) -> str:
        """Return what was exported."""
        self._provider.shutdown()
        return self._out.getvalue()


def at(milliseconds: float) -> int:
    return START + round(milliseconds * MS)


def documents(prefix: str, *found: Mapping[str, Any]) -> dict[str, Any]:
    names = {
        "id": DocumentAttributes.DOCUMENT_ID,
        "text": DocumentAttributes.DOCUMENT_CONTENT,
        "score": DocumentAttributes.DOCUMENT_SCORE,
        "metadata": DocumentAttributes.DOCUMENT_METADATA,
    }
    return {
        f"{prefix}.{number}.{names[field]}": value
        for number, each in enumerate(found)
        for field, value in each.items()
    }


def message(prefix: str, number: int, role: str, content: str) -> dict[str, Any]:
    name = f"{prefix}.{number}"
    return {
        f"{name}.{MessageAttributes.MESSAGE_ROLE}": role,
        f"{name}.{MessageAttributes.MESSAGE_CONTENT}": content,
    }


def kind(value: OpenInferenceSpanKindValues) -> dict[str, Any]:
    return {SpanAttributes.OPENINFERENCE_SPAN_KIND: value.value}


# ---- OpenInference ------------------------------------------------------------------------------

KEYS = {"id": "d1", "text": "F1 opens the help.", "score": 0.9, "metadata": '{"page": 3}'}
REFUNDS = {"id": "d2", "text": "Refunds take a week.", "score": 0.4}


def answered(recorder: Recorder) -> None:
    """A chain with a retriever, a reranker and a model that streams."""
    root = kind(OpenInferenceSpanKindValues.CHAIN) | {
        SpanAttributes.INPUT_VALUE: "How do I get help?",
        SpanAttributes.OUTPUT_VALUE: "Press F1 [1].",
        SpanAttributes.SESSION_ID: "s-1",
        SpanAttributes.TAG_TAGS: ["helpdesk", "en"],
        "ragstone.id": "q1",
    }
    with recorder.span("answer", 0, 900, root):
        found = kind(OpenInferenceSpanKindValues.RETRIEVER) | {
            SpanAttributes.INPUT_VALUE: "get help",
            **documents(SpanAttributes.RETRIEVAL_DOCUMENTS, REFUNDS, KEYS),
        }
        with recorder.span("retrieve", 10, 110, found):
            embedding = kind(OpenInferenceSpanKindValues.EMBEDDING) | {
                SpanAttributes.EMBEDDING_MODEL_NAME: "small",
                "embedding.embeddings.0.embedding.vector": [0.25, 0.5],
            }
            with recorder.span("embed", 20, 60, embedding):
                pass
        reranked = kind(OpenInferenceSpanKindValues.RERANKER) | {
            RerankerAttributes.RERANKER_QUERY: "get help",
            **documents(RerankerAttributes.RERANKER_INPUT_DOCUMENTS, REFUNDS, KEYS),
            **documents(RerankerAttributes.RERANKER_OUTPUT_DOCUMENTS, KEYS, REFUNDS),
        }
        with recorder.span("rerank", 110, 150, reranked):
            pass
        call = kind(OpenInferenceSpanKindValues.LLM) | {
            SpanAttributes.LLM_MODEL_NAME: "small-chat-1",
            SpanAttributes.LLM_PROVIDER: "example",
            SpanAttributes.LLM_TOKEN_COUNT_PROMPT: 120,
            SpanAttributes.LLM_TOKEN_COUNT_COMPLETION: 9,
            SpanAttributes.LLM_TOKEN_COUNT_TOTAL: 129,
            SpanAttributes.LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ: 64,
            SpanAttributes.LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING: 3,
            SpanAttributes.LLM_COST_TOTAL: 0.00025,
            **message(SpanAttributes.LLM_INPUT_MESSAGES, 0, "system", "Answer from the pages."),
            **message(SpanAttributes.LLM_INPUT_MESSAGES, 1, "user", "F1 ... How do I get help?"),
            **message(SpanAttributes.LLM_OUTPUT_MESSAGES, 0, "assistant", "Press F1 [1]."),
        }
        with recorder.span("chat", 200, 880, call) as span:
            span.add_event("First Token Stream Event", timestamp=at(450))


def as_json(recorder: Recorder) -> None:
    """A chain whose input and output are JSON, and in which a model calls another twice."""
    root = kind(OpenInferenceSpanKindValues.CHAIN) | {
        SpanAttributes.INPUT_VALUE: json.dumps({"input": "환불은 얼마나 걸리나요?", "history": []}),
        SpanAttributes.INPUT_MIME_TYPE: OpenInferenceMimeTypeValues.JSON.value,
        SpanAttributes.OUTPUT_VALUE: json.dumps(
            {
                "context": [
                    {"id": "d2", "page_content": "Refunds take a week.", "type": "Document"}
                ],
                "answer": "일주일 걸립니다.",
            }
        ),
        SpanAttributes.OUTPUT_MIME_TYPE: OpenInferenceMimeTypeValues.JSON.value,
    }
    with recorder.span("chain", 1000, 1500, root):
        outer = kind(OpenInferenceSpanKindValues.LLM) | {SpanAttributes.LLM_MODEL_NAME: "router"}
        with recorder.span("router", 1100, 1400, outer):
            for start, tokens in ((1100, 10), (1200, 20)):
                call = kind(OpenInferenceSpanKindValues.LLM) | {
                    SpanAttributes.LLM_MODEL_NAME: "small-chat-1",
                    SpanAttributes.LLM_TOKEN_COUNT_PROMPT: tokens,
                    SpanAttributes.LLM_TOKEN_COUNT_COMPLETION: 5,
                }
                with recorder.span("call", start, start + 100, call):
                    pass


def failed(recorder: Recorder) -> None:
    """A chain whose model fails: the first span has the error."""
    root = kind(OpenInferenceSpanKindValues.CHAIN) | {
        SpanAttributes.INPUT_VALUE: "Can I pay in euros?",
        "ragstone.id": "q3",
    }
    with recorder.span("answer", 2000, 2100, root) as outer:
        call = kind(OpenInferenceSpanKindValues.LLM) | {
            SpanAttributes.LLM_MODEL_NAME: "small-chat-1"
        }
        with recorder.span("chat", 2010, 2090, call) as span:
            span.record_exception(TimeoutError("no answer in 80 ms"), timestamp=at(2090))
            span.set_status(Status(StatusCode.ERROR))
        outer.set_status(Status(StatusCode.ERROR, "TimeoutError: no answer in 80 ms"))


def retried(recorder: Recorder) -> None:
    """A call that fails and is made again: the first span did not fail."""
    root = kind(OpenInferenceSpanKindValues.CHAIN) | {
        SpanAttributes.INPUT_VALUE: "Can I pay in dollars?",
        SpanAttributes.OUTPUT_VALUE: "Yes.",
        "ragstone.id": "q4",
    }
    with recorder.span("answer", 4000, 4500, root):
        call = kind(OpenInferenceSpanKindValues.LLM)
        with recorder.span("chat", 4010, 4090, call) as span:
            span.set_status(Status(StatusCode.ERROR, "429 Too Many Requests"))
        counted = call | {
            SpanAttributes.LLM_MODEL_NAME: "small-chat-1",
            SpanAttributes.LLM_TOKEN_COUNT_PROMPT: 11,
            SpanAttributes.LLM_TOKEN_COUNT_COMPLETION: 2,
        }
        with recorder.span("chat", 4200, 4400, counted):
            pass


def indexed(recorder: Recorder) -> None:
    """Building an index: no question, so no sample."""
    root = kind(OpenInferenceSpanKindValues.CHAIN)
    with recorder.span("index", 3000, 3050, root):
        pass


# ---- GenAI --------------------------------------------------------------------------------------


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def agent(recorder: Recorder) -> None:
    """The newer names: an agent that retrieves and calls a model."""
    root = {
        genai.GEN_AI_OPERATION_NAME: "invoke_agent",
        genai.GEN_AI_AGENT_NAME: "helpdesk",
        genai.GEN_AI_INPUT_MESSAGES: json.dumps([said("user", "How do I get help?")]),
        genai.GEN_AI_OUTPUT_MESSAGES: json.dumps(
            [{**said("assistant", "Press F1."), "finish_reason": "stop"}]
        ),
        "ragstone.id": "q1",
    }
    with recorder.span("invoke_agent helpdesk", 0, 800, root):
        found = {
            genai.GEN_AI_OPERATION_NAME: "retrieval",
            genai.GEN_AI_DATA_SOURCE_ID: "pages",
            genai.GEN_AI_RETRIEVAL_QUERY_TEXT: "get help",
            genai.GEN_AI_RETRIEVAL_DOCUMENTS: json.dumps(
                [{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.4}]
            ),
        }
        with recorder.span("retrieval pages", 10, 60, found):
            pass
        call = {
            genai.GEN_AI_OPERATION_NAME: "chat",
            genai.GEN_AI_PROVIDER_NAME: "example",
            genai.GEN_AI_REQUEST_MODEL: "small-chat",
            genai.GEN_AI_RESPONSE_MODEL: "small-chat-1",
            genai.GEN_AI_REQUEST_TEMPERATURE: 0.0,
            genai.GEN_AI_USAGE_INPUT_TOKENS: 120,
            genai.GEN_AI_USAGE_OUTPUT_TOKENS: 9,
            genai.GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS: 64,
            genai.GEN_AI_USAGE_REASONING_OUTPUT_TOKENS: 3,
            genai.GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK: 0.25,
            genai.GEN_AI_INPUT_MESSAGES: json.dumps(
                [
                    said("user", "How do I get help?"),
                    {"role": "tool", "parts": [{"type": "tool_call_response", "response": "F1"}]},
                ]
            ),
            genai.GEN_AI_OUTPUT_MESSAGES: json.dumps(
                [
                    {
                        "role": "assistant",
                        "parts": [
                            {"type": "reasoning", "content": "The page says F1."},
                            {"type": "text", "content": "Press F1."},
                        ],
                    }
                ]
            ),
        }
        with recorder.span("chat small-chat", 100, 790, call):
            pass


def without_content(recorder: Recorder) -> None:
    """What is recorded where nobody asked for content: operations alone."""
    call = {
        genai.GEN_AI_OPERATION_NAME: "chat",
        genai.GEN_AI_REQUEST_MODEL: "small-chat",
        genai.GEN_AI_USAGE_INPUT_TOKENS: 80,
        genai.GEN_AI_USAGE_OUTPUT_TOKENS: 7,
    }
    with recorder.span("chat small-chat", 1000, 1300, call):
        pass


def one_call_uncounted(recorder: Recorder) -> None:
    """Two calls, of which one says nothing of its tokens: the sum is not known."""
    root = {
        genai.GEN_AI_OPERATION_NAME: "invoke_agent",
        genai.GEN_AI_INPUT_MESSAGES: json.dumps([said("user", "Can I pay in euros?")]),
    }
    with recorder.span("invoke_agent helpdesk", 2000, 2400, root):
        rewrite = {
            genai.GEN_AI_OPERATION_NAME: "chat",
            genai.GEN_AI_USAGE_INPUT_TOKENS: 10,
            genai.GEN_AI_USAGE_OUTPUT_TOKENS: 5,
        }
        with recorder.span("chat", 2000, 2100, rewrite):
            pass
        answer = {
            genai.GEN_AI_OPERATION_NAME: "chat",
            genai.GEN_AI_OUTPUT_MESSAGES: json.dumps([said("assistant", "Yes.")]),
        }
        with recorder.span("chat", 2150, 2350, answer):
            pass


def with_events(recorder: Recorder) -> None:
    """The names of before 2025: prompt and completion as events of the call."""
    call = {
        genai.GEN_AI_SYSTEM: "openai",
        genai.GEN_AI_OPERATION_NAME: "chat",
        genai.GEN_AI_REQUEST_MODEL: "small-chat",
        genai.GEN_AI_USAGE_PROMPT_TOKENS: 31,
        genai.GEN_AI_USAGE_COMPLETION_TOKENS: 6,
    }
    with recorder.span("chat small-chat", 0, 400, call) as span:
        prompt = json.dumps([{"role": "user", "content": "How do I get help?"}])
        completion = json.dumps([{"role": "assistant", "content": "Press F1."}])
        span.add_event("gen_ai.content.prompt", {genai.GEN_AI_PROMPT: prompt}, at(1))
        span.add_event("gen_ai.content.completion", {genai.GEN_AI_COMPLETION: completion}, at(399))


def flattened(recorder: Recorder) -> None:
    """Names of before there were operations, one attribute for each part of a message."""
    call = {
        genai.GEN_AI_SYSTEM: "openai",
        genai.GEN_AI_REQUEST_MODEL: "small-chat",
        genai.GEN_AI_RESPONSE_MODEL: "small-chat-1",
        f"{genai.GEN_AI_PROMPT}.0.role": "system",
        f"{genai.GEN_AI_PROMPT}.0.content": "Answer from the pages.",
        f"{genai.GEN_AI_PROMPT}.1.role": "user",
        f"{genai.GEN_AI_PROMPT}.1.content": "How long do refunds take?",
        f"{genai.GEN_AI_COMPLETION}.0.role": "assistant",
        f"{genai.GEN_AI_COMPLETION}.0.content": "A week.",
        f"{genai.GEN_AI_COMPLETION}.0.finish_reason": "stop",
        genai.GEN_AI_USAGE_PROMPT_TOKENS: 40,
        genai.GEN_AI_USAGE_COMPLETION_TOKENS: 4,
    }
    with recorder.span("openai.chat", 1000, 1200, call):
        pass


def with_messages(recorder: Recorder) -> None:
    """One event for each message, as the conventions had it for some months."""
    call = {
        genai.GEN_AI_SYSTEM: "openai",
        genai.GEN_AI_OPERATION_NAME: "chat",
        genai.GEN_AI_REQUEST_MODEL: "small-chat",
        genai.GEN_AI_USAGE_INPUT_TOKENS: 22,
        genai.GEN_AI_USAGE_OUTPUT_TOKENS: 3,
    }
    with recorder.span("chat small-chat", 2000, 2100, call) as span:
        span.add_event("gen_ai.system.message", {"content": "Answer from the pages."}, at(2001))
        span.add_event("gen_ai.user.message", {"content": "Can I pay in euros?"}, at(2001))
        choice: dict[str, Any] = {
            "index": 0,
            "message": json.dumps({"role": "assistant", "content": "Yes."}),
        }
        span.add_event("gen_ai.choice", choice, at(2099))


FILES: Mapping[str, tuple[Callable[[Recorder], None], ...]] = {
    "openinference.otlp.jsonl": (answered, as_json, failed, retried, indexed),
    "genai.otlp.jsonl": (agent, without_content, one_call_uncounted),
    "genai-old.otlp.jsonl": (with_events, flattened, with_messages),
}


def made(name: str) -> str:
    """Return what a file of traces has."""
    recorder = Recorder()
    for record in FILES[name]:
        record(recorder)
    return recorder.lines()


if __name__ == "__main__":
    for name in FILES:
        (GOLDEN / name).write_text(made(name))
