"""Operations: how long an answer took, how many tokens it needed, and what it cost.

Declarations alone; `answers` takes the values from samples. None of them is quality: a budget has
to name what it gates. Every item has a value in principle, so one without was not measured.
"""

from __future__ import annotations

import math
from typing import Any

from ragstone.measures.declaration import Area, Direction, Empty
from ragstone.measures.measure import Measure, declare

WARM_UP = "warm_up"
"""Why the first call of a pipeline has no latency: it says nothing of the others."""

PRICE_OF = "price of "
"""How the signature of a cost names the price of a model; the model's name comes behind it."""

OPERATION: dict[str, Any] = {
    "area": Area.OPERATIONS,
    "direction": Direction.LOWER,
    "range": (0.0, math.inf),
    "empty": Empty.NEVER,
    "quality": False,
    "complete": True,
}
MILLISECONDS = {**OPERATION, "unit": "ms", "shown": ("p50", "p95", "p99"), "excused": (WARM_UP,)}
TOKENS = {**OPERATION, "unit": "tokens", "shown": ("sum",)}


def _declare(name: str, usual: dict[str, Any], text: str, *aliases: str) -> Measure:
    return declare(aliases, name=name, help=text, **usual)


latency_ms = _declare(
    "latency_ms", MILLISECONDS, "from question to whole answer", "latency", "total_ms"
)
retrieval_ms = _declare("retrieval_ms", MILLISECONDS, "finding the contexts", "retrieval_latency")
first_token_ms = _declare(
    "first_token_ms",
    MILLISECONDS,
    "from question to the first token of the answer",
    "ttft_ms",
    "ttft",
    "time_to_first_token",
)
generation_ms = _declare("generation_ms", MILLISECONDS, "the model's calls", "generation_latency")
input_tokens = _declare(
    "input_tokens", TOKENS, "tokens of the prompts, cached ones too", "prompt_tokens"
)
output_tokens = _declare(
    "output_tokens", TOKENS, "tokens written, reasoning too", "completion_tokens"
)
cached_input_tokens = _declare(
    "cached_input_tokens",
    {**TOKENS, "direction": Direction.HIGHER},
    "tokens of the prompts that were read from a cache; a part of input_tokens",
    "cache_read_tokens",
)
reasoning_tokens = _declare(
    "reasoning_tokens", TOKENS, "tokens of reasoning; a part of output_tokens"
)
cost_usd = _declare(
    "cost_usd", {**OPERATION, "unit": "USD", "shown": ("sum",)}, "what the answer cost", "cost"
)
