"""Paraphrase leakage against a search by brute force, whatever the blocks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.corpus.paraphrases import nearing
from ragstone.corpus.paraphrases.check import paraphrases
from ragstone.corpus.paraphrases.windows import windows
from ragstone.encoders import cosines, error_bound, normalized, open_encoder
from ragstone.errors import InputError, UsageError
from ragstone.formats.corpus import Corpus
from ragstone.measures import summary
from ragstone.model import Status

WORDS = ["cat", "dog", "sat", "ran", "mat", "home", "고양이", "집", "tree", "sun"]


def meaning(texts: Sequence[str]) -> Any:
    """Encode a text by its words; `feline` and `hound` mean what `cat` and `dog` do."""
    rows = np.zeros((len(texts), len(WORDS) + 1), dtype=np.float32)
    for place, text in enumerate(texts):
        for word in text.replace("feline", "cat").replace("hound", "dog").split():
            rows[place, WORDS.index(word) if word in WORDS else -1] += 1 + len(word) / 7
    return rows


ENCODER = open_encoder(meaning, name="meaning")


@pytest.fixture
def written(tmp_path: Path) -> Callable[[dict[str, str]], str]:
    def write(documents: dict[str, str]) -> str:
        path = tmp_path / "corpus.jsonl"
        rows = (json.dumps({"id": key, "text": text}) for key, text in documents.items())
        path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        return str(path)

    return write


# ---- by hand -----------------------------------------------------------------------------------


def test_a_paraphrase_and_its_passage(written: Any) -> None:
    filler = "sun tree " * 60
    documents = {
        "far": "tree sun tree",
        "long": f"{filler}the hound ran home {filler}",
        "near": "the dog ran home",
        "nearer": "dog ran home",
    }
    found = paraphrases(
        written(documents),
        [{"id": "q1", "question": "hound ran home"}, {"id": "q2", "question": "mat mat"}],
        ENCODER,
        window=64,
        documents=2,
        threshold=0.2,
    )
    one, two = found.leaks
    assert (one.doc_id, one.similarity, one.passage) == ("nearer", 1.0, "dog ran home")
    assert (two.doc_id, two.passage, two.start, two.end) == ("near", "the dog ran home", 0, 16)
    assert one.documents_at_threshold == two.documents_at_threshold == 3
    assert found.leaking_items == 1
    scores = found.scores
    assert summary(scores) == {"paraphrase_similarity": 0.5, "leaked": 0.5, "leaked:sum": 1.0}
    assert scores.facts["passages"] > 30
    more = paraphrases(
        written(documents),
        [{"id": "q1", "question": "hound ran home"}],
        ENCODER,
        window=64,
        threshold=0.2,
    )
    long = more.leaks[2]
    text = documents["long"]
    assert long.doc_id == "long"
    assert "hound ran home" in long.passage == text[long.start : long.end]
    assert long.end - long.start <= 64


def test_of_equal_passages_the_first_is_shown(written: Any) -> None:
    text = "cat cat cat cat tree tree tree dog dog dog dog"
    (leak,) = paraphrases(
        written({"d": text}), [{"id": "1", "text": ["dog", "cat"]}], ENCODER, window=16
    ).leaks
    assert (leak.similarity, leak.passage) == (1.0, "cat cat cat cat ")


def test_a_passage_that_is_longer_than_a_report_keeps(written: Any) -> None:
    text = "cat " * 400
    (leak,) = paraphrases(
        written({"d": text}), [{"id": "1", "text": "cat"}], ENCODER, window=1500
    ).leaks
    assert (leak.start, leak.end, leak.cut) == (0, 1000, True)
    assert leak.passage == text[:1000]
    assert leak.similarity == 1.0


def test_what_cannot_be_looked_for(written: Any) -> None:
    items: list[dict[str, Any]] = [
        {"id": "a", "question": "?!", "answer": "cat"},
        {"id": "b", "question": "..."},
        {"id": "c", "question": ""},
        {"id": "d", "question": ["cat sat", "dog"]},
        {"id": "e", "answer": None},
    ]
    path = written({"1": "cat", "2": "   ", "3": "dog dog"})
    found = paraphrases(path, items, ENCODER)
    column = found.scores.columns["leaked"]
    status = dict(zip(found.scores.items, column.status, strict=True))
    assert status == {"a": 0, "b": 2, "c": 2, "d": 0, "e": 2}
    assert set(column.reasons.values()) == {
        "question: no letter or digit",
        "has no question and no answer",
    }
    (reason,) = found.not_checked
    assert (reason.reason, reason.texts) == ("no letter or digit", 3)
    facts = found.scores.facts
    assert (facts["items_not_checked"], facts["texts_not_checked"], facts["texts"]) == (3, 3, 3)
    assert facts["empty_documents"] == 1
    assert [(leak.item_id, leak.field, leak.doc_id) for leak in found.leaks] == [
        ("a", "answer", "1"),
        ("d", "question", "3"),
    ]
    short = paraphrases(path, items, ENCODER, min_words=2)
    assert short.scores.facts["texts"] == 1
    with pytest.raises(InputError, match="no text of the items can be looked for: 3 with fewer"):
        paraphrases(path, items, ENCODER, min_words=9)
    with pytest.raises(InputError, match="no letter or digit"):
        paraphrases(path, [{"id": "1", "text": "?"}], ENCODER)


@pytest.mark.parametrize(
    "options",
    [{"threshold": 0}, {"threshold": 1.1}, {"window": 15}, {"documents": 0}, {"min_words": -1}],
)
def test_what_cannot_be_asked_for(options: dict[str, Any], written: Any) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(options))} is "):
        paraphrases(written({"1": "cat"}), [{"id": "1", "text": "cat"}], ENCODER, **options)


def test_the_signature_has_the_encoder_and_not_the_threshold_of_others(written: Any) -> None:
    path, items = written({"1": "cat"}), [{"id": "1", "text": "cat"}]
    scores = paraphrases(path, items, ENCODER, threshold=0.9).scores
    assert {"encoder", "encoder_model", "fields", "items", "method", "min_words", "window"} == set(
        scores.signature
    )
    assert "threshold" not in scores.columns["paraphrase_similarity"].signature
    assert scores.columns["leaked"].signature["threshold"] == 0.9


# ---- by brute force ------------------------------------------------------------------------------

Rows = list[tuple[str, str, str, float, int]]


def brute(
    documents: dict[str, str], items: list[dict[str, Any]], threshold: float, window: int, most: int
) -> tuple[Rows, dict[str, float]]:
    """Compare every text with every passage, one pair after the other."""
    rows: Rows = []
    best: dict[str, float] = {}
    for item in items:
        texts = normalized(meaning(item["text"]))
        found = []
        for doc_id, text in documents.items():
            if text.strip():
                passages = normalized(meaning([text[a:b] for a, b in windows(text, window)]))
                value = max(float(cosines(t[None], p[None])[0]) for t in texts for p in passages)
                best[item["id"]] = max(best.get(item["id"], 0.0), value)
                if value >= threshold:
                    found.append((-value, doc_id))
        rows += [
            (item["id"], "text", doc_id, -value, len(found))
            for value, doc_id in sorted(found)[:most]
        ]
    return rows, best


def exactly_at(
    documents: dict[str, str], items: list[dict[str, Any]], place: int, side: int
) -> float:
    """Return a threshold that is one of the similarities, or the number just beside it."""
    every, _ = brute(documents, items, 1e-9, 24, len(documents))
    values = sorted({value for *_, value, _ in every}) or [0.5]
    chosen = values[place % len(values)]
    if side:
        chosen = float(np.nextafter(chosen, float(side)))
    return min(chosen, 1.0)


TEXT = st.lists(st.sampled_from([*WORDS, "feline", "odd"]), min_size=1, max_size=14).map(" ".join)


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    documents=st.lists(st.one_of(TEXT, st.just(" ")), min_size=1, max_size=9),
    items=st.lists(st.lists(TEXT, min_size=1, max_size=3), min_size=1, max_size=7),
    threshold=st.tuples(st.integers(0, 40), st.integers(-1, 1)),
    most=st.integers(1, 3),
    blocks=st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(10, 400)),
)
def test_it_finds_what_brute_force_finds(  # noqa: PLR0917
    documents: list[str],
    items: list[list[str]],
    threshold: tuple[int, int],
    most: int,
    blocks: tuple[int, int, int],
    written: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not any(text.strip() for text in documents):
        documents = [*documents, "cat"]
    named = {f"d{9 - n}": text for n, text in enumerate(documents)}
    asked: list[dict[str, Any]] = [{"id": f"i{n}", "text": texts} for n, texts in enumerate(items)]
    monkeypatch.setattr(nearing, "TARGETS", blocks[0])
    monkeypatch.setattr(nearing, "PASSAGES", blocks[1])
    corpus = Corpus(written(named))
    real = corpus.batches

    def batches(*positional: Any, **more: Any) -> Any:
        return real(*positional, **{**more, "characters": blocks[2]})

    monkeypatch.setattr(corpus, "batches", batches)
    level = exactly_at(named, asked, *threshold)
    found = paraphrases(corpus, asked, ENCODER, threshold=level, window=24, documents=most)
    rows, best = brute(named, asked, level, 24, most)
    told = [
        (leak.item_id, leak.field, leak.doc_id, leak.similarity, leak.documents_at_threshold)
        for leak in found.leaks
    ]
    assert told == rows
    for leak in found.leaks:
        assert leak.passage == named[leak.doc_id][leak.start : leak.end]
        texts = next(item["text"] for item in asked if item["id"] == leak.item_id)
        near = cosines(normalized(meaning(texts)), normalized(meaning([leak.passage] * len(texts))))
        assert near.max() == leak.similarity
    column = found.scores.columns["paraphrase_similarity"]
    for item, value, status in zip(found.scores.items, column.values, column.status, strict=True):
        assert (value, status) == (best[item], Status.SCORED)


def test_a_product_is_within_its_bound_of_the_cosine() -> None:
    random = np.random.default_rng(5)
    for dimensions in (2, 384, 4096):
        one, other = (
            normalized(random.normal(size=(200, dimensions)).astype(np.float32)) for _ in range(2)
        )
        other[:100] = normalized(one[:100] + np.float32(0.01) * other[:100])
        product = one @ other.T
        exact = cosines(one, other)
        assert np.abs(np.diagonal(product) - exact).max() < error_bound(dimensions)
