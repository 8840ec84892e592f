"""Prices of models: a price file, and the public list that comes with genai-prices.

Nothing here asks the network: the list is the one that was installed, whoever updates it in this
process, and the prices are the newest that it has, so that no result depends on the clock.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from ragstone.errors import shortened
from ragstone.formats.source import Source
from ragstone.model.prices import MODEL_MISSING, PRICE_UNKNOWN, USAGE_MISSING, Cost, Rates
from ragstone.model.samples import Usage

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelPrice

NEWEST: Final = datetime(9999, 1, 1, 12, tzinfo=UTC)
"""When list prices are asked for: after all that are announced, at noon."""

FIELDS: Final = {
    "input": "input",
    "output": "output",
    "cached_input": "cached_input",
    "cached": "cached_input",
    "input_per_1m": "input",
    "output_per_1m": "output",
    "cached_input_per_1m": "cached_input",
    "cached_per_1m": "cached_input",
}
"""What a price may be called in a file, and what it is here."""

EXPECTED: Final = (
    'a model was expected as [models."gpt-4o"] with input, output and cached_input, in US dollars '
    "for a million tokens"
)


class PriceList(Struct, frozen=True):
    """What models cost: by a price file, and where it does not name one, by the public list.

    listed: whether the public list is asked, if it is installed. date: as the file says, of when
    its prices are.
    """

    rates: Mapping[str, Rates] = {}
    listed: bool = True
    date: str = ""

    def cost(self, model: str | None, usage: Usage | None) -> Cost:
        """Return what a call cost; unknown, and why, where the model, tokens or price are.

        A price file may name a model without the provider that stands before a colon.

        >>> prices = PriceList({"small": Rates(1.0, 4.0)}, listed=False)
        >>> prices.cost("small", Usage(input_tokens=1000, output_tokens=200)).usd
        0.0018
        >>> prices.cost("mystery", Usage(input_tokens=1000, output_tokens=200))
        Cost(usd=None, price='', reason='price_unknown')
        """
        if usage is None or (usage.input_tokens is None and usage.output_tokens is None):
            return Cost(None, reason=USAGE_MISSING)
        if not model:
            return Cost(None, reason=MODEL_MISSING)
        own = self.rates.get(model) or self.rates.get(model.partition(":")[2])
        if own is not None:
            return own.cost(usage)
        return listed_cost(model, usage) if self.listed else Cost(None, reason=PRICE_UNKNOWN)


def read_prices(path: str | Path | Source, *, listed: bool = True) -> PriceList:
    """Read a price file, TOML or JSON; its prices win over the public list.

    Models are tables with `input`, `output` and `cached_input`, in US dollars for a million tokens,
    below `models` or at the top; beside them `currency` (USD) and `date`. Raises FormatError.
    """
    source = path if isinstance(path, Source) else Source(path)
    table = _table(source)
    currency = table.pop("currency", "USD")
    if currency != "USD":
        raise source.error(f"the currency is {currency!r}; prices in USD were expected")
    day = table.pop("date", "")
    models = table.pop("models", {})
    if not isinstance(models, dict):
        raise source.error(f"models is {_shown(models)}; {EXPECTED}")
    rates = {name: _rates(source, name, fields) for name, fields in {**models, **table}.items()}
    if not rates:
        raise source.error(f"has no price; {EXPECTED}")
    return PriceList(rates, listed, day.isoformat() if isinstance(day, date) else str(day))


def _table(source: Source) -> dict[str, Any]:
    text = source.whole().decode()
    as_json = text.lstrip().startswith("{")
    try:
        table = json.loads(text) if as_json else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        kind = "JSON" if as_json else "TOML"
        raise source.error(f"cannot be read as {kind}: {error}; {EXPECTED}") from None
    return dict(table)


def _rates(source: Source, model: str, fields: object) -> Rates:
    if not isinstance(fields, dict):
        raise source.error(f"{model!r} is {_shown(fields)}; {EXPECTED}")
    found: dict[str, float] = {}
    for name, value in fields.items():
        meant = FIELDS.get(name)
        if meant is None or meant in found:
            problem = "is not known" if meant is None else f"says {meant} again"
            raise source.error(f"model {model!r}: {name!r} {problem}; {EXPECTED}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_price(value):
            raise source.error(
                f"model {model!r}: {name} is {_shown(value)}; a price of 0 or more was expected, "
                "in US dollars for a million tokens"
            )
        found[meant] = float(value)
    if "input" not in found and "output" not in found:
        raise source.error(f"model {model!r} has no price; {EXPECTED}")
    return Rates(**found)


def _is_price(value: float) -> bool:
    return 0 <= value < math.inf


def _shown(value: object) -> str:
    return shortened(repr(value), 60)


# ---- the public list ----------------------------------------------------------------------------


class Listed(NamedTuple):
    """What the public list says that a call costs, in US dollars, and at which price."""

    input: float
    output: float
    total: float
    price: str
    has_output: bool


def listed_cost(model: str, usage: Usage) -> Cost:
    """Return what a call costs by the public list; unknown where it, or the model, is not there."""
    if usage.input_tokens is None:
        return Cost(None, reason=USAGE_MISSING)
    if (usage.cached_input_tokens or 0) > usage.input_tokens:
        return Rates().cost(usage)
    found = listed_price(model, usage)
    if found is None:
        return Cost(None, reason=PRICE_UNKNOWN)
    if usage.output_tokens is None and found.has_output:
        return Cost(None, reason=USAGE_MISSING)
    return Cost(found.total, found.price)


def listed_price(model: str, usage: Usage, url: str | None = None) -> Listed | None:
    """Return what the public list says; None where it has no price for the model or its output.

    url: the endpoint, which tells providers apart that sell a model of the same name; else the
    part of the model's name before a `/` or `:` can.
    """
    prices = _installed()
    if prices is None:
        return None
    from genai_prices import Usage as Tokens

    tokens = Tokens(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_input_tokens,
        output_tokens=usage.output_tokens,
    )
    for provider, name in _names(model, url):
        try:
            found = prices.calc(tokens, name, provider, url, NEWEST)
        except (LookupError, ValueError):
            continue
        has_output = found.model_price.output_mtok is not None
        if found.model_price.input_mtok is None or (usage.output_tokens and not has_output):
            continue  # it has no price for these tokens, and says 0
        return Listed(
            float(found.input_price),
            float(found.output_price),
            float(found.total_price),
            _price(found.model_price),
            has_output,
        )
    return None


def _price(price: ModelPrice) -> str:
    """Write the prices of tokens as Rates are written, with those of long prompts behind `from`."""
    named = (
        ("in", price.input_mtok),
        ("cached", price.cache_read_mtok),
        ("out", price.output_mtok),
    )
    return ", ".join(f"{_amount(each)} {name}" for name, each in named if each is not None)


def _amount(price: Any) -> str:
    if not hasattr(price, "tiers"):
        return f"{price:g}"
    longer = ", ".join(f"{tier.price:g} from {tier.start}" for tier in price.tiers)
    return f"{price.base:g} ({longer})"


def _names(model: str, url: str | None) -> Iterator[tuple[str | None, str]]:
    yield None, model
    if url is None:
        for mark in "/:":
            provider, found, name = model.partition(mark)
            if found and provider and name:
                yield provider, name


@cache
def _installed() -> DataSnapshot | None:
    """Return the list that was installed, and not one that was downloaded since."""
    try:
        from genai_prices.data import providers
        from genai_prices.data_snapshot import DataSnapshot
    except ImportError:
        return None
    return DataSnapshot(providers=providers, from_auto_update=False)
