"""What was said between us and a judge: the unit that is cached, journaled and counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import msgspec
from msgspec import Struct

from ragstone.judge.protocol import CallFailedError, Reply
from ragstone.model.prices import Rates
from ragstone.model.samples import Usage

MAY_COST = frozenset(
    {"timeout", "truncated", "reset", "protocol", "network", "too_large", "empty"}
    | {"not_json", "not_utf8"}
)
"""Faults after which the endpoint may have done, and billed, its work."""


class Turn(Struct, frozen=True, omit_defaults=True):
    """One request and its reply, or how it failed (`reason`)."""

    text: str = ""
    finish: str = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    reasoning_tokens: int | None = None
    model: str | None = None
    attempts: int = 1
    faults: tuple[str, ...] = ()
    rung: str = ""
    reason: str = ""

    @classmethod
    def of(cls, reply: Reply) -> Self:
        """Return the turn of a reply."""
        usage = reply.usage or Usage()
        return cls(
            reply.text,
            reply.finish,
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens,
            usage.reasoning_tokens,
            reply.model,
            reply.attempts,
            reply.faults,
            reply.rung,
        )

    @classmethod
    def failed(cls, error: CallFailedError) -> Self:
        """Return the turn of a request without a reply."""
        return cls(error.raw, attempts=error.attempts, faults=error.faults, reason=error.reason)

    @property
    def usage(self) -> Usage:
        """The tokens of this turn."""
        return Usage(
            self.input_tokens, self.output_tokens, self.cached_input_tokens, self.reasoning_tokens
        )

    @property
    def uncertain(self) -> int:
        """Attempts of which nobody knows whether they were billed."""
        return sum(fault in MAY_COST for fault in self.faults)


class Exchange(Struct, frozen=True, omit_defaults=True):
    """A request and, where its reply was not usable, one more. reason: why there is no answer."""

    turns: tuple[Turn, ...]
    reason: str = ""
    message: str = ""

    @property
    def attempts(self) -> int:
        """How often the judge was asked."""
        return sum(turn.attempts for turn in self.turns)

    @property
    def raw(self) -> str:
        """The last reply, as it was."""
        return self.turns[-1].text if self.turns else ""

    def encoded(self) -> bytes:
        """Return it as JSON."""
        return msgspec.json.encode(self, order="deterministic")

    @classmethod
    def decoded(cls, data: bytes) -> Exchange | None:
        """Return what was encoded; None for what another version wrote."""
        try:
            return msgspec.json.decode(data, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None


class Totals(Struct, frozen=True):
    """What judging took, each exchange counted once, whoever needed it.

    calls: exchanges. attempts: requests, those tried again and repairs too. repairs: second turns.
    Tokens and cost are sums over what is known: unpriced counts replies without usage or price,
    uncertain the attempts without a reply that may have been billed. cost_usd is None without
    prices, and where no reply has one; 0 where nothing was answered that could have been billed.
    """

    calls: int = 0
    attempts: int = 0
    repairs: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: float | None = None
    unpriced: int = 0
    uncertain: int = 0

    @classmethod
    def of(cls, exchanges: Iterable[Exchange], prices: Rates | None) -> Self:
        """Add up exchanges; the sum does not depend on their order."""
        import math

        found = list(exchanges)
        turns = [turn for exchange in found for turn in exchange.turns]
        replies = [turn for turn in turns if not turn.reason]
        costs = [prices.cost(turn.usage).usd if prices else None for turn in replies]
        known = [cost for cost in costs if cost is not None]
        uncertain = sum(turn.uncertain for turn in turns)
        nothing = prices is not None and not costs and not uncertain
        return cls(
            len(found),
            sum(exchange.attempts for exchange in found),
            sum(len(exchange.turns) - 1 for exchange in found if exchange.turns),
            sum(turn.input_tokens or 0 for turn in turns),
            sum(turn.output_tokens or 0 for turn in turns),
            sum(turn.cached_input_tokens or 0 for turn in turns),
            sum(turn.reasoning_tokens or 0 for turn in turns),
            math.fsum(known) if known or nothing else None,
            len(costs) - len(known),
            uncertain,
        )
