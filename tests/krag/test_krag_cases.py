"""What Krag 0.0.32 prints on small inputs, and what is standard there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragstone.krag import (
    AveragingMethod,
    EmbeddingRougeOfflineRetrievalEvaluators,
    MatchingCriteria,
    OfflineRetrievalEvaluators,
    RougeOfflineRetrievalEvaluators,
    TokenizerConfig,
    TokenizerType,
)

Case = dict[str, Any]

# Equality in the file is letter by letter; ours is after normalisation, as everywhere.
NORMALISED = "case_and_space"
# Krag averages queries without a gold as 0, and calls them hits.
NO_GOLD = "empty_gold_in_second"


def same(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12)


@pytest.fixture(scope="module")
def data(shared: Path) -> dict[str, list[Case]]:
    return dict(json.loads((shared / "data" / "krag-cases.json").read_text("utf-8")))


def evaluated(case: Case, criteria: str, **more: Any) -> dict[str, float]:
    evaluator = OfflineRetrievalEvaluators(
        case["actual"], case["predicted"], matching_criteria=MatchingCriteria(criteria), **more
    )
    return evaluator.to_dict(case["k"])


def test_the_standard_values(data: dict[str, list[Case]]) -> None:
    seen = 0
    for case in data["cases"]:
        if case["name"] == NORMALISED:
            continue
        found = evaluated(case, "partial")
        for name, wanted in case["standard_ir_equality_dedup"].items():
            assert found[name] == same(wanted), (case["name"], name)
            seen += 1
    assert seen == 6 * 15


def test_where_krag_is_standard_all_is_as_krag_prints_it(data: dict[str, list[Case]]) -> None:
    """Micro averages, F1 and the other criterion too, which the standard values do not have."""
    standard_ones = []
    for case in data["cases"]:
        standard, printed = case["standard_ir_equality_dedup"], case["outputs"]
        if all(printed["partial"][name] == pytest.approx(standard[name]) for name in standard):
            standard_ones.append(case["name"])
            for criteria, wanted in printed.items():
                found = evaluated(case, criteria)
                for name, value in wanted.items():
                    assert found[name] == same(value), (case["name"], name)
    assert len(standard_ones) >= 6


def test_free_counts_as_krag(data: dict[str, list[Case]]) -> None:
    for case in data["cases"]:
        if case["name"] == NO_GOLD:
            continue
        for criteria, wanted in case["outputs"].items():
            found = evaluated(case, criteria, match_method="substring", assignment="free")
            for name, value in wanted.items():
                assert found[name] == same(value), (case["name"], name)


def test_a_measure_is_always_there(data: dict[str, list[Case]]) -> None:
    [case] = [each for each in data["cases"] if each["name"] == "no_match_f1_missing"]
    assert "micro_f1" not in case["outputs"]["all"]
    found = evaluated(case, "all")
    assert (found["micro_f1"], found["macro_f1"]) == (0.0, 0.0)
    assert set(found) == {
        "hit_rate", "mrr", "micro_recall", "macro_recall", "micro_precision", "macro_precision",
        "micro_f1", "macro_f1", "map", "ndcg",
    }  # fmt: skip


def splitter(case: Case) -> TokenizerConfig:
    """Return the tokens that Krag had from Kiwi 0.18; other versions split otherwise."""
    texts = (case["actual"][0] + case["predicted"][0], case["tokens"][0][0] + case["tokens"][0][1])
    known = dict(zip(*texts, strict=True))
    return TokenizerConfig(TokenizerType.KIWI, known.__getitem__)


def rouge(case: Case, **more: Any) -> RougeOfflineRetrievalEvaluators:
    return RougeOfflineRetrievalEvaluators(
        case["actual"],
        case["predicted"],
        case["match_method"],
        matching_criteria=MatchingCriteria(case["criteria"]),
        threshold=case["threshold"],
        tokenizer=splitter(case),
        **more,
    )


def test_similarities_are_those_of_krag(data: dict[str, list[Case]]) -> None:
    for case in data["rouge_cases"]:
        [matrix] = rouge(case).matches.matrices.values()
        golds = [case["actual"][0].index(gold.text) for gold in matrix.golds]
        wanted = [case["f_matrix_gold_by_pred"][0][gold] for gold in golds]
        assert [same(row) for row in wanted] == matrix.similarities.values


def test_free_counts_as_krag_by_rouge(data: dict[str, list[Case]]) -> None:
    """All but nDCG: Krag's gains are similarities, and its ideal is of what was retrieved."""
    for case in data["rouge_cases"]:
        found = rouge(case, assignment="free").to_dict(case["k"])
        for name, value in case["outputs"].items():
            if name != "ndcg":
                assert found[name] == same(value), (case["name"], name)


def test_missing_golds_lower_ndcg(data: dict[str, list[Case]]) -> None:
    """In Krag both are 1.0: its ideal knows nothing of golds that were not retrieved."""
    by_name = {case["name"]: case for case in data["rouge_cases"]}
    for name, wanted in (("missing_gold_ndcg", 0.46927872602275644), ("all_irrelevant_ndcg", 0.0)):
        assert by_name[name]["outputs"]["ndcg"] == 1.0
        assert rouge(by_name[name]).calculate_ndcg(3) == {"ndcg": same(wanted)}


ONE_TO_ONE = {"micro_recall": 0.5, "micro_precision": 0.5, "micro_f1": 0.5, "map": 0.25}


def test_vectors_then_rouge(data: dict[str, list[Case]]) -> None:
    for case in data["embedding_rouge_cases"]:
        known = case["vectors"]
        for assignment, other in (("free", {}), ("greedy", ONE_TO_ONE)):
            evaluator = EmbeddingRougeOfflineRetrievalEvaluators(
                case["actual"],
                case["predicted"],
                case["match_method"],
                AveragingMethod(case["averaging"]),
                MatchingCriteria.PARTIAL,
                case["rouge_threshold"],
                case["similarity_threshold"],
                lambda texts, known=known: [known[text] for text in texts],
                assignment=assignment,
            )
            found = evaluator.to_dict(case["k"])
            wanted = {**case["outputs"], **other}
            assert found == {name: same(value) for name, value in wanted.items()}
