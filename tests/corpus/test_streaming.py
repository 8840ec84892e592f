"""A job over a corpus gives the same however many processes read it, errors too."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from ragstone.corpus import workers as processes
from ragstone.corpus.streaming import stream
from ragstone.errors import FormatError, InputError, RagstoneError
from ragstone.formats.corpus import Batch, Corpus
from ragstone.text import words


class Words:
    """Counts words, and notes which processes read."""

    def start(self) -> tuple[Counter[str], set[int]]:
        return Counter(), set()

    def read(self, state: tuple[Counter[str], set[int]], batch: Batch) -> None:
        for text in batch.texts:
            state[0].update(words(text))
        state[1].add(os.getpid())

    def merge(
        self, state: tuple[Counter[str], set[int]], other: tuple[Counter[str], set[int]]
    ) -> None:
        state[0].update(other[0])
        state[1].update(other[1])


class Failing(Words):
    """Ends the process of whoever reads a document."""

    def read(self, state: tuple[Counter[str], set[int]], batch: Batch) -> None:
        if "d300" in batch.ids:
            os._exit(1)
        super().read(state, batch)


class Told:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.total: int | None = None
        self.done = self.finished = 0

    def start(self, total: int | None) -> None:
        self.total, self.done = total, 0

    def advance(self, steps: int = 1) -> None:
        self.done += steps

    def finish(self) -> None:
        self.finished += 1


def corpus_of(folder: Path, texts: Sequence[str], name: str = "corpus.jsonl") -> Path:
    path = folder / name
    rows = (json.dumps({"_id": f"d{n}", "text": text}) for n, text in enumerate(texts))
    path.write_text("".join(f"{row}\n" for row in rows))
    return path


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_every_document_is_read_once(tmp_path: Path, workers: int) -> None:
    path = corpus_of(tmp_path, [f"text number n{n} " * 50 for n in range(400)] + [" ", ""])
    told = Told()
    (found, readers), census = stream(Words(), Corpus(path), workers=workers, progress=told)
    assert found == {
        "text": 20_000,
        "number": 20_000,
        **{f"n{n}": 50 for n in range(400)},
    }
    assert (census.documents, census.empty) == (402, 2)
    assert (told.total, told.done, told.finished) == (path.stat().st_size, told.total, 1)
    assert (readers == {os.getpid()}) == (workers == 1)


def test_one_part_needs_no_process(tmp_path: Path) -> None:
    path = corpus_of(tmp_path, ["a b", "c"])
    (found, readers), census = stream(Words(), Corpus(path, max_records=1), workers=4)
    assert (found, readers, census.truncated) == ({"a": 1, "b": 1}, {os.getpid()}, True)


@pytest.mark.parametrize("again", [3, 390])
def test_an_id_in_two_parts_is_the_same_error(tmp_path: Path, again: int) -> None:
    rows = [json.dumps({"id": f"d{n}", "text": f"text {n}"}) for n in range(400)]
    rows[again] = rows[200]
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n".join(rows))
    first, second = sorted((again + 1, 201))
    for workers in (1, 2, 3):
        with pytest.raises(FormatError) as caught:
            stream(Words(), Corpus(path), workers=workers)
        assert str(caught.value) == (
            f"{path}:{second}: document 'd200' has two rows, the first at {path}:{first}; "
            "a document has one row"
        )


def test_the_first_error_of_the_corpus_is_told(tmp_path: Path) -> None:
    rows = [json.dumps({"id": f"d{n}", "text": f"text {n}"}) for n in range(400)]
    rows[100], rows[399] = "{", "["
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n".join(rows))
    said = set()
    for workers in (1, 2, 3):
        with pytest.raises(InputError) as caught:
            stream(Words(), Corpus(path), workers=workers)
        said.add(str(caught.value))
    assert len(said) == 1
    assert said.pop().startswith(f"{path}:101: ")


def test_no_worker_is_left_behind(tmp_path: Path) -> None:
    path = corpus_of(tmp_path, ["{"])
    path.write_text("{\n" + path.read_text() * 100)
    with pytest.raises(InputError):
        stream(Words(), Corpus(path), workers=3)
    assert multiprocessing.active_children() == []


class Slow(Words):
    """Takes half a second for each batch, of which there are many."""

    def read(self, state: tuple[Counter[str], set[int]], batch: Batch) -> None:
        time.sleep(0.5)


class Interrupting(Told):
    """Is interrupted as Ctrl-C does it, but in the parent alone."""

    def start(self, total: int | None) -> None:
        raise KeyboardInterrupt


def test_workers_that_nobody_waits_for_give_up(tmp_path: Path) -> None:
    """Whoever sends a signal to the command alone must not wait for gigabytes to be read."""
    path = corpus_of(tmp_path, ["text " * 20_000 for _ in range(200)])
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        stream(Slow(), Corpus(path), workers=2, progress=Interrupting())
    assert time.monotonic() - begun < 5
    assert multiprocessing.active_children() == []


def test_a_worker_that_is_killed_is_said(tmp_path: Path) -> None:
    path = corpus_of(tmp_path, [f"text {n}" for n in range(400)])
    with pytest.raises(RagstoneError, match="a worker process was killed") as caught:
        stream(Failing(), Corpus(path), workers=2)
    assert caught.value.exit_code == 3
    assert multiprocessing.active_children() == []


def test_what_a_worker_gets_and_gives_can_be_sent(tmp_path: Path) -> None:
    """Where processes are not forked, everything is pickled but the counter of bytes."""
    corpus = Corpus(corpus_of(tmp_path, ["a b", "b"]))
    job, corpus = pickle.loads(pickle.dumps((Words(), corpus)))
    shared = processes._Shared(job, corpus, multiprocessing.Value("q", 0))
    part = pickle.loads(pickle.dumps(corpus.parts(1)[0]))
    with patch.object(processes, "_shared", [shared]):  # this process is no worker
        (found, _), census = pickle.loads(pickle.dumps(processes._read_part(part)))
    assert (found, census.documents) == ({"a": 1, "b": 2}, 2)


def sleep_as_a_worker(ready: Any) -> None:
    processes._share(processes._Shared(Words(), None, None))  # type: ignore[arg-type]
    ready.set()
    time.sleep(60)


def test_a_worker_ends_at_ctrl_c_without_a_word() -> None:
    forked = multiprocessing.get_context("fork")
    ready = forked.Event()
    child = forked.Process(target=sleep_as_a_worker, args=(ready,))
    child.start()
    assert ready.wait(30)  # before, it is still a process like this one
    assert child.pid is not None
    os.kill(child.pid, signal.SIGINT)
    child.join(30)
    assert child.exitcode == -signal.SIGINT
