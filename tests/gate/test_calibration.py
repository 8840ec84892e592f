"""A judged measure is advisory until a calibration says that its judge agrees with people."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragstone.errors import UsageError
from ragstone.gate import Calibration, Comparison, compare, misfit

JUDGED = {"judge": "gpt-x", "prompt": "ab12cd34"}
DOUBT = "no calibration says how far gpt-x with prompt ab12cd34 agrees with people"


def trusted(kappa: float, judge: str = "gpt-x", prompt: str = "ab12cd34") -> list[Calibration]:
    return [Calibration(judge, prompt, kappa)]


def judged(
    make: Any, new: list[Any], *, judge: dict[str, str] | None = None, **options: Any
) -> Comparison:
    """Compare `toxic`, which a judge measured, beside RR, which none did."""
    old = make({"toxic": [0.25] * len(new), "RR": [1.0] * len(new)}, signatures={"toxic": JUDGED})
    other = make({"toxic": new, "RR": [1.0] * len(new)}, signatures={"toxic": judge or JUDGED})
    return compare(old, other, **options)


def test_without_a_calibration_it_cannot_fail(make: Any) -> None:
    found = judged(make, [0.5, 0.5])
    measure = found["toxic"]
    assert (found.verdict, measure.result, measure.over_budget) == ("pass", "advisory", True)
    assert [(each.code, each.effect, each.measures) for each in found.reasons] == [
        ("advisory", "note", ("toxic",))
    ]
    assert found.reasons[0].message == (
        f"toxic: advisory, shown but unable to fail this comparison: {DOUBT}"
    )
    assert measure.notes == ("over its budget of 2%, but it cannot fail: it is advisory",)
    assert (measure.advisory, measure.not_applied) == ("no calibration", ())  # nobody named it
    assert (measure.waived, measure.gated, measure.limited) == ("it is advisory", False, False)
    assert (found.gated, found.failed, measure.reasons) == (("RR",), (), ("advisory",))


def test_with_one_it_fails(make: Any) -> None:
    found = judged(make, [0.5, 0.5], calibrations=trusted(0.6))
    assert (found.verdict, found["toxic"].result) == ("fail", "fail")
    assert [each.code for each in found.reasons] == ["budget_exceeded"]
    assert judged(make, [0.25, 0.25], calibrations=trusted(0.6))["toxic"].result == "pass"


@pytest.mark.parametrize(
    ("calibrations", "doubt"),
    [
        (trusted(0.59), "gpt-x with prompt ab12cd34 agrees with people to a kappa of 0.59, at "
                        "least 0.6 is needed"),
        (trusted(0.9, judge="gpt-y"), f"{DOUBT}; there is one of gpt-y with prompt ab12cd34"),
        (trusted(0.9, prompt="ffff0000"), f"{DOUBT}; there is one of gpt-x with prompt ffff0000"),
        (trusted(0.9) + trusted(0.2), "gpt-x with prompt ab12cd34 agrees with people to a kappa "
                                      "of 0.2, at least 0.6 is needed"),
    ],
)  # fmt: skip
def test_what_is_not_enough(make: Any, calibrations: list[Calibration], doubt: str) -> None:
    found = judged(make, [0.5, 0.5], calibrations=calibrations)
    assert found.verdict == "pass"
    assert found.reasons[0].message.endswith(f": {doubt}")


def test_the_kappa_that_is_needed(make: Any) -> None:
    for least, verdict in ((0.4, "fail"), (0.5, "fail"), (0.51, "pass")):
        found = judged(make, [0.5, 0.5], calibrations=trusted(0.5), min_kappa=least)
        assert found.verdict == verdict
    assert found.settings.min_kappa == 0.51
    assert found.settings.calibrations == (Calibration("gpt-x", "ab12cd34", 0.5),)


def test_no_limit_of_any_kind_fails_it(make: Any) -> None:
    options: dict[str, Any] = {
        "budgets": ["toxic=1%"],
        "floors": ["toxic=0.3"],
        "max_item_drops": ["toxic=0.1"],
    }
    found = judged(make, [0.5, 0.5], **options)
    assert (found.verdict, found["toxic"].result) == ("pass", "advisory")
    assert {each.effect for each in found.reasons} == {"note"}
    assert [each.code for each in found.reasons] == ["item_dropped", "advisory"]
    assert found.floors[0].passed
    assert found["toxic"].not_applied == (
        "--floor toxic=0.3", "--budget toxic=1%", "--max-item-drop toxic=0.1",
    )  # fmt: skip
    assert found["toxic"].notes[0] == (
        "it is advisory: --floor toxic=0.3, --budget toxic=1%, --max-item-drop toxic=0.1 not "
        "applied"
    )
    assert found.reasons[0].message.endswith("; it is advisory, so this cannot fail the comparison")
    assert judged(make, [0.5, 0.5], **options, calibrations=trusted(0.7)).verdict == "fail"


def test_calibrations_of_which_none_fits_are_not_applied(make: Any) -> None:
    other = trusted(0.9, judge="gpt-y")
    measure = judged(make, [0.5, 0.5], calibrations=other)["toxic"]
    assert (measure.advisory, measure.not_applied) == ("no calibration fits", ("--calibration",))
    for fits in ([*other, *trusted(0.9)], trusted(0.1)):  # a kappa that is too low is one
        assert judged(make, [0.25, 0.25], calibrations=fits)["toxic"].not_applied == ()
    of_candidate = judged(make, [0.5, 0.5], judge={"judge": "gpt-y", "prompt": "ab12cd34"},
                          calibrations=other)["toxic"]  # fmt: skip
    assert of_candidate.not_applied == ("--calibration",)  # the baseline's judge decides


def test_what_calibrations_are_about_where_none_fits(make: Any) -> None:
    scores = make({"toxic": [0.5], "RR": [1.0]}, signatures={"toxic": JUDGED})
    assert misfit(trusted(0.9), scores) == misfit([], scores) == ""
    assert misfit(trusted(0.9, judge="gpt-y"), scores) == (
        "about gpt-y with prompt ab12cd34, and the judged measures are by gpt-x with prompt "
        "ab12cd34"
    )


def test_what_has_calibrations_is_taken_as_they_are(make: Any) -> None:
    report = SimpleNamespace(calibrations=trusted(0.9))
    for given in (report, [report], trusted(0.9), [*trusted(0.9), report], trusted(0.9)[0]):
        assert judged(make, [0.5, 0.5], calibrations=given).verdict == "fail"
    for path in ("c.json", ["c.json"], [Path("c.json")]):
        with pytest.raises(UsageError, match=r"as read_report\('c\.json'\) returns it"):
            judged(make, [0.5, 0.5], calibrations=path)


def test_failed_items_of_it_do_not_stop_a_decision(make: Any) -> None:
    assert judged(make, [0.25, None]).verdict == "pass"
    assert judged(make, [0.25, None], calibrations=trusted(0.7)).verdict == "inconclusive"


def test_the_baseline_decides_whether_it_may_fail(make: Any) -> None:
    """A candidate that another judge judged cannot take the right to fail away."""
    other = {"judge": "gpt-y", "prompt": "ab12cd34"}
    found = judged(make, [0.5, 0.5], judge=other, calibrations=trusted(0.8))
    assert (found.verdict, found.reasons[0].code) == ("fail", "signature_mismatch")
    found = judged(make, [0.5, 0.5], judge=other)
    assert (found.verdict, found["toxic"].result) == ("pass", "not_comparable")


def test_a_measure_that_only_one_side_has(make: Any) -> None:
    alone = make({"RR": [1.0]})
    both = make({"toxic": [0.5], "RR": [1.0]}, signatures={"toxic": JUDGED})
    assert compare(both, alone).verdict == "pass"
    assert compare(both, alone, calibrations=trusted(0.7)).verdict == "fail"
    assert compare(alone, both, budgets=["toxic=2"]).verdict == "pass"


def test_measures_of_one_judge_are_said_together(make: Any) -> None:
    columns = {"toxic": [0.5], "RR": [1.0], "AP": [1.0]}
    signatures = {"toxic": JUDGED, "RR": JUDGED, "AP": {"judge": "m2"}}
    scores = make(columns, signatures=signatures)
    found = compare(scores, scores)
    assert {each.measures for each in found.reasons} == {("RR", "toxic"), ("AP",)}
    assert "no calibration says how far m2 agrees with people" in " ".join(
        each.message for each in found.reasons
    )


@pytest.mark.parametrize("items", [2, 9])
def test_a_few_labels_do_not_arm_the_gate(make: Any, items: int) -> None:
    few = Calibration("gpt-x", "ab12cd34", 1.0, items)
    found = judged(make, [0.5, 0.5], calibrations=[few])
    assert (found.verdict, found["toxic"].result) == ("pass", "advisory")
    assert found["toxic"].advisory == f"{items} labelled items"
    assert found.reasons[0].message == (
        "toxic: advisory, shown but unable to fail this comparison: gpt-x with prompt ab12cd34 "
        f"was held against people on {items} labelled items only, at least 10 are needed, "
        "better 100"
    )
    assert judged(make, [0.5, 0.5], calibrations=[few, *trusted(0.7)]).verdict == "fail"
    assert judged(make, [0.5, 0.5], calibrations=[few], min_kappa=-1).verdict == "pass"


@pytest.mark.parametrize(("items", "noted"), [(10, True), (29, True), (30, False)])
def test_below_thirty_labels_the_comparison_says_how_little_it_rests_on(
    make: Any, items: int, noted: bool
) -> None:
    known = Calibration("gpt-x", "ab12cd34", 0.8, items, 0.25, 1.0)
    found = judged(make, [0.5, 0.5], calibrations=[known])
    assert found.verdict == "fail"
    said = [each for each in found.reasons if each.code == "few_labels"]
    assert bool(said) is noted
    for each in said:
        assert (each.effect, each.measures) == ("note", ("toxic",))
        assert each.message == (
            f"toxic: gpt-x with prompt ab12cd34 was held against people on {items} labelled items "
            "only: kappa 0.8, interval 0.25 to 1; have at least 30, better 100"
        )
    without = judged(make, [0.5, 0.5], calibrations=[Calibration("gpt-x", "ab12cd34", 0.8, items)])
    assert [
        "kappa 0.8, without an interval;" in each.message
        for each in without.reasons
        if each.code == "few_labels"
    ] == [True] * noted


@pytest.mark.parametrize("kappa", [1.1, -2, float("nan"), True, "0.7"])
def test_what_is_no_kappa(make: Any, kappa: Any) -> None:
    with pytest.raises(UsageError, match=r"kappa is .*; a number from -1 to 1 was expected"):
        Calibration("m", "p", kappa)
    with pytest.raises(UsageError, match="min_kappa is "):
        judged(make, [0.25], min_kappa=kappa)
