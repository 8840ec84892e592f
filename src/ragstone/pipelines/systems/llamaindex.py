"""LlamaIndex: a query engine, watched by the events of its instrumentation."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

from ragstone.formats.samples import usage_of
from ragstone.model.samples import Usage
from ragstone.pipelines.mapping import Expression
from ragstone.pipelines.search import Search
from ragstone.pipelines.systems.function import itself, joined, joined_async
from ragstone.pipelines.systems.watch import Observed, Watch


class _Open(NamedTuple):
    """A step that is under way: the event that began it, of what kind, and its key."""

    prefix: str
    kind: str
    key: object


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)
# The steps that are under way in this thread or task: what begins inside of one is part of it.
_under_way: ContextVar[tuple[_Open, ...]] = ContextVar("under_way", default=())
_added: list[Any] = []

STEPS = {"Retrieval": "retrieval", "LLMChat": "call", "LLMCompletion": "call"}


def bind(engine: Any, request: Expression | None, *, is_async: bool = False) -> Search:
    """Return a query engine's query, or its aquery where it has no other or that was named."""
    _listen()
    ask = request.request if request else itself

    def call(text: str) -> Observed:
        watch = _begin()
        answer = engine.query(ask(text))
        if hasattr(answer, "response_gen") and answer.response_txt is None:
            answer = _streamed(answer, joined(answer.response_gen, watch))
        return watch.seen(answer)

    async def call_async(text: str) -> Observed:
        watch = _begin()
        answer = await engine.aquery(ask(text))
        if hasattr(answer, "async_response_gen") and answer.response_txt is None:
            pieces = answer.async_response_gen()
            answer = _streamed(answer, await joined_async(pieces, watch))
        return watch.seen(answer)

    if is_async or not callable(getattr(engine, "query", None)):
        return Search(call_async, is_async=True, finish=itself)
    return Search(call, finish=itself)


def _begin() -> Watch:
    watch = Watch()
    _watch.set(watch)
    _under_way.set(())
    return watch


def _streamed(answer: Any, text: Any) -> dict[str, Any]:
    return {"answer": text, "contexts": answer.source_nodes}


def _listen() -> None:
    """Add our handler to the root of LlamaIndex's dispatchers, once in a process."""
    if _added:
        return
    from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]
    from llama_index.core.instrumentation.event_handlers import BaseEventHandler

    class Handler(BaseEventHandler):
        """Tells the watch of the call that is under way here, if there is one."""

        @classmethod
        def class_name(cls) -> str:
            return "RagstoneEventHandler"

        def handle(self, event: Any, **_: Any) -> None:
            watch = _watch.get()
            if watch is not None:
                noted(watch, event)

    handler = Handler()
    get_dispatcher().add_event_handler(handler)
    _added.append(handler)


def noted(watch: Watch, event: Any) -> None:
    """Note an event; a step inside of another of its kind says nothing new."""
    name = event.class_name()
    for prefix, kind in STEPS.items():
        part = name.removeprefix(prefix) if name.startswith(prefix) else ""
        if part == "InProgressEvent":
            watch.token()
        elif part == "StartEvent":
            _began(watch, prefix, kind)
        elif part == "EndEvent":
            _ended(watch, prefix, event)


def _began(watch: Watch, prefix: str, kind: str) -> None:
    before = _under_way.get()
    step = _Open(prefix, kind, object())
    _under_way.set((*before, step))
    if any(each.kind == kind for each in before):
        return
    if kind == "retrieval":
        watch.retrieval_began(step.key)
    else:
        watch.call_began(step.key)
        watch.answer_began()


def _ended(watch: Watch, prefix: str, event: Any) -> None:
    """End the innermost step of an event; steps inside of it that failed did not say so."""
    open_ = list(_under_way.get())
    if all(each.prefix != prefix for each in open_):
        return
    while (step := open_.pop()).prefix != prefix:
        pass
    _under_way.set(tuple(open_))
    if any(each.kind == step.kind for each in open_):
        return
    if step.kind == "retrieval":
        watch.retrieval_ended(step.key, list(event.nodes))
    else:
        watch.call_ended(step.key, *_said(event.response))


def _said(response: Any) -> tuple[Usage | None, str | None]:
    """Return the tokens and the model of a response: its own fields, or the provider's raw ones."""
    raw = _mapping(getattr(response, "raw", None))
    own = _mapping(getattr(response, "additional_kwargs", None))
    message = _mapping(getattr(getattr(response, "message", None), "additional_kwargs", None))
    inner = (_mapping(raw.get(name)) for name in ("usage", "usage_metadata"))
    found = next(filter(None, map(usage_of, (*inner, own, message, raw))), None)
    model = raw.get("model")
    return found, model if isinstance(model, str) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    """Return the fields of a dict, or of an object of a provider's library."""
    if isinstance(value, Mapping):
        return value
    if value is None or isinstance(value, str | int | float | list | tuple):
        return {}
    dump = getattr(value, "model_dump", None)
    found = dump() if callable(dump) else getattr(value, "__dict__", {})
    return found if isinstance(found, Mapping) else {}
