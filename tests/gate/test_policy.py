from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import InputError, UsageError
from ragstone.gate import compare
from ragstone.model import Scores


@pytest.fixture
def scores(make: Any) -> Scores:
    columns = {name: [0.5, 1.0] for name in ("R@5", "R@10", "nDCG@10", "P(rel=2)@5", "wait_ms")}
    built: Scores = make({**columns, "Judged@10": [0.5, 1.0], "toxic": [0.0, 0.1]})
    return built


def budgets(scores: Scores, **options: Any) -> dict[str, str | None]:
    return {each.name: each.budget for each in compare(scores, scores, **options).measures}


def test_defaults_gate_quality_only(scores: Scores) -> None:
    assert budgets(scores, max_recall_regression_pct=1, max_regression_pct=3) == {
        "nDCG@10": "3%",
        "P(rel=2)@5": "3%",
        "R@5": "1%",
        "R@10": "1%",
        "toxic": "3%",
        "Judged@10": None,
        "wait_ms": None,
    }


def test_the_recall_budget_is_the_default_of_the_others(scores: Scores) -> None:
    assert set(budgets(scores).values()) == {"2%", None}
    assert budgets(scores, max_recall_regression_pct=4.5)["nDCG@10"] == "4.5%"


def test_exact_name_before_family_before_default(scores: Scores) -> None:
    found = budgets(scores, budgets=["recall=7", "R@5=off", "wait_ms=50abs"])
    assert (found["R@5"], found["R@10"], found["nDCG@10"]) == ("off", "7%", "2%")
    assert found["wait_ms"] == "50abs"


def test_named_aggregates_are_compared_beside_the_usual_one(scores: Scores) -> None:
    found = budgets(
        scores,
        budgets=["wait_ms:p95=10"],
        floors=["wait_ms:p99=9"],
        aggregates=["R@5:p50", "recall_10:p50"],
    )
    assert {name: found[name] for name in found if ":" in name} == {
        "R@5:p50": "2%",
        "R@10:p50": "2%",
        "wait_ms:p95": "10%",
        "wait_ms:p99": None,
    }


def test_an_aggregate_without_a_cutoff_is_the_full_depth(make: Any) -> None:
    scores = make({"nDCG@10": [0.5, 1.0], "nDCG": [0.5, 1.0]})
    assert list(budgets(scores, aggregates=["nDCG:p50"])) == ["nDCG@10", "nDCG", "nDCG:p50"]


def test_settings_are_reported_under_canonical_names(scores: Scores) -> None:
    settings = compare(
        scores,
        scores,
        budgets={"recall": 1, "ndcg_cut_10": "off"},
        floors=["R@5=0.1"],
        aggregates=["R@5:p50", "R@5:p50", "R@5"],
        alpha=0.05,
        test="t-test",
        max_failed="5%",
    ).settings
    assert settings.budgets == {"R": "1%", "nDCG@10": "off"}
    assert settings.floors == {"R@5": 0.1}
    assert settings.aggregates == ("R@5:p50",)
    assert (settings.alpha, settings.test, settings.seed) == (0.05, "t-test", 0)
    assert (settings.max_recall_regression_pct, settings.max_regression_pct) == (2.0, 2.0)
    assert (settings.max_failed, settings.max_not_applicable) == ("5%", "0")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 0.0}, "alpha is 0.0; a number between 0 and 1"),
        ({"alpha": 1}, "alpha is 1"),
        ({"alpha": float("nan")}, "alpha is nan"),
        ({"test": "wilcoxon"}, "unknown test 'wilcoxon'; known: permutation, t-test"),
        ({"test": "ttest"}, "did you mean t-test"),
        ({"permutations": 0}, "permutations is 0; a whole number of at least 1"),
        ({"permutations": True}, "permutations is True"),
        ({"seed": -1}, "seed is -1"),
        ({"top": -1}, "top is -1"),
        ({"max_recall_regression_pct": -1}, "max_recall_regression_pct: -1 is negative"),
        ({"max_recall_regression_pct": float("nan")}, "max_recall_regression_pct: nan"),
        ({"max_regression_pct": float("inf")}, "max_regression_pct: inf is not a limit"),
        ({"max_regression_pct": "5abs"}, "a number of percent was expected"),
        ({"max_failed": "x"}, "max_failed is 'x'"),
        ({"max_not_applicable": "-1"}, "max_not_applicable is '-1'"),
        ({"budgets": ["nDCG@20=2"]}, "budget 'nDCG@20' names no measure of either report"),
        ({"floors": ["rr=0.2"]}, "floor 'RR' names no measure of either report"),
        ({"aggregates": ["map:p50"]}, "aggregate 'AP:p50' names no measure"),
        ({"primary_measure": "map"}, "primary measure 'AP' names no measure"),
        ({"primary_measure": "ndgc"}, "primary measure 'ndgc': unknown measure"),
        ({"aggregates": ["R@5:micro"]}, "the baseline has no weights for R@5; score it again"),
    ],
)
def test_settings_that_cannot_be(scores: Scores, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        compare(scores, scores, **options)
    assert caught.value.exit_code == 2


def test_what_is_given_wrongly_is_a_usage_error(scores: Scores) -> None:
    with pytest.raises(UsageError):
        compare(scores, scores, budgets=["nDCG@20=2"])
