"""Runs of characters: counted one by one, and as sacrebleu makes chrF of them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.answers.characters import LONGEST, shared_runs
from ragstone.answers.translation import ChrF

FEW = st.text(st.sampled_from("ab \n\0é가字\U0001f600."), max_size=20)
ANY = st.text(max_size=30)
MANY = "".join(map(chr, range(0x4E00, 0x4E00 + 1_200)))


def one_by_one(answer: str, reference: str) -> list[int]:
    """Count as sacrebleu does, a Counter for each length."""
    mine, other = "".join(answer.split()), "".join(reference.split())
    found = []
    for length in range(1, LONGEST + 1):
        runs = [
            Counter(text[place : place + length] for place in range(len(text) - length + 1))
            for text in (mine, other)
        ]
        wanted = runs[1].total()
        found += [runs[0].total() if wanted else 0, wanted, (runs[0] & runs[1]).total()]
    return found


@given(st.one_of(FEW, ANY), st.one_of(FEW, ANY))
def test_runs_are_those_that_are_counted_one_by_one(answer: str, reference: str) -> None:
    assert shared_runs(answer, reference) == one_by_one(answer, reference)
    assert shared_runs(answer, answer + reference) == one_by_one(answer, answer + reference)


@given(st.one_of(FEW, ANY), st.lists(st.one_of(FEW, ANY), min_size=1, max_size=3))
def test_the_score_is_that_of_sacrebleu(answer: str, references: list[str]) -> None:
    from sacrebleu import sentence_chrf

    assert ChrF().score(answer, references) == sentence_chrf(answer, references).score


@pytest.mark.parametrize("size", [1_022, 1_023, 1_024, 1_200])
def test_many_different_characters(size: int) -> None:
    from sacrebleu import sentence_chrf

    answer, reference = MANY[:size], MANY[:size][::-1] + MANY[:40]
    counted = shared_runs(answer, reference)
    assert counted == (one_by_one(answer, reference) if size <= 1_023 else None)
    assert ChrF().score(answer, [reference]) == sentence_chrf(answer, [reference]).score


def test_without_the_formula_sacrebleu_counts_too() -> None:
    from sacrebleu import sentence_chrf

    metric = ChrF()
    metric._formula = None
    assert (
        metric.score("a bridge", ["the bridge"]) == sentence_chrf("a bridge", ["the bridge"]).score
    )
