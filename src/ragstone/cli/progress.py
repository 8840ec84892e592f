"""How far a command is: a bar on a terminal, elsewhere now and then a line; nothing if --quiet."""

from __future__ import annotations

import sys
import time
from typing import Any

from ragstone.cli.log import is_terminal, log
from ragstone.progress import Progress, Silent

SECONDS, SHARE = 10.0, 0.1  # a line after this long, or after this part of the whole


def progress(noun: str) -> Progress:
    """Return what shows how many `noun` are done, where this command writes its messages."""
    if log.quiet:
        return Silent()
    if log.log_format == "text" and is_terminal(sys.stderr):
        return Drawn(noun)
    return Lines(noun)


class Lines:
    """Says a line about every ten seconds, or every tenth of the whole where that is rarer.

    A tenth that passes within a second is not worth a line.
    """

    def __init__(self, noun: str) -> None:
        """Keep the word for a step."""
        self._noun = noun
        self._total: int | None = None
        self._done = self._said = 0
        self._start = self._last = 0.0

    def start(self, total: int | None) -> None:
        """Start the clock."""
        self._total, self._start = total, time.monotonic()
        self._done, self._said, self._last = 0, 0, self._start

    def advance(self, steps: int = 1) -> None:
        """Count, and say a line where it is time."""
        self._done += steps
        now = time.monotonic()
        if self._done != self._total and self._due(now - self._last):
            self._said, self._last = self._done, now
            log.note(self._line(now - self._start))

    def finish(self) -> None:
        """Say nothing more."""

    def _due(self, waited: float) -> bool:
        tenth = self._total is not None and self._done - self._said >= SHARE * self._total
        return waited >= SECONDS or (tenth and waited >= 1.0)

    def _line(self, seconds: float) -> str:
        rate = self._done / seconds
        if self._total is None:
            return f"{self._done:,} {self._noun}, {rate:,.1f} a second"
        return (
            f"{self._done:,} of {self._total:,} {self._noun} ({self._done / self._total:.0%}), "
            f"{rate:,.1f} a second, {clock((self._total - self._done) / rate)} left"
        )


def clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds.

    >>> clock(7), clock(67), clock(3600)
    ('0:07', '1:07', '1:00:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Drawn:
    """A bar that rich draws, with the rate and the time left."""

    def __init__(self, noun: str) -> None:
        """Keep the word for a step."""
        self._noun = noun
        self._bars: Any = None

    def start(self, total: int | None) -> None:
        """Draw an empty bar."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bars.add_task(self._noun, total=total, rate="")
        self._bars.start()

    def advance(self, steps: int = 1) -> None:
        """Move the bar; it is redrawn ten times a second at most."""
        speed = self._bars.tasks[0].speed
        self._bars.update(self._task, advance=steps, rate=f"{speed:,.1f}/s" if speed else "")

    def finish(self) -> None:
        """Take the bar away."""
        if self._bars is not None:
            self._bars.stop()
