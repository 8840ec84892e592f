"""Which pairs count: by hand, against brute force and SciPy, and what must hold of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from ragstone.errors import UnknownNameError
from ragstone.matching import ASSIGNMENTS, Assignment
from ragstone.matching.assignment import Cell, Pair, free, greedy, optimal
from ragstone.matching.optimum import assign
from ragstone.measures import Ranking, parse_measure

WEIGHTS = st.sampled_from([0.5, 0.6, 0.75, 0.9, 1.0]) | st.floats(0.01, 1)
ROWS = st.lists(st.dictionaries(st.integers(0, 3), WEIGHTS), max_size=6)
CELLS = st.builds(Cell, st.integers(0, 3), WEIGHTS, st.booleans())
COLUMNS = st.lists(
    st.lists(CELLS, max_size=4, unique_by=lambda cell: cell.gold).map(
        lambda cells: sorted(cells, key=lambda cell: cell.gold)
    ),
    max_size=6,
)
MEASURES = ["P@3", "R@3", "F1@3", "nDCG@3", "AP@3", "RR@3", "Success@3", "nDCG", "AP", "R", "P"]


def pairs(found: list[Pair]) -> list[tuple[int, int]]:
    return [(pair.gold, pair.rank) for pair in found]


def of(name: str, ranking: Ranking) -> float:
    return parse_measure(name).bound({"rel": 1, "trec_eval": 10, "max": 1})(ranking)


def cells(*rows: dict[int, float], held: bool = False) -> list[list[Cell]]:
    return [[Cell(gold, value, held) for gold, value in row.items()] for row in rows]


# ---- greedy --------------------------------------------------------------------------------------


def test_greedy_takes_the_most_similar_gold_in_rank_order() -> None:
    columns = cells({0: 0.6, 1: 0.8}, {1: 1.0}, {0: 0.7, 1: 0.9})
    assert pairs(greedy(columns)) == [(1, 1), (0, 3)]


def test_greedy_takes_the_first_of_equals() -> None:
    assert pairs(greedy(cells({0: 0.8, 1: 0.8}, {0: 0.8}))) == [(0, 1)]


def test_a_text_that_holds_golds_takes_all_that_are_free() -> None:
    columns = cells({0: 0.9, 1: 1.0}, {0: 1.0, 2: 0.8}, {2: 1.0}, held=True)
    found = greedy(columns)
    assert found == [Pair(0, 1, 0.9, extra=True), Pair(1, 1, 1.0), Pair(2, 2, 0.8)]


def test_a_text_holds_before_it_is_a_part() -> None:
    """The first gold is in the text; of the second the text is a part, which is no find then."""
    found = greedy([[Cell(0, 1.0, True), Cell(1, 1.0, False)], [Cell(1, 1.0, False)]])
    assert pairs(found) == [(0, 1), (1, 2)]


# ---- optimal -------------------------------------------------------------------------------------


def test_optimal_makes_room() -> None:
    columns = cells({0: 0.9, 1: 0.6}, {0: 0.7})
    assert pairs(greedy(columns)) == [(0, 1)]
    assert pairs(optimal(columns)) == [(1, 1), (0, 2)]


def test_optimal_never_gives_up_a_higher_rank_for_a_higher_sum() -> None:
    assert pairs(optimal(cells({0: 0.5}, {0: 1.0}))) == [(0, 1)]


def test_optimal_counts_what_a_text_holds_besides() -> None:
    """Both golds stand in the first text; the second has one of them, and counts for it."""
    columns = cells({0: 1.0, 1: 1.0}, {1: 1.0}, held=True)
    found = optimal(columns)
    assert found == [Pair(0, 1, 1.0), Pair(1, 1, 1.0, extra=True), Pair(1, 2, 1.0)]
    ranking = Assignment(tuple(found), 2, 2).ranking()
    assert of("R@1", ranking) == of("P@2", ranking) == of("AP", ranking) == 1.0


@given(ROWS)
def test_assign_is_scipys(rows: list[dict[int, float]]) -> None:
    """A bonus that halves from row to row makes SciPy prefer the earlier rows, as we do."""
    found = assign(rows)
    assert len(set(found.values())) == len(found)
    profit = np.zeros((len(rows), 4))
    for row, weights in enumerate(rows):
        for column, weight in weights.items():
            profit[row, column] = weight + 10.0 * 2 ** (len(rows) - row)
    best = [(r, c) for r, c in zip(*linear_sum_assignment(profit, maximize=True), strict=True)]
    best = [(r, c) for r, c in best if c in rows[r]]
    assert sorted(found.values()) == sorted(r for r, _ in best)
    ours = sum(rows[row][column] for column, row in found.items())
    assert ours == pytest.approx(sum(rows[r][c] for r, c in best), abs=1e-9)


def most(wanted: list[set[int]]) -> int:
    """Return how many texts can have a gold of their own, by trying all."""
    if not wanted:
        return 0
    first, *rest = wanted
    return max([most(rest), *(1 + most([golds - {gold} for golds in rest]) for gold in first)])


@given(COLUMNS)
def test_optimal_is_the_most_for_every_cutoff(columns: list[list[Cell]]) -> None:
    found = [pair for pair in optimal(columns) if not pair.extra]
    wanted = [{cell.gold for cell in column} for column in columns]
    for k in range(len(columns) + 1):
        assert sum(pair.rank <= k for pair in found) == most(wanted[:k])


# ---- all -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["greedy", "optimal"])
@given(columns=COLUMNS)
def test_each_gold_and_each_text_counts_once(columns: list[list[Cell]], name: str) -> None:
    found = ASSIGNMENTS[name].choose(columns)
    counting = [pair for pair in found if not pair.extra]
    assert len({pair.gold for pair in counting}) == len(counting)
    assert len({pair.rank for pair in counting}) == len(counting)
    allowed = {
        (cell.gold, rank, cell.similarity, cell.held)
        for rank, column in enumerate(columns, 1)
        for cell in column
    }
    for pair in found:
        held = (pair.gold, pair.rank, pair.similarity, True) in allowed
        assert held or (not pair.extra and (*pair_of(pair), False) in allowed)


def pair_of(pair: Pair) -> tuple[int, int, float]:
    return pair.gold, pair.rank, pair.similarity


@pytest.mark.parametrize("gain", ["binary", "similarity"])
@pytest.mark.parametrize("name", ["greedy", "optimal"])
@given(columns=COLUMNS)
def test_no_measure_leaves_its_range(columns: list[list[Cell]], name: str, gain: str) -> None:
    found = Assignment(tuple(ASSIGNMENTS[name].choose(columns)), 4, len(columns))
    ranking = found.ranking(gain)
    for measure in MEASURES:
        assert 0 <= of(measure, ranking) <= 1 + 1e-12


@pytest.mark.parametrize("name", ASSIGNMENTS)
@given(columns=COLUMNS)
def test_recall_and_success_grow_with_k(columns: list[list[Cell]], name: str) -> None:
    ranking = Assignment(tuple(ASSIGNMENTS[name].choose(columns)), 4, len(columns)).ranking()
    for measure in ("R", "Success", "Success(share=1)"):
        values = [of(f"{measure}@{k}", ranking) for k in range(1, 8)]
        assert values == sorted(values)


@pytest.mark.parametrize("name", ["greedy", "free"])
@given(columns=COLUMNS, k=st.integers(0, 6))
def test_the_first_k_texts_decide_for_themselves(
    columns: list[list[Cell]], k: int, name: str
) -> None:
    whole = [pair for pair in ASSIGNMENTS[name].choose(columns) if pair.rank <= k]
    assert whole == ASSIGNMENTS[name].choose(columns[:k])


@given(COLUMNS)
def test_greedy_finds_no_more_than_optimal(columns: list[list[Cell]]) -> None:
    def found(pairs: list[Pair]) -> int:
        return sum(not pair.extra for pair in pairs)

    assert found(greedy(columns)) <= found(optimal(columns)) <= 4


def test_free_counts_every_pair() -> None:
    columns = cells({0: 0.9}, {0: 1.0}, {0: 0.8, 1: 0.7})
    ranking = Assignment(tuple(free(columns)), 2, 3).ranking("similarity")
    assert (list(ranking.ranks), ranking.found) == ([1, 2, 3], [1, 3])
    assert list(ranking.gains) == [0.9, 1.0, 0.8]
    assert of("AP", ranking) == 1.5
    assert of("R@1", ranking) == 0.5


def test_gains_are_the_similarities() -> None:
    found = Assignment((Pair(0, 2, 0.5, extra=True), Pair(1, 2, 0.75)), 3, 4)
    ranking: Any = found.ranking("similarity")
    assert (ranking.ranks, ranking.gains, ranking.found) == ([2], [0.75], [2, 2])
    assert found.ranking().gains == [1]


def test_an_unknown_assignment() -> None:
    with pytest.raises(UnknownNameError, match="unknown assignment 'optimum'; did you mean optima"):
        ASSIGNMENTS["optimum"]
