"""Price files, and the public list that comes with genai-prices."""

from __future__ import annotations

import contextlib
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import FormatError
from ragstone.formats import prices
from ragstone.formats.prices import PriceList, listed_cost, listed_price, read_prices
from ragstone.model.prices import Rates
from ragstone.model.samples import Usage

TOML = """
currency = "USD"
date = 2026-01-31

[models."gpt-4o"]
input = 2.5
output = 10
cached_input = 1.25

[models.small]
input_per_1m = 0.1
output_per_1m = 0.4
"""
CALL = Usage(1000, 200)


def written(folder: Path, text: str, name: str = "prices.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_price_file(tmp_path: Path) -> None:
    found = read_prices(written(tmp_path, TOML))
    assert found == PriceList(
        {"gpt-4o": Rates(2.5, 10.0, 1.25), "small": Rates(0.1, 0.4)}, True, "2026-01-31"
    )
    assert found.cost("gpt-4o", Usage(1000, 200, 400)).usd == 0.004


@pytest.mark.parametrize(
    "text",
    [
        '{"known-a": {"input_per_1m": 1.0, "output_per_1m": 4.0}}',
        '{"models": {"known-a": {"input": 1, "output": 4}}, "date": "2026-01"}',
        "[known-a]\ninput = 1\noutput = 4\n",
        "\ufeff[known-a]\r\ninput = 1\r\noutput = 4\r\n",
    ],
)
def test_other_shapes_of_the_same(tmp_path: Path, text: str) -> None:
    found = read_prices(written(tmp_path, text))
    assert dict(found.rates) == {"known-a": Rates(1.0, 4.0)}


def test_a_packed_file_and_a_name_without_suffix(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "prices"
    path.write_bytes(gzip.compress(TOML.encode()))
    assert set(read_prices(path).rates) == {"gpt-4o", "small"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[a", "cannot be read as TOML: "),
        ('{"a": ', "cannot be read as JSON: "),
        ("", 'has no price; a model was expected as [models."gpt-4o"] with input, output'),
        ('currency = "EUR"\n[a]\ninput = 1', "the currency is 'EUR'; prices in USD were expected"),
        ("models = 3", "models is 3; a model was expected"),
        ("a = 3", "'a' is 3; a model was expected"),
        ("[a]\ninput = -1", "model 'a': input is -1; a price of 0 or more was expected, in US"),
        ("[a]\ninput = nan", "model 'a': input is nan; a price of 0 or more"),
        ("[a]\ninput = inf", "model 'a': input is inf; a price"),
        ('{"a": {"input": NaN}}', "model 'a': input is nan; a price"),
        ("[a]\ninput = true", "model 'a': input is True; a price"),
        ('[a]\ninput = "1"', "model 'a': input is '1'; a price"),
        ("[a]\nprompt = 1", "model 'a': 'prompt' is not known; a model was expected"),
        ("[a]\ninput = 1\ninput_per_1m = 2", "model 'a': 'input_per_1m' says input again"),
        ("[a]\ncached = 1", "model 'a' has no price; a model was expected"),
    ],
)
def test_what_is_no_price_file(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_prices(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)


def test_deep_nesting_is_an_error_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read as JSON"):
        read_prices(written(tmp_path, '{"a":' * 100_000))


@given(st.text(max_size=40))
def test_any_text_is_prices_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("prices") / "prices.toml"
    path.write_text(text, encoding="utf-8")
    with contextlib.suppress(FormatError):
        assert read_prices(path).rates


# ---- looking up ----------------------------------------------------------------------------------


def test_the_file_wins_over_the_public_list() -> None:
    ours = PriceList({"gpt-4o": Rates(1.0, 1.0)})
    assert ours.cost("gpt-4o", CALL).usd == 0.0012
    assert ours.cost("gpt-4o-mini", CALL) == listed_cost("gpt-4o-mini", CALL)
    alone = PriceList({"gpt-4o": Rates(1.0, 1.0)}, listed=False)
    assert alone.cost("gpt-4o-mini", CALL).reason == "price_unknown"


@pytest.mark.parametrize(
    ("model", "usage", "reason"),
    [
        ("mystery", CALL, "price_unknown"),
        ("gpt-4o", None, "usage_missing"),
        ("mystery", None, "usage_missing"),
        ("gpt-4o", Usage(cached_input_tokens=5), "usage_missing"),
        (None, CALL, "model_missing"),
        ("", CALL, "model_missing"),
        ("gpt-4o", Usage(None, 200), "usage_missing"),
        ("gpt-4o", Usage(1000, None), "usage_missing"),
        ("gpt-4o", Usage(10, 5, 11), "usage_inconsistent"),
        ("gemma-3", CALL, "price_unknown"),  # the list has the model, without a price
        ("gemma-3", Usage(1000, 0), "price_unknown"),
        ("llama3.1:8b", CALL, "price_unknown"),
    ],
)
def test_why_there_is_no_cost(model: str | None, usage: Usage | None, reason: str) -> None:
    found = PriceList().cost(model, usage)
    assert (found.usd, found.price, found.reason) == (None, "", reason)


def test_the_public_list_is_that_of_genai_prices() -> None:
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    usage = Usage(1000, 200, 100)
    theirs = Tokens(input_tokens=1000, output_tokens=200, cache_read_tokens=100)
    for model in ("gpt-4o", "gpt-4o-mini", "claude-sonnet-4-5", "gemini-2.5-pro"):
        expected = calc_price(theirs, model, genai_request_timestamp=prices.NEWEST)
        assert listed_cost(model, usage).usd == float(expected.total_price)
    assert listed_cost("gpt-4o", usage).price == "2.5 in, 1.25 cached, 10 out"


def test_long_prompts_can_cost_more() -> None:
    short, long = (listed_cost("gemini-2.5-pro", Usage(n, 0)).usd for n in (100_000, 300_000))
    assert short is not None
    assert long is not None
    assert long > 3 * short
    assert "from 200000" in listed_cost("gemini-2.5-pro", CALL).price


@pytest.mark.parametrize(
    ("model", "same"), [("openai/gpt-4o", "gpt-4o"), ("openai:gpt-4o", "gpt-4o")]
)
def test_the_provider_may_stand_before_the_model(model: str, same: str) -> None:
    assert listed_cost(model, CALL) == listed_cost(same, CALL)
    assert listed_cost(model, CALL).usd is not None


def test_an_endpoint_tells_providers_apart() -> None:
    assert listed_price("gpt-4o", CALL, "https://api.openai.com/v1") is not None
    assert listed_price("gpt-4o", CALL, "http://127.0.0.1:1/v1") is None


def test_an_encoder_has_a_price_without_output() -> None:
    usage = Usage(1000, None)
    assert listed_cost("azure/text-embedding-3-small", usage).usd == pytest.approx(2e-05)
    assert listed_cost("azure/text-embedding-3-small", CALL).reason == "price_unknown"


def test_no_clock_and_no_update_changes_a_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that was downloaded in this process is not used; nor is the time of day."""
    from genai_prices import data_snapshot

    before = listed_cost("deepseek-chat", CALL)
    empty = data_snapshot.DataSnapshot(providers=[], from_auto_update=True)
    monkeypatch.setattr(data_snapshot, "_custom_snapshot", empty)
    assert listed_cost("deepseek-chat", CALL) == before

    class Later(data_snapshot.datetime):  # type: ignore[misc, name-defined]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return super().now(tz) + timedelta(hours=7)

    monkeypatch.setattr(data_snapshot, "datetime", Later)
    assert listed_cost("deepseek-chat", CALL) == before


def test_without_the_library_every_price_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices.data", None)
    prices._installed.cache_clear()
    try:
        assert PriceList().cost("gpt-4o", CALL).reason == "price_unknown"
        assert PriceList({"gpt-4o": Rates(1.0, 1.0)}).cost("gpt-4o", CALL).usd == 0.0012
    finally:
        prices._installed.cache_clear()


@pytest.mark.parametrize(
    "model",
    [
        "openai:gpt-4o-mini",
        "anthropic:claude-3-5-sonnet-20241022",
        "azure:gpt-4o",
        "bedrock:amazon.nova-lite-v1:0",
        "vertex:gemini-2.5-pro",
        "together:meta-llama/Llama-3.3-70B-Instruct-Turbo",
    ],
)
def test_a_provider_before_the_model_is_whose_price_it_is(model: str) -> None:
    assert listed_cost(model, CALL).usd is not None


def test_a_model_of_ones_own_machine_has_no_list_price() -> None:
    assert listed_cost("ollama:deepseek-r1:7b", CALL).reason == "price_unknown"


def test_a_price_file_may_leave_the_provider_out() -> None:
    own = PriceList({"small": Rates(1.0, 1.0), "b:small": Rates(2.0, 2.0)}, listed=False)
    assert own.cost("a:small", CALL).usd == 0.0012
    assert own.cost("b:small", CALL).usd == 0.0024
