"""Corpora with planted copies: what is found is what brute force finds, and what was planted."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import planted_corpora
import pytest

from ragstone.corpus.leakage.check import leakage
from ragstone.corpus.leakage.probes import units_of
from ragstone.text.ngrams import tokens_of

SIZES = {"word": 3, "char": 4}


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def grams(text: str, unit: str) -> set[tuple[str, ...]]:
    tokens = tokens_of(text, "char" if unit == "char" else "word")
    size = SIZES[unit]
    return {tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1)}


@pytest.mark.parametrize("language", planted_corpora.LANGUAGES)
@pytest.mark.parametrize("workers", [1, 2])
def test_brute_force_finds_the_same(tmp_path: Path, language: str, workers: int) -> None:
    made = planted_corpora.write(tmp_path, "small", 150, 64, words=(20, 60), language=language)
    documents = {row["_id"]: row["text"] for row in rows(made.corpus)}
    held = {unit: {doc: grams(text, unit) for doc, text in documents.items()} for unit in SIZES}
    found = leakage(made.corpus, made.items, documents=5, workers=workers)
    listed = defaultdict(list)
    for leak in found.leaks:
        assert leak.passage == documents[leak.doc_id][leak.start : leak.end]
        listed[leak.item_id].append((-leak.containment, leak.doc_id))
        assert leak.containment == leak.shared / leak.item_ngrams
    values = found.scores.to_dict()["containment"]
    items = sorted(rows(made.items), key=lambda row: row["id"])
    for row, item in zip(items, found.scores.items, strict=True):
        assert row["id"] == item
        shares: dict[str, float] = {}
        for unit in units_of(row["question"]):
            wanted = grams(row["question"], unit)
            for doc, there in held[unit].items():
                shares[doc] = max(shares.get(doc, 0.0), len(wanted & there) / len(wanted))
        leaks = sorted((-share, doc) for doc, share in shares.items() if share >= 0.6)
        assert listed[item] == leaks[:5]
        assert values[found.scores.items.index(item)] == max(shares.values())


@pytest.mark.parametrize("language", planted_corpora.LANGUAGES)
def test_what_was_planted_is_found(tmp_path: Path, language: str) -> None:
    """All copies that are the same but for case, punctuation and lines, and with one change."""
    made = planted_corpora.write(tmp_path, "small", 150, 320, words=(20, 60), language=language)
    found = {(leak.item_id, leak.doc_id) for leak in leakage(made.corpus, made.items).leaks}
    planted = Counter(kind for kind, _ in made.truth.values())
    hits = Counter(kind for item, (kind, doc) in made.truth.items() if (item, doc) in found)
    assert set(planted) == set(planted_corpora.KINDS)
    for kind in ("verbatim", "case and punctuation", "wrapped", "1 changed"):
        assert hits[kind] == planted[kind], kind
    assert {item for item, _ in found} <= made.truth.keys()
