"""Haystack: a pipeline, whose components say what they found and what they used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ragstone.errors import InputError
from ragstone.formats.samples import usage_of
from ragstone.formats.samples.tokens import summed
from ragstone.model.samples import Usage
from ragstone.pipelines.mapping import Expression
from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import CallSettings
from ragstone.pipelines.systems.function import itself
from ragstone.pipelines.systems.watch import Observed

ALWAYS = ("query", "question")  # inputs that are the question, needed or not
NEEDED = ("text", "prompt", "input", "user_query")  # those that are, where nothing else gives them
MESSAGES = "messages"
ANSWERS = ("answers", "replies", "messages")


def bind(pipeline: Any, request: Expression | None, settings: CallSettings) -> Search:
    """Return a pipeline's run, warmed up; its run_async where several questions run at once."""
    if warm_up := getattr(pipeline, "warm_up", None):
        warm_up()
    ask = request.request if request else partial(_given, question_places(pipeline))
    names = set(pipeline.outputs(include_components_with_connected_outputs=True))
    sources, writers = documents_from(pipeline), answers_from(pipeline)

    def seen(output: Mapping[str, Any]) -> Observed:
        return observed(output, sources, writers)

    def call(text: str) -> Observed:
        return seen(pipeline.run(ask(text), include_outputs_from=names))

    async def call_async(text: str) -> Observed:
        return seen(await pipeline.run_async(ask(text), include_outputs_from=names))

    together = settings.concurrency > 1 and callable(getattr(pipeline, "run_async", None))
    if together:
        return Search(call_async, is_async=True, finish=itself)
    return Search(call, finish=itself)


def question_places(pipeline: Any) -> dict[str, dict[str, bool]]:
    """Return the inputs that get the question: component -> name -> whether it wants messages.

    Raises InputError where an input that is needed is none of these, or where there is none.
    """
    places: dict[str, dict[str, bool]] = {}
    missing = []
    for component, inputs in pipeline.inputs().items():
        for name, socket in inputs.items():
            needed = socket.get("is_mandatory")
            if name in ALWAYS or (needed and name in (*NEEDED, MESSAGES)):
                places.setdefault(component, {})[name] = name == MESSAGES
            elif needed:
                missing.append(f"{component}.{name}")
    if missing or not places:
        what = f"needs {', '.join(missing)}" if missing else "has no input that is a question"
        raise InputError(
            f"the pipeline {what}; say with --request how its input is made of the question, as in "
            "--request '{retriever: {query: query}, prompt_builder: {question: query}}'"
        )
    return places


def _given(places: Mapping[str, Mapping[str, bool]], text: str) -> dict[str, dict[str, Any]]:
    return {
        component: {name: _messages(text) if wants else text for name, wants in inputs.items()}
        for component, inputs in places.items()
    }


def _messages(text: str) -> list[Any]:
    from haystack.dataclasses import ChatMessage

    return [ChatMessage.from_user(text)]


def documents_from(pipeline: Any) -> list[str]:
    """Return the components whose documents go on to what is no source of documents."""
    outputs = pipeline.outputs(include_components_with_connected_outputs=True)
    sources = [name for name, sockets in outputs.items() if "documents" in sockets]
    passed_on = {
        first
        for first, second, edge in pipeline.graph.edges(data=True)
        if second in sources and edge["from_socket"].name == "documents"
    }
    return [name for name in sources if name not in passed_on]


def answers_from(pipeline: Any) -> list[str]:
    """Return the components that give answers, those that the pipeline ends with first."""
    last = pipeline.outputs()
    found = pipeline.outputs(include_components_with_connected_outputs=True)
    names = [name for name, sockets in found.items() if any(each in sockets for each in ANSWERS)]
    return sorted(names, key=lambda name: name not in last)


def observed(output: Mapping[str, Any], sources: list[str], writers: list[str]) -> Observed:
    """Return what the components gave: the answer, the documents, and the tokens of all models."""
    answers = (_answer(output.get(name)) for name in writers)
    answer = next((each for each in answers if each is not None), None)
    documents = [
        document for name in sources for document in (output.get(name) or {}).get("documents") or ()
    ]
    found = any("documents" in (output.get(name) or {}) for name in sources)
    calls = [call for name in writers for call in _calls(output.get(name))]
    return Observed(
        output=output if answer is None else {"answer": answer},
        documents=documents if found else None,
        usage=summed(usage for usage, _ in calls),
        uncounted=sum(usage is None for usage, _ in calls),
        model=next((model for _, model in calls if model), None),
    )


def _answer(given: Any) -> str | None:
    """Return the text of the first answer or reply of a component."""
    for name in ANSWERS:
        replies = given.get(name) if isinstance(given, Mapping) else None
        if isinstance(replies, list) and replies:
            reply = replies[-1] if name == "messages" else replies[0]
            text = next((getattr(reply, part, None) for part in ("text", "data")
                         if getattr(reply, part, None) is not None), reply)  # fmt: skip
            return text if isinstance(text, str) else None
    return None


def _calls(given: Any) -> list[tuple[Usage | None, str | None]]:
    """Return tokens and model of each reply: its own meta, or the list of meta beside it."""
    if not isinstance(given, Mapping) or not isinstance(given.get("replies"), list):
        return []
    beside = given.get("meta")
    metas = beside if isinstance(beside, list) else [_meta(each) for each in given["replies"][:1]]
    return [_said(meta) for meta in metas[:1]]


def _meta(reply: Any) -> Any:
    return getattr(reply, "meta", None)


def _said(meta: Any) -> tuple[Usage | None, str | None]:
    if not isinstance(meta, Mapping):
        return None, None
    used, model = meta.get("usage"), meta.get("model")
    usage = usage_of(used) if isinstance(used, Mapping) else None
    return usage, model if isinstance(model, str) else None
