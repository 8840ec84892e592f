"""What tokens cost."""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

from msgspec import Struct

from ragstone.model.samples import Usage

PRICE_UNKNOWN = "price_unknown"
"""Why a call has no cost: nobody says what its model costs."""

MODEL_MISSING = "model_missing"
"""Why a call has no cost: nothing says which model it was."""

USAGE_MISSING = "usage_missing"
"""Why a call has no cost, or no count: its tokens were not recorded."""

USAGE_INCONSISTENT = "usage_inconsistent"
"""Why a call has no cost: more of its input was cached than there was."""

A_MILLION = 1_000_000


class Cost(NamedTuple):
    """What a call cost in US dollars and at which price; or usd is None, and why it is unknown."""

    usd: float | None
    price: str = ""
    reason: str = ""


class Rates(Struct, frozen=True):
    """US dollars for a million tokens; None is a price that nobody says.

    cached_input: as input where it is not given.
    """

    input: float | None = None
    output: float | None = None
    cached_input: float | None = None

    def __str__(self) -> str:
        """Print what distinguishes them, in one line."""
        named = (("in", self.input), ("cached", self.cached_input), ("out", self.output))
        return ", ".join(f"{price:g} {name}" for name, price in named if price is not None)

    def cost(self, usage: Usage | None) -> Cost:
        """Return what tokens cost; unknown where a count or a price that is needed is not there.

        Cached tokens are part of the input, and reasoning is part of the output.

        >>> Rates(1.0, 4.0).cost(Usage(input_tokens=1000, output_tokens=200))
        Cost(usd=0.0018, price='1 in, 4 out', reason='')
        >>> Rates(1.0, 4.0).cost(Usage(output_tokens=200)).reason
        'usage_missing'
        """
        if usage is None:
            return Cost(None, reason=USAGE_MISSING)
        cached = usage.cached_input_tokens or 0
        if usage.input_tokens is not None and cached > usage.input_tokens:
            return Cost(None, reason=USAGE_INCONSISTENT)
        fresh = None if usage.input_tokens is None else usage.input_tokens - cached
        of_cached = self.input if self.cached_input is None else self.cached_input
        parts = ((fresh, self.input), (cached, of_cached), (usage.output_tokens, self.output))
        if any(tokens is None and price != 0 for tokens, price in parts if price is not None):
            return Cost(None, reason=USAGE_MISSING)
        if any(tokens and price is None for tokens, price in parts):
            return Cost(None, reason=PRICE_UNKNOWN)
        usd = fsum((tokens or 0) * (price or 0.0) for tokens, price in parts) / A_MILLION
        return Cost(usd, str(self))
