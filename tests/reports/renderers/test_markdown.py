"""Markdown as a summary: within the limit of who shows it, and nothing in it is markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import judged
from ragstone.reports.renderers.compare import page
from ragstone.reports.renderers.markdown import SUMMARY_BYTES, escape, render, render_within
from ragstone.reports.renderers.page import Page, Table, Text, Tone


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


# ---- nothing in it is markup ---------------------------------------------------------------------

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
EXPECTED = {
    "paragraph_open", "paragraph_close", "inline", "text", "text_special", "strong_open",
    "strong_close", "table_open", "table_close", "thead_open", "thead_close", "tbody_open",
    "tbody_close", "tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close",
}  # fmt: skip
APART = "\u200b"


def tokens(markdown: str) -> Iterator[Token]:
    for token in READER.parse(markdown):
        yield token
        yield from token.children or ()


def shown(markdown: str) -> list[str]:
    """Return what a reader sees of each paragraph and cell; fails where anything is markup."""
    assert {token.type for token in tokens(markdown)} <= EXPECTED
    return [
        "".join(child.content for child in token.children or ()).replace(APART, "")
        for token in READER.parse(markdown)
        if token.type == "inline"
    ]


HOSTILE = [
    "a|b", "`code`", "``` fence", "<script>alert(1)</script>", "<!-- x", "&amp; &#64;", "*b* _i_",
    "[x](http://example.org)", "![x](y)", "# head", "- item", "+ item", "1. item", "2) item", "===",
    "---", "> said", "~~gone~~", "\\", "\\|", "a\\", "    code", "\tcode", "$x$", "http://x.org",
    "two\nlines", "\r\n| x |", "\x1b[31m", "\u202e", "[^1]", "[ ]", "a_b_c", "<http://x.org>",
    "~", "|", ":---:", "***", "___", "{{x}}", "%%x%%", "~~~", "=", "-", "+", "1.", "0", "", " ",
    "\u2028",
]  # fmt: skip

anything = st.sampled_from(HOSTILE) | st.text(max_size=12)


@given(anything, anything, anything)
@example("*", "*", "*")
def test_what_is_read_is_what_was_written(headline: str, line: str, cell: str) -> None:
    table = Table.of(("query", "n"), [(cell, "1"), (Text(cell, Tone.BAD), line)])
    drawn = render(Page(Text(f"FAIL: {headline}"), (Text(f"x {line}"), table, Text("end"))))
    expected = [f"FAIL: {headline}", f"x {line}", "query", "n", cell, "1", cell, line, "end"]
    assert [" ".join(text.split()) for text in shown(drawn)] == [
        " ".join(str(Text(text)).split()) for text in expected
    ]


@pytest.mark.parametrize("line", HOSTILE)
def test_a_line_that_begins_so_is_a_paragraph(line: str) -> None:
    if not line.strip() or line == "\u2028":
        return
    drawn = render(Page(Text("PASS"), (Text("first"), Text(line), Text("last"))))
    assert [text.strip() for text in shown(drawn)] == [
        "PASS",
        "first",
        str(Text(line)).strip(),
        "last",
    ]


def test_the_reader_would_notice() -> None:
    for markdown in ("`x`\n", "a <b>\n", "[x](y)\n", "- x\n", "x\n===\n", "~~x~~\n", "# x\n"):
        assert not {token.type for token in tokens(markdown)} <= EXPECTED


# What GitHub and GitLab find in the text of a page, whatever stood before it in Markdown.
MENTION = re.compile(r"(?<![\w/`])@[a-z0-9][\w-]*", re.IGNORECASE)
REFERENCE = re.compile(r"[#!&]\d|(?<!\w)GH-\d|(?<!\w)[%$~][\w\"]", re.IGNORECASE)
LINK = re.compile(r"https?://\S|(?<!\w)www\.\S|[\w.]+@[a-z][\w-]*\.\w", re.IGNORECASE)
EMOJI = re.compile(r":[a-z0-9_+-]+:")


@pytest.mark.parametrize(
    "text",
    [
        "@user", "(@user)", "@org/team", "see #12", "owner/repo#12", "!7", "group/project!7",
        "GH-3", "gh-3", "~bug", '~"long label"', "%1.0", "$5", "&9", "https://x.org/a", "WWW.x.org",
        "www.x.org", "me@x.org", ":tada:", ":+1:", "a:b:c", "x:@user", "'@user'", "#@user",
        "\u3000@user", "P(rel=2)@5",
    ],
)  # fmt: skip
def test_nobody_is_mentioned_and_nothing_is_linked(text: str) -> None:
    patterns = (MENTION, REFERENCE, LINK, EMOJI)
    assert any(pattern.search(text) for pattern in patterns)
    seen = "".join(token.content for token in tokens(escape(text)) if token.type.startswith("text"))
    assert not any(pattern.search(seen) for pattern in patterns)
    assert shown(escape(text)) == [text.strip()]


@pytest.mark.parametrize("text", ["nDCG@10", "R@5:micro", "2% of 5", "latency_ms:p95", "a: b"])
def test_names_of_measures_stay_whole(text: str) -> None:
    assert escape(text).replace("\\", "") == text


def test_a_line_end_and_an_escape_are_shown() -> None:
    assert escape("a\r\n| b\x1b[31m") == r"a\\r\\n\| b\\x1b\[31m"


def test_a_bad_cell_is_bold() -> None:
    bad = [(Text(said, Tone.BAD),) for said in ("FAIL", " x ", "", " ")]
    drawn = render(Page(Text(" "), (Table.of(("a",), [*bad, ("pass",)]),)))
    assert drawn.endswith("| **FAIL** |\n| **x** |\n|  |\n|  |\n| pass |\n")
    assert drawn.startswith("\n\n| a |")
