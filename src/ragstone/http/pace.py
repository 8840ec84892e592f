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

    def __init__(
        self, clock: Clock, per_minute: float | None, tokens_per_minute: float | None = None
    ) -> None:
        """Keep at most so many requests and tokens a minute; None: as fast as they come."""
        self._clock = clock
        self._gap = 60 / per_minute if per_minute else 0.0
        self._token_gap = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._next = self._quiet_until = clock.monotonic()
        self._stopped: asyncio.Event | None = None

    @property
    def stopped(self) -> bool:
        """Whether nothing goes out any more."""
        return self._stopped is not None and self._stopped.is_set()

    def stop(self) -> None:
        """End every wait, now and from now on."""
        if self._stopped is None:
            self._stopped = asyncio.Event()
        self._stopped.set()

    def quiet(self, seconds: float) -> None:
        """Let no request out for some seconds."""
        self._quiet_until = max(self._quiet_until, self._clock.monotonic() + seconds)

    def spent(self, more: float) -> None:
        """Correct what the last requests were thought to take, by tokens more or fewer."""
        if more > 0:
            self._next = max(self._next, self._clock.monotonic())
        self._next += more * self._token_gap

    async def turn(self, tokens: float = 0.0) -> None:
        """Wait until a request may go out, which takes so many tokens."""
        gap = max(self._gap, tokens * self._token_gap)
        if gap:
            now = self._clock.monotonic()
            mine = max(now, self._next)
            self._next = mine + gap
            if mine > now:
                await self.rest(mine - now)
        while (wait := self._quiet_until - self._clock.monotonic()) > 0 and not self.stopped:
            await self.rest(wait)

    async def rest(self, seconds: float) -> None:
        """Wait, but not beyond `stop`."""
        if self._stopped is None:
            self._stopped = asyncio.Event()
        if self.stopped:
            return
        sleeping = asyncio.ensure_future(self._clock.sleep(seconds))
        stopping = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({sleeping, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            stopping.cancel()
