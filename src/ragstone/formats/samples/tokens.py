"""Token counts under the names of the providers and the frameworks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragstone.formats.samples.fields import finite
from ragstone.model.samples import Usage

INPUT = (
    "input_tokens", "prompt_tokens", "inputTokens", "promptTokens", "inputTokenCount",
    "input_token_count", "prompt_token_count", "promptTokenCount", "prompt_eval_count",
)  # fmt: skip
OUTPUT = (
    "output_tokens", "completion_tokens", "outputTokens", "completionTokens", "outputTokenCount",
    "output_token_count", "candidates_token_count", "candidatesTokenCount", "eval_count",
)  # fmt: skip
CACHED = (
    "cached_input_tokens", "cached_tokens", "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens", "input_token_details.cache_read",
    "prompt_token_details.cache_read", "cached_content_token_count", "cachedContentTokenCount",
)  # fmt: skip
REASONING = (
    "reasoning_tokens", "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens", "output_token_details.reasoning",
    "completion_token_details.reasoning", "thoughts_token_count", "thoughtsTokenCount",
)  # fmt: skip
# Anthropic counts what was read from and written to its cache beside input_tokens, not in it.
CACHE_READ, CACHE_WRITTEN = "cache_read_input_tokens", "cache_creation_input_tokens"


ODD_COUNTS = "token_counts_left_out"


def usage_of(values: Mapping[str, Any], facts: Counter[str] | None = None) -> Usage | None:
    """Return what is known of the tokens of a call; None where nothing is.

    What is no whole number is not known: `odd_count` tells it, and facts count such calls.

    >>> usage_of({"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}).total_tokens
    11
    >>> usage_of({"input_tokens": 4, "cache_read_input_tokens": 6, "output_tokens": 1}).input_tokens
    10
    """
    cached, input_tokens = _first(values, CACHED), _first(values, INPUT)
    read, written = _count(values.get(CACHE_READ)), _count(values.get(CACHE_WRITTEN))
    if read is not None and cached is None:
        cached = read
        if input_tokens is not None and values.get("input_tokens") is not None:
            input_tokens += read + (written or 0)
    if facts is not None and odd_count(values):
        facts[ODD_COUNTS] += 1
    usage = Usage(input_tokens, _first(values, OUTPUT), cached, _first(values, REASONING))
    return None if usage == Usage() else usage


def odd_count(values: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return the first count under a known name that is no whole number of at least 0.

    >>> odd_count({"prompt_tokens": 9, "completion_tokens": "2"})
    ('completion_tokens', '2')
    """
    for path in (*INPUT, *OUTPUT, *CACHED, *REASONING, CACHE_READ, CACHE_WRITTEN):
        value = _at(values, path)
        if value is not None and _count(value) is None:
            return path, value
    return None


def _at(values: Mapping[str, Any], path: str) -> Any:
    value: Any = values
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _first(values: Mapping[str, Any], paths: tuple[str, ...]) -> int | None:
    for path in paths:
        if (found := _count(_at(values, path))) is not None:
            return found
    return None


def _count(value: Any) -> int | None:
    number = finite(value)
    return int(number) if number is not None and number >= 0 and number.is_integer() else None


def summed(usages: Iterable[Usage | None]) -> Usage | None:
    """Return the sum over calls; None where there is none, or where one is not known.

    >>> summed([Usage(3, 1), Usage(4, 1, cached_input_tokens=2)])
    Usage(input_tokens=7, output_tokens=2, cached_input_tokens=2, reasoning_tokens=None, extra={})
    """
    known = list(usages)
    counted = [usage for usage in known if usage is not None]
    if not counted or len(counted) < len(known):
        return None
    return Usage(
        _sum([usage.input_tokens for usage in counted], whole=True),
        _sum([usage.output_tokens for usage in counted], whole=True),
        _sum([usage.cached_input_tokens for usage in counted], whole=False),
        _sum([usage.reasoning_tokens for usage in counted], whole=False),
    )


def _sum(counts: Sequence[int | None], *, whole: bool) -> int | None:
    """Return the sum of what is known; whole: None where one is not."""
    known = [count for count in counts if count is not None]
    return sum(known) if known and not (whole and len(known) < len(counts)) else None
