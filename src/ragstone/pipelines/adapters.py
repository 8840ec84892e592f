"""How the retrievers of each framework are told apart and called; no framework is imported.

A framework's class is known by the module of one of its bases. Whatever else has its methods is
taken as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

from msgspec import Struct

from ragstone.errors import InputError
from ragstone.pipelines.endpoint import Endpoint
from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import Settings
from ragstone.registry import Registry

TAKEN = (
    "a LangChain retriever (invoke), a LlamaIndex retriever (retrieve), a Haystack retriever "
    "(run(query=...)), or a function of the query's text"
)


class Adapter(Struct, frozen=True):
    """How a kind of retriever is known and called.

    prefixes: modules of the framework. fits: whether an object has what is called. bind: returns
    what is called. advice: what to give where the object does not fit.
    """

    prefixes: tuple[str, ...]
    fits: Callable[[Any], bool]
    bind: Callable[[Any, Settings], Search]
    advice: str


class Methods(Struct, frozen=True):
    """The two methods of a framework's retrievers, and what tells whether the second is its own.

    hook: what a class overrides where it really searches asynchronously; base: the module of the
    framework's class that has it for all, where it is but a wrapper of the other.
    """

    sync: str
    asynchronous: str
    hook: str
    base: str

    def fits(self, retriever: Any) -> bool:
        """Tell whether one of them is there."""
        names = (self.sync, self.asynchronous)
        return any(callable(getattr(retriever, name, None)) for name in names)

    def bind(self, retriever: Any, settings: Settings) -> Search:
        """Take the asynchronous one where several queries run at once and it is no wrapper."""
        first: Any = getattr(retriever, self.sync, None)
        second: Any = getattr(retriever, self.asynchronous, None)
        together = settings.concurrency > 1 and callable(second)
        if first is None or (together and self._own(retriever)):
            return Search(second, is_async=True)
        return Search(first, is_async=inspect.iscoroutinefunction(first))

    def _own(self, retriever: Any) -> bool:
        for name in (self.hook, self.asynchronous):
            for kind in type(retriever).__mro__:
                if name in vars(kind):
                    return not kind.__module__.startswith(self.base)
        return False


LANGCHAIN = Methods("invoke", "ainvoke", "_aget_relevant_documents", "langchain_core.r")
LLAMAINDEX = Methods("retrieve", "aretrieve", "_aretrieve", "llama_index.core.base.base_retriever")


def bind_haystack(retriever: Any, settings: Settings) -> Search:
    """Return a component's run, warmed up; its run_async where several queries run at once."""
    if warm_up := getattr(retriever, "warm_up", None):
        warm_up()
    together = settings.concurrency > 1 and getattr(retriever, "__haystack_supports_async__", False)
    run = retriever.run_async if together else retriever.run
    return Search(_by_keyword(run, is_async=together), is_async=together)


def _by_keyword(run: Callable[..., Any], *, is_async: bool) -> Callable[[str], Any]:
    def search(text: str) -> Any:
        return run(query=text)

    async def search_async(text: str) -> Any:
        return await run(query=text)

    return search_async if is_async else search


def is_component(retriever: Any) -> bool:
    """Tell whether an object has run(query=...), as Haystack's text retrievers do."""
    run = getattr(retriever, "run", None)
    return callable(run) and "query" in _parameters(run)


def bind_callable(retriever: Any, settings: Settings) -> Search:
    """Return a function of the text; a `k` or `top_k` that it must have gets ours."""
    for name in ("k", "top_k"):
        parameter = _parameters(retriever).get(name)
        if parameter is not None and parameter.default is parameter.empty:
            return Search(partial(retriever, **{name: settings.k}), is_async=_is_async(retriever))
    return Search(retriever, is_async=_is_async(retriever))


def _is_async(function: Any) -> bool:
    called = getattr(type(function), "__call__", None)  # noqa: B004 - the method, not whether
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


def _parameters(function: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # built-in functions have no signature
        return {}


def takes_a_query(function: Any) -> bool:
    """Tell a search from a factory: whether it can be called with one argument."""
    if isinstance(function, type) or not callable(function):
        return False
    try:
        inspect.signature(function).bind_partial("a query")
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def bind_endpoint(retriever: Endpoint, settings: Settings) -> Search:
    """Return the endpoint's search."""
    return retriever.search(settings)


ADAPTERS: Registry[Adapter] = Registry("framework")
ADAPTERS.add(
    "http",
    Adapter((), lambda it: isinstance(it, Endpoint), bind_endpoint, "give its https:// address"),
)
ADAPTERS.add(
    "langchain",
    Adapter(
        ("langchain",),
        LANGCHAIN.fits,
        LANGCHAIN.bind,
        "a vector store becomes a retriever by .as_retriever(search_kwargs={'k': 100})",
    ),
)
ADAPTERS.add(
    "llamaindex",
    Adapter(
        ("llama_index",),
        LLAMAINDEX.fits,
        LLAMAINDEX.bind,
        "an index becomes a retriever by .as_retriever(similarity_top_k=100)",
    ),
)
ADAPTERS.add(
    "haystack",
    Adapter(
        ("haystack",),
        is_component,
        bind_haystack,
        "a pipeline, or a retriever whose run() takes an embedding, needs a function of the "
        "query's text around it (or Haystack's TextEmbeddingRetriever)",
    ),
)
ADAPTERS.add(
    "callable", Adapter((), takes_a_query, bind_callable, "give a function of the query's text")
)


def adapter_of(retriever: Any, framework: str = "auto") -> str:
    """Return the name of the adapter for an object; raises InputError where there is none."""
    return chosen(ADAPTERS, retriever, framework, "retriever", TAKEN)


class Known(Protocol):
    """What tells whether an object is of a kind; see Adapter."""

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Modules of the framework."""

    @property
    def fits(self) -> Callable[[Any], bool]:
        """Whether an object has what is called."""

    @property
    def advice(self) -> str:
        """What to give where the object does not fit."""


def chosen(known: Mapping[str, Known], thing: Any, framework: str, noun: str, expected: str) -> str:
    """Return the name of the kind that an object is of; raises InputError where it is of none.

    framework: its name, or auto. noun, expected: what errors call the object, and what it can be.
    """
    if framework != "auto":
        kind = known[framework]
        if not kind.fits(thing):
            raise _unfit(noun, thing, kind.advice)
        return framework
    if isinstance(thing, type):
        raise _unfit(noun, thing, "that is a class; write module:Class() for an instance of it")
    for name, kind in known.items():
        if is_of(thing, kind.prefixes):
            if kind.fits(thing):
                return name
            raise _unfit(noun, thing, kind.advice)
    for name, kind in known.items():
        if kind.fits(thing):
            return name
    hint = "; write module:factory() where it makes one" if callable(thing) else ""
    raise _unfit(noun, thing, f"expected {expected}{hint}")


def is_of(thing: Any, prefixes: tuple[str, ...]) -> bool:
    """Tell whether a class of an object, or its metaclass's, lies in one of some modules."""
    kinds = (*type(thing).__mro__, *type(type(thing)).__mro__)
    return bool(prefixes) and any(kind.__module__.startswith(prefixes) for kind in kinds)


def _unfit(noun: str, thing: Any, advice: str) -> InputError:
    kind = thing if isinstance(thing, type) else type(thing)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return InputError(f"the {noun}, a {name}, cannot be called with a query; {advice}")
