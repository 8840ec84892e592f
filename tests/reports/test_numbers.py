"""Numbers for the eye: never a wrong sign, never NaN, never wider than a table."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.reports import numbers

finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("number", "unit", "shown"),
    [
        (None, "", "n/a"),
        (None, "documents", "n/a"),
        (0.0, "", "0.0000"),
        (-0.0, "", "0.0000"),
        (-0.00001, "", "0.0000"),
        (0.66, "", "0.6600"),
        (0.99996, "", "1.0000"),
        (1, "", "1.0000"),
        (-12.5, "", "-12.5000"),
        (1500.0, "documents", "1500"),
        (1500.25, "documents", "1500.2500"),
        (-0.0, "documents", "0"),
        (-3.0, "documents", "-3"),
        (999999999999999.0, "documents", "999999999999999"),
        (1e15, "documents", "1e+15"),
        (-1.25e300, "", "-1.25e+300"),
        (5e-324, "", "0.0000"),
        (24.05, "ms", "24.1"),
        (24.0, "ms", "24"),
        (0.04, "ms", "0.0"),
        (1234.56, "tokens", "1234.6"),
        (3.0, "USD", "3.0000"),
        (12.3456789, "USD", "12.3457"),
        (0.25, "USD", "0.2500"),
        (0.0018, "USD", "0.001800"),
        (-0.000123456, "USD", "-0.0001235"),
        (0.0, "USD", "0.0000"),
        (1e-13, "USD", "0.0000"),
    ],
)
def test_a_value(number: float | None, unit: str, shown: str) -> None:
    assert numbers.value(number, unit) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (None, "n/a"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (0.25, "+0.2500"),
        (-0.25, "-0.2500"),
        (1e-9, "+0.0000"),
        (-1e-9, "-0.0000"),
        (1e20, "+1e+20"),
    ],
)
def test_a_change(number: float | None, shown: str) -> None:
    assert numbers.change(number) == shown


def test_a_change_of_a_count() -> None:
    assert [numbers.change(n, "documents") for n in (2.0, -2.0, 0.0, 0.5)] == [
        "+2", "-2", "0", "+0.5000",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (None, "n/a"),
        (0.0, "0.00%"),
        (-2.593, "-2.59%"),
        (2.0, "+2.00%"),
        (-0.001, "-0.00%"),
        (1e18, "+1e+18%"),
    ],
)
def test_a_percent(number: float | None, shown: str) -> None:
    assert numbers.percent(number) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (None, "n/a"),
        (1.0, "1.0000"),
        (0.05, "0.0500"),
        (0.0001, "0.0001"),
        (0.00009999, "<0.0001"),
        (5e-324, "<0.0001"),
    ],
)
def test_a_p_value(number: float | None, shown: str) -> None:
    assert numbers.p_value(number) == shown


def test_an_interval() -> None:
    assert numbers.interval(-0.03, 0.01) == "-0.0300 to +0.0100"
    assert numbers.interval(0.0, 0.0) == "0.0000 to 0.0000"
    assert numbers.interval(None, 0.1) == numbers.interval(0.1, None) == "n/a"


@given(finite)
def test_what_is_shown_is_close_to_what_it_is(number: float) -> None:
    assert float(numbers.value(number)) == pytest.approx(number, rel=1e-5, abs=5.01e-5)
    assert float(numbers.change(number)) == pytest.approx(number, rel=1e-5, abs=5.01e-5)
    assert float(numbers.percent(number)[:-1]) == pytest.approx(number, rel=1e-5, abs=5.01e-3)


@given(finite, st.sampled_from(["", "documents"]))
def test_a_sign_is_that_of_the_number(number: float, unit: str) -> None:
    change = numbers.change(number, unit)
    sign = "+" if number > 0 else "-"
    assert change[0] == (sign if number else "0")
    assert numbers.percent(number)[0] == (change[0] if number else "0")


@given(finite, st.sampled_from(["", "documents"]))
def test_no_number_is_wider_than_a_column(number: float, unit: str) -> None:
    for shown in (numbers.value(number, unit), numbers.change(number, unit)):
        assert len(shown) <= 21
        assert re.fullmatch(r"[+-]?\d+(\.\d+)?(e[+-]\d+)?", shown)


@given(st.floats(0, 1, exclude_min=True))
def test_a_p_value_is_never_shown_as_zero(number: float) -> None:
    shown = numbers.p_value(number)
    assert shown.startswith("<") or float(shown) > 0
