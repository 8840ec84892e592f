"""Prices that the public lists know, without asking the network."""

from __future__ import annotations

from ragstone.model.prices import Rates
from ragstone.model.samples import Usage


def list_price(model: str, url: str = "") -> Rates | None:
    """Return the newest that genai-prices has for a model; None where it, or the list, has nothing.

    url: the endpoint, which tells providers apart that sell a model of the same name. A local one
    has no price: say `[prices]` with 0 to have it counted as free. Where a price rises with the
    length of a prompt, it is that of short ones.
    """
    from ragstone.formats.prices import listed_price

    tokens, provider = 1000, url or None
    both = listed_price(model, Usage(input_tokens=tokens, output_tokens=tokens), provider)
    cached = Usage(input_tokens=tokens, cached_input_tokens=tokens)
    read = listed_price(model, cached, provider)
    if both is None or read is None:
        return None
    a_million = 1_000_000 // tokens
    return Rates(both.input * a_million, both.output * a_million, read.input * a_million)
