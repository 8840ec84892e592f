"""LangChain: any runnable, watched by a callback handler of our own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ragstone.formats.samples import usage_of
from ragstone.model.samples import Usage
from ragstone.pipelines.hits import NotResultsError
from ragstone.pipelines.mapping import Expression
from ragstone.pipelines.search import Search
from ragstone.pipelines.systems.function import itself
from ragstone.pipelines.systems.watch import Observed, Watch

QUESTIONS = ("input", "question", "query", "user_input")


def bind(runnable: Any, request: Expression | None, *, is_async: bool = False) -> Search:
    """Return a runnable's invoke, or its ainvoke where it has no other or that was named."""
    ask = request.request if request else _ask(runnable)

    def call(text: str) -> Observed:
        watch = Watch()
        return watch.seen(runnable.invoke(ask(text), config=_config(watch)))

    async def call_async(text: str) -> Observed:
        watch = Watch()
        return watch.seen(await runnable.ainvoke(ask(text), config=_config(watch)))

    if is_async or not callable(getattr(runnable, "invoke", None)):
        return Search(call_async, is_async=True, finish=itself)
    return Search(call, finish=itself)


def _ask(runnable: Any) -> Any:
    """Tell from its schema what a runnable takes: the question, or an object with it."""
    try:
        schema = runnable.get_input_jsonschema()
    except Exception:  # noqa: BLE001 - a schema is a help and no more
        schema = {}
    names = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(names, Mapping) or not names or schema.get("type") == "array":
        return itself
    if "messages" in names:
        return lambda text: {"messages": [("user", text)]}
    required = schema.get("required") or list(names)
    name = next((name for name in QUESTIONS if name in names), None)
    if name is None and len(required) == 1:
        name = required[0]
    if name is None or set(required) - {name}:
        raise NotResultsError(
            f"the runnable takes an object with {', '.join(map(str, names))}; say with --request "
            "how it is made of the question, as in "
            f"--request '{{{required[0]}: query}}'"
        )
    return lambda text: {name: text}


class Notes:
    """The half of a callback handler that is ours: notes retrievals and calls of models."""

    run_inline = True  # in the thread of the step, so that what is noted is in order

    def __init__(self, watch: Watch) -> None:
        """Start outside of any retriever."""
        self.watch = watch
        self._inside: set[Any] = set()  # retrievers, and the steps inside of them

    def _is_inside(self, run: Mapping[str, Any]) -> bool:
        """Tell whether a step runs inside of a retriever, and remember it."""
        if run.get("parent_run_id") not in self._inside:
            return False
        self._inside.add(run["run_id"])
        return True

    def on_chain_start(self, *_: Any, **run: Any) -> None:
        """Follow steps inside of retrievers."""
        self._is_inside(run)

    def on_retriever_start(self, *_: Any, **run: Any) -> None:
        """Note a retriever that is not part of another."""
        if not self._is_inside(run):
            self._inside.add(run["run_id"])
            self.watch.retrieval_began(run["run_id"])

    def on_retriever_end(self, documents: Any, **run: Any) -> None:
        """Note what it found."""
        self.watch.retrieval_ended(run["run_id"], list(documents))

    def on_retriever_error(self, *_: Any, **run: Any) -> None:
        """Note that it failed."""
        self.watch.retrieval_ended(run["run_id"])

    def on_llm_start(self, *_: Any, **run: Any) -> None:
        """Note a call of a model."""
        self.watch.call_began(run["run_id"])
        self.watch.answer_began()

    on_chat_model_start = on_llm_start

    def on_llm_new_token(self, *_: Any, **__: Any) -> None:
        """Note a token of a call that is streamed."""
        self.watch.token()

    def on_llm_end(self, response: Any, **run: Any) -> None:
        """Note what a call says of its tokens."""
        self.watch.call_ended(run["run_id"], *_told(response))

    def on_llm_error(self, *_: Any, **run: Any) -> None:
        """Note that a call failed."""
        self.watch.call_ended(run["run_id"], failed=True)


@cache
def _handlers() -> type:
    """Return our notes as a class of LangChain's handlers; LangChain hands one on to every step."""
    from langchain_core.callbacks import BaseCallbackHandler

    return type("Handler", (Notes, BaseCallbackHandler), {})


def _config(watch: Watch) -> dict[str, Any]:
    """Return what has a runnable tell a watch of its steps."""
    return {"callbacks": [_handlers()(watch)]}


def _told(response: Any) -> tuple[Usage | None, str | None]:
    """Return the tokens and the model of an LLMResult."""
    output = response.llm_output or {}
    generations = [each for prompt in response.generations for each in prompt]
    messages = [getattr(each, "message", None) for each in generations]
    usage = model = None
    for message in messages:
        usage = usage or usage_of(getattr(message, "usage_metadata", None) or {})
        metadata = getattr(message, "response_metadata", None) or {}
        model = model or metadata.get("model_name") or metadata.get("model")
    usage = usage or usage_of(output.get("token_usage") or output.get("usage") or {})
    return usage, model or output.get("model_name")
