"""How an API is spoken to: the body of a request, and where its answer has text and usage."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ragstone.judge.protocol import Message, Request
from ragstone.model.samples import Usage
from ragstone.registry import Registry

MAX_TOKENS = 4096
SCHEMA, OBJECT, TOOL, TEXT = "json_schema", "json_object", "tool", "text"
"""The rungs of the ladder, by how firmly they hold a model to JSON."""

FINISHED = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_calls": "stop",
    "tool_use": "stop",
}


class Said(NamedTuple):
    """What an answer holds."""

    text: str
    finish: str
    usage: Usage | None
    model: str | None


class NoAnswerError(Exception):
    """A body that is no answer of this API."""


class Dialect(Protocol):
    """One API."""

    path: str
    header: str
    headers: Mapping[str, str]
    rungs: tuple[str, ...]

    def defaults(self) -> dict[str, Any]:
        """Return the parameters that are sent unless the user sets them."""

    def body(
        self, request: Request, model: str, parameters: Mapping[str, Any], rung: str
    ) -> dict[str, Any]:
        """Return what is sent."""

    def read(self, answer: Any) -> Said:
        """Return what an answer holds; raises NoAnswerError."""


class OpenAI:
    """Chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp and gateways."""

    path = "/chat/completions"
    header = "authorization"
    headers: Mapping[str, str] = {}
    rungs: tuple[str, ...] = (SCHEMA, OBJECT, TOOL, TEXT)

    def defaults(self) -> dict[str, Any]:
        """Return what makes answers as repeatable as they can be, which is not very."""
        return {"temperature": 0, "seed": 0, "max_tokens": MAX_TOKENS}

    def body(
        self, request: Request, model: str, parameters: Mapping[str, Any], rung: str
    ) -> dict[str, Any]:
        """Return what is sent."""
        messages = [{"role": each.role, "content": each.content} for each in request.messages]
        asked = self._asked(request, rung)
        return {"model": model, "messages": messages, **parameters, **asked}

    @staticmethod
    def _asked(request: Request, rung: str) -> dict[str, Any]:
        name, schema = request.name, request.schema
        if rung == SCHEMA:
            wanted = {"name": name, "strict": True, "schema": schema}
            return {"response_format": {"type": SCHEMA, SCHEMA: wanted}}
        if rung == OBJECT:
            return {"response_format": {"type": OBJECT}}
        if rung == TOOL:
            function = {"name": name, "parameters": schema}
            return {
                "tools": [{"type": "function", "function": function}],
                "tool_choice": {"type": "function", "function": {"name": name}},
            }
        return {}

    def read(self, answer: Any) -> Said:
        """Return what an answer holds; raises NoAnswerError."""
        choices = answer.get("choices") if isinstance(answer, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        if not isinstance(first, dict) or not isinstance(message, dict):
            raise NoAnswerError("it has no choices[0].message")
        finish = _finish(first.get("finish_reason"))
        if isinstance(message.get("refusal"), str) and message["refusal"]:
            return Said(message["refusal"], "refusal", _openai_usage(answer), _model(answer))
        text = _arguments(message) or _text(message.get("content"))
        return Said(text, finish, _openai_usage(answer), _model(answer))


class Anthropic:
    """The messages API of Anthropic, and what speaks like it."""

    path = "/messages"
    header = "x-api-key"
    headers: Mapping[str, str] = {"anthropic-version": "2023-06-01"}
    rungs: tuple[str, ...] = (SCHEMA, TOOL, TEXT)

    def defaults(self) -> dict[str, Any]:
        """Return what makes answers as repeatable as they can be, which is not very."""
        return {"temperature": 0, "max_tokens": MAX_TOKENS}

    def body(
        self, request: Request, model: str, parameters: Mapping[str, Any], rung: str
    ) -> dict[str, Any]:
        """Return what is sent."""
        system = "\n\n".join(_of_role(request.messages, "system"))
        turns = [
            {"role": each.role, "content": each.content}
            for each in request.messages
            if each.role != "system"
        ]
        asked: dict[str, Any] = {}
        if rung == SCHEMA:
            asked = {"output_config": {"format": {"type": SCHEMA, "schema": request.schema}}}
        elif rung == TOOL:
            asked = {
                "tools": [{"name": request.name, "input_schema": request.schema}],
                "tool_choice": {"type": "tool", "name": request.name},
            }
        return {"model": model, "system": system, "messages": turns, **parameters, **asked}

    def read(self, answer: Any) -> Said:
        """Return what an answer holds; raises NoAnswerError."""
        blocks = answer.get("content") if isinstance(answer, dict) else None
        if not isinstance(blocks, list):
            raise NoAnswerError("it has no content")
        used = [
            each for each in blocks if isinstance(each, dict) and each.get("type") == "tool_use"
        ]
        text = json.dumps(used[0].get("input"), ensure_ascii=False) if used else _text(blocks)
        finish = _finish(answer.get("stop_reason"))
        return Said(text, finish, _anthropic_usage(answer), _model(answer))


DIALECTS: Registry[Dialect] = Registry("api")
DIALECTS.add("openai", OpenAI())
DIALECTS.add("anthropic", Anthropic())


def _of_role(messages: Sequence[Message], role: str) -> list[str]:
    return [each.content for each in messages if each.role == role]


def _finish(reason: Any) -> str:
    return FINISHED.get(reason, reason) if isinstance(reason, str) else "stop"


def _model(answer: Mapping[str, Any]) -> str | None:
    model = answer.get("model")
    return model if isinstance(model, str) else None


def _text(content: Any) -> str:
    """Return a text, or the texts of parts put together."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _arguments(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls")
    first = calls[0] if isinstance(calls, list) and calls else None
    function = first.get("function") if isinstance(first, dict) else None
    arguments = function.get("arguments") if isinstance(function, dict) else None
    if isinstance(arguments, dict):  # some servers send them decoded
        return json.dumps(arguments, ensure_ascii=False)
    return arguments if isinstance(arguments, str) else ""


def _openai_usage(answer: Mapping[str, Any]) -> Usage | None:
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return None
    found = Usage(
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
        _count(usage.get("prompt_tokens_details"), "cached_tokens"),
        _count(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )
    return None if found == Usage() else found


def _anthropic_usage(answer: Mapping[str, Any]) -> Usage | None:
    """Return the usage; there, cached tokens are beside the input, here they are part of it."""
    usage = answer.get("usage")
    plain = _count(usage, "input_tokens")
    if plain is None:
        return None
    read = _count(usage, "cache_read_input_tokens")
    made = _count(usage, "cache_creation_input_tokens")
    return Usage(plain + (read or 0) + (made or 0), _count(usage, "output_tokens"), read)


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if type(value) is int and value >= 0 else None
