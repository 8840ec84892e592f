"""Ids that look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.lint.ids import Ids, difference, folded

NAMES = st.text(st.sampled_from("aA0 1.-é\u0301e\u200b\uff11"), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("007", "7", "leading zeros"),
        ("doc-007", "doc-7", "leading zeros"),
        ("a 7", "a7", "blanks"),
        (" a", "a", "blanks"),
        ("a\u00a0b", "a b", "Unicode form"),
        ("Doc", "dOC", "case"),
        ("é", "e\u0301", "Unicode form"),
        ("\u1112\u1161\u11ab", "한", "Unicode form"),
        ("a\u200bb", "ab", "Unicode form"),
        ("\uff11", "1", "Unicode form"),
        ("Doc 007", "doc7", "blanks and case and leading zeros"),
    ],
)
def test_what_differs_in_form_only(one: str, other: str, what: str) -> None:
    assert folded(one) == folded(other)
    assert difference(one, other) == difference(other, one) == what
    ids = Ids([one])
    assert ids.twin(other) == one
    assert other not in ids
    assert ids.add(other) == one
    assert other in ids


@pytest.mark.parametrize(
    ("one", "other"),
    [("10", "1"), ("0", "00a"), ("1.05", "1.5"), ("a-1", "a1"), ("a_b", "ab"), ("100", "1")],
)
def test_what_differs_in_more(one: str, other: str) -> None:
    assert folded(one) != folded(other)
    assert Ids([one]).twin(other) is None


def test_an_id_is_not_its_own_twin() -> None:
    ids = Ids(["A", "b"])
    assert ids.twin("A") is None
    assert ids.add("A") is None
    assert ids.twin("b") is None
    assert len(ids) == 2


@given(st.lists(NAMES), NAMES)
def test_a_twin_is_found_as_if_all_were_compared(names: list[str], name: str) -> None:
    ids = Ids(names)
    alike = {each for each in names if each != name and folded(each) == folded(name)}
    twin = ids.twin(name)
    if name in names:
        return  # which of several it is told does not matter
    assert (twin in alike) if alike else twin is None


@given(st.lists(NAMES, unique=True))
def test_every_id_with_an_earlier_twin_is_noted(names: list[str]) -> None:
    ids = Ids()
    for place, name in enumerate(names):
        alike = [each for each in names[:place] if folded(each) == folded(name)]
        twin = ids.add(name)
        assert (twin in alike) if alike else twin is None
        if twin:
            assert difference(name, twin)
