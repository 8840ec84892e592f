"""Nearly the same sets, against comparing all with all."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragstone.lint.similar import similar

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), max_size=12), max_size=12)


def by_comparing_all(sets: list[frozenset[str]], least: float) -> dict[int, int]:
    """Return, for each set that is like one before it in order of size, the first of those."""
    order = sorted((p for p in range(len(sets)) if sets[p]), key=lambda p: len(sets[p]))
    found = {}
    for here, place in enumerate(order):
        for other in order[:here]:
            union = len(sets[place] | sets[other])
            if Fraction(len(sets[place] & sets[other]), union) >= Fraction(str(least)):
                found[place] = other
                break
    return found


@given(SETS, st.sampled_from([0.1, 0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 0.95, 1.0]))
@example([frozenset("abcdefghi"), frozenset("abcdefghij")], 0.9)
@example([frozenset("ab"), frozenset("abc")], 2 / 3)
def test_the_same_as_comparing_all(sets: list[frozenset[str]], least: float) -> None:
    pairs = list(similar(sets, least))
    assert {pair.place: pair.like for pair in pairs} == by_comparing_all(sets, least)
    for place, like, share in pairs:
        assert share == len(sets[place] & sets[like]) / len(sets[place] | sets[like])


@given(SETS)
def test_without_what_is_found_no_two_are_alike(sets: list[frozenset[str]]) -> None:
    found = {pair.place for pair in similar(sets, 0.7)}
    left = [words for place, words in enumerate(sets) if place not in found]
    assert list(similar(left, 0.7)) == []


@pytest.mark.parametrize("free", [1, 2])
def test_sets_made_from_one_template_are_not_all_compared(free: int) -> None:
    """9,000 queries of 20 words that share all but one or two."""
    shared = {f"w{n}" for n in range(20 - free)}
    sets = [frozenset({*shared, *(f"u{n}-{m}" for m in range(free))}) for n in range(9000)]
    start = time.process_time()
    found = sum(1 for _ in similar(sets, 0.9))
    assert found == (8999 if free == 1 else 0)
    assert time.process_time() - start < 5  # all pairs would take minutes
