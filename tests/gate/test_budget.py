from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.gate import Budget
from ragstone.gate.budget import exceeds


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("2", "2%"),
        ("2%", "2%"),
        (" 2.50 % ", "2.5%"),
        (".5", "0.5%"),
        ("1e-3", "0.001%"),
        ("0", "0%"),
        (0, "0%"),
        (1.5, "1.5%"),
        ("50abs", "50abs"),
        ("0.01 ABS", "0.01abs"),
        ("off", "off"),
        ("OFF", "off"),
        ("none", "off"),
    ],
)
def test_parses_and_prints(given: str | float, printed: str) -> None:
    assert str(Budget.of(given)) == printed
    assert Budget.of(printed) == Budget.of(given)


@given(st.floats(0, allow_nan=False, allow_infinity=False), st.sampled_from(["%", "abs"]))
def test_every_limit_reads_back(limit: float, unit: str) -> None:
    budget = Budget.of(f"{limit!r}{unit}")
    assert budget.limit == limit
    assert Budget.of(str(budget)) == budget


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("-1", "negative"),
        (-0.5, "negative"),
        ("-2abs", "negative"),
        ("nan", "not a limit"),
        (math.nan, "not a limit"),
        ("inf", "not a limit"),
        (math.inf, "not a limit"),
        ("1e999", "not a finite limit"),
        ("0,9", "not a limit"),
        ("1_000", "not a limit"),
        ("two", "not a limit"),
        ("2)@10", "not a limit"),
        ("\u0662", "not a limit"),
        ("2 percent", "not a limit"),
        (True, "not a limit"),
    ],
)
def test_refuses_what_is_no_limit(given: str | float, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        Budget.of(given)
    assert "or off" in str(caught.value) or "expected" in str(caught.value)


@pytest.mark.parametrize(
    ("budget", "baseline", "margin"),
    [
        ("2%", 0.5, 0.01),
        ("2%", -50.0, 1.0),
        ("2%", 0.0, None),
        ("0%", 0.5, 0.0),
        ("50abs", 0.0, 50.0),
        ("50abs", 1200.0, 50.0),
        ("off", 0.5, None),
    ],
)
def test_margin(budget: str, baseline: float, margin: float | None) -> None:
    assert Budget.of(budget).margin(baseline) == margin


def test_margin_is_finite_whatever_the_limit() -> None:
    margin = Budget.of("1e308%").margin(1e150)
    assert margin is not None
    assert math.isfinite(margin)


@pytest.mark.parametrize(
    ("worsening", "margin", "over"),
    [
        (0.01, 0.01, False),
        (0.01 * (1 + 5e-10), 0.01, False),
        (0.01 * (1 + 1e-8), 0.01, True),
        (0.0, 0.0, False),
        (1e-15, 0.0, False),
        (1e-9, 0.0, True),
        (-0.3, 0.0, False),
    ],
)
def test_a_worsening_that_equals_its_margin_is_not_over(
    worsening: float, margin: float, over: bool
) -> None:
    assert exceeds(worsening, margin, 0.5) is over
