"""A corpus read batch by batch, by this process or by several, with the same result."""

from __future__ import annotations

from typing import Protocol, TypeVar

from ragstone.formats.corpus import Batch, Census, Corpus
from ragstone.progress import Progress, Silent

S = TypeVar("S")
PARTS = 4  # of the corpus for each worker, so that a slow part does not keep the others waiting


class Job(Protocol[S]):
    """What is done with a corpus. The job and its state go from process to process: they pickle.

    The state in the end must not depend on the order of the documents, nor on how they are put
    into batches.
    """

    def start(self) -> S:
        """Return the state before the first document."""

    def read(self, state: S, batch: Batch) -> None:
        """Take in a batch of documents."""

    def merge(self, state: S, other: S) -> None:
        """Take in what another process made of other documents."""


class Reader(Protocol):
    """A corpus that is not read by this process, as that of a Spark session."""

    def run(self, job: Job[S]) -> tuple[S, Census]:
        """Run a job over all documents; return its state and what was counted."""


def stream(
    job: Job[S], corpus: Corpus | Reader, *, workers: int = 1, progress: Progress | None = None
) -> tuple[S, Census]:
    """Run a job over all documents of a corpus; return its state and what was counted.

    workers: how many processes read it; the result is the same. progress: is told of bytes on
    disk. Raises FormatError as `Corpus.batches` does: for a row that cannot be read, an id that
    stands twice, a corpus without any text; RagstoneError where a worker is killed.
    """
    if not isinstance(corpus, Corpus):
        return corpus.run(job)
    bar = progress or Silent()
    parts = corpus.parts(workers * PARTS) if workers > 1 else []
    if len(parts) > 1:
        from ragstone.corpus.workers import stream_parts

        return stream_parts(job, corpus, parts, min(workers, len(parts)), bar)
    state, census = job.start(), Census()
    for batch in corpus.batches(census=census, progress=bar):
        job.read(state, batch)
    return state, census
