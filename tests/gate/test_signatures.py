from __future__ import annotations

from typing import Any

import pytest

from ragstone.gate import compare

SAME = {"judgments": "ab" * 32, "relevance_level": 1, "trec_eval": 10}


def test_equal_signatures_are_no_reason(make: Any) -> None:
    scores = make({"RR": [1]}, signature=SAME)
    assert compare(scores, scores).reasons == ()


@pytest.mark.parametrize(
    ("field", "value", "code", "message"),
    [
        (
            "relevance_level",
            2,
            "relevance_level_mismatch",
            "relevance_level is 1 in the baseline and 2 in the candidate: no measure can be "
            "compared; score both with the same --relevance-level",
        ),
        (
            "judgments",
            "cd" * 32,
            "judgments_mismatch",
            "judgments is 'abababababababa...' in the baseline and 'cdcdcdcdcdcdcdc...' in the "
            "candidate: no measure can be compared; score both with the same --qrels",
        ),
        (
            "trec_eval",
            9,
            "signature_mismatch",
            "trec_eval is 10 in the baseline and 9 in the candidate: no measure can be compared; "
            "measure both with the same trec_eval",
        ),
    ],
)
def test_a_field_that_differs(
    make: Any, field: str, value: str | int, code: str, message: str
) -> None:
    columns = {"RR": [1], "num_ret": [5]}
    found = compare(make(columns, signature=SAME), make(columns, signature={**SAME, field: value}))
    (reason,) = found.reasons
    assert (found.verdict, reason.code, reason.effect) == ("fail", code, "fail")
    assert reason.message == message
    assert reason.measures == ("RR", "num_ret")
    assert {each.result for each in found.measures} == {"not_comparable"}


def test_only_the_column_that_differs_is_refused(make: Any) -> None:
    columns = {"RR": [1], "toxic": [0.5], "nDCG@10": [0.5]}
    old = make(columns, signatures={"toxic": {"encoder": "a"}, "RR": {"version": 1}})
    new = make(columns, signatures={"toxic": {"encoder": "b"}, "RR": {"version": 1}})
    found = compare(old, new)
    (reason,) = found.reasons
    assert reason.message == (
        "encoder is 'a' in the baseline and 'b' in the candidate: toxic cannot be compared; "
        "measure both with the same encoder"
    )
    assert [each.result for each in found.measures] == ["pass", "pass", "not_comparable"]
    assert found.verdict == "fail"

    found = compare(old, new, budgets=["toxic=off"])
    assert found.reasons[0].effect == "note"
    assert found.verdict == "pass"
    assert found["toxic"].result == "not_comparable"


def test_a_column_s_own_field_counts_before_the_shared_one(make: Any) -> None:
    old = make({"RR": [1]}, signature={"encoder": "a"}, signatures={"RR": {"encoder": "b"}})
    new = make({"RR": [1]}, signature={"encoder": "b"})
    assert compare(old, new).reasons == ()


def test_a_field_that_one_side_lacks_is_noted(make: Any) -> None:
    old = make({"RR": [0.5], "AP": [1]}, signature={"relevance_level": 1})
    new = make({"RR": [0.5], "AP": [1]}, signature=SAME, signatures={"AP": {"version": 1}})
    found = compare(old, new)
    assert [(each.code, each.effect) for each in found.reasons] == [
        ("signature_unknown", "note"),
        ("signature_unknown", "note"),
    ]
    assert sorted(each.message for each in found.reasons) == [
        "the baseline does not say the judgments, trec_eval; "
        "what the other side says is assumed to hold for both",
        "the baseline does not say the version of AP; "
        "what the other side says is assumed to hold for both",
    ]
    assert found.verdict == "pass"
    assert found["RR"].result == "pass"
    assert "candidate does not say" in compare(new, old).reasons[0].message
