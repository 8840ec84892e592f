from __future__ import annotations

import pytest

from ragstone.gate import Code, Effect, Reason
from ragstone.gate.reason import gravest_first, verdict_of


def reason(effect: Effect, code: Code = "coverage_changed") -> Reason:
    return Reason(code, effect, "", ("R@5",))


@pytest.mark.parametrize(
    ("effects", "verdict"),
    [
        ([], "pass"),
        (["note"], "pass"),
        (["note", "inconclusive"], "inconclusive"),
        (["inconclusive", "fail", "note"], "fail"),
    ],
)
def test_the_gravest_effect_is_the_verdict(effects: list[Effect], verdict: str) -> None:
    assert verdict_of(map(reason, effects)) == verdict


def test_what_fails_is_listed_first() -> None:
    given = [
        reason("note", "query_set_mismatch"),
        reason("fail", "below_floor"),
        reason("inconclusive"),
        reason("fail", "k_mismatch"),
    ]
    codes = [each.code for each in gravest_first(given)]
    assert codes == ["k_mismatch", "below_floor", "coverage_changed", "query_set_mismatch"]


def test_a_reason_is_about_its_measures_or_about_all() -> None:
    assert reason("fail").about("R@5")
    assert not reason("fail").about("R@10")
    assert Reason("query_set_mismatch", "fail", "").about("R@10")
    assert reason("fail").measure == "R@5"
    assert Reason("k_mismatch", "fail", "", ("R@5", "R@10")).measure is None
