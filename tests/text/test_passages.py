"""Passages: the run of n-grams that counts, and its place in the text as it is."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragstone.text import normalise, passages
from ragstone.text.ngrams import tokens_of
from ragstone.text.passages import (
    Aligned,
    Passage,
    Run,
    densest_run,
    letter_span,
    passage_of,
    word_span,
)

# Normalisation makes these longer, shorter, join or vanish.
HOSTILE = [*"aZ09_-. \n\t", *"\u00ad\u200b\u200d\u0301\u0323\u0345\u3000\ufeff\ufe0f"]
HOSTILE += ["Σ", "ς", "İ", "ß", "ﬁ", "é", "ữ", "½", "㎏", "ǆ", "ᄒ", "ᅡ", "ᆫ", "하", "한", "ㅎ", "ㅏ"]
HOSTILE += [
    "国",
    "\uff21",
    "ﾊ",
    "ﾟ",
    "ก",
    "า",
    "ำ",
    "\U0001f600",
    "\U0001d7d8",
    "ক",
    "ে",
    "া",
    "\ufdfa",
]
SIGMAS = "\u03c2", "\u03c3"  # which of them lower case makes depends on what follows
TEXT = st.text(st.sampled_from(HOSTILE), max_size=14) | st.text(max_size=14)


def passage(text: str, run: Run, *, letters: bool) -> Passage:
    aligned = Aligned(text)
    return passage_of(aligned, (letter_span if letters else word_span)(aligned.normal, run))


@example("a\u200d\u0301 b")
@example("\u1112\u200b\u1161\u11ab")
@example("x\ufeff\u0323\u0301y")
@given(TEXT)
def test_pieces_normalise_to_the_whole(text: str) -> None:
    aligned = Aligned(text)
    pieces = [aligned._piece(place) for place in range(len(aligned.normal))]
    assert pieces == sorted(pieces)
    joined = "".join(normalise(text[slice(*piece)]) for piece in dict.fromkeys(pieces))
    assert joined.replace(*SIGMAS) == normalise(text).replace(*SIGMAS)
    assert aligned.normal.lower() == normalise(text)
    covered = {i for piece in pieces for i in range(*piece)}
    lost = "".join(char for i, char in enumerate(text) if i not in covered)
    assert normalise(lost) == ""


def test_every_character_that_composes_with_one_before_it_joins() -> None:
    """Over all of Unicode, whatever version Python has."""
    apart = set()
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.normalize("NFKD", chr(code))
        for part in parts[1:]:
            joined = unicodedata.normalize("NFC", parts[0] + part) != parts[0] + part
            if joined and not passages._joins(part):
                apart.add(part)
    assert apart == set()


@given(TEXT.filter(lambda text: tokens_of(text, "word")), st.data())
def test_a_passage_has_the_tokens_it_is_for(text: str, data: st.DataObject) -> None:
    letters = data.draw(st.booleans())
    tokens = tokens_of(text, "char" if letters else "word")
    first = data.draw(st.integers(0, len(tokens) - 1))
    last = data.draw(st.integers(first, len(tokens) - 1))
    found = passage(text, Run(first, last), letters=letters)
    assert found.text == text[found.start : found.end]
    assert 0 <= found.start < found.end <= len(text)
    inside = tokens_of(found.text, "char" if letters else "word")
    wanted = tokens[first : last + 1]
    joined, within = "".join(wanted).replace(*SIGMAS), "".join(inside).replace(*SIGMAS)
    assert joined in within  # more only where one character of the text is several tokens
    before = tokens_of(text[: found.start], "char")
    behind = tokens_of(text[found.end :], "char")
    assert len(before) + len(behind) <= len(tokens_of(text, "char")) - len(joined)


@pytest.mark.parametrize(
    ("text", "run", "expected"),
    [
        ("one two three", Run(1, 1), "two"),
        ("one, TWO... three!", Run(0, 1), "one, TWO"),
        ("x \u00adso\u00adft\u200b hyphens", Run(1, 1), "so\u00adft"),
        ("ﬁve ½ ㎏ of ﬂour", Run(1, 3), "½ ㎏"),
        ("e\u0301tude e\u0301te\u0301 x", Run(1, 1), "e\u0301te\u0301"),
        ("x̄ ȳ", Run(0, 0), "x̄"),
        (
            "\u1112\u1161\u11ab\u1100\u116e\u11a8 말",
            Run(0, 0),
            "\u1112\u1161\u11ab\u1100\u116e\u11a8",
        ),
        ("ΟΔΟΣ ΟΔΟΣ", Run(1, 1), "ΟΔΟΣ"),
        ("İstanbul x", Run(1, 1), "stanbul"),  # i and a dot, which separates
    ],
)
def test_words_are_placed_in_the_text_as_it_is(text: str, run: Run, expected: str) -> None:
    found = passage(text, run, letters=False)
    assert found.text == expected
    assert text[found.start : found.end] == expected


@pytest.mark.parametrize(
    ("text", "run", "expected"),
    [
        ("abc", Run(1, 2), "bc"),
        ("한국\n어, 말!", Run(1, 3), "국\n어, 말"),
        ("ｱﾊﾟｰﾄ です", Run(1, 2), "ﾊﾟｰ"),
        ("第１章", Run(0, 2), "第１章"),
    ],
)
def test_letters_are_placed_in_the_text_as_it_is(text: str, run: Run, expected: str) -> None:
    assert passage(text, run, letters=True).text == expected


def test_a_long_passage_is_cut_and_says_so() -> None:
    text = "word " * 1000
    found = passage(text, Run(1, 900), letters=False)
    assert (found.start, found.end, found.cut) == (5, 5 + passages.LONGEST, True)
    assert found.text == text[found.start : found.end]
    assert not passage(text, Run(1, 100), letters=False).cut


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ([(4, "a")], Run(4, 6)),
        ([(0, "a"), (50, "a"), (51, "b")], Run(50, 53)),
        ([(0, "a"), (1, "b"), (50, "a"), (51, "b")], Run(0, 3)),  # the first of equal ones
        ([(0, "a"), (1, "a"), (2, "a"), (50, "a"), (51, "b")], Run(50, 53)),  # different ones
        ([(0, "a"), (10, "b"), (21, "c")], Run(0, 12)),  # a gap of 10 is within, of 11 is not
    ],
)
def test_the_run_with_most_different_ngrams(starts: list[tuple[int, str]], expected: Run) -> None:
    assert densest_run(starts, 3, 10) == expected
