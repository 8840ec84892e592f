"""Workers and Ctrl-C, whatever they are doing when it comes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.synchronize import Event
from typing import Any

import pytest

from ragstone.processes import begin_worker, interrupts_held


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_ctrl_c_while_a_worker_starts_ends_it_without_a_word(
    method: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Before its first line of ours too, where Python would print a traceback."""
    context: Any = multiprocessing.get_context(method)
    running, interrupted = context.Event(), context.Event()
    worker = context.Process(target=_work, args=(running, interrupted))
    with interrupts_held():
        worker.start()
    assert running.wait(20)
    os.kill(worker.pid, signal.SIGINT)
    interrupted.set()
    worker.join(20)
    assert worker.exitcode == -signal.SIGINT
    assert capfd.readouterr() == ("", "")


def test_ctrl_c_comes_once_the_workers_are_started() -> None:
    started: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        _start(started)
    assert started == ["a worker"]


def _start(started: list[str]) -> None:
    with interrupts_held():
        signal.raise_signal(signal.SIGINT)
        started.append("a worker")


def _work(running: Event, interrupted: Event) -> None:
    running.set()
    interrupted.wait(20)
    begin_worker()
    raise AssertionError("Ctrl-C was lost")
