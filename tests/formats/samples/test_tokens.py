"""Token counts as the providers and the frameworks write them."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.formats.samples.tokens import summed, usage_of
from ragstone.model.samples import Usage

FORMS: dict[str, tuple[dict[str, Any], Usage]] = {
    "ours": (
        {"input_tokens": 9, "output_tokens": 2, "cached_input_tokens": 4, "reasoning_tokens": 1},
        Usage(9, 2, 4, 1),
    ),
    "OpenAI chat": (
        {
            "prompt_tokens": 9,
            "completion_tokens": 2,
            "total_tokens": 11,
            "prompt_tokens_details": {"cached_tokens": 4},
            "completion_tokens_details": {"reasoning_tokens": 1},
        },
        Usage(9, 2, 4, 1),
    ),
    "OpenAI responses": (
        {
            "input_tokens": 9,
            "output_tokens": 2,
            "input_tokens_details": {"cached_tokens": 4},
            "output_tokens_details": {"reasoning_tokens": 1},
        },
        Usage(9, 2, 4, 1),
    ),
    "LangChain": (
        {
            "input_tokens": 9,
            "output_tokens": 2,
            "input_token_details": {"cache_read": 4},
            "output_token_details": {"reasoning": 1},
        },
        Usage(9, 2, 4, 1),
    ),
    # What was read from and written to the cache is beside input_tokens: 3 + 4 + 2.
    "Anthropic": (
        {
            "input_tokens": 3,
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 2,
            "output_tokens": 2,
        },
        Usage(9, 2, 4),
    ),
    "Gemini": (
        {"promptTokenCount": 9, "candidatesTokenCount": 2, "cachedContentTokenCount": 4},
        Usage(9, 2, 4),
    ),
    "Ollama": ({"prompt_eval_count": 9, "eval_count": 2, "eval_duration": 5}, Usage(9, 2)),
    "AI SDK": ({"promptTokens": 9.0, "completionTokens": 2}, Usage(9, 2)),
}


@pytest.mark.parametrize(("values", "usage"), FORMS.values(), ids=FORMS)
def test_a_providers_names(values: dict[str, Any], usage: Usage) -> None:
    assert usage_of(values) == usage


@pytest.mark.parametrize(
    "values",
    [{}, {"tokens": 3}, {"input_tokens": None}, {"input_tokens": "9"}, {"input_tokens": 1.5},
     {"input_tokens": -1}, {"input_tokens": True}, {"prompt_tokens_details": 3}],
    ids=str,
)  # fmt: skip
def test_what_is_no_count_is_not_known(values: dict[str, Any]) -> None:
    assert usage_of(values) is None


def test_a_sum_is_whole_or_not_known() -> None:
    assert summed([]) is None
    assert summed([Usage(1, 2), None]) is None
    assert summed([Usage(1, 2), Usage(3, None)]) == Usage(4, None)
    assert summed([Usage(1, 2, None, 1), Usage(3, 4, 5)]) == Usage(4, 6, 5, 1)
