from __future__ import annotations

import pytest

from ragstone.errors import UsageError
from ragstone.gate import Allowance, Limits
from ragstone.gate.options import read_budgets, read_floors


def printed(given: Limits) -> dict[str, str]:
    return {str(target): str(budget) for target, budget in read_budgets(given).items()}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["nDCG@10=2"], {"nDCG@10": "2%"}),
        (["nDCG@10=2%", "recall=off"], {"nDCG@10": "2%", "R": "off"}),
        ({"nDCG@10": 2, "map": "3"}, {"nDCG@10": "2%", "AP": "3%"}),
        (["P(rel=2)@10=0.1abs"], {"P(rel=2)@10": "0.1abs"}),
        (["wait_ms:p95=50abs"], {"wait_ms:p95": "50abs"}),
        ([" ndcg = 2 "], {"nDCG": "2%"}),
        ("ndcg=2", {"nDCG": "2%"}),
        ((), {}),
    ],
)
def test_budgets(given: Limits, expected: dict[str, str]) -> None:
    assert printed(given) == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["nDCG@10"], "write it as MEASURE=LIMIT"),
        (["=2"], "write it as MEASURE=LIMIT, like nDCG@10=2"),
        (["nDCG@10="], "budget 'nDCG@10': the limit is empty"),
        (["P(rel=2)@10"], "unknown measure|not a measure"),
        (["nDCG@10=-1"], "budget 'nDCG@10': '-1' is negative"),
        (["nDCG@10=nan"], "not a limit"),
        (["ndgc=2"], "budget 'ndgc': unknown measure 'ndgc'; did you mean"),
        (["ndcg=2", "nDCG=3"], "nDCG has a budget already; give it once"),
        (["nDCG@10=2", "ndcg_cut_10=2"], "nDCG@10 has a budget already"),
        ({"recall": 1, "R": 1}, "R has a budget already"),
    ],
)
def test_refused_budgets(given: Limits, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_budgets(given)


def test_floors() -> None:
    floors = read_floors(["nDCG@10=0.6", "wait_ms:p95=1200", "num_ret=5000"])
    assert {str(target): floor for target, floor in floors.items()} == {
        "nDCG@10": 0.6,
        "wait_ms:p95": 1200.0,
        "num_ret": 5000.0,
    }


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["nDCG@10=60"], "floor 'nDCG@10': '60' is outside the range of nDCG@10, 0 to 1"),
        (["nDCG@10=-0.1"], "outside the range"),
        (["nDCG@10=60%"], "'60%' is not a level"),
        (["nDCG@10=nan"], "not a level"),
        (["nDCG@10=inf"], "not a level"),
        (["nDCG@10="], "not a level"),
        (["nDCG@10=off"], "not a level"),
        (["nDCG@10=0.5", "ndcg_cut_10=0.6"], "has a floor already"),
    ],
)
def test_refused_floors(given: Limits, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_floors(given)


@pytest.mark.parametrize(
    ("limit", "number", "items", "allowed"),
    [
        ("0", 0, 10, True),
        ("0", 1, 10, False),
        (3, 3, 10, True),
        ("3", 4, 10, False),
        ("10%", 1, 10, True),
        ("10%", 2, 10, False),
        ("7%", 7, 100, True),
        ("0.5 %", 1, 200, True),
        ("100%", 10, 10, True),
    ],
)
def test_allowance(limit: str | int, number: int, items: int, allowed: bool) -> None:
    assert Allowance.of(limit).allows(number, items) is allowed
    assert Allowance.of(str(Allowance.of(limit))) == Allowance.of(limit)


@pytest.mark.parametrize("limit", ["", "-1", "1.5", "101%", "nan", "abc", "%", -1])
def test_refused_allowance(limit: str | int) -> None:
    with pytest.raises(UsageError, match=r"max_failed is .*write a count"):
        Allowance.of(limit)
