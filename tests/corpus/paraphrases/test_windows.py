"""Passages of long texts: nothing is left out, and what is short is whole in one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragstone.corpus.paraphrases.windows import windows

TEXTS = st.one_of(
    st.text(max_size=300),
    st.text("ab \n", max_size=300),
    st.lists(st.text("abc", min_size=1, max_size=12), max_size=60).map(" ".join),
)


@given(TEXTS, st.integers(16, 90))
@example("x" * 1000, 16)
@example(" " * 100, 16)
@example("xxxxx xxxx xxxxxxxx xx xxxx xxxx", 20)  # a word may not begin too far back
def test_passages_cover_the_text_and_overlap(text: str, size: int) -> None:
    found = list(windows(text, size))
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(end - start <= size for start, end in found)
    for (start, end), (later, last) in pairwise(found):
        assert start < later < end < last
    for first in range(len(text)):  # every run of a quarter is whole in one
        last = min(first + size // 4, len(text))
        assert any(start <= first and last <= end for start, end in found)


@given(st.lists(st.text("abc", min_size=1, max_size=4), max_size=60).map(" ".join))
def test_words_are_not_cut_where_there_are_spaces(text: str) -> None:
    for start, end in windows(text, 48):
        assert start == 0 or text[start - 1] == " "
        assert end == len(text) or text[end - 1] == " "


@pytest.mark.parametrize("text", ["", "short", "x" * 16])
def test_a_short_text_is_one_passage(text: str) -> None:
    assert list(windows(text, 16)) == [(0, len(text))]


def test_a_text_without_spaces() -> None:
    assert list(windows("가" * 40, 16)) == [(0, 16), (8, 24), (16, 32), (24, 40)]
