"""Processes that read the parts of a corpus."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from ragstone.corpus.job import Job
from ragstone.errors import RagstoneError
from ragstone.formats.corpus import Census, Corpus, Part
from ragstone.processes import begin_worker, interrupts_held
from ragstone.progress import Progress

S = TypeVar("S")
SECONDS = 0.2  # between two looks at how far the workers are
STOP = -1  # instead of a count of bytes, tells the workers to give up


def stream_parts(
    job: Job[S], corpus: Corpus, parts: Sequence[Part], workers: int, bar: Progress
) -> tuple[S, Census]:
    """Run a job over each part in one of several processes; return what `stream` does."""
    state, census = job.start(), Census(portable=True)
    taken = multiprocessing.Value("q", 0)
    with _pool(workers, _Shared(job, corpus, taken)) as pool:
        with interrupts_held():
            futures = [pool.submit(_read_part, part) for part in parts]
        bar.start(corpus.size)
        try:
            for future in futures:  # in the order of the corpus, so that the first error is told
                part_state, part_census = _result(future, taken, bar)
                job.merge(state, part_state)
                census.merge(part_census)
        finally:
            bar.finish()
    corpus.check(census)
    return state, census


@contextmanager
def _pool(workers: int, shared: _Shared) -> Iterator[ProcessPoolExecutor]:
    """Start the processes; an error ends what they do, and what waits to be done is given up."""
    pool = ProcessPoolExecutor(workers, initializer=_share, initargs=(shared,))
    try:
        yield pool
    finally:
        with shared.taken.get_lock():
            shared.taken.value = STOP
        pool.shutdown(cancel_futures=True)


def _result(future: Future[Any], taken: Any, bar: Progress) -> Any:
    """Wait for a part, and tell meanwhile how far all of them are."""
    while True:
        wait([future], SECONDS)
        with taken.get_lock():
            done, taken.value = taken.value, 0
        if done:
            bar.advance(done)
        if future.done():
            return _finished(future)


def _finished(future: Future[Any]) -> Any:
    try:
        return future.result()
    except BrokenExecutor:
        raise RagstoneError(
            "a worker process was killed, perhaps for the memory it took; try fewer workers"
        ) from None


# ---- in a worker --------------------------------------------------------------------------------


class _Shared(NamedTuple):
    """What every worker has: the job, the corpus, and a count of the bytes that were read."""

    job: Job[Any]
    corpus: Corpus
    taken: Any


class _StoppedError(Exception):
    """Nobody waits for this part any more."""


class _Counter:
    """Adds the bytes that one worker has read to the count of all, until it is told to stop."""

    def __init__(self, taken: Any) -> None:
        self._taken = taken

    def start(self, total: int | None) -> None:
        pass

    def advance(self, steps: int = 1) -> None:
        with self._taken.get_lock():
            if self._taken.value == STOP:
                raise _StoppedError
            self._taken.value += steps

    def finish(self) -> None:
        pass


_shared: list[_Shared] = []


def _share(shared: _Shared) -> None:
    begin_worker()
    _shared[:] = [shared]


def _read_part(part: Part) -> tuple[Any, Census]:
    job, corpus, taken = _shared[0]
    state, census = job.start(), Census(portable=True)
    for batch in corpus.batches(part, census=census, progress=_Counter(taken)):
        job.read(state, batch)
    return state, census
