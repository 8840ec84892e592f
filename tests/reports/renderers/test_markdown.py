"""Markdown as a summary: within the limit of who shows it, and nothing in it is markup."""

from __future__ import annotations

import pytest

import judged
from ragstone.reports.renderers.compare import page
from ragstone.reports.renderers.markdown import SUMMARY_BYTES, render, render_within
from ragstone.reports.renderers.page import Page, Table, Text


def test_a_small_page_is_whole() -> None:
    drawn = page(judged.failing())
    assert render_within(drawn) == render(drawn)


def test_the_verdict_is_first_and_the_last_line_says_how_many_more() -> None:
    lines = render(page(judged.failing(n=12, top=9))).splitlines()
    assert lines[0] == "**FAIL: nDCG@10 got worse beyond what is allowed (12 queries compared)**"
    assert lines[-1] == "and 3 more"
    assert sum(line.startswith("| q") for line in lines) == 1 + 9


@pytest.mark.parametrize("top", [0, 12, 40])
def test_nothing_more_is_not_said(top: int) -> None:
    assert "more\n" not in render(page(judged.failing(n=12, top=top)))


def test_a_large_page_loses_its_last_parts() -> None:
    row = ["q" * 40, "0.1"]
    table = Table.of(("query", "value"), [row] * 2_000, "queries")
    drawn = Page(Text("FAIL: x"), (Text("first"), *[table] * 20))
    text = render_within(drawn)
    assert len(render(drawn).encode()) > SUMMARY_BYTES
    assert len(text.encode()) <= SUMMARY_BYTES
    assert text.startswith("**FAIL: x**\n\nfirst\n\nqueries\n\n| query")
    assert text.endswith(" more parts do not fit here; the report has all of it.\n")


def test_a_headline_that_is_too_long_is_cut() -> None:
    text = render_within(Page(Text("é" * 2_000), (Text("x"),)), 1_000)
    assert len(text.encode()) <= 1_000
    assert text.startswith("**é")
