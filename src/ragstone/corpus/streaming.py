"""A corpus read batch by batch, by this process or by several, with the same result."""

from __future__ import annotations

from typing import TypeVar

from ragstone.corpus.job import Job, Reader
from ragstone.corpus.workers import stream_parts
from ragstone.formats.corpus import Census, Corpus
from ragstone.progress import Progress, Silent

S = TypeVar("S")
PARTS = 4  # of the corpus for each worker, so that a slow part does not keep the others waiting


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
        return stream_parts(job, corpus, parts, min(workers, len(parts)), bar)
    state, census = job.start(), Census()
    for batch in corpus.batches(census=census, progress=bar):
        job.read(state, batch)
    return state, census
