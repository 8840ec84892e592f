"""What the attributes of a span mean, by OpenInference and by OpenTelemetry's GenAI conventions.

Both tables name an attribute once; a newer name stands before the one that it replaced. A span may
have attributes of both, as where one library translates for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ragstone.formats.samples.attributes import Attributes
from ragstone.formats.samples.chat import answer_in, last_said, parsed, question_in
from ragstone.formats.samples.documents import document_of, documents_in, retrieved_in, richest
from ragstone.formats.samples.spans import Kind, Span
from ragstone.model.samples import Context, Usage

Events: TypeAlias = Sequence[tuple[str, int | None, Attributes]]

ITEM = "ragstone.id"  # an attribute of our own, so that a trace can say which item it is of


def described(span: Span, attributes: Attributes, events: Events) -> None:
    """Fill a span with what its attributes and events say."""
    item = attributes.take(ITEM)
    span.item = None if item is None else str(item)
    for convention in (openinference, genai):
        convention(span, attributes, events)


def _keep(span: Span, name: str, value: Any) -> None:
    """Set what is not known yet."""
    if value is not None and getattr(span, name) is None:
        setattr(span, name, value)


# ---- OpenInference ------------------------------------------------------------------------------

OPENINFERENCE_KINDS: Mapping[str, Kind] = {
    "LLM": "llm",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
}
FIRST_TOKEN_EVENTS = ("First Token Stream Event", "gen_ai.first_token", "new_token")


def openinference(span: Span, attributes: Attributes, events: Events) -> None:
    """Read https://github.com/Arize-ai/openinference/tree/main/spec."""
    kind = attributes.text("openinference.span.kind")
    if kind is None:
        return
    span.kind = OPENINFERENCE_KINDS.get(kind, "other")
    attributes.nested("embedding.embeddings")  # vectors: large, and nothing of the answer
    given, came = _value(attributes, "input"), _value(attributes, "output")
    _keep(span, "question", question_in(given))
    if span.kind not in ("retriever", "reranker"):
        _keep(span, "answer", answer_in(came))
    _keep(span, "contexts", _openinference_contexts(span.kind, attributes, given, came))
    if span.kind == "llm":
        _openinference_model(span, attributes)
    tags = attributes.take("tag.tags")
    span.tags = tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()
    _keep(span, "first_token", _first_time(events, FIRST_TOKEN_EVENTS))


def _value(attributes: Attributes, name: str) -> Any:
    """Take input.value or output.value, which is JSON where its MIME type says so."""
    kind, value = attributes.text(f"{name}.mime_type"), attributes.take(f"{name}.value")
    return parsed(value) if kind == "application/json" else value


def _openinference_contexts(
    kind: Kind, attributes: Attributes, given: Any, came: Any
) -> tuple[Context, ...] | None:
    if kind == "reranker":
        attributes.nested("reranker.input_documents")
        attributes.take("reranker.query")
        return _documents(attributes.nested("reranker.output_documents"))
    found = _documents(attributes.nested("retrieval.documents"))
    if kind == "llm":
        return found
    if kind == "retriever":  # LangChain's spans have the ids in the output alone
        return richest(found, retrieved_in(came) if isinstance(came, Mapping) else None)
    return richest(found, documents_in(came), documents_in(given))


def _documents(values: Any) -> tuple[Context, ...] | None:
    """Read documents that were flattened into `documents.0.document.content` and the like."""
    if not isinstance(values, list):
        return None
    inner = [each.get("document") for each in values if isinstance(each, Mapping)]
    read = [{**each, "metadata": parsed(each.get("metadata"))} for each in inner if each]
    return tuple(each for each in map(document_of, read) if each is not None)


def _openinference_model(span: Span, attributes: Attributes) -> None:
    _keep(span, "model", attributes.text("llm.response.model_name", "llm.model_name",
                                         "llm.request.model_name"))  # fmt: skip
    counts = Usage(
        attributes.count("llm.token_count.prompt"),
        attributes.count("llm.token_count.completion"),
        attributes.count("llm.token_count.prompt_details.cache_read"),
        attributes.count("llm.token_count.completion_details.reasoning"),
    )
    attributes.take("llm.token_count.total")
    _keep(span, "usage", None if counts == Usage() else counts)
    _keep(span, "cost", attributes.number("llm.cost.total"))
    given, came = (
        _messages(attributes.nested(f"llm.{way}_messages")) for way in ("input", "output")
    )
    span.question = last_said(given, "user") or span.question
    span.answer = last_said(came, "assistant") or span.answer


def _messages(values: Any) -> list[Any]:
    """Read messages that were flattened into `llm.input_messages.0.message.content`."""
    inner = [each.get("message") for each in values or () if isinstance(each, Mapping)]
    return [_message(each) for each in inner if isinstance(each, Mapping)]


def _message(message: Mapping[str, Any]) -> Mapping[str, Any]:
    contents = message.get("contents")
    if message.get("content") is not None or not isinstance(contents, list):
        return message
    parts = [each.get("message_content") for each in contents if isinstance(each, Mapping)]
    return {**message, "content": [part for part in parts if part]}


# ---- GenAI --------------------------------------------------------------------------------------

GENAI_KINDS: Mapping[str, Kind] = {
    "chat": "llm",
    "text_completion": "llm",
    "generate_content": "llm",
    "retrieval": "retriever",
}
INPUT_TOKENS = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
OUTPUT_TOKENS = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
# Where messages stand: attributes of the span, of an event with both, or of one event each.
MESSAGES: Mapping[str, tuple[str, ...]] = {
    "question": ("gen_ai.input.messages", "gen_ai.prompt"),
    "answer": ("gen_ai.output.messages", "gen_ai.completion"),
}
SPOKEN: Mapping[str, str] = {
    "gen_ai.user.message": "question",
    "gen_ai.choice": "answer",
    "gen_ai.assistant.message": "",
    "gen_ai.system.message": "",
    "gen_ai.tool.message": "",
}
READ: Mapping[str, Callable[[Any], str | None]] = {"question": question_in, "answer": answer_in}


def genai(span: Span, attributes: Attributes, events: Events) -> None:
    """Read https://opentelemetry.io/docs/specs/semconv/gen-ai/, from version 1.27 on."""
    if not attributes.has("gen_ai."):
        return
    operation = attributes.text("gen_ai.operation.name")
    if span.kind == "other":
        span.kind = _genai_kind(operation, attributes)
    attributes.take("gen_ai.provider.name", "gen_ai.system")
    _genai_usage(span, attributes)
    if span.kind == "llm":
        _keep(span, "model", attributes.text("gen_ai.response.model", "gen_ai.request.model"))
        attributes.text("gen_ai.request.model")
    _genai_messages(span, attributes, events)
    if span.kind == "retriever":
        _keep(span, "question", attributes.text("gen_ai.retrieval.query.text"))
        _keep(span, "contexts", retrieved_in(attributes.json("gen_ai.retrieval.documents")))
    _genai_first_token(span, attributes, events)


def _genai_kind(operation: str | None, attributes: Attributes) -> Kind:
    """Tell the kind; before there were operations, a model's name stood for a call of it."""
    if operation is not None:
        return GENAI_KINDS.get(operation, "other")
    return "llm" if attributes.has("gen_ai.request.model") else "other"


def _genai_usage(span: Span, attributes: Attributes) -> None:
    counts = Usage(
        attributes.count(*INPUT_TOKENS),
        attributes.count(*OUTPUT_TOKENS),
        attributes.count("gen_ai.usage.cache_read.input_tokens"),
        attributes.count("gen_ai.usage.reasoning.output_tokens"),
    )
    _keep(span, "usage", None if counts == Usage() else counts)


def _genai_messages(span: Span, attributes: Attributes, events: Events) -> None:
    for part, names in MESSAGES.items():
        found = READ[part](_spoken(attributes, names))
        for name, _, inner in events:
            if found is not None:
                break
            if SPOKEN.get(name) == part:
                found = READ[part](inner.json("message", "content", "gen_ai.event.content"))
            elif name not in SPOKEN:
                found = READ[part](_spoken(inner, names))
        _keep(span, part, found)


def _spoken(attributes: Attributes, names: Sequence[str]) -> Any:
    """Take messages that are one value, or that were flattened as in `gen_ai.prompt.0.content`."""
    value = attributes.json(*names)
    return value if value is not None else attributes.nested(names[-1]) or None


def _genai_first_token(span: Span, attributes: Attributes, events: Events) -> None:
    _keep(span, "first_token", _first_time(events, FIRST_TOKEN_EVENTS))
    seconds = attributes.number("gen_ai.response.time_to_first_chunk")
    if seconds is not None and span.start is not None:
        _keep(span, "first_token", span.start + round(seconds * 1e9))


def _first_time(events: Events, names: Sequence[str]) -> int | None:
    times = [when for name, when, _ in events if name in names and when is not None]
    return min(times, default=None)
