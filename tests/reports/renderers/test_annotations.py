"""Annotations: within the limits of those who show them, and inert whatever stands in them."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judged
from ragstone.errors import one_line
from ragstone.gate import Comparison
from ragstone.reports.renderers.annotations import (
    LONGEST,
    MOST,
    Annotation,
    annotate,
    github,
    gitlab,
    of_error,
)

COMMAND = re.compile(r"::(error|warning|notice) title=([^:,\r\n]*)::([^\r\n]*)")


def unescaped(text: str) -> str:
    """Read a value as GitHub's runner does."""
    for escape, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(escape, char)
    return text


def read(text: str) -> list[tuple[str, str, str]]:
    """Split workflow commands into level, title and message."""
    found = []
    for line in text.removesuffix("\n").split("\n") if text else []:
        match = COMMAND.fullmatch(line)
        assert match, line
        found.append((match[1], unescaped(match[2]), unescaped(match[3])))
    return found


@pytest.mark.parametrize(
    ("comparison", "levels"),
    [
        (judged.passing(), ["notice"]),
        (judged.failing(), ["error", "notice"]),
        (judged.not_significant(), ["warning", "notice", "notice"]),
        (judged.undecided(), ["warning"]),
        (judged.incomparable(), ["error"]),
        (judged.advisory(), ["warning", "notice", "notice"]),
        (judged.advisory(floors=["RR=0.9"]), ["warning", "warning", "notice"]),
        (judged.passing(budgets=["nDCG@10:p95=9"]), ["warning"]),
        (judged.dropped(), ["error", "notice"]),
    ],
    ids=[
        "pass",
        "fail",
        "not significant",
        "undecided",
        "incomparable",
        "advisory",
        "advisory though asked for",
        "too few items",
        "single query",
    ],
)
def test_levels(comparison: Comparison, levels: list[str]) -> None:
    assert [level for level, _, _ in read(github(annotate(comparison)))] == levels


def test_the_worst_nine_queries_are_one_notice() -> None:
    [*_, notice] = annotate(judged.failing(n=12, top=12))
    assert notice.title == "most regressed queries (nDCG@10)"
    assert notice.message.count("1.0000 to 0.0000") == 9
    assert notice.message.endswith("; and 3 more")


@pytest.mark.parametrize("number", [9, 10, 11, 40])
def test_no_level_has_more_than_ten(number: int) -> None:
    found = [
        Annotation(level, f"{level}{n}", "x")
        for n in range(number)
        for level in ("error", "warning", "notice")
    ]
    shown = read(github(found))
    for level in ("error", "warning", "notice"):
        of_level = [message for each, _, message in shown if each == level]
        assert len(of_level) == min(number, MOST)
        more = f"and {number - 9} more; the report has all"
        assert (of_level[-1] == more) is (number > MOST)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_one_command_and_reads_back(title: str, message: str) -> None:
    [(level, shown_title, shown)] = read(github([Annotation("error", title, message)]))
    assert (level, shown_title, shown) == (
        "error",
        f"ragstone: {one_line(title)}",
        one_line(message),
    )


def test_what_nobody_would_see_is_escaped() -> None:
    found = [Annotation("error", "RR", "q\u0001\u202e got worse")]
    assert github(found) == "::error title=ragstone%3A RR::q\\x01\\u202e got worse\n"
    [entry] = json.loads(gitlab(found, "p"))
    assert entry["description"] == "RR: q\\x01\\u202e got worse"


def test_a_message_is_bounded() -> None:
    [(_, _, message)] = read(github(of_error("%" * 100_000)))
    assert len(message) == LONGEST


def test_code_quality_is_what_gitlab_reads() -> None:
    found = json.loads(gitlab(annotate(judged.failing()), "reports/new.json"))
    assert [each["severity"] for each in found] == ["major", "info"]
    for each in found:
        assert set(each) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert each["location"] == {"path": "reports/new.json", "lines": {"begin": 1}}
    assert found[0]["description"].startswith("nDCG@10 budget_exceeded: nDCG@10 fell from 1 to 0")


def test_fingerprints_are_unique_and_stay() -> None:
    twice = [Annotation("error", "a", "x 1"), Annotation("error", "a", "y")]
    again = [Annotation("error", "a", "x 2"), Annotation("error", "a", "y")]
    first, second = (
        [each["fingerprint"] for each in json.loads(gitlab(found, "p"))] for found in (twice, again)
    )
    assert first == second
    assert len(set(first)) == 2
