"""Covered characters against sets of characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragstone.formats.gold import Place
from ragstone.matching.cover import Covered, span_coverage


def place(doc: str, start: int, length: int) -> Place:
    return Place(doc, start, start + length)


PLACES = st.builds(place, st.sampled_from("ab"), st.integers(0, 20), st.integers(1, 9))


def characters(places: list[Place]) -> set[tuple[str, int]]:
    return {(each.doc, i) for each in places for i in range(each.start, each.end)}


@given(st.lists(PLACES, max_size=8), PLACES)
def test_covered_is_a_set_of_characters(places: list[Place], asked: Place) -> None:
    covered = Covered(places)
    assert covered.length == len(characters(places))
    assert covered.of(asked) == len(characters(places) & characters([asked]))
    assert characters(covered.spans()) == characters(places)
    assert len(covered.spans()) == len(set(covered.spans()))


@given(st.lists(PLACES, min_size=1, max_size=4), st.lists(st.none() | PLACES, max_size=6))
def test_coverage_goes_down_the_ranks(golds: list[Place], chunks: list[Place | None]) -> None:
    found = span_coverage(golds, chunks)
    wanted = characters(golds)
    assert found.cover.gold == len(wanted)
    for k in range(len(chunks) + 1):
        read = characters([each for each in chunks[:k] if each])
        assert found.cover.at(k) == (len(read & wanted), len(read))
        if not k:
            continue
        before = characters([each for each in chunks[: k - 1] if each])
        for gold, shares in zip(golds, found.shares, strict=True):
            mine = characters([gold])
            new = len(read & mine) > len(before & mine)
            assert shares[k - 1] == (len(read & mine) / gold.length if new else None)
    assert found.cover.at(None) == found.cover.at(len(chunks))
