"""The bytes of a report are frozen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.reports import Report, encode, encode_report


class Part(msgspec.Struct, frozen=True):
    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Whole:
    name: str
    parts: dict[str, Part]


GOLDEN: list[tuple[Any, bytes]] = [
    ({}, b"{}\n"),
    ({"b": 1, "a": None, "é": True, "A": False}, '{"A":false,"a":null,"b":1,"é":true}\n'.encode()),
    ([1.0, -0.0, 0.1, 1e16, 1e-7, 123456789.5], b"[1.0,-0.0,0.1,1e16,1e-7,123456789.5]\n"),
    (
        [5e-324, 1.7976931348623157e308, 1 / 3],
        b"[5e-324,1.7976931348623157e308,0.3333333333333333]\n",
    ),
    ('a"b\\c\n\t\x01\x7f/', b'"a\\"b\\\\c\\n\\t\\u0001\x7f/"\n'),
    ("\u2028𝄞", '"\u2028𝄞"\n'.encode()),
    ({"ﬀ": 1, "𝄞": 2, "z": 3}, '{"z":3,"ﬀ":1,"𝄞":2}\n'.encode()),  # by code point, not UTF-16
    (Whole("w", {"p": Part((1.0,))}), b'{"name":"w","parts":{"p":{"numbers":[1.0]}}}\n'),
]


@pytest.mark.parametrize(("value", "written"), GOLDEN)
def test_the_form_of_each_value(value: Any, written: bytes) -> None:
    assert encode(value) == written


@pytest.mark.parametrize("kind", ["report", "failure"])
def test_the_form_of_a_report(kind: str, request: pytest.FixtureRequest, fixtures: Path) -> None:
    report: Report = request.getfixturevalue(kind)
    assert encode_report(report) == (fixtures / f"{kind}.json").read_bytes()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("hold", "path"),
    [
        (lambda number: number, "$"),
        (lambda number: {"summary": {"nDCG@10": number}}, '$.summary["nDCG@10"]'),
        (lambda number: [[0.5, number]], "$[0][1]"),
        (lambda number: [None, 0.5, "x", number], "$[3]"),
        (lambda number: Whole("w", {"p": Part((1e308, 1e308, number))}), "$.parts.p.numbers[2]"),
    ],
)
def test_a_number_that_is_not_finite_is_refused(hold: Any, path: str, number: float) -> None:
    with pytest.raises(InputError) as caught:
        encode(hold(number))
    assert str(caught.value) == f"{path} is {number}; a report holds finite numbers only"


def test_sums_beyond_a_double_are_not_mistaken_for_infinity() -> None:
    assert encode([1e308, 1e308]) == b"[1e308,1e308]\n"


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InputError, match=r"'q\\ud800' is not text that UTF-8 can hold"):
        encode({"items": ["q\ud800"]})


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda part: (
        st.lists(part) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), part)
    ),
)


@given(JSON)
def test_the_form_is_a_fixed_point(value: Any) -> None:
    written = encode(value)
    again = msgspec.json.decode(written)
    assert again == value
    assert encode(again) == written
