"""Runs of LangSmith, as its client writes them down: JSON lines, or an array, of run objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.formats.samples.chat import answer_in, question_in
from ragstone.formats.samples.documents import documents_in, retrieved_in, richest
from ragstone.formats.samples.fields import Fields, finite
from ragstone.formats.samples.reading import Place, Reading
from ragstone.formats.samples.spans import Kind, Span, samples_of
from ragstone.formats.samples.times import nanoseconds, time_of
from ragstone.formats.samples.tokens import usage_of
from ragstone.model.samples import Context, Sample, Usage

MARKS = ("run_type", "inputs", "outputs")
KINDS: Mapping[str, Kind] = {"llm": "llm", "retriever": "retriever", "reranker": "reranker"}
# What a run says of itself and not of the answer.
IGNORED = (
    "session_id", "session_name", "child_run_ids", "parent_run_ids", "dotted_order", "status",
    "app_path", "manifest_id", "manifest_s3_id", "serialized", "total_tokens", "prompt_cost",
    "completion_cost", "prompt_cost_details", "completion_cost_details", "in_dataset", "trace_tier",
    "trace_first_received_at", "trace_min_start_time", "trace_max_start_time", "trace_upgrade",
    "ttl_seconds", "reference_dataset_id", "share_token", "last_queued_at", "execution_order",
    "inputs_preview", "outputs_preview", "inputs_s3_urls", "outputs_s3_urls", "s3_urls",
    "thread_id", "price_model_id", "inputs_or_signed_url", "outputs_or_signed_url", "latency",
    "attachments", "messages",
)  # fmt: skip
DETAILS = ("prompt_tokens", "completion_tokens", "prompt_token_details", "completion_token_details")


def recognises(row: dict[str, Any]) -> bool:
    """Tell a run: what it is of, and what went in."""
    return "run_type" in row and ("inputs" in row or "trace_id" in row)


def read(reading: Reading) -> Iterator[Sample]:
    """Put the runs of each trace together; runs inside runs (child_runs) are read too."""
    return samples_of(_spans(reading), reading)


def _spans(reading: Reading) -> Iterator[tuple[Fields, Span]]:
    for place, values in reading.objects(("runs",)):
        for fields in _with_children(reading, place, values):
            yield fields, _span(fields)


def _with_children(reading: Reading, place: Place, values: dict[str, Any]) -> Iterator[Fields]:
    fields = Fields(reading, place, values)
    _, children = fields.take("child_runs")
    yield fields
    for number, child in enumerate(children if isinstance(children, list) else ()):
        inner = Place(place.line, f"{place.path}.child_runs[{number}]".lstrip("."))
        if isinstance(child, dict):
            yield from _with_children(reading, inner, child)


def _span(fields: Fields) -> Span:
    own = fields.identifier("id")
    if own is None:
        raise fields.error("a run without an id")
    kind = KINDS.get(str(fields.take("run_type")[1]), "other")
    inputs, outputs = fields.take("inputs")[1], fields.take("outputs")[1]
    model, usage = _model(fields), _usage(fields)
    if kind == "llm":
        usage = usage or _usage_inside(outputs, 8)
    return Span(
        trace=fields.identifier("trace_id") or own,
        id=own,
        parent=fields.identifier("parent_run_id"),
        name=fields.text("name") or "",
        kind=kind,
        start=time_of(fields, "start_time"),
        end=time_of(fields, "end_time"),
        first_token=_first_token(fields),
        question=question_in(inputs),
        answer=None if kind == "retriever" else answer_in(outputs),
        contexts=_contexts(kind, inputs, outputs),
        usage=usage,
        cost=_cost(fields),
        model=model if kind == "llm" else None,
        error=fields.text("error") or None,
        item=fields.identifier("reference_example_id"),
        tags=fields.texts("tags") or (),
        extra=fields.rest(IGNORED),
    )


def _contexts(kind: Kind, inputs: Any, outputs: Any) -> tuple[Context, ...] | None:
    """Return what a retriever found, or what another step that is no call of a model says."""
    if kind in ("retriever", "reranker"):
        return retrieved_in(outputs)
    return richest(documents_in(outputs), documents_in(inputs)) if kind == "other" else None


def _usage(fields: Fields) -> Usage | None:
    """Take the counts of a run; that of a chain has what the runs inside it add up to."""
    return usage_of({name: fields.take(name)[1] for name in DETAILS}, fields.reading.facts)


def _usage_inside(value: Any, deep: int) -> Usage | None:
    """Find what the provider or LangChain's message says of the tokens."""
    if isinstance(value, Mapping):
        for name in ("usage_metadata", "token_usage", "usage"):
            if isinstance(value.get(name), Mapping) and (usage := usage_of(value[name])):
                return usage
        value = list(value.values())
    if isinstance(value, list) and deep:
        return next(filter(None, (_usage_inside(each, deep - 1) for each in value)), None)
    return None


def _cost(fields: Fields) -> float | None:
    """Take the cost; the client writes a decimal number as a text."""
    _, value = fields.take("total_cost")
    try:
        return finite(float(value)) if isinstance(value, str) else finite(value)
    except ValueError:
        return None


def _model(fields: Fields) -> str | None:
    _, extra = fields.take("extra")
    if not isinstance(extra, Mapping):
        return None
    parts = {name: extra.get(name) for name in ("metadata", "invocation_params")}
    known = {name: part for name, part in parts.items() if isinstance(part, Mapping)}
    if metadata := known.get("metadata"):
        fields.left["metadata"] = metadata
    for part, name in (("metadata", "ls_model_name"), ("invocation_params", "model"),
                       ("invocation_params", "model_name")):  # fmt: skip
        value = known.get(part, {}).get(name)
        if isinstance(value, str):
            return value
    return None


def _first_token(fields: Fields) -> int | None:
    """Take the time of the first token, which a run that was streamed has as an event too."""
    _, events = fields.take("events")
    first = time_of(fields, "first_token_time")
    if first is None and isinstance(events, list):
        times = [
            nanoseconds(event.get("time"))
            for event in events
            if isinstance(event, Mapping) and event.get("name") == "new_token"
        ]
        first = min((time for time in times if time is not None), default=None)
    return first
