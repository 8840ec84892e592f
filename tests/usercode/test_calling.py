"""How a function may be called."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.usercode import is_async, misfit, parameters


class Called:
    async def __call__(self, text: str) -> str:
        return text


async def asynchronous(text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("function", "expected"),
    [(asynchronous, True), (Called(), True), (len, False), (lambda text: text, False)],
    ids=["function", "object", "built-in", "lambda"],
)
def test_what_is_async(function: Any, expected: bool) -> None:
    assert is_async(function) is expected


def test_what_nobody_can_tell_fits() -> None:
    assert misfit(type, 1, 2, 3, 4) == ""
    assert parameters(type) == {}


def test_an_object_is_called_by_its_method() -> None:
    assert misfit(Called(), text="a") == ""
    assert "unexpected keyword argument 'query'" in misfit(Called(), query="a", text="b")
    assert list(parameters(Called())) == ["text"]
