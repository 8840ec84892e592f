"""What is said of the facts that deserve a warning."""

from __future__ import annotations

import pytest

from ragstone.scoring import FACTS, score, warnings
from ragstone.scoring.warnings import WORTH_A_WARNING

QUIET = {"queries", "queries_without_relevant", "repeated_judgments"}


def test_each_fact_is_worth_a_warning_or_known_not_to_be() -> None:
    assert {*WORTH_A_WARNING} | QUIET == {*FACTS}
    assert not {*WORTH_A_WARNING} & QUIET


@pytest.mark.parametrize("fact", sorted(WORTH_A_WARNING))
def test_one_and_several(fact: str) -> None:
    one, many, said = WORTH_A_WARNING[fact]
    assert warnings({fact: 0}) == []
    assert warnings({fact: 1}) == [f"1 {one} {said}"]
    assert warnings({fact: 1200}) == [f"1,200 {many} {said}"]


def test_a_query_without_judgments_is_not_passed_over_in_silence() -> None:
    facts = score({"a": ["x"], "b": []}, {"a": ["x"], "b": ["x"]}, ["RR"]).facts
    assert warnings(facts)[0] == "1 query of the qrels without a judgment, left out"
