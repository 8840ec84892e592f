"""A live retriever, run over queries: from LangChain, LlamaIndex, Haystack, a function, or HTTP.

Layer: answers | lint | pipelines. May import matching, corpus, judge, scoring, measures, formats,
text, http, store and everything lower, never what is above or beside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragstone.pipelines.adapters import ADAPTERS
from ragstone.pipelines.endpoint import Endpoint
from ragstone.pipelines.loading import is_address, load_retriever
from ragstone.pipelines.output import OUTPUTS, output_format
from ragstone.pipelines.record import Record
from ragstone.pipelines.running import Kept, RetrieverRun, Runner
from ragstone.pipelines.settings import Settings
from ragstone.progress import Progress

__all__ = [
    "ADAPTERS",
    "OUTPUTS",
    "Endpoint",
    "Record",
    "RetrieverRun",
    "Runner",
    "Settings",
    "is_address",
    "load_retriever",
    "output_format",
    "run_retriever",
]


def run_retriever(
    retriever: Any,
    queries: Mapping[str, str],
    *,
    k: int = 100,
    framework: str = "auto",
    id_key: str | None = None,
    fold_to_parent: str | None = None,
    concurrency: int = 1,
    timeout: float | None = None,
    retries: int | None = None,
    repeat: int = 1,
    on_error: str = "fail",
    keep_text: bool = False,
    kept: Kept | None = None,
    progress: Progress | None = None,
) -> RetrieverRun:
    """Call a retriever for every query and return the run, ready for `score`.

    retriever: an object of LangChain, LlamaIndex or Haystack, a function of a query's text, an
    Endpoint, or what --retriever takes: `module:attribute`, `module:factory()`, an address.
    queries: id -> text. timeout: seconds for a call. kept: a journal that finished queries go
    into, and from which they are taken again. The other options are those of the command.

    Raises InputError for results without ids, and RetrieverError for a call that fails.

    >>> pages = {"a": "keys and shortcuts", "b": "refunds"}
    >>> run = run_retriever(lambda text: [d for d in pages if text in pages[d]], {"q1": "refunds"})
    >>> run["q1"]
    {'b': 1.0}
    """
    settings = Settings(
        k=k,
        framework=framework,
        id_key=id_key,
        fold_to_parent=fold_to_parent,
        concurrency=concurrency,
        timeout=timeout,
        retries=retries,
        repeat=repeat,
        on_error=on_error,
        keep_text=keep_text,
    )
    runner = Runner(retriever, queries, settings)
    if kept is not None:
        runner.keep_in(kept)
    return runner.run(progress)
