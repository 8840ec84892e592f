"""Shared n-grams, counted through the index and pair by pair."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.text import postings as module
from ragstone.text.ngrams import Block, grams, tokens_of
from ragstone.text.postings import Postings

TEXT = st.lists(st.sampled_from(["a", "b", "c", "한"]), max_size=9).map(" ".join)


def indexed(texts: list[str], size: int) -> Postings:
    found = grams(Block.of(texts).tokens("word"), size)
    return Postings(found.texts, found.hashes)


def gram_set(text: str, size: int) -> set[tuple[str, ...]]:
    tokens = tokens_of(text, "word")
    return {tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1)}


@given(
    st.lists(TEXT, max_size=6),
    st.lists(TEXT, max_size=6),
    st.integers(1, 3),
    st.sampled_from([1, 5, 1 << 21]),
)
def test_shared_counts_equal_those_of_every_pair(
    items: list[str], documents: list[str], size: int, expanded: int
) -> None:
    index = indexed(items, size)
    found = grams(Block.of(documents).tokens("word"), size, index.may_have)
    counted: dict[tuple[int, int], int] = {}
    with patch.object(module, "EXPANDED", expanded):
        for part in index.shared(found, len(items)):
            rows = zip(*(array.tolist() for array in part), strict=True)
            counted |= {(text, owner): count for text, owner, count in rows}
    assert counted == {
        (t, o): len(both)
        for t, text in enumerate(documents)
        for o, item in enumerate(items)
        if (both := gram_set(text, size) & gram_set(item, size))
    }
    assert list(counted) == sorted(counted)
    assert index.sizes(len(items)).tolist() == [len(gram_set(item, size)) for item in items]


def test_nothing_indexed_is_found_in_nothing() -> None:
    index = indexed(["a"], 3)
    assert len(index) == 0
    found = grams(Block.of(["a b c d"]).tokens("word"), 3, index.may_have)
    assert list(index.shared(found, 1)) == []


def test_the_filter_lets_little_through() -> None:
    index = indexed([" ".join(f"w{i}" for i in range(5000))], 3)
    foreign = grams(Block.of([" ".join(f"v{i}" for i in range(50_000))]).tokens("word"), 3)
    assert np.count_nonzero(index.may_have(foreign.hashes)) < 50_000 / 10
    own = grams(Block.of([" ".join(f"w{i}" for i in range(5000))]).tokens("word"), 3)
    assert index.may_have(own.hashes).all()


@pytest.mark.parametrize("copies", [1, 3000])
def test_a_gram_with_many_owners_stays_within_memory(copies: int) -> None:
    index = indexed(["a b c d"] * copies, 3)
    found = grams(Block.of(["x a b c d y"] * 50).tokens("word"), 3, index.may_have)
    parts = list(index.shared(found, copies))
    assert sum(len(part.texts) for part in parts) == 50 * copies
    assert all(len(part.texts) <= module.EXPANDED for part in parts)
    assert all((part.counts == 2).all() for part in parts)
