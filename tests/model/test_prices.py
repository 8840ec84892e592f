from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.model.prices import Cost, Rates
from ragstone.model.samples import Usage

price = st.integers(0, 10_000).map(lambda cents: cents / 100)
tokens = st.integers(0, 10**7)


@given(tokens, tokens, tokens, st.builds(Rates, price, price, st.none() | price))
def test_costs_are_exact_to_the_last_digit(
    fresh: int, cached: int, output: int, rates: Rates
) -> None:
    dear, out, cheap = rates.input or 0.0, rates.output or 0.0, rates.cached_input
    usage = Usage(fresh + cached, output, cached)
    found = rates.cost(usage)
    reading = Fraction(dear if cheap is None else cheap)
    exact = (fresh * Fraction(dear) + cached * reading + output * Fraction(out)) / 10**6
    assert found.usd is not None
    assert math.isclose(found.usd, exact, rel_tol=1e-15, abs_tol=0)
    assert found.reason == ""


@pytest.mark.parametrize(
    ("rates", "usage", "usd", "reason"),
    [
        (Rates(1.0, 4.0), Usage(1000, 200), 0.0018, ""),
        (Rates(1.0, 4.0), Usage(1000, 200, reasoning_tokens=150), 0.0018, ""),  # a part of output
        (Rates(2.0, 0.0, 1.0), Usage(1000, 0, 1000), 0.001, ""),
        (Rates(2.0, 0.0), Usage(1000, 0, 1000), 0.002, ""),
        (Rates(1.0, 4.0), None, None, "usage_missing"),
        (Rates(1.0, 4.0), Usage(), None, "usage_missing"),
        (Rates(1.0, 4.0), Usage(1000, None), None, "usage_missing"),
        (Rates(1.0, 4.0), Usage(None, 200), None, "usage_missing"),
        (Rates(1.0, 4.0), Usage(10, 200, 11), None, "usage_inconsistent"),
        (Rates(0.02), Usage(1000, None), 2e-05, ""),  # an encoder writes nothing
        (Rates(0.02), Usage(1000, 0), 2e-05, ""),
        (Rates(0.02), Usage(1000, 5), None, "price_unknown"),
        (Rates(0.0, 0.0), Usage(None, None), 0.0, ""),  # free, whatever it was
        (Rates(1.0, 4.0), Usage(0, 0), 0.0, ""),
        (Rates(), Usage(1, 1), None, "price_unknown"),
    ],
)
def test_a_cost_or_why_there_is_none(
    rates: Rates, usage: Usage | None, usd: float | None, reason: str
) -> None:
    found = rates.cost(usage)
    assert (found.usd, found.reason) == (usd, reason)
    assert found.price == ("" if reason else str(rates))


def test_rates_print_what_distinguishes_them() -> None:
    assert str(Rates(2.5, 10.0, 1.25)) == "2.5 in, 1.25 cached, 10 out"
    assert str(Rates(0.02)) == "0.02 in"
    assert Cost(None, reason="x").price == ""
