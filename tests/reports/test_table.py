"""Scores on the wire and back."""

from __future__ import annotations

import math
from array import array

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.model import Cell, Column, Scores, ScoresBuilder, Signature, Status
from ragstone.reports import encode
from ragstone.reports.table import Table, from_table, to_table

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = TEXT | FINITE | st.integers(-(2**63), 2**63 - 1)
SIGNATURES = st.dictionaries(TEXT, SCALARS, max_size=3).map(Signature.of)
CELLS = st.builds(Cell, FINITE, st.sampled_from(Status), FINITE, TEXT, TEXT)
COUNTS = st.integers(0, 2**63 - 1)


@st.composite
def any_scores(draw: st.DrawFn) -> Scores:
    names = draw(st.lists(TEXT, max_size=4, unique=True))
    counts = draw(st.lists(TEXT, max_size=2, unique=True))
    weighted = draw(st.sets(st.sampled_from(names))) if names else set()
    builder = ScoresBuilder(names, counts, weighted)
    for item in draw(st.lists(TEXT, max_size=5, unique=True)):
        builder.add(item, [draw(CELLS) for _ in names], [draw(COUNTS) for _ in counts])
    return builder.build(
        draw(SIGNATURES),
        {name: draw(SIGNATURES) for name in names},
        draw(st.dictionaries(TEXT, COUNTS, max_size=2)),
    )


def through_bytes(scores: Scores) -> Scores:
    table = msgspec.json.decode(encode(to_table(scores)), type=Table)
    return from_table(table, scores.signature)


@given(any_scores())
def test_scores_come_back_as_they_were(scores: Scores) -> None:
    back = through_bytes(scores)
    assert back == scores
    assert list(back.columns) == list(scores.columns)
    for name, column in back.columns.items():
        assert column.values.tobytes() == scores[name].values.tobytes()  # -0.0 too
        assert (column.values.typecode, column.status.typecode) == ("d", "b")
    assert all(counts.typecode == "q" for counts in back.counts.values())


def test_a_value_that_does_not_count_is_null(scores: Scores) -> None:
    table = to_table(scores)
    assert table.columns["R@5"].values == [0.5, 0.0, None, 1 / 3, 1.0]
    assert table.columns["R@5"].status == [0, 1, 3, 0, 0]
    assert table.columns["nDCG@10"].values[3] is None


def test_status_is_left_out_where_every_value_is_scored() -> None:
    column = Column(array("d", [0.5]), array("b", [0]))
    written = encode(to_table(Scores(("q",), {"AP": column})))
    assert b'"columns":{"AP":{"values":[0.5]}}' in written


def test_what_is_sparse_is_keyed_by_item(scores: Scores) -> None:
    column = to_table(scores).columns["R@5"]
    assert column.reasons == {"q3": "no answer in 30 s"}
    assert column.notes == {"q1": "Ünïcode"}


def test_the_order_of_the_columns_is_kept(scores: Scores) -> None:
    assert to_table(scores).order == ["R@5", "nDCG@10", "Success@5"]


@pytest.mark.parametrize("number", [math.nan, math.inf])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_number_that_is_not_finite_is_not_written(number: float, weighted: bool) -> None:
    good, bad = array("d", [0.5]), array("d", [number])
    column = Column(good, array("b", [0]), bad) if weighted else Column(bad, array("b", [0]))
    with pytest.raises(Exception, match=rf"is {number}; a report holds finite numbers only"):
        encode(to_table(Scores(("q",), {"AP": column})))
