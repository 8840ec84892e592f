"""A clock for the HTTP client under test."""

from __future__ import annotations

import asyncio

from ragstone.http import Clock


class FakeClock(Clock):
    """A clock that moves when somebody sleeps; `slept` has how long."""

    def __init__(self) -> None:
        """Start at 1,000 seconds, and at the last second of 1999."""
        self.now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        """Return its own time."""
        return self.now

    def wall(self) -> float:
        """Return its own time of day."""
        return 946684799.0 + self.now - 1000.0

    async def sleep(self, seconds: float) -> None:
        """Move on at once."""
        self.slept.append(seconds)
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)
