"""When the next request may go out: requests per minute, and pauses an endpoint asks for."""

from __future__ import annotations

import asyncio
import time


class Clock:
    """Time as the client sees it; tests have one of their own."""

    def monotonic(self) -> float:
        """Seconds since some moment, never going back."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class Pace:
    """Spaces requests evenly, and holds all of them while the endpoint wants quiet."""

    def __init__(self, clock: Clock, per_minute: float | None) -> None:
        """Keep at most so many requests a minute; None: as fast as they come."""
        self._clock = clock
        self._gap = 60 / per_minute if per_minute else 0.0
        self._next = self._quiet_until = clock.monotonic()

    def quiet(self, seconds: float) -> None:
        """Let no request out for some seconds."""
        self._quiet_until = max(self._quiet_until, self._clock.monotonic() + seconds)

    async def turn(self) -> None:
        """Wait until a request may go out."""
        if self._gap:
            now = self._clock.monotonic()
            mine = max(now, self._next)
            self._next = mine + self._gap
            if mine > now:
                await self._clock.sleep(mine - now)
        while (wait := self._quiet_until - self._clock.monotonic()) > 0:
            await self._clock.sleep(wait)
