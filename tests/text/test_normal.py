"""The normalisation and the words of DESIGN's text semantics."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text import normalise, words
from ragstone.text.normal import LONGEST

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  A\tb\n", "  a\tb\n"),
        ("ﬁne ﬂow", "fine flow"),
        ("\uff32\uff21\uff27 \uff11\uff12", "rag 12"),
        ("x²", "x2"),
        ("e\u0301", "é"),
        ("İ", "i̇"),
        ("ΟΔΟΣ", "οδος"),
        ("Straße", "straße"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth\u200djoiner", "zerowidthjoiner"),
        ("\ufeffmark \u200fright\u200e \u2066isolate\u2069", "mark right isolate"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("ﾊﾟﾋﾟ", "パピ"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\U0001f469\U0001f467"),
        ("\U0001f600", "\U0001f600"),
        ("a\u00a0b", "a b"),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("... ?! \U0001f600 _ -", []),
        ("What's RAG?", ["what", "s", "rag"]),
        ("snake_case re-use 3.5", ["snake", "case", "re", "use", "3", "5"]),
        ("검색 품질을 잰다.", ["검색", "품질을", "잰다"]),
        ("検索とは", ["検索とは"]),
        ("soft\u00adware", ["software"]),
        ("a\U0001f600b", ["a", "b"]),
        ("x²", ["x2"]),
        ("ﬁle № 4²", ["file", "no", "42"]),
        ("Größe, ПРИВЕТ 東京", ["größe", "привет", "東京"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def by_the_letter(text: str) -> str:
    """Return what DESIGN.md says, step by step."""
    kept = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", kept).lower()


@given(TEXTS)
def test_once_is_as_good_as_twice(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert words(once) == words(text)


@given(TEXTS)
def test_it_is_what_the_design_says(text: str) -> None:
    said = by_the_letter(text)
    assert normalise(text) == unicodedata.normalize("NFKC", said)
    assert words(text) == re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", said))


@given(TEXTS)
def test_forms_of_unicode_and_case_do_not_matter(text: str) -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert normalise(unicodedata.normalize(form, text)) == normalise(text)


@given(TEXTS, st.sampled_from(["\u00ad", "\u200b", "\u200d", "\ufeff", "\u2069"]), st.integers(0))
def test_format_characters_are_nowhere(text: str, unseen: str, place: int) -> None:
    cut = place % (len(text) + 1)
    assert normalise(text[:cut] + unseen + text[cut:]) == normalise(text)


def test_every_character_alone() -> None:
    every = map(chr, range(128, sys.maxunicode + 1))
    assigned = [char for char in every if unicodedata.category(char) not in {"Cn", "Co", "Cs"}]
    once = normalise("\n".join(assigned))
    assert normalise(once) == once
    assert {char for char in set(once) if unicodedata.category(char) == "Cf"} == set()


def test_marks_that_lower_case_leaves_out_of_order() -> None:
    text = "\u0130\u0316"
    assert unicodedata.normalize("NFKC", by_the_letter(text)) != by_the_letter(text)
    assert normalise(normalise(text)) == normalise(text)


def test_what_is_kept_is_not_what_is_handed_out() -> None:
    words("Kept, words").append("more")
    assert words("Kept, words") == ["kept", "words"]


@pytest.mark.parametrize("text", ["Word, ", "Wörter, ", "단어, "])
def test_texts_too_long_to_be_kept(text: str) -> None:
    many = LONGEST // len(text) + 1
    assert normalise(text * many) == normalise(text) * many
    assert words(text * many) == words(text) * many
