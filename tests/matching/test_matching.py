"""Queries to Scores: what is left out, what is counted, what must hold of every text set."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.matching import (
    Options,
    Passage,
    as_aggregates,
    default_measures,
    match_query,
    match_texts,
)
from ragstone.measures import summary
from ragstone.scoring import score

WORDS = ["alpha", "beta", "gamma", "delta", "서울은"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
GOLDS = st.lists(TEXT, min_size=1, max_size=4)
RETRIEVED = st.lists(TEXT, max_size=6)
METHODS = ["exact", "contains", "containment", "rouge1", "rougeL"]
MEASURES = [str(each) for each in default_measures([1, 3, 5])]
SHORT = Options(ngram=2)


def values(gold: Any, retrieved: Any, method: str = "rouge1", **rules: Any) -> dict[str, float]:
    names = rules.pop("measures", MEASURES)
    found = match_texts([gold], [retrieved], method, SHORT, **rules).scores(names)
    return {name: column.values[0] for name, column in found.columns.items()}


# ---- must hold -----------------------------------------------------------------------------------

EACH = pytest.mark.parametrize("assignment", ["greedy", "optimal"])
METHOD = pytest.mark.parametrize("method", METHODS)


@EACH
@METHOD
@settings(max_examples=20)
@given(gold=GOLDS, retrieved=RETRIEVED.filter(bool), gain=st.sampled_from(["binary", "similarity"]))
def test_from_0_to_1(
    gold: list[str], retrieved: list[str], gain: str, method: str, assignment: str
) -> None:
    found = values(gold, retrieved, method, assignment=assignment, gain=gain)
    assert all(0 <= value <= 1 + 1e-12 for value in found.values())


@EACH
@METHOD
@settings(max_examples=20)
@given(gold=GOLDS, retrieved=RETRIEVED.filter(bool), seed=st.integers(0, 99))
def test_the_order_of_golds_does_not_matter(
    gold: list[str], retrieved: list[str], seed: int, method: str, assignment: str
) -> None:
    shuffled = Random(seed).sample(gold, len(gold))
    rules = {"assignment": assignment, "gain": "similarity"}
    assert values(gold, retrieved, method, **rules) == values(shuffled, retrieved, method, **rules)


@EACH
@METHOD
@settings(max_examples=20)
@given(gold=GOLDS, retrieved=RETRIEVED.filter(bool))
def test_recall_and_hit_rate_grow_with_k(
    gold: list[str], retrieved: list[str], method: str, assignment: str
) -> None:
    names = [f"{name}@{k}" for name in ("R", "Success", "Success(share=1)") for k in range(1, 7)]
    found = list(values(gold, retrieved, method, assignment=assignment, measures=names).values())
    for start in (0, 6, 12):
        assert found[start : start + 6] == sorted(found[start : start + 6])


@EACH
@METHOD
@settings(max_examples=20)
@given(gold=GOLDS, retrieved=RETRIEVED.filter(bool), place=st.integers(0, 5))
def test_a_text_that_comes_again_gains_nothing(
    gold: list[str], retrieved: list[str], place: int, method: str, assignment: str
) -> None:
    """Behind all others it changes nothing but the depth; higher up it moves others down."""
    again = retrieved[place % len(retrieved)].upper()
    before = values(gold, retrieved, method, assignment=assignment, gain="similarity")
    behind = values(gold, [*retrieved, again], method, assignment=assignment, gain="similarity")
    assert behind == before
    above = [*retrieved[:place], again, *retrieved[place:]]
    if again.lower() in retrieved[:place]:
        moved = values(gold, above, method, assignment=assignment)
        plain = values(gold, retrieved, method, assignment=assignment)
        assert all(moved[name] <= plain[name] for name in MEASURES)


@EACH
@METHOD
@settings(max_examples=20)
@given(golds=st.lists(GOLDS, min_size=1, max_size=3), data=st.data())
def test_qrels_and_a_run_with_synthetic_ids_score_the_same(
    golds: list[list[str]], data: Any, method: str, assignment: str
) -> None:
    """All but recall where a text holds several golds; then recall is not less."""
    size = len(golds)
    retrieved = data.draw(st.lists(RETRIEVED, min_size=size, max_size=size))
    if not any(retrieved):
        return
    matches = match_texts(golds, retrieved, method, SHORT, assignment=assignment)
    ours = matches.scores(MEASURES)
    theirs = score(matches.qrels(), matches.run(), MEASURES)
    held = any(pair.extra for each in matches.assignments().values() for pair in each.pairs)
    for name in MEASURES:
        if held and name.startswith(("R@", "F1@")):
            pairs = zip(ours[name].values, theirs[name].values, strict=True)
            assert all(mine >= other for mine, other in pairs)
        else:
            assert ours[name].values == theirs[name].values
            assert ours[name].status == theirs[name].status
    for count in ("relevant", "retrieved", "hits", "judged"):
        assert ours.counts[count] == theirs.counts[count]


# ---- several golds in one text -------------------------------------------------------------------


def test_a_text_that_holds_two_golds() -> None:
    """Recall counts both, all that counts ranks counts the text once."""
    gold = ["red fox jumps", "lazy dog sleeps"]
    found = values(gold, ["the red fox jumps and a lazy dog sleeps", "zzz"], "contains")
    assert (found["R@1"], found["P@1"], found["RR@1"], found["Success@1"]) == (1, 1, 1, 1)
    assert found["AP@3"] == 0.5
    assert found["nDCG@3"] == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_in_rouge_a_text_counts_for_one_gold() -> None:
    found = values(["a b c", "a b d"], ["a b c d", "zzz"], "rouge1")
    assert (found["R@1"], found["P@1"]) == (0.5, 1)


def test_case_71_one_chunk_for_two_golds(shared: Path) -> None:
    row = json.loads((shared / "cases" / "71-one-chunk-two-golds" / "case.jsonl").read_text())
    found = values(row["gold"], row["retrieved"], "exact")
    assert found["R@3"] == 0.5
    assert found["P@3"] == pytest.approx(1 / 3)
    assert found["RR@3"] == 1
    assert found["nDCG@3"] == pytest.approx(0.613147, abs=1e-6)
    for threshold in (0.0, 0.1, 0.5, 0.6, 0.67, 0.9, 1.0):
        for method in ("rouge1", "rouge2", "rougeL", "rougeLsum", "containment"):
            every = values(row["gold"], row["retrieved"], method, threshold=threshold)
            assert all(0 <= value <= 1 for value in every.values())


# ---- thresholds, gains, criteria, averages -------------------------------------------------------


def test_a_similarity_at_the_threshold_matches() -> None:
    """2 x 4/5 x 2/3 / (4/5 + 2/3) is 8/11, and its double is a little less."""
    for threshold, expected in ((8 / 11, 1.0), (8 / 11 + 1e-6, 0.0)):
        found = values(["a b c d e f"], ["a b c d x"], threshold=threshold, measures=["R@1"])
        assert found["R@1"] == expected


def test_graded_ndcg_has_its_ideal_from_the_golds() -> None:
    gold, retrieved = ["a b c d", "x y z w"], ["a b c q"]
    found = values(gold, retrieved, gain="similarity")
    assert found["nDCG@3"] == pytest.approx(0.75 / (1 + 1 / math.log2(3)))
    assert found["AP@3"] == 0.5


def test_criteria() -> None:
    names = as_aggregates(["hit_rate@1", "hit_rate@2"], criteria="all")
    found = match_texts([["a", "b"]], [["a", "b"]], "exact").scores(names)
    assert {name: column.values[0] for name, column in found.columns.items()} == {
        "Success(share=1.0)@1": 0.0,
        "Success(share=1.0)@2": 1.0,
    }
    asked = as_aggregates(["Success(share=0.5)@1"], criteria="all")
    assert [str(each) for each in asked] == ["Success(share=0.5)@1"]


def test_averages() -> None:
    """Two golds of four, one of one: recall 2/4 and 1/1, together 3 of 5."""
    matches = match_texts(
        [["a", "b", "c", "d"], ["e"]], [["a", "b"], ["e", "x", "y", "z"]], "exact"
    )
    aggregates = as_aggregates(None, [4], average="both")
    names = [str(each) for each in aggregates]
    assert names[:6] == ["R@4", "R@4:micro", "P@4", "P@4:micro", "F1@4", "F1@4:micro"]
    assert names[6:] == ["nDCG@4", "RR@4", "AP@4", "Success@4"]
    found = summary(matches.scores(aggregates), aggregates)
    assert found["R@4"] == 0.75
    assert found["R@4:micro"] == pytest.approx(3 / 5)
    assert found["P@4:micro"] == pytest.approx(3 / 8)
    assert found["F1@4:micro"] == pytest.approx(2 * 3 / (8 + 5))
    micro = [str(each) for each in as_aggregates(["R@4", "RR@4", "P@4:p50"], average="micro")]
    assert micro == ["R@4:micro", "RR@4", "P@4:p50"]


def test_names_at_several_cutoffs() -> None:
    assert [str(each) for each in as_aggregates(["recall_at_k", "RR"], [1, 5])] == [
        "R@1",
        "R@5",
        "RR",
    ]
    with pytest.raises(UsageError, match="no measure was named"):
        as_aggregates([])
    with pytest.raises(UnknownNameError, match="unknown criteria 'any'; known: partial, all"):
        as_aggregates(None, criteria="any")


def test_a_sweep_compares_no_text_again() -> None:
    class Counting:
        threshold = 0.5
        calls = 0

        @property
        def signature(self) -> dict[str, str]:
            return {"matcher": "counting"}

        def prepare(self, texts: Any) -> None:
            self.calls += 1

        def compare(self, golds: Any, retrieved: Any) -> Any:
            self.calls += 1
            return match_query([gold.text for gold in golds], retrieved).similarities

    method = Counting()
    matches = match_texts([["a b c d"], ["x y"]], [["a b", "a b c"], ["x y"]], method)
    points = matches.sweep([0.5, 0.8, 1.0], ["R@1", "AP"])
    assert method.calls == 3
    assert [(point.threshold, point.found) for point in points] == [(0.5, 2), (0.8, 2), (1.0, 1)]
    assert [point.summary["R@1"] for point in points] == [1.0, 0.5, 0.5]
    assert points[1].summary["AP"] == 0.75
    for point in points:
        again = match_texts(
            [["a b c d"], ["x y"]], [["a b", "a b c"], ["x y"]], threshold=point.threshold
        )
        assert summary(again.scores(["R@1", "AP"])) == point.summary


# ---- what is left out, and said ------------------------------------------------------------------


def test_blank_and_repeated_golds_are_left_out_and_counted() -> None:
    found = match_texts(
        {"q1": ["A b", "a  B", "", "c"], "q2": [" ... "], "q3": []},
        {"q1": ["a b", "", "c"], "q9": ["x"], "q2": ["x"]},
        "exact",
    ).scores(["R@3", "num_rel", "num_ret"])
    assert found.items == ("q1",)
    assert found.to_dict()["R@3"] == [1.0]
    assert found.to_dict()["num_rel"] == [2.0]
    assert found.to_dict()["num_ret"] == [3.0]
    assert found.facts == {
        "blank_golds": 2,
        "repeated_golds": 1,
        "queries": 1,
        "unjudged_queries": 2,
        "queries_without_results": 0,
        "unscored_run_queries": 1,
        "blank_retrieved": 1,
        "repeated_retrieved": 0,
        "golds": 2,
        "found_golds": 2,
    }


def test_a_query_without_results_scores_0_by_default() -> None:
    found = match_texts({"a": ["x"], "b": ["y"]}, {"a": ["x"]}).scores(["RR"])
    assert found["RR"].values.tolist() == [1.0, 0.0]
    assert found["RR"].status.tolist() == [0, 1]
    assert found.facts["queries_without_results"] == 1


def test_passages_with_ids() -> None:
    matrix = match_query([Passage("b", "g2"), "a"], [Passage("a", "d1")], "exact")
    assert [(gold.place, gold.id) for gold in matrix.golds] == [(2, None), (1, "g2")]
    assert matrix.retrieved == (Passage("a", "d1"),)


@pytest.mark.parametrize(
    ("gold", "retrieved", "message"),
    [
        ({}, {"q": ["a"]}, "no query has a gold text that is not blank$"),
        ({"q": [""]}, {"q": ["a"]}, "not blank; queries listed without one: 1"),
        ({"q": ["a"]}, {}, "there is no retrieved text; nothing can be scored"),
        ({"q": ["a"]}, {"q": []}, "there is no retrieved text"),
        (
            {"q1": ["a"]},
            {"Q1": ["a"]},
            "gold texts are of 'q1', retrieved ones of 'Q1'; the query ids of the two must be",
        ),
        ([["a"]], [["a"], ["b"]], "not parallel: 1 lists of gold texts, 2 of retrieved texts"),
        ([["a"]], {"q": ["a"]}, "two dicts by query id, or two lists"),
    ],
)
def test_nothing_to_match(gold: Any, retrieved: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        match_texts(gold, retrieved)


@pytest.mark.parametrize("method", ["exact", "contains"])
def test_a_method_without_a_threshold(method: str) -> None:
    with pytest.raises(UsageError, match=f"{method} takes no threshold"):
        match_texts([["a"]], [["a"]], method, threshold=0.5)
    matches = match_texts([["a"]], [["a"]], method)
    with pytest.raises(UsageError, match=f"{method} has no threshold to sweep"):
        matches.sweep([0.5], ["RR"])
    assert matches.at(assignment="optimal").scores(["RR"])["RR"].values[0] == 1


@pytest.mark.parametrize("threshold", [-0.1, 1.1, math.nan])
def test_a_threshold_that_cannot_be(threshold: float) -> None:
    with pytest.raises(UsageError, match="a threshold is from 0 to 1"):
        match_texts([["a"]], [["a"]], threshold=threshold)


# ---- signatures ----------------------------------------------------------------------------------


def test_what_is_signed() -> None:
    found = match_texts([["a"]], [["a"]], "rougeL", gain="similarity").scores(["R@1", "nDCG@1"])
    shared = dict(found.signature)
    assert shared.pop("judgments") == match_texts([["A "]], [["b"]]).qrels().digest()
    assert shared == {
        "matcher": "rougeL",
        "normaliser": 1,
        "rouge_score": "f",
        "threshold": 0.5,
        "tokenizer": "words",
    }
    assert dict(found["R@1"].signature) == {"assignment": "greedy", "measure_version": 1}
    assert dict(found["nDCG@1"].signature) == {
        "assignment": "greedy",
        "gain": "similarity",
        "measure_version": 1,
    }
    assert "threshold" not in match_texts([["a"]], [["a"]], "exact").scores(["RR"]).signature


def test_the_judgments_are_the_golds_and_nothing_else() -> None:
    here = match_texts({"q": ["a b", "c"]}, {"q": ["c"]}).scores(["RR"])
    there = match_texts({"q": ["C", "a  b"]}, {"q": ["x", "a b"]}).scores(["RR"])
    other = match_texts({"q": ["a b", "d"]}, {"q": ["c"]}).scores(["RR"])
    assert here.signature == there.signature
    assert here.signature["judgments"] != other.signature["judgments"]


def test_free_matching_is_no_run() -> None:
    matches = match_texts([["a"]], [["a", "a"]], "exact", assignment="free")
    assert matches.scores(["AP"])["AP"].values[0] == 2.0
    with pytest.raises(UsageError, match="matched freely are no run"):
        matches.run()
