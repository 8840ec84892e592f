"""Processes that work for another: how they are started, and what they do first.

Layer: model | registry | progress | processes | usercode. Imports nothing of ragstone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while workers are started, here and in them.

    A new process inherits that. Between its start and `begin_worker` Ctrl-C would be an exception,
    and Python would print where.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Let Ctrl-C end this process without a word, and end it when its parent is gone.

    A parent that is killed (a time limit of a CI system sends SIGTERM, then SIGKILL) tells its
    workers nothing. They would wait for work for ever, and whoever waits for the end of their
    output with them.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        end = threading.Thread(
            target=_end_with, args=(parent.sentinel,), name="end-with-parent", daemon=True
        )
        end.start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
