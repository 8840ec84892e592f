"""Programs as Krag's users write them, with the import changed and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from embedding import ollama, openai
from loopback import Loopback

DOCUMENTS = """
from ragstone.krag import (
    Document, OfflineRetrievalEvaluators, RougeOfflineRetrievalEvaluators,
    EmbeddingRougeOfflineRetrievalEvaluators, AveragingMethod, MatchingCriteria,
)

actual_docs = [
    [
        Document(page_content="This is the first document."),
        Document(page_content="This is the second document."),
    ],
]
predicted_docs = [
    [
        Document(page_content="This is the last document."),
        Document(page_content="This is the second document."),
    ],
]
"""
PRINTED = """
print(evaluator.calculate_hit_rate(k=2))
print(evaluator.calculate_mrr(k=2))
print(evaluator.calculate_recall(k=2))
print(evaluator.calculate_precision(k=2))
print(evaluator.calculate_f1_score(k=2))
print(evaluator.calculate_map(k=2))
print(evaluator.calculate_ndcg(k=2))
evaluator.visualize_results(k=2)
"""
TEXT = """
evaluator = OfflineRetrievalEvaluators(
    actual_docs,
    predicted_docs,
    averaging_method=AveragingMethod.MICRO,
    matching_criteria=MatchingCriteria.PARTIAL,
)
"""
ROUGE = """
evaluator = RougeOfflineRetrievalEvaluators(
    actual_docs,
    predicted_docs,
    averaging_method=AveragingMethod.MICRO,
    matching_criteria=MatchingCriteria.PARTIAL,
    match_method="rouge2",
    threshold=0.8,
)
"""
EMBEDDING = """
evaluator = EmbeddingRougeOfflineRetrievalEvaluators(
    actual_docs,
    predicted_docs,
    averaging_method=AveragingMethod.MICRO,
    matching_criteria=MatchingCriteria.PARTIAL,
    match_method="rouge1",
    embedding_type={kind!r},
    embedding_config={config!r},
    similarity_threshold={least},
    rouge_threshold=0.8,
)
"""
STANDARD = {"hit_rate": 1.0, "mrr": 0.5, "micro_recall": 0.5, "micro_precision": 0.5,
            "micro_f1": 0.5, "map": 0.25, "ndcg": 0.38685280723454163}  # fmt: skip


def run(program: str, capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    """Run a program; return all that it printed, a dict a line."""
    exec(compile(DOCUMENTS + program + PRINTED, "program", "exec"), {})
    printed: dict[str, float] = {}
    for line in capsys.readouterr().out.splitlines():
        printed.update(ast.literal_eval(line))
    return printed


def close(values: dict[str, float]) -> dict[str, Any]:
    return {name: pytest.approx(value, abs=1e-12) for name, value in values.items()}


@pytest.mark.parametrize("program", [TEXT, ROUGE], ids=["text", "rouge"])
def test_a_program_prints_the_standard_values(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(program, capsys) == close(STANDARD)


def test_a_program_with_openai(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback(openai) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        config = {"model": "text-embedding-3-small", "dimensions": 4}
        found = run(EMBEDDING.format(kind="openai", config=config, least=0.0), capsys)
    # No cosine is too low, and ROUGE alone lets the first text match.
    assert found["micro_recall"] == 1.0
    [request] = server.requests  # all texts at once, each once
    assert request.json["model"] == "text-embedding-3-small"
    assert request.json["dimensions"] == 4
    assert len(request.json["input"]) == 3
    assert request.headers["authorization"] == "Bearer sk-test"


def test_a_program_with_ollama(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback(ollama()) as server:
        monkeypatch.setenv("OLLAMA_HOST", f"http://127.0.0.1:{server.port}")
        found = run(EMBEDDING.format(kind="ollama", config={"model": "bge-m3"}, least=1.0), capsys)
    assert found == close(STANDARD)  # at 1, only equal texts are near enough
    assert [request.target for request in server.requests].count("/api/embed") == 1


@pytest.mark.slow
def test_a_program_with_a_model_on_this_machine(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("sentence_transformers")
    from tinymodel import build

    config = {
        "model_name": str(build(tmp_path)),
        "model_kwargs": {"device": "cpu"},
        "encode_kwargs": {"normalize_embeddings": False},
    }
    # Random weights: of these texts only equal ones are sure to be near.
    found = run(EMBEDDING.format(kind="huggingface", config=config, least=0.9999999), capsys)
    assert set(found) == set(STANDARD)
    assert found["hit_rate"] == 1.0
    assert 0.5 <= found["micro_recall"] <= 1.0


def test_the_chart_is_saved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "results.svg"
    run(f"{TEXT}\nevaluator.visualize_results(2, {str(path)!r})", capsys)
    assert "Retrieval by exact: k = 2, 1 query" in path.read_text()
