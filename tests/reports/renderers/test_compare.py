"""What a person sees of a comparison: the verdict and why, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

import judged
from judged import scores
from ragstone.gate import Calibration, Comparison, compare
from ragstone.reports.renderers.compare import MOST, headline, page
from ragstone.reports.renderers.page import Table, Text, Tone
from ragstone.reports.renderers.text import render


def compared(before: dict[str, Any], after: dict[str, Any], **options: Any) -> Comparison:
    return compare(scores(before), scores(after), **options)


SAME = {"RR": [1.0, 0.5]}
COSTS = {"cost_usd": [0.25, 0.5]}
JUDGED = {"Judged@5": [1.0, 0.5]}
WAITS = {"latency_ms": [5.0, 9.0]}

HEADLINES: dict[str, tuple[Comparison, str, Tone]] = {
    "passing": (
        compared(SAME, SAME),
        "PASS: 1 gated measure within budget (2 queries compared)",
        Tone.GOOD,
    ),
    "floor held": (
        compared(SAME, SAME, floors=["RR=0.5"]),
        "PASS: 1 gated measure within budget, 1 floor held (2 queries compared)",
        Tone.GOOD,
    ),
    "nothing gated": (
        compared(JUDGED, JUDGED),
        "PASS: no measure is gated (2 queries compared)",
        Tone.GOOD,
    ),
    "only a floor": (
        compared(JUDGED, JUDGED, floors=["Judged=0.5"]),
        "PASS: no measure is gated, 1 floor held (2 queries compared)",
        Tone.GOOD,
    ),
    "worse": (
        compared({"RR": [1.0], "AP": [1.0]}, {"RR": [0.5], "AP": [0.5]}),
        "FAIL: AP, RR got worse beyond what is allowed (1 query compared)",
        Tone.BAD,
    ),
    "too low": (
        compared(SAME, SAME, floors=["RR=0.9"]),
        "FAIL: RR is below its floor (2 queries compared)",
        Tone.BAD,
    ),
    "too high": (
        compared(COSTS, COSTS, floors=["cost_usd:sum=0.5"]),
        "FAIL: cost_usd:sum is above its ceiling (2 queries compared)",
        Tone.BAD,
    ),
    "a single query": (
        compared({"RR": [1.0] * 99}, {"RR": [1.0] * 98 + [0.2]}, max_item_drops=["RR=0.5"]),
        "FAIL: RR got worse beyond what is allowed of a single item (99 queries compared)",
        Tone.BAD,
    ),
    "single queries held": (
        compared(COSTS, COSTS, max_item_drops=["cost=0.5"]),
        "PASS: no measure is gated, 1 limit of single items held (2 queries compared)",
        Tone.GOOD,
    ),
    "both": (
        compared(
            {"RR": [1.0], "AP": [1.0], "P@1": [0.1]},
            {"RR": [0.5], "AP": [1.0], "P@1": [0.1]},
            floors=["RR=0.9", "P=0.5"],
        ),
        "FAIL: RR got worse beyond what is allowed; P@1, RR are below their floors "
        "(1 query compared)",
        Tone.BAD,
    ),
    "undecided": (
        judged.undecided(),
        "INCONCLUSIVE: coverage_changed (1 query compared)",
        Tone.WARNING,
    ),
    "too few items for what was named": (
        compared(WAITS, WAITS, budgets=["latency_ms:p95=5"]),
        "INCONCLUSIVE: too_few_items (2 queries compared)",
        Tone.WARNING,
    ),
    "advisory, and a floor was named": (
        judged.advisory(floors=["RR=0.9"]),
        "PASS, but RR@10 is advisory (no calibration): --floor RR@10=0.9 not applied; no measure "
        "is gated (3 queries compared)",
        Tone.WARNING,
    ),
    "advisory, and all was named": (
        judged.advisory(floors=["RR=0.9"], budgets=["RR@10=1"], max_item_drops=["RR=0.4"]),
        "PASS, but RR@10 is advisory (no calibration): --floor RR@10=0.9, --budget RR@10=1%, "
        "--max-item-drop RR=0.4 not applied; no measure is gated (3 queries compared)",
        Tone.WARNING,
    ),
    "other queries": (
        judged.incomparable(),
        "FAIL: not comparable, query_set_mismatch (0 queries compared)",
        Tone.BAD,
    ),
    "one measure lost": (
        compared({"RR": [1.0], "AP": [1.0]}, {"RR": [1.0]}),
        "FAIL: not all is comparable, measure_missing (1 query compared)",
        Tone.BAD,
    ),
}


@pytest.mark.parametrize("name", HEADLINES)
def test_the_headline(name: str) -> None:
    comparison, said, tone = HEADLINES[name]
    assert headline(comparison) == Text(said, tone)


@pytest.mark.parametrize("name", HEADLINES)
def test_the_headline_and_the_verdict_agree(name: str) -> None:
    comparison, said, _ = HEADLINES[name]
    assert said.startswith((f"{comparison.verdict.upper()}: ", "PASS, but "))


def test_a_whole_page() -> None:
    text = render(page(judged.failing(n=12, top=1)))
    assert (
        text
        == """\
FAIL: nDCG@10 got worse beyond what is allowed (12 queries compared)

measure    baseline  candidate    change  budget       p  worse/better  result
---------  --------  ---------  --------  ------  ------  ------------  ---------
AP@10        1.0000     1.0000     0.00%      2%  1.0000           0/0  pass
nDCG@10      1.0000     0.0000  -100.00%      2%  0.0005          12/0  FAIL
Judged@10    1.0000     1.0000     0.00%       -  1.0000           0/0  not gated

budget_exceeded: nDCG@10 fell from 1 to 0 (-100%), over its budget of 2%: 12 worse and 0 better \
of 12 queries; p = 0.0004883 (permutation test)

Evidence (change and detectable change in units of the measure; 80% power)
measure     change        95% interval  effect size  detectable  test
---------  -------  ------------------  -----------  ----------  ------------------
AP@10       0.0000    0.0000 to 0.0000          n/a         n/a  permutation, exact
nDCG@10    -1.0000  -1.0000 to -1.0000          n/a         n/a  permutation, exact
Judged@10   0.0000    0.0000 to 0.0000          n/a         n/a  permutation, exact

Most regressed queries (nDCG@10)
query  baseline  candidate   change
-----  --------  ---------  -------
q0       1.0000     0.0000  -1.0000

and 11 more
"""
    )


def row(comparison: Comparison, name: str) -> dict[str, str]:
    for block in page(comparison).blocks:
        if isinstance(block, Table) and block.heads[-1] == "result":
            for cells in block.rows:
                if str(cells[0]) == name:
                    return dict(zip(block.heads, map(str, cells), strict=True))
    raise KeyError(name)


def test_from_zero_there_is_no_percent() -> None:
    found = row(compared({"RR": [0.0, 0.0]}, {"RR": [0.0, 0.5]}), "RR")
    assert (found["baseline"], found["candidate"], found["change"]) == ("0.0000", "0.2500", "n/a")
    assert found["result"] == "not gated (baseline 0)"


def test_only_what_is_compared_and_gated_is_counted_as_within_budget() -> None:
    gained = compared(JUDGED, {**JUDGED, "RR": [1.0, 0.5]})
    from_zero = compared({"RR": [0.0, 0.0]}, {"RR": [0.0, 0.5]})
    for comparison in (gained, from_zero):
        assert str(headline(comparison)).startswith("PASS: no measure is gated (2 queries")
        assert "no measure is gated: this comparison cannot fail" in render(page(comparison))
    both = compared({**SAME, "AP": [0.0, 0.0]}, {**SAME, "AP": [0.0, 0.0], "nDCG": [1.0, 1.0]})
    assert str(headline(both)) == "PASS: 1 gated measure within budget (2 queries compared)"


def test_what_is_not_compared_has_its_own_values_and_no_change() -> None:
    found = row(compared({"RR@5": [1.0]}, {"RR@10": [0.5]}), "RR@5")
    assert list(found.values()) == [
        "RR@5", "1.0000", "n/a", "-", "2%", "-", "-", "not comparable",
    ]  # fmt: skip


def test_one_query_has_no_p_value() -> None:
    found = row(compared({"RR": [1.0]}, {"RR": [0.5]}), "RR")
    assert (found["p"], found["worse/better"], found["result"]) == ("n/a", "1/0", "FAIL")


def test_what_is_not_significant_passes_and_says_so() -> None:
    comparison = judged.not_significant()
    assert row(comparison, "RR@10")["result"] == "pass (not significant)"
    assert "\nRR@10: over budget, but p = " in render(page(comparison))


def evidence(comparison: Comparison) -> dict[str, list[str]]:
    for block in page(comparison).blocks:
        if isinstance(block, Table) and block.title.startswith("Evidence"):
            return {str(cells[0]): list(map(str, cells[1:])) for cells in block.rows}
    return {}


def test_only_the_test_of_the_p_value_is_called_exact() -> None:
    before, after = {"RR": [1.0, 0.9, 0.8]}, {"RR": [0.5, 0.5, 0.5]}
    assert evidence(compared(before, after))["RR"][-1] == "permutation, exact"
    assert evidence(compared(before, after, test="t-test"))["RR"][-1] == "t-test"
    long = {"RR": [n / 100 for n in range(40)]}, {"RR": [n / 101 for n in range(40)]}
    assert evidence(compared(*long))["RR"][-1] == "permutation"
    medians = evidence(compared(before, after, budgets=["RR:p50=1"]))
    assert medians["RR:p50"] == ["-0.4000", "-0.5000 to -0.3000", "n/a", "n/a", "bootstrap"]
    hits = {"Success@5": [1.0, 1.0, 0.0]}, {"Success@5": [0.0, 1.0, 0.0]}
    assert evidence(compared(*hits))["Success@5"][-1] == "McNemar, exact"
    assert evidence(judged.incomparable()) == {}


def test_counts_are_shown_as_counts() -> None:
    comparison = compared(
        {"num_ret": [10.0, 20.0]}, {"num_ret": [10.0, 12.0]}, budgets=["num_ret=1abs"]
    )
    found = row(comparison, "num_ret")
    assert [found[name] for name in ("baseline", "candidate", "budget")] == ["30", "22", "1abs"]
    text = render(page(comparison))
    assert "q1           20         12      -8\n" in text


@pytest.mark.parametrize(
    ("floors", "said"),
    [
        ([], "no measure is gated: this comparison cannot fail"),
        (["Judged=0.1"], "no measure is gated: only a floor can fail this comparison"),
        (["Judged:p99=0.1"], "no measure is gated: this comparison cannot fail"),
    ],
)
def test_a_gate_that_cannot_fail_warns(floors: list[str], said: str) -> None:
    shown = page(compared(JUDGED, JUDGED, floors=floors))
    assert Text(said, Tone.WARNING) in shown.blocks
    assert not any("no measure is gated" in str(each) for each in page(judged.passing()).blocks)


def test_limits_of_single_queries_can_fail_too() -> None:
    options = {"floors": ["Judged=0.1"], "max_item_drops": ["Judged=1"]}
    text = render(page(compared(JUDGED, JUDGED, **options)))
    assert (
        "no measure is gated: only a floor or a limit of single items can fail this comparison"
        in text
    )


def test_what_is_advisory_says_so_and_that_it_is_over() -> None:
    comparison = judged.advisory()
    assert str(headline(comparison)) == "PASS: no measure is gated (3 queries compared)"
    assert row(comparison, "RR@10")["result"] == "advisory (over budget)"
    text = render(page(comparison))
    assert text.count("it is advisory") == 0  # the result and the reason say it
    assert "\nadvisory: RR@10: advisory, shown but unable to fail this comparison: " in text
    assert row(judged.advisory(budgets=["RR=99"]), "RR@10")["result"] == "advisory"


def test_a_limit_of_items_of_what_is_advisory_is_not_said_to_hold() -> None:
    text = render(page(judged.advisory(max_item_drops=["RR=0.4"])))
    assert "1 limit of single items held" not in text
    assert "only a limit of single items can fail" not in text
    assert "no measure is gated: this comparison cannot fail" in text
    assert "--max-item-drop RR=0.4 not applied" in text
    assert "; it is advisory, so this cannot fail the comparison" in text
    both = judged.advisory(max_item_drops=["RR=0.4"], calibrations=[Calibration("m", "p", 0.9)])
    assert str(headline(both)).startswith("FAIL: RR@10 got worse beyond what is allowed")


def test_a_floor_is_shown_whether_it_held_or_was_not_applied() -> None:
    shown = render(page(compared(SAME, SAME, floors=["RR=0.5"])))
    assert "\nfloor held: RR 0.7500, at least 0.5 was asked for\n" in shown
    text = render(page(judged.advisory(floors=["RR=0.9"])))
    assert (
        "\nfloor not held against it: RR@10 0.5000, at least 0.9 was asked for; it is advisory: no "
        "calibration says how far m with prompt p agrees with people\n"
    ) in text
    few = render(page(compared(WAITS, WAITS, floors=["latency_ms:p95=99"])))
    assert (
        "\nfloor not held against it: latency_ms:p95 8.8000, at most 99 was asked for; "
        "too_few_items: 2 items count, and p95 needs 60 to be gated\n"
    ) in few


def test_a_small_difference_of_a_large_unit_has_digits_that_say_something() -> None:
    before = {"answer_length": [12.0, 15.0, 11.0, 30.0]}
    after = {"answer_length": [12.0, 14.0, 11.0, 30.0]}
    evidence = render(page(compared(before, after))).partition("Evidence")[2]
    assert "answer_length   -0.25  -1.05 to +0.55  " in evidence


def test_operations() -> None:
    """Milliseconds and cents are shown as people read them; p99 of few cannot be held."""
    before = {
        "latency_ms": [100.0 + n for n in range(80)],
        "cost_usd": [0.00012 + n / 1e6 for n in range(80)],
    }
    after = {
        "latency_ms": [130.0 + n for n in range(80)],
        "cost_usd": [0.00012 + n / 1e6 for n in range(80)],
    }
    budgets = ["latency_ms:p95=20abs", "latency_ms:p99=20abs", "cost_usd:sum=10%"]
    text = render(page(compared(before, after, budgets=budgets)))
    assert (
        text.partition("\n\nEvidence")[0]
        == """\
FAIL: latency_ms:p95 got worse beyond what is allowed (80 queries compared)

measure          baseline  candidate   change  budget       p  worse/better  result
--------------  ---------  ---------  -------  ------  ------  ------------  \
--------------------------
cost_usd        0.0001595  0.0001595    0.00%       -  1.0000           0/0  not gated
cost_usd:sum      0.01276    0.01276    0.00%     10%  1.0000           0/0  pass
latency_ms          139.5      169.5  +21.51%       -  0.0002          80/0  not gated
latency_ms:p95      175.1      205.1      +30   20abs  0.0010          80/0  FAIL
latency_ms:p99      178.2      208.2      +30   20abs  0.0010          80/0  \
inconclusive (over budget)

budget_exceeded: latency_ms:p95 rose from 175.1 to 205.1 (+17.14%), over its budget of 20abs: \
80 worse and 0 better of 80 queries; p = 0.0009995 (paired bootstrap)
too_few_items: latency_ms:p99: 80 items count, and p99 needs 300 to be gated: \
--budget latency_ms:p99=20abs not applied; measure more items, or leave it out"""
    )


def test_a_note_is_not_said_twice() -> None:
    text = render(page(compared({"RR": [1.0] * 4}, {"RR": [0.0] * 4}, alpha=0.05)))
    assert text.count("the test could not have failed") == 1


def test_hundreds_of_measures_are_some_lines() -> None:
    before = {f"R@{n}": [1.0, 1.0] for n in range(1, 301)}
    after = {name: [0.0, 0.0] for name in before}
    lines = render(page(compared(before, after))).splitlines()
    assert lines[0] == (
        "FAIL: R@1, R@2, R@3, R@4, R@5, R@6, R@7, R@8 and 292 more got worse beyond what is "
        "allowed (2 queries compared)"
    )
    assert sum(line.startswith("budget_exceeded: ") for line in lines) == MOST
    assert f"and {300 - MOST} more reasons in the report" in lines


def test_long_ids_are_cut_and_command_no_terminal() -> None:
    ids = [f"{'x' * 5000}{n}\n\x1b[31m" for n in range(3)]
    before = scores({"RR": [1.0] * 3}, ids)
    for after in (
        scores({"RR": [0.0] * 3}, ids),
        scores({"RR": [1.0] * 3}, [f"{each}!" for each in ids]),
        scores({"RR": [None, 1.0, 1.0]}, ids),
    ):
        text = render(page(compare(before, after)))
        assert "\x1b" not in text
        assert max(map(len, text.splitlines())) < 700
