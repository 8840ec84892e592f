"""How the pipelines of each framework are told apart and called; no framework is imported."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

from ragstone.errors import UsageError
from ragstone.pipelines.adapters import Adapter, chosen, is_of, made_ready, takes_a_query
from ragstone.pipelines.loading import named
from ragstone.pipelines.mapping import Expression
from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import CallSettings
from ragstone.pipelines.systems import function, haystack, langchain, llamaindex
from ragstone.pipelines.systems.endpoint import PipelineEndpoint
from ragstone.registry import Registry

Bind: TypeAlias = Callable[[Any, Expression | None, CallSettings], Search]

TAKEN = (
    "a LangChain runnable (invoke), a LlamaIndex query engine (query), a Haystack pipeline "
    "(run(data)), or a function of the question"
)


def _has(*names: str) -> Callable[[Any], bool]:
    return lambda thing: any(callable(getattr(thing, name, None)) for name in names)


def _is_pipeline(thing: Any) -> bool:
    return all(map(hasattr, [thing] * 3, ("run", "inputs", "outputs"))) and hasattr(thing, "graph")


def _bind_http(endpoint: Any, request: Expression | None, settings: CallSettings) -> Search:  # noqa: ARG001
    bound: Search = endpoint.bind(settings)
    return bound


def _bind_langchain(runnable: Any, request: Expression | None, settings: CallSettings) -> Search:  # noqa: ARG001
    return langchain.bind(runnable, request)


def _bind_llamaindex(engine: Any, request: Expression | None, settings: CallSettings) -> Search:  # noqa: ARG001
    return llamaindex.bind(engine, request)


def _bind_function(thing: Any, request: Expression | None, settings: CallSettings) -> Search:  # noqa: ARG001
    if request is not None:
        raise UsageError(
            "--request makes the input of an endpoint, a LangChain runnable or a Haystack "
            "pipeline; a function gets the question as it is"
        )
    return function.bind(thing)


SYSTEMS: Registry[Adapter[Bind]] = Registry("framework")
SYSTEMS.add(
    "http",
    Adapter(
        (), lambda it: isinstance(it, PipelineEndpoint), _bind_http, "give its https:// address"
    ),
)
SYSTEMS.add(
    "langchain",
    Adapter(
        ("langchain", "langgraph"),
        _has("invoke", "ainvoke"),
        _bind_langchain,
        "give a runnable: a chain, a graph or an agent",
    ),
)
SYSTEMS.add(
    "llamaindex",
    Adapter(
        ("llama_index",),
        _has("query", "aquery"),
        _bind_llamaindex,
        "an index becomes a query engine by .as_query_engine(); a chat engine remembers what was "
        "said before, so give a function that makes one for each question",
    ),
)
SYSTEMS.add(
    "haystack",
    Adapter(
        ("haystack",),
        _is_pipeline,
        haystack.bind,
        "a single component needs a Pipeline around it, or a function of the question",
    ),
)
SYSTEMS.add(
    "callable",
    Adapter((), takes_a_query, _bind_function, "give a function of the question"),
)


def bound_pipeline(
    pipeline: Any, request: Expression | None, settings: CallSettings
) -> tuple[str, Search]:
    """Return the name of the framework and what is called; raises InputError where it is none.

    pipeline: an object, a PipelineEndpoint, `module:attribute`, `module:factory()`, an address.
    request: makes its input of a question.
    """
    if isinstance(pipeline, str):
        pipeline = named(pipeline, "--pipeline", PipelineEndpoint)
    with made_ready("pipeline"):
        if (method := _named_method(pipeline, request)) is not None:
            return method
        name = chosen(SYSTEMS, pipeline, settings.framework, "pipeline", TAKEN)
        return name, SYSTEMS[name].bind(pipeline, request, settings)


def _named_method(pipeline: Any, request: Expression | None) -> tuple[str, Search] | None:
    """Take `chain.ainvoke` or `engine.aquery` for a wish to call these and not their twins."""
    if not inspect.ismethod(pipeline):
        return None
    owner = pipeline.__self__
    if pipeline.__name__ == "ainvoke" and is_of(owner, SYSTEMS["langchain"].prefixes):
        return "langchain", langchain.bind(owner, request, is_async=True)
    if pipeline.__name__ == "aquery" and is_of(owner, SYSTEMS["llamaindex"].prefixes):
        return "llamaindex", llamaindex.bind(owner, request, is_async=True)
    return None
