"""What every renderer draws: widths, shortened ids, and text that commands no terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten, width

DECOMPOSED = unicodedata.normalize("NFD", "문서한국어")


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("문서", 4),
        (DECOMPOSED, 10),
        ("漢字カナ", 8),
        ("ｱ", 1),
        ("\uff21", 2),
        ("é", 1),
        ("e\u0301\u0323", 1),
        ("Ünï", 3),
        ("नि", 2),
        ("\u200b\u200d\u202e", 0),
        ("🎉", 2),
        ("…", 1),
        ("\u3000", 2),
    ],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


# Scripts that a terminal draws in one way only.
drawn = st.text(
    st.sampled_from(
        [*"abcé문서漢字ｱ", "\uff21", "\u0301", "\u1161", "\u11a8", "🎉", "…", "д", "ß", "─"]
    )
)


@given(drawn)
def test_width_is_what_rich_takes_it_for(text: str) -> None:
    assert width(text) == cell_len(text)


@given(st.text(), st.integers(2, 60))
def test_what_is_shortened_fits_and_is_a_beginning(text: str, most: int) -> None:
    short = shorten(text, most)
    assert width(short) <= most
    assert short.isprintable()
    flat = "".join(char if char.isprintable() else "\ufffd" for char in text)
    if width(flat) <= most:
        assert short == flat
    else:
        assert short.endswith("…")
        assert flat.startswith(short[:-1])
        taken = len(short) - 1
        assert width(flat[: taken + 1]) > most - 1  # not a character less than there is room for


def test_a_long_korean_id_takes_no_more_room_than_another() -> None:
    assert shorten("가" * 100, 11) == "가가가가가…"
    assert shorten("a" * 100, 11) == "a" * 10 + "…"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\r\n", r"two\nlines\r\n"),
        ("\x1b[2J\x9b31m", r"\x1b[2J\x9b31m"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("a\u00a0b\u3000c", "a\u00a0b\u3000c"),
        ("\U000e0041", r"\U000e0041"),
        ("\udced\udc95\udc9c", "한"),
    ],
)
def test_text_is_one_line(text: str, shown: str) -> None:
    assert str(Text(text)) == shown


@given(st.text(st.characters()))
def test_no_text_has_a_control_character(text: str) -> None:
    for char in str(Text(text)):
        assert unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_a_table_of_plain_text_and_text() -> None:
    table = Table.of(("query", "n"), [("q", Text("1", Tone.BAD)), ("문서", "20")], "title", ["n"])
    assert table.left == {"query", "n"}
    assert table.rows == ((Text("q"), Text("1", Tone.BAD)), (Text("문서"), Text("20")))
    assert table.widths() == [5, 2]


def test_a_table_without_rows_has_the_width_of_its_heads() -> None:
    assert Table.of(("a", "bcd"), []).widths() == [1, 3]


def test_a_page_is_a_value() -> None:
    assert Page(Text("a"), (Text("b"),)) == Page(Text("a"), (Text("b"),))
