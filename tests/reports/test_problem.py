"""Paths and values as errors show them."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.reports.problem import Problem, child, shown


@pytest.mark.parametrize(
    ("step", "path"),
    [
        ("name", "$.name"),
        ("_type", "$._type"),
        ("R@5", '$["R@5"]'),
        ("a.b", '$["a.b"]'),
        ('say "x"', '$["say \\"x\\""]'),
        ("", '$[""]'),
        ("é", "$.é"),
        (3, "$[3]"),
    ],
)
def test_a_path_has_one_meaning(step: str | int, path: str) -> None:
    assert child("$", step) == path


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (0.1, "0.1"),
        (12, "12"),
        ("日本", '"日本"'),
        ("\n", '"\\n"'),
        ({"a": 1}, "an object"),
        ({}, "an object with nothing in it"),
        ([], "a list with nothing in it"),
        ([1], "a list"),
        ("x" * 58, '"' + "x" * 58 + '"'),
        ("x" * 59, '"' + "x" * 56 + "..."),
    ],
)
def test_a_value_is_shown_as_json_and_short(value: Any, text: str) -> None:
    assert shown(value) == text


def test_a_problem_prints() -> None:
    assert str(Problem("$.a", "is 1")) == "$.a is 1"
