"""A live retriever or pipeline, run over queries: of a framework, a function, or behind HTTP.

Layer: answers | lint | pipelines. May import matching, corpus, judge, scoring, measures, formats,
text, http, store and everything lower, never what is above or beside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragstone.model.samples import Sample
from ragstone.pipelines.endpoint import Endpoint
from ragstone.pipelines.loading import is_address, load
from ragstone.pipelines.output import OUTPUTS, output_format
from ragstone.pipelines.pipeline_run import PipelineRun, PipelineRunner
from ragstone.pipelines.record import Record
from ragstone.pipelines.retriever_run import RetrieverRun, RetrieverRunner
from ragstone.pipelines.retrievers import ADAPTERS
from ragstone.pipelines.runner import Kept
from ragstone.pipelines.settings import CallSettings, Settings
from ragstone.pipelines.systems import SYSTEMS, PipelineEndpoint
from ragstone.progress import Progress
from ragstone.usercode import Spec

__all__ = [
    "ADAPTERS",
    "OUTPUTS",
    "SYSTEMS",
    "CallSettings",
    "Endpoint",
    "PipelineEndpoint",
    "PipelineRun",
    "PipelineRunner",
    "Record",
    "RetrieverRun",
    "RetrieverRunner",
    "Settings",
    "Spec",
    "is_address",
    "load",
    "output_format",
    "run_pipeline",
    "run_retriever",
]


def run_pipeline(
    pipeline: Any,
    questions: Mapping[str, str | Sample],
    *,
    framework: str = "auto",
    id_key: str | None = None,
    fold_to_parent: str | None = None,
    concurrency: int = 1,
    timeout: float | None = None,
    retries: int | None = None,
    repeat: int = 1,
    on_error: str = "fail",
    model: str | None = None,
    kept: Kept | None = None,
    progress: Progress | None = None,
) -> PipelineRun:
    """Ask a pipeline every question and return the samples.

    pipeline: a LangChain runnable, a LlamaIndex query engine, a Haystack pipeline, a function of
    the question, a PipelineEndpoint, or what --pipeline takes: `module:attribute`,
    `module:factory()`, an address. A function returns a text, a dict with answer, contexts and
    usage, or a Sample. questions: id -> text, or a Sample that has its reference. model: its name,
    where the pipeline does not say it. The other options are as for run_retriever.

    Raises InputError for what is no answer, and PipelineError for a call that fails.

    >>> def ask(question):
    ...     return {"answer": "In a week.", "contexts": [{"id": "b", "text": "refunds: a week"}]}
    >>> [sample] = run_pipeline(ask, {"q1": "How long do refunds take?"})
    >>> sample.answer, sample.contexts[0].id
    ('In a week.', 'b')
    """
    settings = CallSettings(
        framework=framework,
        id_key=id_key,
        fold_to_parent=fold_to_parent,
        concurrency=concurrency,
        timeout=timeout,
        retries=retries,
        repeat=repeat,
        on_error=on_error,
    )
    runner = PipelineRunner(pipeline, questions, settings, model=model)
    if kept is not None:
        runner.keep_in(kept)
    return runner.run(progress)


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
    runner = RetrieverRunner(retriever, queries, settings)
    if kept is not None:
        runner.keep_in(kept)
    return runner.run(progress)
