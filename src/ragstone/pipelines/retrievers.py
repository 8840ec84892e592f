"""How the retrievers of each framework are told apart and called; no framework is imported."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct

from ragstone.pipelines.adapters import Adapter, chosen, made_ready, takes_a_query
from ragstone.pipelines.endpoint import Endpoint
from ragstone.pipelines.loading import named
from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import Settings
from ragstone.registry import Registry
from ragstone.usercode import is_async, parameters

Bind: TypeAlias = Callable[[Any, Settings], Search]

TAKEN = (
    "a LangChain retriever (invoke), a LlamaIndex retriever (retrieve), a Haystack retriever "
    "(run(query=...)), or a function of the query's text"
)


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
        return Search(first, is_async=is_async(first))

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
    return callable(run) and "query" in parameters(run)


def bind_callable(retriever: Any, settings: Settings) -> Search:
    """Return a function of the text; a `k` or `top_k` that it must have gets ours."""
    for name in ("k", "top_k"):
        parameter = parameters(retriever).get(name)
        if parameter is not None and parameter.default is parameter.empty:
            return Search(partial(retriever, **{name: settings.k}), is_async=is_async(retriever))
    return Search(retriever, is_async=is_async(retriever))


def bind_endpoint(retriever: Endpoint, settings: Settings) -> Search:
    """Return the endpoint's search."""
    return retriever.search(settings)


ADAPTERS: Registry[Adapter[Bind]] = Registry("framework")
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


def bound_retriever(retriever: Any, settings: Settings) -> tuple[str, Search]:
    """Return the name of the framework and what is called; raises InputError where it is none.

    retriever: an object, an Endpoint, `module:attribute`, `module:factory()`, an address.
    """
    if isinstance(retriever, str):
        retriever = named(retriever, "--retriever", Endpoint)
    with made_ready("retriever"):
        name = adapter_of(retriever, settings.framework)
        return name, ADAPTERS[name].bind(retriever, settings)
