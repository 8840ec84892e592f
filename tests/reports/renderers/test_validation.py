"""What a person sees of a report that was checked."""

from __future__ import annotations

from ragstone.reports import Problem, Validation
from ragstone.reports.renderers.page import Tone
from ragstone.reports.renderers.text import render
from ragstone.reports.renderers.validation import page


def test_a_valid_report() -> None:
    shown = page(Validation(True, "ragstone.score", []), "a.json")
    assert render(shown) == "VALID: a.json (ragstone.score)\n"
    assert shown.headline.tone is Tone.GOOD


def test_what_is_wrong_with_one() -> None:
    problems = [Problem("$.predicate.summary", "is wrong"), Problem("$", "ends\nearly")]
    shown = page(Validation(False, None, problems), "a.json")
    assert (
        render(shown)
        == """\
NOT VALID: a.json (unknown kind): 2 problems

where                what is wrong
-------------------  -------------
$.predicate.summary  is wrong
$                    ends\\nearly
"""
    )
    assert shown.headline.tone is Tone.BAD


def test_long_paths_are_cut() -> None:
    problems = [Problem(f'$["{"x" * 500}"]', "is wrong")]
    lines = render(page(Validation(False, "x", problems), "a.json")).splitlines()
    assert max(map(len, lines)) < 120
    assert lines[0].endswith(": 1 problem")
