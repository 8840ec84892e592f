"""What may be spent: money is set aside before a request goes out, so that no cap is passed."""

from __future__ import annotations

import asyncio
import math

from ragstone.errors import UsageError
from ragstone.judge import tokens
from ragstone.judge.dialects import MAX_TOKENS
from ragstone.judge.exchange import Turn
from ragstone.judge.protocol import Judge, Request
from ragstone.model.samples import Usage

OVERHEAD = 600
"""Tokens that an endpoint may add to a prompt: the schema, a tool, the frame of messages."""


class Ledger:
    """US dollars of one run: spent, set aside, and the cap.

    spent is what replies are known to have cost; feared what they may have cost where the endpoint
    did not say, at the most.
    """

    def __init__(self, cap: float | None = None) -> None:
        """Start with nothing spent; None: no cap; 0: what costs nothing, as a cache does."""
        if cap is not None and not 0 <= cap < math.inf:
            raise UsageError(f"the cap is {cap:g} dollars; 0 or a number above it was expected")
        self.cap = cap
        self.spent = self.feared = 0.0
        self._aside = 0.0
        self._changed: asyncio.Event | None = None

    async def set_aside(self, amount: float) -> bool:
        """Wait until an amount fits; False where it never will."""
        if self.cap is None:
            return True
        while self._total + amount > self.cap:
            if not self._aside:
                return False
            self._changed = self._changed or asyncio.Event()
            self._changed.clear()
            await self._changed.wait()
        self._aside += amount
        return True

    def settle(self, amount: float, spent: float, feared: float) -> None:
        """Put what a request has cost in the place of what was set aside for it."""
        self.spent += spent
        self.feared += feared
        if self.cap is None:
            return
        self._aside = max(0.0, self._aside - amount)
        if self._aside < 1e-12:  # what is left is rounding
            self._aside = 0.0
        if self._changed is not None:
            self._changed.set()

    @property
    def _total(self) -> float:
        return self.spent + self.feared + self._aside


def most(judge: Judge, request: Request) -> float:
    """Return the most that a request can cost, in dollars; 0 where there is no price."""
    if judge.prices is None:
        return 0.0
    sent = sum(tokens.at_most(each.content) + tokens.A_MESSAGE for each in request.messages)
    written = request.max_tokens or judge.max_tokens or MAX_TOKENS
    return judge.prices.cost(Usage(sent + OVERHEAD, written)).usd or 0.0


def costs(judge: Judge, turn: Turn, most_of_one: float) -> tuple[float, float]:
    """Return what a turn has cost, and what it may have cost beside that."""
    if judge.prices is None:
        return 0.0, 0.0
    known = None if turn.reason else judge.prices.cost(turn.usage).usd
    unknown = turn.uncertain + (1 if not turn.reason and known is None else 0)
    return known or 0.0, unknown * most_of_one


def check_cap(judges: list[Judge], cap: float | None) -> None:
    """Refuse a cap that cannot be kept; raises UsageError."""
    if cap is None:
        return
    if unknown := [judge.name for judge in judges if judge.prices is None]:
        raise UsageError(
            f"there is no price for the judge {unknown[0]}, so a cap on spending cannot be kept; "
            "give [prices] with input and output, in dollars for a million tokens"
        )
