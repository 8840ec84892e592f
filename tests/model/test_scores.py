"""Scores: statuses, the builder's rules, signatures and the plain table."""

from __future__ import annotations

import math
import pickle
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.model import Cell, Scores, ScoresBuilder, Signature, Status

S = Status


def builder(columns: tuple[str, ...] = ("AP",), weighted: tuple[str, ...] = ()) -> ScoresBuilder:
    return ScoresBuilder(columns, weighted=weighted)


def test_statuses_that_count() -> None:
    assert [status.counts for status in Status] == [True, True, False, False]
    assert [int(status) for status in Status] == [0, 1, 2, 3]


def test_items_ascend_by_code_point_whatever_the_order() -> None:
    filled = ScoresBuilder(["AP", "RR"], ["relevant"], ["RR"])
    for place, item in enumerate(["q2", "q10", "\U00010000", "\uffff", "Q", "é"]):
        weight = float(place)
        filled.add(item, [Cell(place), Cell(-place, S.DEFAULT, weight, "r", "n")], [place])
    scores = filled.build(Signature.of(a=1), {"RR": Signature.of(b=2)}, {"queries": 6})
    assert scores.items == ("Q", "q10", "q2", "é", "\uffff", "\U00010000")
    order = [4, 1, 0, 5, 3, 2]
    assert scores["AP"].values == array("d", order)
    assert scores["RR"].values == array("d", [-n for n in order])
    assert scores["RR"].weights == array("d", order)
    assert scores["AP"].weights is None
    assert scores.counts["relevant"] == array("q", order)
    assert scores["RR"].reasons == dict.fromkeys(range(6), "r")
    assert scores.facts == {"queries": 6}
    assert scores.signature == Signature.of(a=1)
    assert scores["RR"].signature == Signature.of(b=2)
    assert scores.signature_of("RR") == Signature.of(a=1, b=2)
    assert scores.signature_of("AP") == Signature.of(a=1)
    assert len(scores) == 6


cells = st.builds(
    Cell,
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(Status),
    st.floats(0, 1e300),
    st.sampled_from(["", "why"]),
    st.sampled_from(["", "note"]),
)
tables = st.dictionaries(st.text(max_size=3), st.tuples(cells, cells), max_size=8)


def built(rows: list[tuple[str, tuple[Cell, Cell]]], parts: int = 1) -> Scores:
    builders = [ScoresBuilder(["AP", "RR"], ["n"], ["AP"]) for _ in range(parts)]
    for place, (item, row) in enumerate(rows):
        builders[place * parts // len(rows)].add(item, row, [len(item)])
    for other in builders[1:]:
        builders[0].merge(other)
    assert len(builders[0]) == len(rows)
    assert all(item in builders[0] for item, _ in rows)
    return builders[0].build()


@given(table=tables, seed=st.randoms(use_true_random=False), parts=st.integers(1, 4))
def test_order_and_merging_make_no_difference(
    table: dict[str, tuple[Cell, Cell]], seed: Any, parts: int
) -> None:
    rows = list(table.items())
    seed.shuffle(rows)
    scores = built(rows, parts)
    assert scores == built(sorted(rows))
    for place, item in enumerate(sorted(table)):
        cell = table[item][0]
        column = scores["AP"]
        assert column.status[place] == cell.status
        assert column.value(place) == (cell.value if cell.status.counts else None)
        assert column.values[place] == (cell.value if cell.status.counts else 0.0)
        assert column.weights is not None
        assert column.weights[place] == cell.weight
        assert column.reasons.get(place, "") == cell.reason
        assert column.notes.get(place, "") == cell.note
    assert list(scores["AP"].counted()) == [
        place for place, item in enumerate(sorted(table)) if table[item][0].status.counts
    ]
    assert sum(scores["AP"].tally().values()) == len(table)
    assert scores.to_dict() == {
        "id": sorted(table),
        "n": [len(item) for item in sorted(table)],
        "AP": [scores["AP"].value(place) for place in range(len(table))],
        "RR": [scores["RR"].value(place) for place in range(len(table))],
    }


def test_a_second_row_is_refused() -> None:
    filled = builder()
    filled.add("q", [Cell(1.0)])
    with pytest.raises(InputError, match=r"^item 'q' has two rows; one was expected$"):
        filled.add("q", [Cell(1.0)])
    other = builder()
    other.add("p", [Cell(1.0)])
    other.add("q", [Cell(1.0)])
    with pytest.raises(InputError, match=r"^item 'q' has two rows; one was expected$"):
        filled.merge(other)
    assert filled.build().items == ("q",)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("status", list(Status))
def test_what_is_not_finite_is_refused_and_leaves_nothing_behind(
    number: float, status: Status
) -> None:
    filled = builder(("AP", "RR"), ("RR",))
    with pytest.raises(InputError) as caught:
        filled.add("q", [Cell(0.5), Cell(number, status)])
    assert str(caught.value) == f"item 'q': RR is {number}, not a finite number"
    with pytest.raises(InputError) as caught:
        filled.add("q", [Cell(0.5), Cell(0.5, status, number)])
    assert str(caught.value) == f"item 'q': the weight of RR is {number}, not a finite number"
    assert "q" not in filled
    filled.add("q", [Cell(0.25), Cell(0.5)])
    assert filled.build().to_dict() == {"id": ["q"], "AP": [0.25], "RR": [0.5]}


def test_a_row_has_a_cell_for_each_column_and_a_number_for_each_count() -> None:
    for row in ([], [Cell(1.0), Cell(1.0)]):
        with pytest.raises(ValueError, match="one cell a column and one number a count"):
            builder().add("q", row)
    with pytest.raises(ValueError, match="one cell a column and one number a count"):
        builder().add("q", [Cell(1.0)], [1])


def test_no_rows() -> None:
    scores = builder().build()
    assert len(scores) == 0
    assert scores.to_dict() == {"id": [], "AP": []}


def test_signatures() -> None:
    one = Signature.of({"b": 1, "a": "x"}, c=2.5)
    assert one == Signature.of(a="x", b=1, c=2.5)
    assert hash(one) == hash(Signature.of(a="x", b=1, c=2.5))
    assert one != Signature.of(a="x", b=1)
    assert one != Signature.of(a="x", b=1, c=2)
    assert list(one) == ["a", "b", "c"]
    assert (len(one), one["b"], one.get("d")) == (3, 1, None)
    assert repr(one) == "Signature.of(a='x', b=1, c=2.5)"
    assert one.differences(Signature.of(a="y", b=1, d=0)) == (["a"], ["c", "d"])
    assert one.differences(one) == ([], [])


def test_scores_and_builders_go_to_another_process() -> None:
    filled = builder(("AP",), ("AP",))
    filled.add("q", [Cell(0.5, S.DEFAULT, 2.0, "r", "n")])
    there = pickle.loads(pickle.dumps(filled))
    assert there.build() == filled.build() == pickle.loads(pickle.dumps(filled.build()))
