"""How far a command is: a bar on a terminal, elsewhere now and then a line; nothing if --quiet."""

from __future__ import annotations

import sys
import time
from typing import Any

from ragstone.cli.log import is_terminal, log
from ragstone.progress import Progress, Silent

SECONDS, SHARE = 10.0, 0.1  # a line after this long, or after this part of the whole
REDRAW = 0.1


def progress(noun: str) -> Progress:
    """Return what shows how many `noun` are done, where this command writes its messages."""
    return _shown(noun, Units(noun))


def byte_progress(noun: str) -> Progress:
    """Return what shows how many bytes of `noun`, as in `corpus`, are read."""
    return _shown(noun, Bytes(noun))


def _shown(noun: str, units: Units) -> Progress:
    if log.quiet:
        return Silent()
    if log.log_format == "text" and is_terminal(sys.stderr):
        return Drawn(noun, units)
    return Lines(noun, units)


class Units:
    """Steps as a reader sees them: so many queries, and how many a second."""

    def __init__(self, noun: str) -> None:
        """Keep the word for a step."""
        self.noun = noun

    def count(self, done: int, total: int | None) -> str:
        """Return what is done, and of how many."""
        return f"{done:,} {self.noun}" if total is None else f"{done:,} of {total:,} {self.noun}"

    def rate(self, speed: float) -> str:
        """Return the steps a second, in words."""
        return f"{speed:,.1f} a second"

    def columns(self) -> list[Any]:
        """Return the columns of a drawn bar: the count and the rate."""
        from rich.progress import MofNCompleteColumn, TextColumn

        return [MofNCompleteColumn(), TextColumn("{task.fields[rate]}")]


class Bytes(Units):
    """Bytes in megabytes.

    >>> Bytes("corpus").count(5_000_000, 20_000_000), Bytes("corpus").rate(31_240_000)
    ('corpus: 5.0 of 20.0 MB', '31.2 MB a second')
    """

    def count(self, done: int, total: int | None) -> str:
        """Return what is read, and of how much."""
        whole = "" if total is None else f" of {total / 1e6:,.1f}"
        return f"{self.noun}: {done / 1e6:,.1f}{whole} MB"

    def rate(self, speed: float) -> str:
        """Return the megabytes a second."""
        return f"{speed / 1e6:,.1f} MB a second"

    def columns(self) -> list[Any]:
        """Return the columns of a drawn bar: the count and the rate."""
        from rich.progress import DownloadColumn, TransferSpeedColumn

        return [DownloadColumn(), TransferSpeedColumn()]


class Lines:
    """Says a line about every ten seconds, or every tenth of the whole where that is rarer.

    A tenth that passes within a second is not worth a line.
    """

    def __init__(self, noun: str, units: Units | None = None) -> None:
        """Keep the word for a step, and how steps are shown."""
        self._units = units or Units(noun)
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
        speed = self._done / seconds
        count, rate = self._units.count(self._done, self._total), self._units.rate(speed)
        if self._total is None or not self._done:
            return f"{count}, {rate}"
        left = clock((self._total - self._done) / speed)
        return f"{count} ({self._done / self._total:.0%}), {rate}, {left} left"


def clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds.

    >>> clock(7), clock(67), clock(3600)
    ('0:07', '1:07', '1:00:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Drawn:
    """A bar that rich draws, with the rate and the time left.

    It is drawn by the steps themselves and not by a thread, so that a process can be forked while
    it stands.
    """

    def __init__(self, noun: str, units: Units | None = None) -> None:
        """Keep the word for a step, and how steps are shown."""
        self._noun, self._units = noun, units or Units(noun)
        self._bars: Any = None
        self._drawn = 0.0

    def start(self, total: int | None) -> None:
        """Draw an empty bar."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            *self._units.columns(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
        )
        self._task = self._bars.add_task(self._noun, total=total, rate="")
        self._bars.start()

    def advance(self, steps: int = 1) -> None:
        """Move the bar; it is redrawn ten times a second at most."""
        speed = self._bars.tasks[0].speed
        now = time.monotonic()
        due = now - self._drawn >= REDRAW
        self._bars.update(
            self._task, advance=steps, rate=f"{speed:,.1f}/s" if speed else "", refresh=due
        )
        self._drawn = now if due else self._drawn

    def finish(self) -> None:
        """Take the bar away."""
        if self._bars is not None:
            self._bars.stop()
