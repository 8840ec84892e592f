"""The n-gram kernel against ten lines of plain Python."""

from __future__ import annotations

from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text import blocks, hashing, ngrams
from ragstone.text.ngrams import Block, Unit, grams, grams_of, hash_token_lists, tokens_of

# What normalisation is hard for: case, marks that compose, jamo, width, format characters, spaces
# of all kinds, letters beyond the first plane, half of a surrogate pair.
HOSTILE = [*"aZ019_-. \n\t\r\x1c\x85\xa0\xad", *"\u2003\u200d\u0301\u0323\u0345\u3000\ufeff"]
HOSTILE += [
    "\u03a3",
    "\u03c3",
    "\u03c2",
    "İ",
    "ß",
    "ﬁ",
    "é",
    "²",
    "ǆ",
    "ᄒ",
    "ᅡ",
    "ᆫ",
    "한",
    "国",
    "\uff11",
    "\uff21",
]
HOSTILE += ["ก", "า", "ำ", "\U0001f600", "\U0001d7d8", "\U00010400", "\ud800", "\U00020000"]
TEXTS = st.lists(
    st.text(st.sampled_from(HOSTILE), max_size=12)
    | st.text(st.characters(max_codepoint=0x2FF), max_size=12),
    max_size=6,
)
ALONE = {"ᄒ", "ᅡ", "ᆫ", "한", "国", "ก", "า", "\U00020000"}
UNITS = st.sampled_from(["word", "char", "mixed"])
seen: dict[str, int] = {}


def hashes_of(text: str, unit: Unit) -> list[int]:
    return [int(number) for number in Block.of([text]).tokens(unit).hashes]


@given(TEXTS, UNITS)
def test_tokens_are_those_of_the_one_normalisation(texts: list[str], unit: Unit) -> None:
    tokens = Block.of(texts).tokens(unit)
    assert len(tokens.offsets) == len(texts) + 1
    for text, (start, end) in zip(texts, pairwise(tokens.offsets.tolist()), strict=True):
        found = tokens.hashes[start:end].tolist()
        expected = tokens_of(text, unit)
        assert len(found) == len(expected)
        for token, number in zip(expected, found, strict=True):
            assert seen.setdefault(f"{unit} {token}", number) == number  # over all examples


@given(TEXTS, UNITS, st.integers(1, 4), st.none() | st.integers(1, 4))
def test_grams_are_the_runs_of_tokens_within_each_text(
    texts: list[str], unit: Unit, size: int, letters: int | None
) -> None:
    found = grams(Block.of(texts).tokens(unit), size, letters=letters)
    expected = []
    for i, tokens in enumerate(tokens_of(text, unit) for text in texts):
        for start, token in enumerate(tokens):
            alone = unit == "mixed" and len(token) == 1 and token in ALONE
            length = letters if letters and alone else size
            if start + length <= len(tokens):
                expected.append((i, start, tuple(tokens[start : start + length])))
    assert list(zip(found.texts.tolist(), found.starts.tolist(), strict=True)) == [
        (i, start) for i, start, _ in expected
    ]
    known: dict[tuple[str, ...], int] = {}
    for (_, _, gram), number in zip(expected, found.hashes.tolist(), strict=True):
        assert known.setdefault(gram, number) == number
    assert len(set(known.values())) == len(known)
    if unit == "mixed":
        assert [gram for _, _, gram in expected] == [
            gram
            for text in texts
            for gram in grams_of(tokens_of(text, unit), size, letters=letters)
        ]


@given(TEXTS, UNITS, st.integers(0, 6))
def test_blocks_do_not_matter(texts: list[str], unit: Unit, cut: int) -> None:
    whole = Block.of(texts).tokens(unit).hashes.tolist()
    parts = [Block.of(part).tokens(unit).hashes.tolist() for part in (texts[:cut], texts[cut:])]
    assert whole == parts[0] + parts[1]


@given(TEXTS, UNITS)
def test_dense_and_sparse_blocks_are_normalised_alike(texts: list[str], unit: Unit) -> None:
    found = []
    for dense in (0, 1 << 30):
        with patch.object(blocks, "DENSE", dense), patch.object(ngrams, "DENSE", dense):
            tokens = Block.of(texts).tokens(unit)
        found.append((tokens.hashes.tolist(), tokens.offsets.tolist()))
    assert found[0] == found[1]


@given(st.lists(st.text(st.sampled_from("ab한"), min_size=1, max_size=150), max_size=5))
def test_words_of_any_length_have_hashes_of_their_own(words: list[str]) -> None:
    numbers = hashes_of(" ".join(words), "word")
    assert len(set(numbers)) == len(set(words))
    assert numbers == [hashes_of(word, "word")[0] for word in words]


def test_words_that_differ_in_one_place_differ_in_hash() -> None:
    length = 2 * hashing.LONGEST
    words = ["a" * n for n in range(1, length)]
    words += [
        "a" * n + "b" + "a" * (size - n) for size in (7, 8, 9, 63, 64, 65) for n in range(size)
    ]
    assert len(set(hashes_of(" ".join(words), "word"))) == len(set(words))


def mixed(number: int) -> int:
    number = number * 0x9E3779B97F4A7C15 % 2**64
    number ^= number >> 29
    number = number * 0xBF58476D1CE4E5B9 % 2**64
    return number ^ number >> 32


def spelt_out(word: bytes) -> int:
    number = mixed(int.from_bytes(word[:8], "little"))
    for place in range(8, len(word), 8):
        step = number * 0x9E3779B97F4A7C15 + int.from_bytes(word[place : place + 8], "little")
        number = mixed(step % 2**64)
    return number


@given(st.text(st.sampled_from("ab한é"), min_size=1, max_size=21))
def test_a_hash_is_a_function_of_the_token_alone(word: str) -> None:
    """Machines of a cluster and versions of ours share hashes, so they are spelt out here."""
    assert hashes_of(word, "word") == [spelt_out(word.encode())]
    assert hashes_of(word, "char") == [mixed(ord(char)) for char in word]
    pair = grams(Block.of([f"{word} x"]).tokens("word"), 2).hashes.tolist()
    assert pair == [(spelt_out(word.encode()) * 0x9E3779B97F4A7C15 + spelt_out(b"x")) % 2**64]


def test_a_list_of_tokens_has_the_hashes_of_its_words() -> None:
    lists = [["one", "two"], [], ["한국어", "two"]]
    found = hash_token_lists(lists)
    assert found.offsets.tolist() == [0, 2, 2, 4]
    assert found.hashes.tolist() == hashes_of("one two 한국어 two", "word")
    assert len(set(hash_token_lists([["a b", "a", "b", "+"]]).hashes.tolist())) == 4


def test_a_list_with_an_empty_token_is_refused() -> None:
    with pytest.raises(ValueError, match="a token is empty"):
        hash_token_lists([["a", ""]])


def test_only_wanted_grams_are_placed() -> None:
    tokens = Block.of(["a b c d", "c d e"]).tokens("word")
    wanted = grams(Block.of(["c d"]).tokens("word"), 2).hashes
    found = grams(tokens, 2, lambda hashes: np.isin(hashes, wanted))
    assert found.texts.tolist() == [0, 1]
    assert found.starts.tolist() == [2, 0]


def test_a_block_is_no_larger_than_its_texts_need() -> None:
    """A long run without a space must not cost more than its length, as backtracking would."""
    tokens = Block.of(["x" * 2_000_000 + "é", "한" * 500_000]).tokens("word")
    assert tokens.counts().tolist() == [1, 1]
