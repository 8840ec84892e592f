"""A retriever's run as a file: TREC columns, or JSON lines with all that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ragstone.errors import UsageError
from ragstone.formats import RUN_WRITERS
from ragstone.pipelines.retriever_run import RetrieverRun
from ragstone.registry import Registry


def as_trec(run: RetrieverRun, tag: str) -> Iterator[bytes]:
    """Write documents and scores; ranks become scores where the scores do not give the order."""
    return RUN_WRITERS["trec"]((record.results() for record in run.records), tag)


def as_jsonl(run: RetrieverRun, tag: str) -> Iterator[bytes]:  # noqa: ARG001
    """Write one object a query, with latencies, errors, and texts where they were kept."""
    return (record.line() for record in run.records)


OUTPUTS: Registry[Callable[[RetrieverRun, str], Iterator[bytes]]] = Registry("run format to write")
OUTPUTS.add("trec", as_trec)
OUTPUTS.add("jsonl", as_jsonl)

ENDINGS = {"trec": "trec", "run": "trec", "txt": "trec", "jsonl": "jsonl", "ndjson": "jsonl"}


def check_tag(tag: str) -> None:
    """Raise UsageError for what cannot be the tag of a TREC run, before anything is run."""
    for _ in RUN_WRITERS["trec"]((), tag):
        return


def output_format(out: str, to: str | None) -> str:
    """Return the format as told, or as the name of the file says it.

    >>> output_format("baseline.trec", None), output_format("runs/a.jsonl.gz", None)
    ('trec', 'jsonl')
    """
    if to is not None:
        return OUTPUTS.resolve(to)
    ending = out.removesuffix(".gz").rpartition(".")[2].lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"--out {out!r} does not say its format by its ending; add --to trec or --to jsonl"
        )
    return ENDINGS[ending]
