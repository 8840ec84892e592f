"""Longest common subsequences against the usual table."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from ragstone.text.lcs import Places, lcs_length, lcs_places

FEW = st.lists(st.sampled_from("abc"), max_size=12)
MANY = st.lists(st.integers(0, 40).map(str), max_size=150)


def table(first: list[str], other: list[str]) -> int:
    rows = [[0] * (len(other) + 1) for _ in range(len(first) + 1)]
    for i, mine in enumerate(first):
        for j, its in enumerate(other):
            longest = max(rows[i][j + 1], rows[i + 1][j])
            rows[i + 1][j + 1] = rows[i][j] + 1 if mine == its else longest
    return rows[-1][-1]


@given(FEW | MANY, FEW | MANY)
def test_the_length_is_the_tables(first: list[str], other: list[str]) -> None:
    assert lcs_length(Places.of(first), other) == table(first, other)


@given(FEW | MANY, FEW | MANY)
def test_the_length_is_the_same_from_both_sides(first: list[str], other: list[str]) -> None:
    assert lcs_length(Places.of(first), other) == lcs_length(Places.of(other), first)


@given(FEW | MANY, FEW | MANY)
def test_the_places_are_those_of_rouge_score(first: list[str], other: list[str]) -> None:
    found = lcs_places(Places.of(first), other)
    assert found == rouge_scorer.lcs_ind(first, other)
    assert len(found) == lcs_length(Places.of(first), other)


def test_empty() -> None:
    assert lcs_length(Places.of([]), ["a"]) == 0
    assert lcs_length(Places.of(["a"]), []) == 0
    assert lcs_places(Places.of([]), []) == []


def test_a_sequence_longer_than_a_machine_word() -> None:
    first = [str(i % 97) for i in range(5000)]
    assert lcs_length(Places.of(first), first[::2]) == 2500
    assert lcs_places(Places.of(first[:200]), first[:200]) == list(range(200))
