"""What a process that works for another does first.

Layer: model | registry | progress | processes. Imports nothing of ragstone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait


def begin_worker() -> None:
    """Let Ctrl-C end this process without a word, and end it when its parent is gone.

    A parent that is killed (a time limit of a CI system sends SIGTERM, then SIGKILL) tells its
    workers nothing. They would wait for work for ever, and whoever waits for the end of their
    output with them.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        end = threading.Thread(
            target=_end_with, args=(parent.sentinel,), name="end-with-parent", daemon=True
        )
        end.start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
