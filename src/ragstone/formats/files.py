"""Files of judgments and results, by the name of their format or by what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ragstone.formats import beir, jsonl, trec
from ragstone.formats.detection import detect_qrels, detect_run
from ragstone.formats.source import Source
from ragstone.model import Qrels, Results, Run
from ragstone.registry import Registry


class StreamRun(Protocol):
    """Reads a run, or the part of it between two starts of lines, a query at a time."""

    def __call__(
        self, source: Source, facts: Counter[str], start: int = 0, end: int | None = None
    ) -> Iterator[Results]:
        """Yield each query's results; count in `facts` what is left out."""


class RunFormat(Struct, frozen=True):
    """How runs of one format are read.

    `stream` may raise NotGroupedError, `collect` never does; `split` says where a file can be
    cut so that its parts can be read apart.
    """

    stream: StreamRun
    collect: Callable[[Source, Counter[str]], Iterator[Results]]
    split: Callable[[Source, int], list[int]]


QRELS_FORMATS: Registry[Callable[[Source, Counter[str]], Qrels]] = Registry("qrels format")
QRELS_FORMATS.add("trec", trec.read_qrels)
QRELS_FORMATS.add("beir", beir.read_qrels)
QRELS_FORMATS.add("jsonl", jsonl.read_qrels)

RUN_FORMATS: Registry[RunFormat] = Registry("run format")
RUN_FORMATS.add("trec", RunFormat(trec.stream_run, trec.collect_run, trec.split_run))
RUN_FORMATS.add("jsonl", RunFormat(jsonl.stream_run, jsonl.stream_run, jsonl.split_run))


class RunFile:
    """A run on disk, read as it is scored."""

    def __init__(self, source: Source, format_name: str) -> None:
        """Keep where the run is and how it is read."""
        self.source, self.format_name = source, RUN_FORMATS.resolve(format_name)
        self._format = RUN_FORMATS[format_name]

    def results(
        self, facts: Counter[str], start: int = 0, end: int | None = None
    ) -> Iterator[Results]:
        """Read a query at a time; raises NotGroupedError where lines of a query stand apart."""
        return self._format.stream(self.source, facts, start, end)

    def collected(self, facts: Counter[str]) -> Iterator[Results]:
        """Read all of it, then yield each query, whatever the order of the lines."""
        return self._format.collect(self.source, facts)

    def parts(self, number: int) -> list[tuple[int, int | None]]:
        """Return up to `number` pairs of offsets that can be read apart; one for gzip."""
        if self.source.packed:
            return [(0, None)]
        return list(pairwise(self._format.split(self.source, number)))


def read_qrels(path: str | Path | Source, format: str = "auto") -> Qrels:  # noqa: A002
    """Read judgments from a file.

    format: trec, beir, jsonl, or auto. Raises FormatError with file and line.
    """
    source = path if isinstance(path, Source) else Source(path)
    facts: Counter[str] = Counter()
    name = detect_qrels(source) if format == "auto" else format
    return QRELS_FORMATS[name](source, facts)


def open_run(path: str | Path | Source, format: str = "auto") -> RunFile:  # noqa: A002
    """Open a run to be read as it is scored; format: trec, jsonl, or auto."""
    source = path if isinstance(path, Source) else Source(path)
    return RunFile(source, detect_run(source) if format == "auto" else format)


def read_run(path: str | Path | Source, format: str = "auto") -> Run:  # noqa: A002
    """Read a whole run into memory.

    format: trec, jsonl, or auto. Raises FormatError with file and line.
    """
    facts: Counter[str] = Counter()
    run = open_run(path, format)
    rankings = {
        query: dict(zip(map(bytes.decode, docs), scores, strict=True))
        for query, docs, scores, _ in run.collected(facts)
    }
    return Run(rankings, dict(facts))
