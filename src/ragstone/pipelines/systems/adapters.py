"""How the pipelines of each framework are told apart and called; no framework is imported."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ragstone.errors import InputError, RagstoneError, UsageError
from ragstone.pipelines.adapters import chosen, is_of, takes_a_query
from ragstone.pipelines.hits import NotResultsError
from ragstone.pipelines.loading import Spec, is_address, load
from ragstone.pipelines.place import said
from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import CallSettings
from ragstone.pipelines.systems import function, haystack, langchain, llamaindex
from ragstone.pipelines.systems.asking import Asking
from ragstone.pipelines.systems.endpoint import PipelineEndpoint
from ragstone.registry import Registry

TAKEN = (
    "a LangChain runnable (invoke), a LlamaIndex query engine (query), a Haystack pipeline "
    "(run(data)), or a function of the question"
)


class System(Struct, frozen=True):
    """How a kind of pipeline is known and called.

    prefixes: modules of the framework. fits: whether an object has what is called. bind: returns
    what is called. advice: what to give where the object does not fit.
    """

    prefixes: tuple[str, ...]
    fits: Callable[[Any], bool]
    bind: Callable[[Any, Asking, CallSettings], Search]
    advice: str


def _has(*names: str) -> Callable[[Any], bool]:
    return lambda thing: any(callable(getattr(thing, name, None)) for name in names)


def _is_pipeline(thing: Any) -> bool:
    return all(map(hasattr, [thing] * 3, ("run", "inputs", "outputs"))) and hasattr(thing, "graph")


def _bind_http(endpoint: PipelineEndpoint, asking: Asking, settings: CallSettings) -> Search:  # noqa: ARG001
    return endpoint.bind(settings)


def _bind_langchain(runnable: Any, asking: Asking, settings: CallSettings) -> Search:  # noqa: ARG001
    return langchain.bind(runnable, asking)


def _bind_llamaindex(engine: Any, asking: Asking, settings: CallSettings) -> Search:  # noqa: ARG001
    return llamaindex.bind(engine, asking)


def _bind_function(thing: Any, asking: Asking, settings: CallSettings) -> Search:  # noqa: ARG001
    if asking.request is not None:
        raise UsageError(
            "--request makes the input of an endpoint, a LangChain runnable or a Haystack "
            "pipeline; a function gets the question as it is"
        )
    return function.bind(thing)


SYSTEMS: Registry[System] = Registry("framework")
SYSTEMS.add(
    "http",
    System(
        (), lambda it: isinstance(it, PipelineEndpoint), _bind_http, "give its https:// address"
    ),
)
SYSTEMS.add(
    "langchain",
    System(
        ("langchain", "langgraph"),
        _has("invoke", "ainvoke"),
        _bind_langchain,
        "give a runnable: a chain, a graph or an agent",
    ),
)
SYSTEMS.add(
    "llamaindex",
    System(
        ("llama_index",),
        _has("query", "aquery"),
        _bind_llamaindex,
        "an index becomes a query engine by .as_query_engine(); a chat engine remembers what was "
        "said before, so give a function that makes one for each question",
    ),
)
SYSTEMS.add(
    "haystack",
    System(
        ("haystack",),
        _is_pipeline,
        haystack.bind,
        "a single component needs a Pipeline around it, or a function of the question",
    ),
)
SYSTEMS.add(
    "callable",
    System((), takes_a_query, _bind_function, "give a function of the question"),
)


def bound_pipeline(pipeline: Any, asking: Asking, settings: CallSettings) -> tuple[str, Search]:
    """Return the name of the framework and what is called; raises InputError where it is none.

    pipeline: an object, a PipelineEndpoint, `module:attribute`, `module:factory()`, an address.
    """
    if isinstance(pipeline, str):
        pipeline = (
            PipelineEndpoint(pipeline)
            if is_address(pipeline)
            else load(Spec("--pipeline", pipeline))
        )
    try:
        if (named := _named_method(pipeline, asking)) is not None:
            return named
        name = chosen(SYSTEMS, pipeline, settings.framework, "pipeline", TAKEN)
        return name, SYSTEMS[name].bind(pipeline, asking, settings)
    except RagstoneError:
        raise
    except NotResultsError as error:
        raise InputError(str(error)) from None
    except Exception as error:
        raise InputError(f"the pipeline could not be made ready: {said(error)}") from error


def _named_method(pipeline: Any, asking: Asking) -> tuple[str, Search] | None:
    """Take `chain.ainvoke` or `engine.aquery` for a wish to call these and not their twins."""
    if not inspect.ismethod(pipeline):
        return None
    owner = pipeline.__self__
    if pipeline.__name__ == "ainvoke" and is_of(owner, SYSTEMS["langchain"].prefixes):
        return "langchain", langchain.bind(owner, asking, is_async=True)
    if pipeline.__name__ == "aquery" and is_of(owner, SYSTEMS["llamaindex"].prefixes):
        return "llamaindex", llamaindex.bind(owner, asking, is_async=True)
    return None
