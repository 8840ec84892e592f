"""Similarities in bins, against a count by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.reports.charts.histogram import Histogram


@given(
    st.lists(st.integers(-1000, 1000).map(lambda n: n / 1000), min_size=1),
    st.sampled_from([1, 2, 5, 10, 20, 100]),
)
def test_every_similarity_is_in_the_bin_between_whose_edges_it_is(
    values: list[float], bins: int
) -> None:
    found = Histogram.of(values, bins)
    counts = found.counts["pairs"]
    edges, last = found.edges, len(counts) - 1
    assert sum(counts) == len(values)
    thousandths = [round(edge * 1000) for edge in edges]  # where edges are whole numbers
    for place, (low, high) in enumerate(pairwise(thousandths)):
        inside = [v for v in (round(value * 1000) for value in values)
                  if low <= v < high or (place == last and v == high)]  # fmt: skip
        assert counts[place] == len(inside)


def test_bins_go_below_zero_only_where_they_must() -> None:
    assert Histogram.of([0.0, 1.0], 4).edges == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert Histogram.of([-0.1], 1).edges == (-1.0, 0.0, 1.0)


def test_what_rounding_made_of_a_cosine_is_still_one() -> None:
    assert Histogram.of([1.0000000002, 0.9999999999], 2).counts == {"pairs": (0, 2)}
    assert Histogram.of([0.4999999999999], 2).counts == {"pairs": (0, 1)}


@pytest.mark.parametrize(
    ("similarities", "bins", "message"),
    [
        ([], 20, "there is no similarity to draw"),
        ({"a": [], "b": []}, 20, "there is no similarity to draw"),
        ([0.5], 0, "0 bins cannot be drawn; 1 to 200 can"),
        ([0.5], 201, "201 bins cannot be drawn; 1 to 200 can"),
        ({"a": [0.5, 1.5]}, 20, "a: 1.5 is no similarity; it was expected from -1 to 1"),
        ([float("nan")], 20, "pairs: nan is no similarity"),
        ({str(n): [0.5] for n in range(9)}, 20, "9 kinds do not fit into one chart, 8 do"),
    ],
)
def test_what_cannot_be_drawn(similarities: list[float], bins: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Histogram.of(similarities, bins)


def test_nan_is_found_among_numbers() -> None:
    with pytest.raises(UsageError, match="nan is no similarity"):
        Histogram.of([0.1, float("nan"), 0.2])
