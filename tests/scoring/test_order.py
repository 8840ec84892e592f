"""The order of a ranking, of version 9 and of version 10."""

from __future__ import annotations

import math
import struct
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragstone.scoring.order import as_float32, far_apart, in_order, rank

finite = st.floats(allow_nan=False, allow_infinity=False)


def test_scores_fall_then_ids_fall_by_code_point() -> None:
    docs = [b"d1", b"d10", b"d9", "é".encode(), "\uffff".encode(), "\U00010000".encode()]
    fallen = [docs[i] for i in (5, 4, 3, 2, 1, 0)]
    assert rank(docs, [1.0] * 6, 10) == (fallen, False)
    assert rank(docs, [1.0, 2.0, 1.0, 1.0, 1.0, 3.0], 10)[0] == [
        docs[i] for i in (5, 1, 4, 3, 2, 0)
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (0.87654321987, 0.87654321985),
        (16777217.0, 16777216.0),
        (2e39, 1e39),
        (-1e39, -2e39),
        (2e-50, 1e-50),
        (1e-50, -1e-50),
    ],
)
def test_what_ties_as_float_alone(first: float, second: float) -> None:
    for docs, nine in (([b"a", b"b"], [b"b", b"a"]), ([b"b", b"a"], [b"b", b"a"])):
        differs = docs != nine
        assert rank(docs, [first, second], 10) == (docs, differs)
        assert rank(docs, [first, second], 9) == (nine, differs)
        back, scores = docs[::-1], [second, first]
        assert rank(back, scores, 10) == (docs, differs)
        assert rank(back, scores, 9) == (nine, differs)


def test_negative_zero_is_zero() -> None:
    assert rank([b"a", b"b"], [0.0, -0.0], 10) == ([b"b", b"a"], False)


def test_nothing_and_one() -> None:
    assert rank([], [], 10) == ([], False)
    assert rank([b"a"], [1e300], 9) == ([b"a"], False)


@given(st.lists(finite))
@example([1.0, 1.0])
@example([3.4028235677973366e38])
def test_floats_are_those_of_c(scores: list[float]) -> None:
    def single(value: float) -> float:
        try:
            return float(struct.unpack("f", struct.pack("f", value))[0])
        except OverflowError:
            return math.copysign(math.inf, value)

    assert as_float32(scores) == [single(score) for score in scores]
    assert in_order(scores) == all(a > b for a, b in pairwise(scores))


@given(
    pairs=st.dictionaries(
        st.binary(min_size=1, max_size=3),
        st.one_of(finite, st.sampled_from([1.0, 16777216.0, 16777217.0, 1e39, 2e39])),
    )
)
def test_both_versions_and_whether_they_differ(pairs: dict[bytes, float]) -> None:
    docs, scores = list(pairs), list(pairs.values())
    single = dict(zip(docs, as_float32(scores), strict=True))
    ten = sorted(docs, key=lambda doc: (pairs[doc], doc), reverse=True)
    nine = sorted(docs, key=lambda doc: (single[doc], doc), reverse=True)
    assert rank(docs, scores, 10) == (ten, nine != ten)
    assert rank(docs, scores, 9) == (nine, nine != ten)


@given(
    st.lists(finite, max_size=4),
    st.sampled_from([0.0, 1e-9, 2**-25, 2**-24, 2**-23, 1.5 * 2**-23, 1e-3]),
)
@example([3.5e38, 3.4e38], 0.0)
@example([2e-45, 1e-45], 0.0)
@example([16777217.0, 16777216.0], 0.0)
def test_what_is_far_apart_falls_strictly_as_floats(scores: list[float], step: float) -> None:
    near = [score * (1 - step) for score in scores]
    falling = sorted({*scores, *near}, reverse=True)
    if far_apart(falling):
        assert in_order(as_float32(falling))


def test_most_rankings_are_far_apart() -> None:
    assert far_apart([30.0 - rank * 0.01 for rank in range(1000)])
    assert far_apart([])
    assert far_apart([1.0])
    assert not far_apart([1.0, 1.0])
    assert not far_apart([1.0, 2.0])
