"""Vectors: Krag's settings, functions and objects, and how often a text is encoded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from embedding import openai, vector
from loopback import Loopback
from ragstone.encoders import open_encoder
from ragstone.errors import UsageError
from ragstone.krag import (
    EmbeddingOfflineRetrievalEvaluators,
    EmbeddingRougeOfflineRetrievalEvaluators,
)
from ragstone.krag.embedding import EMBEDDINGS, config_of, encoder_of

GOLD = [["north", "east"], ["south"]]
FOUND = [["up", "right", "up"], ["left", "down"]]
VECTORS: dict[str, list[float]] = {
    "north": [0, 1], "up": [0.1, 1], "east": [1, 0], "right": [1, 0.2], "south": [0, -1],
    "down": [0, -1], "left": [-1, 0],
}  # fmt: skip


class Embedder:
    """A function that remembers what it was asked."""

    revision = "1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [VECTORS[text] for text in texts]


def test_vectors_alone_decide() -> None:
    evaluator = EmbeddingOfflineRetrievalEvaluators(GOLD, FOUND, embedding_type=Embedder())
    values = evaluator.to_dict(3)
    assert values["micro_recall"] == 1.0  # no word is the same
    assert values["mrr"] == 0.75
    assert values["micro_precision"] == 3 / 6  # the second "up" finds nothing new
    strict = EmbeddingOfflineRetrievalEvaluators(
        GOLD, FOUND, similarity_threshold=0.999, embedding_type=Embedder()
    )
    assert strict.calculate_recall(3)["micro_recall"] == pytest.approx(1 / 3)


def test_both_have_to_be_near() -> None:
    def recall(**more: Any) -> float:
        evaluator = EmbeddingRougeOfflineRetrievalEvaluators(
            [["a b c d"]], [["a b c x"]], embedding_type=lambda _: [[1, 0], [0.8, 0.6]], **more
        )
        return evaluator.calculate_recall(1)["micro_recall"]

    assert recall() == 1.0  # 0.75 and 0.8, where 0.7 is needed
    assert recall(rouge_threshold=0.76) == 0.0
    assert recall(similarity_threshold=0.81) == 0.0


def test_a_text_is_encoded_once() -> None:
    embedder = Embedder()
    evaluator = EmbeddingOfflineRetrievalEvaluators(GOLD, FOUND, embedding_type=embedder)
    assert embedder.asked == []
    for k in (1, 2, None):
        evaluator.to_dict(k)
    evaluator.text_match("north", "up")
    assert sorted(embedder.asked) == sorted(VECTORS)


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    asked = []
    for _ in range(2):
        embedder = Embedder()
        evaluator = EmbeddingOfflineRetrievalEvaluators(
            GOLD, FOUND, embedding_type=embedder, cache=tmp_path / "vectors.sqlite"
        )
        asked.append((evaluator.to_dict(3), len(embedder.asked)))
    assert asked[0][0] == asked[1][0]
    assert [number for _, number in asked] == [7, 0]


def test_what_embeds_texts_may_be_langchains() -> None:
    from langchain_core.embeddings import Embeddings

    class Own(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [VECTORS[text] for text in texts]

        def embed_query(self, text: str) -> list[float]:
            raise AssertionError(text)

    evaluator = EmbeddingOfflineRetrievalEvaluators(GOLD, FOUND, embedding_type=Own())
    assert evaluator.calculate_mrr(3) == {"mrr": 0.75}
    assert evaluator.scores(3).signature["encoder_model"] == "test_what_embeds_texts_may_be_" \
        "langchains.<locals>.Own"  # fmt: skip


def test_an_encoder_is_taken_as_it_is() -> None:
    encoder = open_encoder(Embedder(), name="mine")
    assert encoder_of(encoder) is encoder


# ---- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        (
            "huggingface",
            {
                "model_name": "intfloat/e5",
                "model_kwargs": {"device": "cuda", "revision": "main"},
                "encode_kwargs": {"normalize_embeddings": True, "batch_size": 8, "prompt": "q: "},
            },
            {"model": "intfloat/e5", "device": "cuda", "revision": "main", "prompt": "q: "},
        ),
        ("huggingface", {"model_name": "a", "show_progress": True}, {"model": "a"}),
        (
            "openai",
            {"model": "m", "dimensions": 256, "base_url": "http://h/v1"},
            {"model": "m", "dimensions": 256, "endpoint": "http://h/v1"},
        ),
        ("openai", {"openai_api_base": "http://h"}, {"endpoint": "http://h"}),
        ("openai", {"endpoint": "http://h", "key": "K"}, {"endpoint": "http://h", "key": "K"}),
        ("ollama", {"base_url": "http://h:1"}, {"endpoint": "http://h:1"}),
    ],
)
def test_settings_have_other_names(
    kind: str, settings: dict[str, Any], said: dict[str, Any]
) -> None:
    config = config_of(EMBEDDINGS[kind], settings)
    given = {name: getattr(config, name) for name in ("model", *config.given())}
    given.pop("batch", None)
    assert {name: value for name, value in given.items() if value} == said


def test_settings_inside_others() -> None:
    config = config_of(EMBEDDINGS["openai"], {"chunk_size": 16, "timeout": 9.0})
    assert config.batch is not None
    assert config.limits is not None
    assert (config.batch.texts, config.limits.timeout) == (16, 9.0)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("huggingface", "st:jhgan/ko-sroberta-multitask"), ("openai", "openai:text-embedding-3-small"),
     ("ollama", "ollama:bge-m3")],
)  # fmt: skip
def test_the_usual_models(kind: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    assert encoder_of(kind).name == name


def test_a_key_is_no_setting() -> None:
    with pytest.raises(UsageError, match="a key is taken from the environment: set OPENAI_API_KEY"):
        encoder_of("openai", {"api_key": "sk-1"})


def test_a_setting_that_nobody_knows() -> None:
    with pytest.raises(UsageError, match="embedding_config has temperature, which is not known; "):
        encoder_of("ollama", {"temperature": 0})
    with pytest.raises(UsageError, match=r"model_kwargs\.torch_dtype, .* known: model_name, mod"):
        encoder_of("huggingface", {"model_kwargs": {"torch_dtype": "x"}})


def test_another_type_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="'cohere' is not known; known: huggingface, openai, olla"):
        EmbeddingOfflineRetrievalEvaluators(GOLD, FOUND, embedding_type="cohere")


def test_an_endpoint_of_the_config() -> None:
    with Loopback(openai) as server:
        evaluator = EmbeddingOfflineRetrievalEvaluators(
            [["a"]], [["b", "a"]],
            embedding_type="openai",
            embedding_config={"model": "m", "base_url": f"http://127.0.0.1:{server.port}/v1"},
            similarity_threshold=1.0,
        )  # fmt: skip
        assert evaluator.calculate_mrr() == {"mrr": 0.5}
        assert [request.json["input"] for request in server.requests] == [["a", "b"]]
    assert vector("a") != vector("b")
