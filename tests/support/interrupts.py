"""Ctrl-C, and other signals, while a command reads a file."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from commands import EPOCH, RAGSTONE

needs_proc = pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").is_file(),
    reason="nothing here says what a process is reading",
)


def interrupted_while_reading(
    name: str, args: Sequence[str], folder: Path
) -> subprocess.CompletedProcess[bytes]:
    """Send SIGINT to a command, and to its children, as a terminal does, once it has read some."""
    return _stopped(name, args, folder, lambda pid: os.killpg(pid, signal.SIGINT))


def killed_while_reading(
    name: str, args: Sequence[str], folder: Path, number: signal.Signals
) -> subprocess.CompletedProcess[bytes]:
    """Send a signal to a command alone; return once all that have its output have ended."""
    return _stopped(name, args, folder, lambda pid: os.kill(pid, number))


def _stopped(
    name: str, args: Sequence[str], folder: Path, stop: Callable[[int], None]
) -> subprocess.CompletedProcess[bytes]:
    with subprocess.Popen(
        [*RAGSTONE, *args],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **EPOCH},
        start_new_session=True,
    ) as process:
        wait_until(lambda: reading(process.pid, name))
        stop(process.pid)
        try:
            out, err = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(args, process.returncode, out, err)


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(2000):
        if holds():
            return
        time.sleep(0.005)
    raise AssertionError("it never happened")


def reading(pid: int, name: str) -> bool:
    """Tell whether a process, or a child of it, has a file open and has read a part of it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each in [str(pid), *children]:
        for link in Path(f"/proc/{each}/fd").glob("*"):
            try:
                if link.readlink().name == name and position(each, link.name) > 65536:
                    return True
            except OSError:
                continue
    return False


def position(pid: str, number: str) -> int:
    return int(Path(f"/proc/{pid}/fdinfo/{number}").read_text().split()[1])
