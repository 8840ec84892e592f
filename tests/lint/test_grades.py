"""The scale of the grades."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.lint import parse_scale, shown_scale


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("0,1,2", (0, 1, 2)),
        ("0..3", (0, 1, 2, 3)),
        ("-1,0..1", (-1, 0, 1)),
        ("2 , 0,+1", (0, 1, 2)),
        ("7", (7,)),
        ("-2..-1", (-2, -1)),
        ("1,1..2", (1, 2)),
    ],
)
def test_scales(text: str, grades: tuple[int, ...]) -> None:
    assert parse_scale(text) == grades


@pytest.mark.parametrize("text", ["", "a", "0-3", "0,,1", "1.5", "0...3", "..3", "1,", "\u0661"])
def test_what_is_no_scale(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_scale(text)
    assert str(caught.value) == f"--grades {text!r}: 0,1,2 or 0..3 was expected"


@pytest.mark.parametrize("text", ["3..0", "0..999999999"])
def test_a_range_that_cannot_be(text: str) -> None:
    with pytest.raises(UsageError, match="does not ascend, or over 1,000 grades"):
        parse_scale(text)


@given(st.sets(st.integers(-9, 30), min_size=1).map(lambda each: tuple(sorted(each))))
def test_what_is_shown_is_read(grades: tuple[int, ...]) -> None:
    assert parse_scale(shown_scale(grades)) == grades
