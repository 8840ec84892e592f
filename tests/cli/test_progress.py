"""How far a command is: a bar on a terminal, lines elsewhere, nothing with --quiet."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from ragstone.cli import progress as module
from ragstone.cli.log import log
from ragstone.cli.progress import Bytes, Lines, byte_progress, progress
from ragstone.progress import Silent


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(log, "note", lines.append)
    return lines


def work(clock: Clock, steps: int, seconds: float) -> None:
    lines = Lines("queries")
    lines.start(steps)
    for _ in range(steps):
        clock.now += seconds
        lines.advance()
    lines.finish()


def test_a_line_at_every_tenth(clock: Clock, said: list[str]) -> None:
    work(clock, 100, 0.5)
    assert said[0] == "10 of 100 queries (10%), 2.0 a second, 0:45 left"
    assert len(said) == 9


def test_a_line_after_ten_seconds(clock: Clock, said: list[str]) -> None:
    work(clock, 1000, 1.0)
    assert said[:2] == [
        "10 of 1,000 queries (1%), 1.0 a second, 16:30 left",
        "20 of 1,000 queries (2%), 1.0 a second, 16:20 left",
    ]


def test_nothing_of_what_is_done_at_once(clock: Clock, said: list[str]) -> None:
    work(clock, 2000, 0.0004)
    assert said == []


def test_a_number_that_nobody_knows(clock: Clock, said: list[str]) -> None:
    lines = Lines("documents")
    lines.start(None)
    clock.now += 20
    lines.advance(50)
    assert said == ["50 documents, 2.5 a second"]


def test_bytes_are_megabytes(clock: Clock, said: list[str]) -> None:
    lines = Lines("corpus", Bytes("corpus"))
    lines.start(767_000_000)
    for _ in range(3):
        clock.now += 4
        lines.advance(100_000_000)
    assert said == [
        "corpus: 100.0 of 767.0 MB (13%), 25.0 MB a second, 0:27 left",
        "corpus: 200.0 of 767.0 MB (26%), 25.0 MB a second, 0:23 left",
        "corpus: 300.0 of 767.0 MB (39%), 25.0 MB a second, 0:19 left",
    ]


def test_a_line_before_anything_is_done(clock: Clock, said: list[str]) -> None:
    lines = Lines("corpus", Bytes("corpus"))
    lines.start(1_000_000)
    clock.now += 20
    lines.advance(0)
    assert said == ["corpus: 0.0 of 1.0 MB, 0.0 MB a second"]


def test_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "quiet", True)
    assert isinstance(progress("queries"), Silent)
    assert isinstance(byte_progress("corpus"), Silent)


def test_a_pipe_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(progress("queries"), Lines)


def test_a_terminal_gets_a_bar_that_goes_away() -> None:
    seen = drawn("progress('queries')", total=40, step=1)
    assert b"queries" in seen
    assert b"/40" in seen
    assert b"/s" in seen
    assert seen.rstrip().endswith(b"\x1b[2K")  # the line is cleared at the end


def test_a_bar_over_bytes() -> None:
    seen = drawn("byte_progress('corpus')", total=40_000_000, step=1_000_000)
    assert b"/40.0 MB" in seen
    assert b"MB/s" in seen
    assert b"0:00:0" in seen
    assert seen.rstrip().endswith(b"\x1b[2K")


def drawn(bar: str, total: int, step: int) -> bytes:
    """Return what a terminal gets while forty steps are done, by one thread."""
    code = (
        "import threading, time\n"
        "from ragstone.cli.progress import byte_progress, progress\n"
        f"bar = {bar}\n"
        f"bar.start({total})\n"
        "for _ in range(40):\n"
        "    time.sleep(0.02)\n"
        f"    bar.advance({step})\n"
        "assert threading.active_count() == 1\n"
        "bar.finish()\n"
    )
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 65536):
            seen += part
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    assert process.wait(10) == 0
    return seen
