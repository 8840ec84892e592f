"""What is not comparable fails, and says why."""

from __future__ import annotations

import math
from array import array
from typing import Any

import pytest

from ragstone.errors import ExitCode, InputError
from ragstone.gate import Comparison, Reason, compare
from ragstone.model import Cell, Column, Scores


def only(found: Comparison, code: str) -> Reason:
    (reason,) = [reason for reason in found.reasons if reason.code == code]
    return reason


def codes(found: Comparison) -> list[tuple[str, str]]:
    return [(reason.code, reason.effect) for reason in found.reasons]


def test_query_sets_that_differ(make: Any) -> None:
    found = compare(
        make({"RR": [1, 0, 0]}, ids=["q1", "q2", "q3"]), make({"RR": [1, 1]}, ids=["q1", "q9"])
    )
    assert found.verdict == "fail"
    assert found.exit_code is ExitCode.FAILED
    assert only(found, "query_set_mismatch").message == (
        "query sets differ: 2 only in baseline (q2, q3), 1 only in candidate (q9); "
        "score both on the same queries"
    )
    assert found["RR"].result == "not_comparable"
    assert found["RR"].baseline == pytest.approx(1 / 3)
    assert found["RR"].candidate == 1.0
    assert found["RR"].change is None
    assert found["RR"].reasons == ("query_set_mismatch",)
    assert (found.primary, found.most_regressed, found.diff.items) == (None, (), ())


def test_at_most_ten_ids_are_listed(make: Any) -> None:
    many = make({"RR": [1.0] * 20})
    found = compare(many, make({"RR": [1.0]}))
    message = only(found, "query_set_mismatch").message
    assert "19 only in baseline (q10, q11, " in message
    assert "and 9 more)" in message


def test_query_sets_that_differ_fail_even_where_nothing_is_gated(make: Any) -> None:
    found = compare(make({"num_ret": [1, 2]}), make({"num_ret": [1, 2, 3]}))
    assert found.verdict == "fail"


def test_items_out_of_order_are_refused() -> None:
    column = Column(array("d", [0.0, 1.0]), array("b", [0, 0]))
    a, b = (Scores(items, {"RR": column}) for items in (("q1", "q2"), ("q2", "q1")))
    with pytest.raises(InputError, match="ascend by code point"):
        compare(a, b)


def test_cutoffs_that_differ(make: Any) -> None:
    found = compare(
        make({"nDCG@5": [1], "R@5": [1], "P(rel=2)@5": [1], "Judged@5": [1], "num_ret": [1]}),
        make({"nDCG@10": [1], "R@10": [1], "P(rel=2)@10": [1], "Judged@10": [1], "num_ret": [1]}),
    )
    assert codes(found) == [("k_mismatch", "fail"), ("k_mismatch", "note")]
    reason = found.reasons[0]
    assert reason.message == (
        "P(rel=2), R, nDCG: the cutoff is 5 in the baseline and 10 in the candidate; "
        "score both with the same --k"
    )
    assert reason.measures == ("nDCG@5", "nDCG@10", "P(rel=2)@5", "P(rel=2)@10", "R@5", "R@10")
    assert found["nDCG@5"].reasons == ("k_mismatch",)
    assert (found["nDCG@5"].baseline, found["nDCG@5"].candidate) == (1.0, None)
    assert found["nDCG@5"].result == "not_comparable"
    assert found["num_ret"].result == "not_gated"


def test_a_cutoff_and_the_full_depth_differ(make: Any) -> None:
    found = compare(make({"AP": [1], "RR": [1]}), make({"AP@5": [1], "AP@10": [1], "RR": [1]}))
    assert "is full depth in the baseline and 5, 10 in the candidate" in found.reasons[0].message


def test_a_shared_cutoff_is_no_k_mismatch(make: Any) -> None:
    found = compare(make({"R@5": [1], "R@10": [1]}), make({"R@10": [1], "R@20": [1]}))
    assert codes(found) == [("measure_missing", "fail"), ("measure_missing", "note")]


def test_cutoffs_that_differ_are_noted_where_the_family_is_off(make: Any) -> None:
    found = compare(
        make({"nDCG@5": [1], "RR": [1]}), make({"nDCG@10": [1], "RR": [1]}), budgets=["ndcg=off"]
    )
    assert codes(found) == [("k_mismatch", "note")]
    assert found.verdict == "pass"


def test_a_measure_that_the_candidate_lost(make: Any) -> None:
    found = compare(make({"R@5": [1], "RR": [1], "num_ret": [3]}), make({"RR": [1]}))
    assert codes(found) == [("measure_missing", "fail"), ("measure_missing", "note")]
    assert found.reasons[0].message == (
        "only the baseline has R@5, the candidate does not; "
        "score the candidate with the same measures, or set a budget off"
    )
    assert found.reasons[0].measure == "R@5"
    assert found.reasons[1].measure == "num_ret"
    assert found["R@5"].result == "not_comparable"
    assert found["RR"].result == "pass"


def test_a_lost_measure_that_is_off_is_noted(make: Any) -> None:
    found = compare(make({"R@5": [1], "RR": [1]}), make({"RR": [1]}), budgets=["recall=off"])
    assert codes(found) == [("measure_missing", "note")]


@pytest.mark.parametrize("option", [{"budgets": ["num_ret=5"]}, {"floors": ["num_ret=1"]}])
def test_a_lost_measure_that_is_named_fails(make: Any, option: dict[str, list[str]]) -> None:
    found = compare(make({"num_ret": [1], "RR": [1]}), make({"RR": [1]}), **option)  # type: ignore[arg-type]
    assert codes(found) == [("measure_missing", "fail")]


def test_a_measure_that_the_candidate_gained_is_noted(make: Any) -> None:
    found = compare(make({"RR": [1]}), make({"RR": [1], "AP": [0], "R@5": [0]}))
    assert codes(found) == [("measure_missing", "note")]
    assert found.reasons[0].message == (
        "only the candidate has AP, R@5, the baseline does not: not compared"
    )
    assert found.verdict == "pass"


@pytest.mark.parametrize(
    ("budget", "effect"),
    [
        ("nDCG@20=2", "fail"),
        ("ndcg=2", "note"),  # nDCG@10 is compared under it
        ("nDCG@20=off", "note"),
    ],
)
def test_a_gained_cutoff_fails_only_if_it_is_asked_for(make: Any, budget: str, effect: str) -> None:
    found = compare(
        make({"nDCG@10": [1]}), make({"nDCG@10": [1], "nDCG@20": [1]}), budgets=[budget]
    )
    assert codes(found) == [("measure_missing", effect)]


def test_a_gained_family_fails_if_a_budget_names_it(make: Any) -> None:
    found = compare(make({"RR": [1]}), make({"RR": [1], "nDCG@20": [1]}), budgets=["ndcg=2"])
    assert codes(found) == [("measure_missing", "fail")]
    assert "score the baseline with it, or leave its limit out" in found.reasons[0].message


def test_a_gained_measure_fails_if_a_limit_of_items_names_it(make: Any) -> None:
    old, new = make({"Judged": [1]}), make({"Judged": [1], "RR": [1]})
    assert codes(compare(old, new)) == [("measure_missing", "note")]
    found = compare(old, new, max_item_drops=["RR=0.9"])
    assert codes(found) == [("measure_missing", "fail")]
    assert found.reasons == compare(old, new, budgets=["RR=1"]).reasons
    assert compare(new, old, max_item_drops=["RR=0.9"], budgets=["RR=off"]).verdict == "fail"


def test_a_limit_of_items_of_what_cannot_be_compared_does_not_pass(make: Any) -> None:
    old, new = (make({"num_ret": [1]}, signature={"runs": number}) for number in (1, 2))
    assert compare(old, new).verdict == "pass"
    found = compare(old, new, max_item_drops=["num_ret=1"])
    assert codes(found) == [("signature_mismatch", "fail")]


def test_a_floor_holds_on_a_gained_measure(make: Any) -> None:
    found = compare(make({"RR": [1]}), make({"RR": [1], "AP": [0.4]}), floors=["map=0.5"])
    assert codes(found) == [("below_floor", "fail"), ("measure_missing", "note")]
    assert found["AP"].result == "fail"


def test_reports_that_share_no_measure(make: Any) -> None:
    found = compare(make({"num_ret": [1]}), make({"num_rel": [1]}))
    assert codes(found)[0] == ("measure_missing", "fail")
    assert found.reasons[0].message == (
        "there is nothing to compare: the baseline has num_ret, the candidate has num_rel; "
        "score both with the same measures"
    )


@pytest.mark.parametrize(
    ("lost", "options", "effect"),
    [
        (True, {"aggregates": ["R@5:micro"]}, "fail"),
        (True, {"aggregates": ["R@5:micro"], "budgets": ["recall:micro=off"]}, "note"),
        (False, {"aggregates": ["R@5:micro"]}, "note"),
        (False, {"budgets": ["R@5:micro=off"]}, "note"),
        (False, {"budgets": ["R@5:micro=2"]}, "fail"),
    ],
)
def test_an_aggregate_whose_weights_only_one_side_has(
    make: Any, lost: bool, options: dict[str, Any], effect: str
) -> None:
    weighted = make({"R@5": [Cell(1, weight=4)]}, weighted=["R@5"])
    sides = (weighted, make({"R@5": [1]}))
    found = compare(*(sides if lost else sides[::-1]), **options)
    here, there = ("baseline", "candidate") if lost else ("candidate", "baseline")
    assert codes(found) == [("measure_missing", effect)]
    assert found.reasons[0].message == (
        f"only the {here} has the weights for R@5:micro; score the {there} with --measure R@5:micro"
    )
    assert found["R@5"].result == "pass"
    micro = found["R@5:micro"]
    assert (micro.result, micro.reasons) == ("not_comparable", ("measure_missing",))
    assert {micro.baseline, micro.candidate} == {1.0, None}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e200])
def test_a_value_that_is_no_usable_number(make: Any, value: float) -> None:
    bad = Column(array("d", [0.5, value, value]), array("b", [0, 0, 0]))
    good = make({"RR": [0.5, 0.5, 0.5]})
    found = compare(Scores(good.items, {"RR": bad}), good)
    assert only(found, "measure_missing").message == (
        "RR is not a finite number for 2 items of the baseline (q2, q3); measure them again"
    )
    found = compare(good, Scores(good.items, {"RR": bad}))
    assert codes(found) == [("measure_missing", "fail")]
    assert (found["RR"].baseline, found["RR"].candidate) == (0.5, None)


def test_a_value_that_is_no_number_and_not_gated_is_noted(make: Any) -> None:
    good = make({"RR": [1.0], "num_ret": [1.0]})
    bad = Column(array("d", [math.nan]), array("b", [0]))
    found = compare(good, Scores(good.items, {**good.columns, "num_ret": bad}))
    assert codes(found) == [("measure_missing", "note")]


def test_a_value_that_does_not_count_may_be_anything(make: Any) -> None:
    good = make({"RR": [1.0, None]})
    column = Column(array("d", [1.0, math.nan]), array("b", [0, 3]))
    assert compare(good, Scores(good.items, {"RR": column}), max_failed=1).verdict == "pass"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("frobnication", "the candidate has a column 'frobnication': unknown measure"),
        ("ndcg@10", "its canonical name 'nDCG@10' was expected"),
    ],
)
def test_a_column_that_cannot_be_read(make: Any, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        compare(make({"RR": [1]}), make({name: [1]}))
