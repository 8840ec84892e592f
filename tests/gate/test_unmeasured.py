"""Items without a value: how many a comparison lets through, and what it says of the others."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ragstone.errors import UsageError
from ragstone.gate import check_measured, compare
from ragstone.measures import Measure
from ragstone.model import Cell, Scores, Status

UNPRICED = Cell(0.0, Status.NOT_APPLICABLE, reason="price_unknown")
WARM_UP = Cell(0.0, Status.NOT_APPLICABLE, reason="warm_up")
TIMEOUT = None  # failed: timeout


def test_items_that_failed_on_both_sides_are_not_measured(make: Any) -> None:
    """The same items count as before, so coverage says nothing, but what they hide may be worse."""
    scores = make({"RR": [1.0, TIMEOUT, TIMEOUT, 1.0]})
    found = compare(scores, scores)
    assert (found.verdict, found.exit_code, found["RR"].result) == (
        "inconclusive",
        5,
        "inconclusive",
    )
    (reason,) = found.reasons
    assert (reason.code, reason.measure) == ("not_measured", "RR")
    assert reason.message == (
        "RR has no value for 2 of 4 items of the candidate (failed: q2, q3; why: 2 timeout); "
        "measure them again, or allow them with --max-failed"
    )
    assert compare(scores, scores, max_failed=2).verdict == "pass"
    assert compare(scores, scores, max_failed="49%").verdict == "inconclusive"
    assert compare(scores, scores, max_not_applicable=2).verdict == "inconclusive"


def test_a_regression_is_graver(make: Any) -> None:
    found = compare(make({"RR": [1.0, TIMEOUT]}), make({"RR": [0.0, TIMEOUT]}))
    assert (found.verdict, found["RR"].result) == ("fail", "fail")
    assert [each.code for each in found.reasons] == ["budget_exceeded", "not_measured"]


def test_what_nothing_limits_may_fail(make: Any) -> None:
    scores = make({"RR": [1.0, 1.0], "wait_ms": [5.0, TIMEOUT]})
    assert compare(scores, scores).reasons == ()
    assert compare(scores, scores, floors=["wait_ms=9"]).verdict == "inconclusive"
    assert compare(scores, scores, max_item_drops=["wait_ms=9"]).verdict == "inconclusive"


def test_a_cost_that_is_not_known_does_not_pass(make: Any) -> None:
    """Every answer costs something, so one without a cost was not measured."""
    scores = make({"cost_usd": [0.0018, UNPRICED, UNPRICED]})
    gates: list[dict[str, Any]] = [
        {"budgets": ["cost_usd:sum=0.5abs"]},
        {"floors": ["cost_usd=0.5"]},
    ]
    for options in gates:
        found = compare(scores, scores, **options)
        assert (found.verdict, found.exit_code) == ("inconclusive", 5)
        assert found.reasons[0].message == (
            "cost_usd has no value for 2 of 3 items of the candidate (not measured: q2, q3; why: "
            "2 price_unknown); measure them again, or allow them with --max-not-applicable"
        )
        assert compare(scores, scores, max_not_applicable="70%", **options).verdict == "pass"
        assert compare(scores, scores, max_failed="70%", **options).verdict == "inconclusive"


def test_a_measure_that_need_not_apply_may_be_without(make: Any) -> None:
    scores = make({"RR": [1.0, Cell(0.0, Status.NOT_APPLICABLE, reason="nothing to find")]})
    assert compare(scores, scores).reasons == ()


def test_the_first_call_is_excused(make: Any) -> None:
    scores = make({"latency_ms": [WARM_UP, 5.0, 5.0]})
    assert compare(scores, scores, budgets=["latency_ms=5"]).reasons == ()
    other = make({"latency_ms": [5.0, WARM_UP, 5.0]})
    found = compare(scores, other, budgets=["latency_ms=5"])
    assert [(each.code, each.effect) for each in found.reasons] == [("coverage_changed", "note")]
    cold = make({"latency_ms": [UNPRICED, 5.0, 5.0]})
    assert compare(cold, cold, budgets=["latency_ms=5"]).verdict == "inconclusive"


def test_what_failed_alike_is_said_once(make: Any) -> None:
    scores = make({"RR": [1.0, TIMEOUT], "AP": [1.0, TIMEOUT], "R@5": [TIMEOUT, 1.0]})
    found = compare(scores, scores)
    assert [each.measures for each in found.reasons] == [("AP", "RR"), ("R@5",)]
    assert found.reasons[0].message.startswith("AP, RR have no value for 1 of 2 items of the cand")


def test_reasons_are_counted_the_most_frequent_first(make: Any) -> None:
    cells = [Cell(0.0, Status.FAILED, reason=why) for why in ("b", "a", "b", "c", "c", "b", "")]
    scores = make({"RR": [1.0, *cells]})
    assert "why: 3 b, 2 c, 1 a)" in compare(scores, scores).reasons[0].message


def test_one_side_alone(make: Any) -> None:
    scores = make({"RR": [1.0, TIMEOUT], "cost_usd": [0.5, UNPRICED], "AP": [1.0, 1.0]})
    found = check_measured(scores, max_not_applicable=0)
    assert [(each.code, each.effect, each.measures) for each in found] == [
        ("not_measured", "inconclusive", ("RR",)),
        ("not_measured", "inconclusive", ("cost_usd",)),
    ]
    assert "1 of 2 items of the report (failed: q2; why: 1 timeout)" in found[0].message
    assert [each.measure for each in check_measured(scores)] == ["RR"]
    assert check_measured(scores, max_failed="50%", max_not_applicable=1) == ()
    assert check_measured(scores, measures=[Measure("AP")]) == ()
    assert [
        each.measure for each in check_measured(scores, max_failed=1, max_not_applicable=0)
    ] == ["cost_usd"]


def broken(make: Any, columns: dict[str, Any], failed: int) -> Scores:
    """Scores of samples of which the system failed on some, whatever values there are."""
    scores: Scores = make(columns)
    return replace(scores, facts={"failed_samples": failed, "samples": len(scores)})


def test_a_system_that_failed_does_not_pass_because_the_columns_have_values(make: Any) -> None:
    """A request that timed out has a latency, and half an answer may be short of nothing."""
    columns = {"wait_ms": [5.0] * 4}
    sound, bad = make(columns), broken(make, columns, 2)
    limits: list[dict[str, Any]] = [{"budgets": ["wait_ms=5"]}, {"floors": ["wait_ms=100"]}, {}]
    for given in limits:
        found = compare(sound, bad, **given)
        assert (found.verdict, int(found.exit_code)) == ("inconclusive", 5), given
        assert [(each.code, each.effect, each.measures) for each in found.reasons] == [
            ("samples_failed", "inconclusive", ())
        ]
    assert found.reasons[0].message == (
        "the system failed on 2 of 4 samples of the candidate; run them again, or allow them with "
        "--max-failed"
    )
    for allowed in ("2", "50%"):
        assert compare(sound, bad, max_failed=allowed).verdict == "pass"
    assert compare(sound, bad, max_failed=1).verdict == "inconclusive"
    assert compare(bad, sound).verdict == "pass"  # the candidate is in order
    assert compare(bad, bad).verdict == "inconclusive"


def test_a_regression_is_graver_than_a_system_that_failed(make: Any) -> None:
    found = compare(make({"RR": [1.0] * 3}), broken(make, {"RR": [0.1] * 3}, 1))
    assert [each.code for each in found.reasons] == ["budget_exceeded", "samples_failed"]
    assert found.verdict == "fail"


def test_a_measure_that_says_it_says_it_alone(make: Any) -> None:
    columns = {"RR": [1.0, 1.0, TIMEOUT], "num_ret": [5.0, TIMEOUT, TIMEOUT]}
    scores = broken(make, columns, 1)
    assert [each.code for each in compare(scores, scores).reasons] == ["not_measured"]
    assert [each.code for each in compare(make({"RR": [1.0] * 3}), scores).reasons] == [
        "coverage_changed", "measure_missing",
    ]  # fmt: skip
    off = compare(scores, scores, budgets=["RR=off"])  # nobody watches what is without a value
    assert [each.code for each in off.reasons] == ["samples_failed"]
    assert [each.measures for each in check_measured(scores)] == [("RR",), ("num_ret",)]
    more = broken(make, columns, 3)
    assert check_measured(more)[0].code == "samples_failed"


def test_of_one_side_alone_the_system_may_have_failed(make: Any) -> None:
    bad = broken(make, {"wait_ms": [5.0]}, 1)
    [found] = check_measured(bad)
    assert (found.code, found.measures) == ("samples_failed", ())
    assert "failed on 1 of 1 sample of the report" in found.message
    assert check_measured(bad, max_failed=1) == ()
    [nothing] = check_measured(replace(make({}), facts={"failed_samples": 3, "samples": 3}))
    assert "failed on 3 of 3 samples" in nothing.message


def test_what_was_asked_for_has_to_have_a_value_at_all(make: Any) -> None:
    lacking = Cell(0.0, Status.NOT_APPLICABLE, reason="no_reference")
    scores = make({"RR": [lacking, lacking], "AP": [lacking, 1.0], "R@5": [lacking, lacking]})
    assert check_measured(scores) == ()
    [found] = check_measured(scores, asked=[Measure("RR"), Measure("AP")])
    assert (found.code, found.effect, found.measures) == ("not_measured", "inconclusive", ("RR",))
    assert found.message.startswith("RR applies to no item of the report, so nothing was measured")
    failed = make({"RR": [lacking, TIMEOUT]})
    [found] = check_measured(failed, asked=[Measure("RR")])
    assert "no value for 1 of 2 items" in found.message
    assert check_measured(failed, asked=[Measure("RR")], max_failed=1) == ()


@pytest.mark.parametrize("option", ["max_failed", "max_not_applicable"])
def test_limits_that_cannot_be(make: Any, option: str) -> None:
    with pytest.raises(UsageError, match=f"{option} is 'x'; write a count of items as 3"):
        check_measured(make({"RR": [1.0]}), **{option: "x"})  # type: ignore[arg-type]
