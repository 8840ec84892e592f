"""What a system gave back, whatever its form: the answer, and what it says beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from reprlib import repr as brief
from typing import Any

from msgspec import Struct

from ragstone.formats.samples import odd_count, plain, usage_of
from ragstone.formats.samples.chat import text_of
from ragstone.model.samples import Usage
from ragstone.pipelines.hits import NotResultsError

ANSWER_NAMES = ("answer", "response", "output", "result", "output_text", "text", "messages")
CONTEXT_NAMES = (
    "contexts", "documents", "context", "source_documents", "source_nodes", "retrieved_contexts",
)  # fmt: skip
EXPECTED = (
    "expected a text, a dict with answer, contexts and usage, a ragstone Sample, or the answer of "
    "a framework"
)


class Given(Struct, frozen=True, kw_only=True):
    """What a system said: rest are the other fields of a dict, under their own names."""

    answer: str | None = None
    documents: Sequence[Any] | None = None
    usage: Usage | None = None
    model: str | None = None
    rest: dict[str, Any] = {}


def given(output: Any) -> Given:
    """Read what came back; raises NotResultsError for what is no answer."""
    if isinstance(output, str):
        return Given(answer=output)
    if isinstance(output, Mapping):
        return _mapping(output)
    if hasattr(output, "source_nodes"):  # LlamaIndex
        text = output.response
        answer = None if text is None else _text("response", text)
        return Given(answer=answer, documents=output.source_nodes)
    if hasattr(output, "documents") and hasattr(output, "data"):  # Haystack's GeneratedAnswer
        return Given(answer=_text("data", output.data), documents=output.documents)
    if (answer := _message(output)) is not None:
        return Given(answer=answer, usage=_usage(output), model=_model(output))
    if isinstance(output, list | tuple):
        raise NotResultsError(
            "a list came back and no answer; a retriever is run by `ragstone run-retriever`"
        )
    raise NotResultsError(f"{brief(output)} came back; {EXPECTED}")


def _mapping(output: Mapping[Any, Any]) -> Given:
    """Read a dict: an answer under one of its usual names, or an error that the system reports."""
    name = next((name for name in ANSWER_NAMES if name in output), None)
    if name is None and output.get("error") is None:
        keys = ", ".join(map(repr, list(output)[:8])) or "nothing in it"
        raise NotResultsError(f"a dict with {keys} came back; expected one with 'answer'")
    value = None if name is None else output[name]
    found = next((each for each in CONTEXT_NAMES if output.get(each) is not None), None)
    documents = None if found is None else _documents(found, output[found])
    rest = {str(key): each for key, each in output.items() if key not in {name, found, "usage"}}
    return Given(
        answer=None if value is None else _text(str(name), value),
        documents=documents,
        usage=_said_usage(output.get("usage"), value),
        model=_model(value),
        rest=rest,
    )


def _documents(name: str, value: Any) -> Sequence[Any] | None:
    if isinstance(value, str):  # a prompt's context, joined to one text
        return [value]
    if not isinstance(value, Sequence):
        raise NotResultsError(
            f"{name!r} is {brief(value)}; a list of texts or documents was expected"
        )
    return value


def _text(name: str, value: Any) -> str:
    """Return an answer as a text; one that is structured is written as JSON."""
    if isinstance(value, str):
        return value
    message = _last(value) if isinstance(value, list) and value else value
    text = _message(message)
    if text is not None:
        return text
    dump = getattr(value, "model_dump", None)
    try:
        return json.dumps(dump() if callable(dump) else value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError):
        raise NotResultsError(f"{name!r} is {brief(value)}; a text was expected") from None


def _last(messages: list[Any]) -> Any:
    """Return the last message that is not the user's or a tool's."""
    theirs = ("user", "human", "tool", "system")
    said = (each for each in reversed(messages) if _who(each) not in theirs)
    return next(said, messages[-1])


def _who(message: Any) -> str:
    if isinstance(message, Mapping):
        return str(message.get("role") or message.get("type"))
    role = getattr(message, "role", None) or getattr(message, "type", None)
    return str(getattr(role, "value", role))


def _message(value: Any) -> str | None:
    """Return the text of a message of LangChain, Haystack or plain JSON; None for what is none."""
    if isinstance(value, Mapping):
        return text_of(value) if "content" in value or "parts" in value else None
    if value is None or isinstance(value, str | int | float | list | tuple):
        return None
    for name in ("content", "text"):
        found = getattr(value, name, None)
        if isinstance(found, str | list):
            return text_of(found)
    return None


def _usage(message: Any) -> Usage | None:
    """Return the tokens that a message says it took."""
    own = getattr(message, "usage_metadata", None)
    meta = getattr(message, "meta", None)
    for found in (own, meta.get("usage") if isinstance(meta, Mapping) else None):
        if isinstance(found, Mapping) and (usage := usage_of(found)):
            return usage
    return None


def _said_usage(said: Any, value: Any) -> Usage | None:
    """Return the usage in a dict, under any provider's names, else that of the answer's message."""
    if said is None:
        return _usage(value)
    whole = plain(said) if isinstance(said, Usage) else said
    fields = whole if isinstance(whole, Mapping) else getattr(whole, "__dict__", None)
    if isinstance(fields, Mapping) and (odd := odd_count(fields)):
        name, count = odd
        raise NotResultsError(
            f"'usage' has {brief(count)} as {name}; a whole number of at least 0 was expected"
        )
    if isinstance(said, Usage):
        return said
    usage = usage_of(fields) if isinstance(fields, Mapping) else None
    if usage is None:
        raise NotResultsError(
            f"'usage' is {brief(said)}, without a count that is known; input_tokens and "
            "output_tokens were expected, or prompt_tokens and completion_tokens"
        )
    return usage


def _model(message: Any) -> str | None:
    for name in ("response_metadata", "meta"):
        found = getattr(message, name, None)
        if isinstance(found, Mapping):
            model = found.get("model_name") or found.get("model")
            return model if isinstance(model, str) else None
    return None
