"""Texts in what tools record of a conversation: messages, parts of messages, inputs, outputs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

DEEP = 6  # levels of nesting that are looked into
QUESTION_NAMES = (
    "query", "question", "user_input", "user_query", "input", "inputs", "query_str",
    "str_or_query_bundle", "query_bundle", "input_text", "prompt", "text", "content", "messages",
)  # fmt: skip
ANSWER_NAMES = (
    "answer", "response", "actual_output", "output", "outputs", "output_text", "result", "reply",
    "replies", "text", "content", "generations", "choices", "message", "messages",
)  # fmt: skip
ROLES = {
    "human": "user",
    "HumanMessage": "user",
    "ai": "assistant",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "model": "assistant",
}


def text_of(message: Any) -> str | None:
    """Return the text of a message, whatever its form; None where it has none.

    >>> text_of({"role": "user", "parts": [{"type": "text", "content": "Hi"}]})
    'Hi'
    """
    if isinstance(message, str):
        return message
    if isinstance(message, Sequence):
        texts = [text for text in map(text_of, message) if text is not None]
        return "".join(texts) if texts else None
    if not isinstance(message, Mapping):
        return None
    if message.get("type") not in (None, "text", "output_text", "input_text") and not _is_message(
        message
    ):
        return None  # a call of a tool, an image, a thought
    for name in ("content", "text", "parts", "kwargs", "data", "blocks"):
        if message.get(name) is not None:
            return text_of(message[name])
    return None


def _is_message(value: Mapping[str, Any]) -> bool:
    return "role" in value or "kwargs" in value or "data" in value or _role(value) in ROLES.values()


def _role(message: Mapping[str, Any]) -> str:
    """Return who speaks; LangChain writes it as a type, or as the last part of a class's path."""
    path = message.get("id")
    last = path[-1] if isinstance(path, list) and path else None
    found = message.get("role") or message.get("type")
    if found in (None, "constructor") and isinstance(last, str):
        found = last
    return ROLES.get(str(found), str(found))


def last_said(messages: Sequence[Any], who: str) -> str | None:
    """Return what `who` (user or assistant) said last, None where they said nothing.

    >>> last_said([{"role": "user", "content": "a"}, {"type": "human", "content": "b"}], "user")
    'b'
    """
    for message in reversed(messages):
        if isinstance(message, Mapping) and _role(message) == who:
            text = text_of(message)
            if text:
                return text
    return None


def last_exchange(messages: Sequence[Any]) -> tuple[str | None, str | None]:
    """Return the last answer and what the user said last before it; what was never answered is not.

    >>> last_exchange([{"type": "human", "content": "When?"}, {"type": "ai", "content": "1937"}])
    ('When?', '1937')
    """
    places = [place for place, each in enumerate(messages) if last_said([each], "assistant")]
    if not places:
        return last_said(messages, "user"), None
    return last_said(messages[: places[-1]], "user"), last_said(messages, "assistant")


def question_in(value: Any) -> str | None:
    """Return the question in what went into a step: a text, messages, or an object with either.

    >>> question_in({"input": "Who?", "chat_history": []})
    'Who?'
    """
    return _found(value, QUESTION_NAMES, "user", DEEP)


def answer_in(value: Any) -> str | None:
    """Return the answer in what came out of a step.

    >>> answer_in({"context": [], "answer": "Ada."})
    'Ada.'
    """
    return _found(value, ANSWER_NAMES, "assistant", DEEP)


def _found(value: Any, names: Sequence[str], who: str, deep: int) -> str | None:
    if isinstance(value, str):
        return value
    if not deep:
        return None
    if isinstance(value, Mapping):
        return _in_object(value, names, who, deep)
    if isinstance(value, Sequence) and value:
        said = last_said(value, who)
        if said is not None or any(isinstance(each, Mapping) and "role" in each for each in value):
            return said
        return _found(value[0], names, who, deep - 1) if len(value) == 1 else None
    return None


def _in_object(value: Mapping[str, Any], names: Sequence[str], who: str, deep: int) -> str | None:
    if _is_message(value) and (text := text_of(value)) is not None:
        return text
    for name in names:
        if value.get(name) is not None:
            found = _found(value[name], names, who, deep - 1)
            if found is not None:
                return found
    if len(value) == 1:
        return _found(next(iter(value.values())), names, who, deep - 1)
    return None


def parsed(value: Any) -> Any:
    """Return what a text of JSON says, where it is an object or a list; else the text itself.

    >>> parsed('{"query": "Who?"}'), parsed("Who?"), parsed("12")
    ({'query': 'Who?'}, 'Who?', '12')
    """
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
