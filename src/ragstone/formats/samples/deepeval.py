"""Samples of deepeval: test cases, goldens, the files of a test run, and its traces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.formats.samples.chat import answer_in, last_exchange, question_in
from ragstone.formats.samples.documents import are_documents, documents_in, retrieved_in, richest
from ragstone.formats.samples.fields import Fields, finite
from ragstone.formats.samples.reading import Reading
from ragstone.formats.samples.spans import Kind, Span, Trace
from ragstone.formats.samples.times import nanoseconds, time_of
from ragstone.formats.samples.tokens import usage_of
from ragstone.model.samples import Context, Latency, Sample, Usage

GROUPS: Mapping[str, Kind] = {
    "baseSpans": "other",
    "agentSpans": "other",
    "llmSpans": "llm",
    "retrieverSpans": "retriever",
    "toolSpans": "other",
}
CASE = {"actual_output", "actualOutput", "retrieval_context", "retrievalContext", "expected_output",
        "expectedOutput"}  # fmt: skip
CASES = ("testCases", "conversationalTestCases", "test_cases", "goldens")
# .latest_test_run.json has the run under a name, .latest_run_full.json and older files do not.
MARKS = ("input", *sorted(CASE), "turns", "llmSpans")
LISTS = (*(("testRunData", name) for name in CASES[:2]), *((name,) for name in CASES))
CUT = "conversations_cut_to_the_last_turn"
# Verdicts of its judges are not part of what was answered.
IGNORED = (
    "success", "metricsData", "metrics_data", "runDuration", "evaluationCost", "order", "flaky",
    "name",
)  # fmt: skip


def recognises(row: dict[str, Any]) -> bool:
    """Tell a test case, or a trace with its groups of spans."""
    return ("input" in row and not CASE.isdisjoint(row)) or "llmSpans" in row or _has_turns(row)


def _has_turns(row: Mapping[str, Any]) -> bool:
    turns = row.get("turns")
    return isinstance(turns, list) and all(
        isinstance(turn, Mapping) and {"role", "content"} <= turn.keys() for turn in turns
    )


def read(reading: Reading) -> Iterator[Sample]:
    """Read test cases and traces; a test case without an id gets its number."""
    for place, values in reading.objects(*LISTS):
        fields = Fields(reading, place, values)
        if _has_turns(values):
            yield _conversation(fields)
        else:
            yield _traced(fields) if "llmSpans" in values else _case(fields)


# ---- test cases ---------------------------------------------------------------------------------


def _case(fields: Fields) -> Sample:
    item = fields.claim(fields.identifier("id", "_id") or fields.reading.position())
    fields.take("trace")  # the same case once more, step by step
    seconds = fields.number("completion_time", "completionTime")
    return Sample(
        item,
        query=fields.text("input"),
        answer=fields.text("actual_output", "actualOutput"),
        contexts=_contexts(fields, "retrieval_context", "retrievalContext"),
        reference=fields.text_or_texts("expected_output", "expectedOutput"),
        reference_contexts=_contexts(fields, "context"),
        usage=_usage(fields),
        cost_usd=fields.number("token_cost", "tokenCost"),
        latency_ms=None if seconds is None else Latency(round(seconds * 1000, 3)),
        tags=fields.texts("tags") or (),
        extra=fields.rest(IGNORED),
    )


def _conversation(fields: Fields) -> Sample:
    """Take of a conversation what was said last."""
    item = fields.claim(fields.identifier("id", "_id") or fields.reading.position())
    turns: list[Mapping[str, Any]] = fields.take("turns")[1]
    query, answer = last_exchange(turns)
    spoken = [turn for turn in turns if turn["role"] == "assistant"]
    said = fields.inner("turns", dict(spoken[-1]) if spoken else {})
    fields.reading.facts[CUT] += 1
    return Sample(
        item,
        query=query,
        answer=answer,
        contexts=_contexts(said, "retrieval_context", "retrievalContext"),
        reference_contexts=_contexts(fields, "context"),
        tags=fields.texts("tags") or (),
        extra=fields.rest(IGNORED),
    )


def _contexts(fields: Fields, *names: str) -> tuple[Context, ...] | None:
    """Take texts, or objects with a text and where it is from."""

    def context(name: str, value: Any) -> Context:
        if isinstance(value, str):
            return Context(fields.checked_text(name, value))
        inner = fields.inner(name, value, "a text or an object like {context, source}")
        text, doc = inner.text("context", "text", "content"), inner.identifier("id", "source")
        return Context(text, doc, extra=inner.rest())

    return fields.each(context, *names, expected="a list of texts")


def _usage(fields: Fields) -> Usage | None:
    counts = {
        "input_tokens": fields.count("input_token_count", "inputTokenCount"),
        "output_tokens": fields.count("output_token_count", "outputTokenCount"),
    }
    return usage_of(counts)


# ---- traces -------------------------------------------------------------------------------------


def _traced(fields: Fields) -> Sample:
    own = fields.identifier("uuid") or fields.reading.position()
    fields.claim(own)
    spans = [
        _span(inner, own, kind)
        for group, kind in GROUPS.items()
        for inner in fields.each(fields.inner, group, expected="a list of spans") or ()
    ]
    whole = Span(
        trace=own,
        id=own,
        name=fields.text("name") or "",
        start=time_of(fields, "startTime"),
        end=time_of(fields, "endTime"),
        question=question_in(fields.take("input")[1]),
        answer=answer_in(fields.take("output")[1]),
        contexts=retrieved_in(fields.take("retrievalContext")[1]),
        reference=fields.text("expectedOutput"),
        reference_contexts=retrieved_in(fields.take("context")[1]),
        error=_error(fields),
        tags=fields.texts("tags") or (),
        extra=fields.rest(IGNORED),
    )
    below = [_below(span, whole, spans) for span in spans]
    return Trace([whole, *below], fields.reading.facts).sample(own)


def _below(span: Span, whole: Span, spans: list[Span]) -> Span:
    """Hang a span without a parent, or with one that was not recorded, below the trace."""
    if span.parent not in {other.id for other in spans}:
        span.parent = whole.id
    return span


def _span(fields: Fields, trace: str, kind: Kind) -> Span:
    given, output = fields.take("input")[1], fields.take("output")[1]
    usage = _usage(fields)
    if kind == "other" and are_documents(output):
        kind = "retriever"
    return Span(
        trace=trace,
        id=fields.identifier("uuid") or "",
        parent=fields.identifier("parentUuid"),
        name=fields.text("name") or "",
        kind=kind,
        start=time_of(fields, "startTime"),
        end=time_of(fields, "endTime"),
        first_token=_first_token(fields),
        question=question_in(given),
        answer=None if kind == "retriever" else answer_in(output),
        contexts=_found(fields, kind, given, output),
        reference=fields.text("expectedOutput"),
        reference_contexts=retrieved_in(fields.take("context")[1]),
        usage=usage,
        cost=_cost(fields, usage),
        model=fields.text("model"),
        error=_error(fields),
        extra=fields.rest((*IGNORED, "type", "integration", "provider")),
    )


def _found(fields: Fields, kind: Kind, given: Any, output: Any) -> tuple[Context, ...] | None:
    """Return the contexts that a span says it has, or those in what it gave or was given."""
    own = retrieved_in(fields.take("retrievalContext")[1])
    if kind == "llm":
        return own
    found = retrieved_in(output) if kind == "retriever" else documents_in(output)
    return richest(own, found, documents_in(given))


def _cost(fields: Fields, usage: Usage | None) -> float | None:
    into, out = fields.number("costPerInputToken"), fields.number("costPerOutputToken")
    if usage is None or None in (into, out, usage.input_tokens, usage.output_tokens):
        return None
    return (usage.input_tokens or 0) * (into or 0.0) + (usage.output_tokens or 0) * (out or 0.0)


def _error(fields: Fields) -> str | None:
    status, said = fields.take("status")[1], fields.text("error")
    return said or ("errored" if status == "ERRORED" else None)


def _first_token(fields: Fields) -> int | None:
    """Take the earliest time of a token; the times are the names, or the values."""
    _, intervals = fields.take("tokenIntervals")
    if not isinstance(intervals, Mapping):
        return None
    times = [nanoseconds(text) for pair in intervals.items() for text in pair if _is_text(text)]
    return min((time for time in times if time is not None), default=None)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and finite(value) is None
