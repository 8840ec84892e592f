"""Krag's counting, as krag-cases.json has it: what `free` gives, and what the standard is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ragstone.matching import Gold, Matches, Similarities, match_texts

# Golds that are in no query, or not normalised: there Krag and we count other things.
OTHER = {"empty_gold_in_second", "case_and_space"}


class Substring:
    """Krag's `exact`: the gold text is in the retrieved one, letter by letter."""

    threshold = None
    signature: Mapping[str, Any] = {"matcher": "substring"}

    def prepare(self, texts: Iterable[str]) -> None:
        pass

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        return Similarities([[float(gold.text in text) for text in retrieved] for gold in golds])


class Equal(Substring):
    """Equality as the file's standard values have it."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        return Similarities([[float(gold.text == text) for text in retrieved] for gold in golds])


def cases(shared: Path) -> Iterator[dict[str, Any]]:
    cases = json.loads((shared / "data" / "krag-cases.json").read_text())["cases"]
    yield from (case for case in cases if case["name"] not in OTHER)


def values(matches: Matches, k: int | None) -> dict[str, float]:
    at = "" if k is None else f"@{k}"
    names = {
        "hit_rate": f"Success{at}",
        "mrr": f"RR{at}",
        "macro_recall": f"R{at}",
        "map": f"AP{at}",
        "ndcg": f"nDCG{at}",
        "macro_precision": f"P{at}",
    }
    scores = matches.scores(list(names.values()))
    return {name: sum(scores[column].values) / len(scores.items) for name, column in names.items()}


def test_free_matching_counts_as_krag(shared: Path) -> None:
    """All but precision, which Krag divides by what was returned."""
    seen = 0
    for case in cases(shared):
        matches = match_texts(case["actual"], case["predicted"], Substring(), assignment="free")
        found, wanted = values(matches, case["k"]), case["outputs"]["partial"]
        for name in ("hit_rate", "mrr", "macro_recall", "map", "ndcg"):
            assert found[name] == pytest.approx(wanted[name], abs=1e-12), (case["name"], name)
            seen += 1
    assert seen == 5 * 14


@pytest.mark.parametrize("assignment", ["greedy", "optimal"])
def test_the_standard_values(shared: Path, assignment: str) -> None:
    seen = 0
    for case in cases(shared):
        if "standard_ir_equality_dedup" not in case:
            continue
        matches = match_texts(case["actual"], case["predicted"], Equal(), assignment=assignment)
        found = values(matches, case["k"])
        for name, wanted in case["standard_ir_equality_dedup"].items():
            assert found[name] == pytest.approx(wanted, abs=1e-12), (case["name"], name)
            seen += 1
    assert seen
