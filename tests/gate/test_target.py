from __future__ import annotations

import pytest

from ragstone.errors import InputError, UsageError
from ragstone.gate import Target
from ragstone.gate.target import choose, read_target, require
from ragstone.measures import parse_aggregate, parse_measure


@pytest.mark.parametrize(
    ("text", "printed", "family"),
    [
        ("nDCG@10", "nDCG@10", False),
        ("ndcg_cut_10", "nDCG@10", False),
        ("P_5", "P@5", False),
        ("recall_5:micro", "R@5:micro", False),
        ("R@5:mean", "R@5", False),
        ("P(rel=2)@5", "P(rel=2)@5", False),
        ("IPrec@0.1", "IPrec@0.1", False),
        ("ndcg", "nDCG", True),
        ("recall_at_k", "R", True),
        ("hit_rate", "Success", True),
        ("mrr", "RR", True),
        ("map", "AP", True),
        ("recall:micro", "R:micro", True),
        ("P(rel=2)", "P(rel=2)", True),
        ("IPrec", "IPrec", True),
        ("Rprec", "Rprec", True),
        ("wait_ms:p95", "wait_ms:p95", True),
    ],
)
def test_parses_names_and_families(text: str, printed: str, family: bool) -> None:
    target = Target.parse(text)
    assert (str(target), target.family) == (printed, family)
    assert Target.parse(printed) == target


@pytest.mark.parametrize(
    ("target", "aggregate", "covers"),
    [
        ("ndcg", "nDCG@5", True),
        ("ndcg", "nDCG", True),
        ("ndcg", "P@5", False),
        ("nDCG@10", "nDCG@5", False),
        ("P", "P(rel=2)@5", True),
        ("P(rel=2)", "P(rel=2)@5", True),
        ("P(rel=2)", "P@5", False),
        ("recall", "R@5:micro", False),
        ("recall:micro", "R@5:micro", True),
        ("recall:micro", "R@5", False),
        ("wait_ms", "wait_ms", True),
        ("wait_ms", "wait_ms:p95", False),
        ("num_ret", "num_ret", True),
        ("num_ret:mean", "num_ret", False),
    ],
)
def test_covers(target: str, aggregate: str, covers: bool) -> None:
    assert Target.parse(target).covers(parse_aggregate(aggregate)) is covers


@pytest.mark.parametrize(
    "names", [["P", "P(rel=2)", "P(rel=2)@5"], ["P(rel=2)@5", "P(rel=2)", "P"]]
)
def test_the_most_exact_name_wins_in_any_order(names: list[str]) -> None:
    targets = {Target.parse(name): name for name in names}
    assert choose(targets, parse_aggregate("P(rel=2)@5")) == "P(rel=2)@5"
    assert choose(targets, parse_aggregate("P(rel=2)@10")) == "P(rel=2)"
    assert choose(targets, parse_aggregate("P@10")) == "P"
    assert choose(targets, parse_aggregate("R@10")) is None


@pytest.mark.parametrize("text", ["", "@10", "nDCG@0", "rr:micro", "nDCG@10:median", "num_ret@5"])
def test_refuses_what_is_no_name(text: str) -> None:
    with pytest.raises(InputError):
        Target.parse(text)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"^budget 'ndgc@10': unknown measure 'ndgc'.*nDCG"):
        read_target("budget", "ndgc@10")


def test_a_name_that_no_report_has_is_answered_with_the_nearest() -> None:
    measures = [parse_measure("nDCG@10"), parse_measure("P@5")]
    require("budget", Target.parse("ndcg"), measures, "either report")
    with pytest.raises(UsageError, match="'nDCG@20' names no measure of either report") as caught:
        require("budget", Target.parse("nDCG@20"), measures, "either report")
    assert "did you mean nDCG@10?" in str(caught.value)
    with pytest.raises(UsageError, match=r"there is: nDCG@10, P@5$"):
        require("floor", Target.parse("wait_ms"), measures, "the report")
