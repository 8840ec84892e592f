"""How many requests are on their way at once: a fixed number, or as many as an endpoint bears."""

from __future__ import annotations

import asyncio
from collections import deque

CUT = 0.5


class Room:
    """Lets at most so many in at once, in the order in which they came.

    Adaptive, it halves what it lets in when the endpoint pushes back, and grows by one each time
    as many have succeeded as it lets in (additive increase, multiplicative decrease, as in TCP).
    """

    def __init__(self, most: int, *, adaptive: bool = False) -> None:
        """Start with the most."""
        self.most, self.adaptive = most, adaptive
        self.limit = float(most)
        self.inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._entered = self._last_cut = 0

    async def enter(self) -> int:
        """Wait for a place; return a number that rises with each."""
        if self._waiting or self.inside >= int(self.limit):
            await self._wait()
        else:
            self.inside += 1
        self._entered += 1
        return self._entered

    async def _wait(self) -> None:
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(ticket)
        try:
            await ticket
        except asyncio.CancelledError:
            if ticket.cancelled():
                self._waiting.remove(ticket)
            else:  # it was let in, and does not come
                self.leave()
            raise

    def widen(self, most: int) -> None:
        """Let more in from now on."""
        self.most = max(self.most, most)
        self.limit = float(self.most)
        self._let_in()

    def leave(self) -> None:
        """Give the place back."""
        self.inside -= 1
        self._let_in()

    def succeeded(self) -> None:
        """Count an answer that was no push-back."""
        if self.adaptive and self.limit < self.most:
            self.limit = min(float(self.most), self.limit + 1 / self.limit)
            self._let_in()

    def pushed_back(self, number: int) -> None:
        """Halve the room; those that came in before the last cut do not count a second time."""
        if self.adaptive and number > self._last_cut:
            self.limit = max(1.0, self.limit * CUT)
            self._last_cut = self._entered

    def _let_in(self) -> None:
        while self._waiting and self.inside < int(self.limit):
            ticket = self._waiting.popleft()
            if not ticket.done():
                self.inside += 1
                ticket.set_result(None)
