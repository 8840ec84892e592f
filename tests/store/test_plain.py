"""What is kept comes back as it went in, or is refused."""

from __future__ import annotations

import enum
import json
import math
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.store.plain import DEEPEST, _check, _is_plain, canonical, plain

TEXT = st.text(st.characters(codec="utf-8"))
ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
FINITE = ATOMS.filter(lambda value: not isinstance(value, float) or math.isfinite(value))
PLAIN = st.recursive(
    FINITE,
    lambda parts: st.lists(parts) | st.dictionaries(TEXT, parts),
    max_leaves=20,
)


def same(one: Any, other: Any) -> bool:
    """Compare as JSON texts: true is not 1, and 1.0 is not 1."""
    return json.dumps(one) == json.dumps(other)


@given(PLAIN)
def test_what_is_kept_comes_back(value: Any) -> None:
    assert same(msgspec.json.decode(plain(value)), value)
    assert msgspec.json.decode(canonical(value)) == value
    assert canonical(msgspec.json.decode(plain(value))) == canonical(value)


JUNK = ATOMS | st.just(math.nan) | st.just(b"") | st.just({1: 2}) | st.just(np.float64(1))
ANYTHING = st.recursive(
    JUNK, lambda parts: st.lists(parts) | st.dictionaries(TEXT | st.none(), parts), max_leaves=6
)


@given(ANYTHING, st.integers(0, 4))
def test_the_fast_check_agrees_with_the_one_that_explains(value: Any, room: int) -> None:
    try:
        _check(value, "$", room)
    except (InputError, TypeError):
        assert not _is_plain(value, room)
    else:
        assert _is_plain(value, room) or not room


@given(st.dictionaries(TEXT, FINITE))
def test_the_canonical_form_does_not_depend_on_the_order(value: dict[str, Any]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)
    assert list(msgspec.json.decode(canonical(value))) == sorted(value)
    assert list(msgspec.json.decode(plain(value))) == list(value)


def test_forms_that_must_not_change() -> None:
    value = {"b": [1, 1.0, -0.0, 1e16, 1e-7, None, True], "a": {"é": "\x00\u2028"}}
    assert canonical(value) == (
        '{"a":{"é":"\\u0000\u2028"},"b":[1,1.0,-0.0,1e16,1e-7,null,true]}'.encode()
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": [1.0, math.nan]}, r"\$\.a\[1\] is nan; only finite numbers are kept"),
        (-math.inf, r"\$ is -inf; only finite"),
        (np.float64("nan"), r"\$ is nan; only finite"),
        (["\ud800"], "is not text that UTF-8 can hold"),
        ({"\ud800": 1}, "is not text that UTF-8 can hold"),
        pytest.param(10**5000, "a number cannot be kept", id="digits"),
    ],
)
def test_what_json_cannot_hold(value: Any, said: str) -> None:
    for form in (canonical, plain):
        with pytest.raises(InputError, match=said):
            form(value)


def test_what_is_nested_too_deep_and_what_is_not() -> None:
    value: Any = 1
    for _ in range(DEEPEST):
        value = [value]
    assert msgspec.json.decode(plain(value)) == value
    with pytest.raises(InputError, match=r"nested deeper than 100 levels"):
        plain([value])
    value.append(value)  # for ever
    with pytest.raises(InputError, match=r"nested deeper than 100 levels"):
        plain(value)


class Text(str):
    __slots__ = ()


class Number(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"a", r"\$ is a bytes, which is not plain JSON"),
        ({"a": {1}}, r"\$\.a is a set, which is not plain JSON"),
        ({1: 2}, r"\$ has the key 1, which is no text"),
        ({Text("a"): 2}, "which is no text"),
        ([Text("a")], r"\$\[0\] is a Text"),
        (Number.ONE, "is a Number"),
        (np.float64(1), "is a float64"),
        (np.int64(1), "is a int64"),
        (object(), "is a object"),
    ],
)
def test_what_is_not_plain(value: Any, said: str) -> None:
    for form in (canonical, plain):
        with pytest.raises(TypeError, match=said):
            form(value)
