"""Budgets, and with alpha the test beside them."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import ExitCode
from ragstone.gate import Comparison, compare
from ragstone.model import Cell

EIGHT = [1.0] * 8
FOUR_LOST = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
SMALL_LOSS = [1.0] * 5 + [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9]  # 7 of 12 change: p = 2/128
MIXED = [0.5, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.5]  # 6 of 8 change, both ways


def decided(make: Any, old: list[Any], new: list[Any], **options: Any) -> Comparison:
    return compare(make({"RR": old}), make({"RR": new}), **options)


@pytest.mark.parametrize(
    ("old", "new", "budget", "result"),
    [
        ([0.5, 0.5], [0.49, 0.49], "2", "pass"),  # exactly the budget
        ([0.5, 0.5], [0.489999, 0.489999], "2", "fail"),
        ([0.5, 0.5], [0.45, 0.45], "0.05abs", "pass"),
        ([0.5, 0.5], [0.449, 0.449], "0.05abs", "fail"),
        ([0.5, 0.5], [0.0, 0.0], "100", "pass"),
        ([0.5, 0.5], [0.0, 0.0], "off", "not_gated"),
        ([0.5, 0.5], [0.5, 0.499], "0", "fail"),
        ([0.1, 0.2], [0.2, 0.1], "0", "pass"),
        ([0.5, 0.5], [0.9, 0.9], "0", "pass"),
        ([0.0, 0.0], [0.0, 0.0], "0", "not_gated"),
        ([0.0, 0.0], [0.5, 0.5], "0", "not_gated"),
    ],
)
def test_budget_alone(
    make: Any, old: list[float], new: list[float], budget: str, result: str
) -> None:
    found = decided(make, old, new, budgets={"RR": budget})
    assert found["RR"].result == result
    assert found.verdict == ("fail" if result == "fail" else "pass")
    assert found.exit_code == (ExitCode.FAILED if result == "fail" else ExitCode.OK)


def test_the_reason_says_what_happened(make: Any) -> None:
    found = decided(make, EIGHT, FOUR_LOST)
    (reason,) = found.reasons
    assert (reason.code, reason.effect, reason.measure) == ("budget_exceeded", "fail", "RR")
    assert reason.message == (
        "RR fell from 1 to 0.5 (-50%), over its budget of 2%: "
        "4 worse and 0 better of 8 queries; p = 0.125 (permutation test)"
    )
    measure = found["RR"]
    assert (measure.change, measure.change_pct, measure.budget) == (-0.5, -50.0, "2%")
    assert (measure.margin, measure.over_budget) == (0.02, True)
    assert (measure.reasons, measure.notes) == (("budget_exceeded",), ())
    assert found.failed == ("RR",)
    assert found.gated == ("RR",)


def test_a_test_that_could_not_fail_has_no_say(make: Any) -> None:
    found = decided(make, EIGHT, FOUR_LOST, alpha=0.05)
    evidence = found["RR"].evidence
    assert evidence is not None
    assert (evidence.p_value, evidence.smallest_p) == (0.125, 0.125)
    assert evidence.test_could_not_fail
    assert found["RR"].result == "fail"
    note = (
        "the test could not have failed: with 4 changed queries its smallest p is 0.125, "
        "alpha is 0.05; the budget decides"
    )
    assert found["RR"].notes == (note,)
    assert note in found.reasons[0].message


def test_a_smallest_p_of_alpha_is_out_of_reach_too(make: Any) -> None:
    evidence = decided(make, EIGHT, FOUR_LOST, alpha=0.125)["RR"].evidence
    assert evidence is not None
    assert evidence.test_could_not_fail
    found = decided(make, EIGHT, FOUR_LOST, alpha=0.126)["RR"]
    assert (found.result, found.notes) == ("fail", ())


def test_too_few_permutations_are_said(make: Any) -> None:
    found = decided(make, [1.0] * 30, [0.5] * 30, alpha=0.05, permutations=9)["RR"]
    assert found.result == "fail"
    assert "with 30 changed queries and 9 permutations its smallest p is 0.2" in found.notes[0]


def test_over_budget_and_significant_fails(make: Any) -> None:
    found = decided(make, [1.0] * 12, SMALL_LOSS, alpha=0.05)
    assert found["RR"].result == "fail"
    assert "p = 0.01562 (permutation test)" in found.reasons[0].message


def test_over_budget_and_not_significant_passes(make: Any) -> None:
    found = decided(make, EIGHT[:4] + [0.5] * 4, MIXED, alpha=0.05)
    measure = found["RR"]
    assert measure.evidence is not None
    assert measure.evidence.p_value == 0.40625
    assert measure.evidence.smallest_p == 1 / 32
    assert (measure.over_budget, measure.result) == (True, "not_significant")
    assert measure.notes == ("over budget, but p = 0.4062 is not below alpha = 0.05",)
    assert (found.reasons, found.verdict, found.exit_code) == ((), "pass", ExitCode.OK)
    assert found.failed == ()


def test_within_budget_passes_however_significant(make: Any) -> None:
    found = decided(make, [1.0] * 12, SMALL_LOSS, alpha=0.05, budgets=["mrr=10"])
    assert found["RR"].result == "pass"


def test_p_is_shown_without_alpha_but_the_budget_decides(make: Any) -> None:
    measure = decided(make, EIGHT[:4] + [0.5] * 4, MIXED)["RR"]
    assert measure.result == "fail"
    assert measure.evidence is not None
    assert (measure.evidence.p_value, measure.evidence.test_could_not_fail) == (0.40625, False)


def test_the_t_test_can_be_the_one_that_decides(make: Any) -> None:
    found = decided(make, EIGHT, FOUR_LOST, alpha=0.05, test="t-test")["RR"]
    evidence = found.evidence
    assert evidence is not None
    assert evidence.test == "t-test"
    assert evidence.p_value == pytest.approx(0.0331, abs=1e-4)
    assert (evidence.p_value_other, evidence.test_could_not_fail) == (0.125, False)
    assert found.result == "fail"
    found = decided(make, EIGHT, FOUR_LOST, alpha=0.03, test="t-test")["RR"]
    assert found.result == "not_significant"


def test_a_t_test_without_variance_has_no_say(make: Any) -> None:
    found = decided(make, [0.75] * 4, [0.5] * 4, alpha=0.05, test="t-test")
    evidence = found["RR"].evidence
    assert evidence is not None
    assert (evidence.p_value, evidence.p_value_other) == (None, 0.125)
    assert evidence.interval == (-0.25, -0.25)
    assert found["RR"].result == "fail"
    assert "the t-test is undefined on these differences; the budget decides" in (
        found.reasons[0].message
    )


def test_one_query_has_no_p(make: Any) -> None:
    found = decided(make, [1.0], [0.5], alpha=0.05)["RR"]
    assert found.evidence is not None
    assert (found.evidence.p_value, found.evidence.p_value_other) == (None, None)
    assert found.result == "fail"


def test_a_baseline_of_0_has_no_percent_and_cannot_regress(make: Any) -> None:
    old, new = make({"toxic": [0, 0], "RR": [1, 1]}), make({"toxic": [0.5, 0.5], "RR": [1, 1]})
    advice = (
        "a baseline of 0 has no percent, so a budget of 2% cannot fail; "
        "set one in units of the measure, as --budget toxic=0.02abs"
    )
    found = compare(old, new)["toxic"]
    assert (found.result, found.gated, found.limited) == ("not_gated", False, False)
    assert (found.change, found.change_pct, found.margin) == (0.5, None, None)
    assert found.notes == (advice,)
    assert compare(old, old)["toxic"].notes == (advice,)  # it could get worse tomorrow
    assert compare(make({"RR": [0, 0]}), make({"RR": [0, 1]}))["RR"].notes == ()  # not below 0
    found = compare(old, new, budgets=["toxic=0.1abs"])["toxic"]
    assert (found.result, found.notes) == ("fail", ())


def test_negative_baselines_are_measured_by_their_size(make: Any) -> None:
    found = compare(make({"wait_ms": [-2, -2]}), make({"wait_ms": [-1, -1]}), budgets=["wait_ms=9"])
    assert (found["wait_ms"].change_pct, found["wait_ms"].margin) == (50.0, 0.18)
    assert found["wait_ms"].result == "fail"


def test_lower_is_better(make: Any) -> None:
    old, new = make({"wait_ms": [100, 200]}), make({"wait_ms": [120, 240]})
    assert compare(old, new)["wait_ms"].result == "not_gated"
    assert compare(old, new, budgets=["wait_ms=20"])["wait_ms"].result == "pass"
    found = compare(old, new, budgets=["wait_ms=10"])
    measure = found["wait_ms"]
    assert (measure.result, measure.direction, measure.unit) == ("fail", "lower", "ms")
    assert found.reasons[0].message.startswith("wait_ms rose from 150 to 180 (+20%)")
    assert measure.evidence is not None
    assert (measure.evidence.worse, measure.evidence.better) == (2, 0)
    assert compare(new, old, budgets=["wait_ms=0"])["wait_ms"].result == "pass"


SLOW = [20.0 + n for n in range(10)]  # ten of a hundred became slower


def test_percentiles_are_tested_by_a_bootstrap(make: Any) -> None:
    old, new = make({"wait_ms": [10.0] * 100}), make({"wait_ms": [10.0] * 90 + SLOW})
    found = compare(old, new, budgets=["wait_ms:p95=5abs"], alpha=0.05)
    measure = found["wait_ms:p95"]
    assert (measure.name, measure.measure) == ("wait_ms:p95", "wait_ms")
    assert (measure.baseline, measure.result) == (10, "fail")
    assert measure.candidate == pytest.approx(24.05)
    evidence = measure.evidence
    assert evidence is not None
    assert (evidence.test, evidence.resamples, evidence.permutations) == ("bootstrap", 2000, 0)
    assert (evidence.worse, evidence.unchanged) == (10, 90)
    assert (evidence.p_value_other, evidence.effect_size, evidence.detectable) == (None,) * 3
    assert measure.notes == ()
    assert found.reasons[0].message == (
        "wait_ms:p95 rose from 10 to 24.05 (+140.5%), over its budget of 5abs: 10 worse and "
        f"0 better of 100 queries; p = {evidence.p_value:.4g} (paired bootstrap)"
    )
    assert found["wait_ms"].result == "not_gated"


def test_a_percentile_over_budget_may_be_chance(make: Any) -> None:
    """Four of a hundred became slower: in half of the resamples p95 does not see them."""
    old, new = make({"wait_ms": [10.0] * 100}), make({"wait_ms": [10.0] * 94 + SLOW[:6]})
    found = compare(old, new, budgets=["wait_ms:p95=5abs"], alpha=0.05)["wait_ms:p95"]
    assert found.evidence is not None
    assert found.evidence.interval is not None
    assert found.evidence.interval[0] == 0.0
    assert (found.over_budget, found.result) == (True, "not_significant")
    assert compare(old, new, budgets=["wait_ms:p95=5abs"])["wait_ms:p95"].result == "fail"


def test_a_bootstrap_of_few_changes_has_no_say(make: Any) -> None:
    old, new = make({"RR": [1.0] * 4}), make({"RR": [0.5] * 4})
    found = compare(old, new, budgets=["RR:p50=10", "RR=off"], alpha=0.05)
    assert found["RR:p50"].result == "fail"
    assert found.reasons[0].message.endswith(
        "p = 0.125 (paired bootstrap); the test could not have failed: with 4 changed queries and "
        "2,000 resamples its smallest p is 0.125, alpha is 0.05; the budget decides"
    )


def test_the_seed_and_number_of_resamples(make: Any) -> None:
    old = make({"wait_ms": [float(n * n % 97) for n in range(97)]})
    new = make({"wait_ms": [float(n * n % 97 + n % 5) for n in range(97)]})
    many = [
        compare(old, new, seed=seed, resamples=300, aggregates=["wait_ms:p95"])[
            "wait_ms:p95"
        ].evidence
        for seed in (0, 1, 0)
    ]
    assert many[0] == many[2]
    assert many[0] != many[1]
    assert {each.resamples for each in many if each} == {300}


def test_micro_has_no_test_and_the_budget_decides(make: Any) -> None:
    def weighed(first: float) -> Any:
        return make({"R@5": [Cell(first, weight=8), Cell(1, weight=2)]}, weighted=["R@5"])

    found = compare(weighed(1), weighed(0), budgets=["R@5:micro=2%", "R@5=off"], alpha=0.05)
    measure = found["R@5:micro"]
    assert measure.evidence is not None
    assert (measure.evidence.p_value, measure.evidence.interval) == (None, None)
    assert measure.notes[0] == "the paired tests are about means, not micro: no p-value"
    assert "no test speaks of this aggregate; the budget decides" in found.reasons[0].message


@pytest.mark.parametrize(
    ("budget", "result"),
    [("cost_usd:sum=0.5abs", "pass"), ("cost_usd:sum=0.4abs", "fail"), ("cost_usd=9%", "fail")],
)
def test_absolute_budgets_on_a_sum(make: Any, budget: str, result: str) -> None:
    old, new = make({"cost_usd": [1.0, 1.5]}), make({"cost_usd": [1.25, 1.75]})
    found = compare(old, new, budgets=[budget])
    assert found[budget.partition("=")[0]].result == result


def test_a_constant_shift_has_the_same_interval_under_every_aggregate(make: Any) -> None:
    """Of a mean as of a quantile, and of a shift as of none: it has no width."""
    old = make({"wait_ms": [float(n) for n in range(80)]})
    for shift in (9000.0, 0.0):
        new = make({"wait_ms": [n + shift for n in range(80)]})
        found = compare(old, new, aggregates=["wait_ms:p50", "wait_ms:p95"])
        for name in ("wait_ms", "wait_ms:p50", "wait_ms:p95"):
            evidence = found[name].evidence
            assert evidence is not None
            assert evidence.interval == (shift, shift), name
    alone = compare(make({"wait_ms": [1.0]}), make({"wait_ms": [2.0]}))["wait_ms"].evidence
    assert alone is not None
    assert alone.interval is None


def test_p99_of_few_items_does_not_fail_and_what_was_asked_for_does_not_pass(make: Any) -> None:
    old, new = make({"wait_ms": [10.0] * 120}), make({"wait_ms": [90.0] * 120})
    found = compare(old, new, budgets=["wait_ms:p99=5abs"], floors=["wait_ms:p99=50"])
    measure = found["wait_ms:p99"]
    waived = "120 items count, and p99 needs 300 to be gated"
    assert (measure.result, measure.over_budget, measure.waived) == ("inconclusive", True, waived)
    assert (measure.gated, measure.limited, measure.below_floor) == (False, False, False)
    assert measure.notes == (f"over its budget of 5abs, but it cannot fail: {waived}",)
    asked = "--floor wait_ms:p99=50", "--budget wait_ms:p99=5abs"
    assert measure.not_applied == asked
    assert [(each.code, each.effect, each.message) for each in found.reasons] == [
        (
            "too_few_items",
            "inconclusive",
            f"wait_ms:p99: {waived}: {each} not applied; measure more items, or leave it out",
        )
        for each in asked
    ]
    assert (found.gated, measure.reasons) == ((), ("too_few_items",))
    assert (found.verdict, int(found.exit_code)) == ("inconclusive", 5)
    enough = compare(
        make({"wait_ms": [10.0] * 300}), make({"wait_ms": [90.0] * 300}), budgets=["wait_ms:p99=5"]
    )
    assert enough["wait_ms:p99"].result == "fail"


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({"budgets": ["wait_ms:p95=50%"]}, "--budget wait_ms:p95=50%"),
        ({"floors": ["wait_ms:p95=50"]}, "--floor wait_ms:p95=50"),
    ],
    ids=["budget", "floor"],
)
def test_a_quantile_of_few_items_that_is_named_does_not_pass(
    make: Any, given: dict[str, Any], asked: str
) -> None:
    """Even if nothing changed: what was asked for has not been looked at."""
    scores = make({"wait_ms": [10.0] * 59})
    found = compare(scores, scores, **given)
    assert (found.verdict, found["wait_ms:p95"].result) == ("inconclusive", "inconclusive")
    assert found["wait_ms:p95"].not_applied == (asked,)
    assert [each.code for each in found.reasons] == ["too_few_items"]
    enough = make({"wait_ms": [10.0] * 60})
    assert compare(enough, enough, **given).verdict == "pass"


def test_a_default_budget_that_cannot_be_held_is_only_said(make: Any) -> None:
    """The quantile of a quality has the default budget, which nobody named."""
    old, new = make({"RR": [1.0] * 20}), make({"RR": [1.0] * 20})
    found = compare(old, new, aggregates=["RR:p95"])
    assert [(each.code, each.effect) for each in found.reasons] == [("too_few_items", "note")]
    assert (found.verdict, found["RR:p95"].result) == ("pass", "not_gated")
    assert compare(old, new, budgets=["RR:p95=2"]).verdict == "inconclusive"
    assert compare(old, new, budgets=["RR:p95=off"], aggregates=["RR:p95"]).reasons == ()


def test_nobody_is_told_of_too_few_items_where_nothing_is_gated(make: Any) -> None:
    scores = make({"wait_ms": [10.0] * 20})
    assert compare(scores, scores, aggregates=["wait_ms:p95"]).reasons == ()


def test_a_sum_has_the_p_of_the_mean_and_its_own_interval(make: Any) -> None:
    old, new = make({"num_ret": [5, 5, 5, 5]}), make({"num_ret": [5, 4, 3, 1]})
    found = compare(old, new, aggregates=["num_ret:mean"])
    whole, mean = found["num_ret"], found["num_ret:mean"]
    assert (whole.baseline, whole.candidate, whole.change) == (20, 13, -7)
    assert whole.evidence is not None
    assert mean.evidence is not None
    assert whole.evidence.p_value == mean.evidence.p_value
    assert whole.evidence.interval is not None
    assert mean.evidence.interval is not None
    assert whole.evidence.interval == pytest.approx([4 * end for end in mean.evidence.interval])
    assert whole.evidence.detectable == pytest.approx(4 * (mean.evidence.detectable or 0))


def test_micro_weighs_by_its_denominator(make: Any) -> None:
    def weighed(first: float) -> Any:
        return make({"R@5": [Cell(first, weight=8), Cell(1, weight=2)]}, weighted=["R@5"])

    found = compare(weighed(1), weighed(0.5), budgets=["R@5:micro=45", "R@5=off"])
    measure = found["R@5:micro"]
    assert (measure.baseline, measure.candidate, measure.result) == (1.0, 0.6, "pass")
    assert compare(weighed(1), weighed(0.5), budgets=["R@5:micro=39"])["R@5:micro"].result == "fail"
