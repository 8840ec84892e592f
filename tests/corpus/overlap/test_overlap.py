"""Overlap against every pair, spelled out."""

from __future__ import annotations

import json
import random
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.corpus.overlap import OverlapSettings, find_overlap
from ragstone.errors import UsageError
from ragstone.formats.corpus import Corpus
from ragstone.text import hashing, ngrams
from ragstone.text.normal import words

WORDS = ["a", "b", "c", "D,", "é", "한국", "国"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=6).filter(lambda texts: any(map(words, texts)))
SETTINGS = st.builds(
    OverlapSettings,
    method=st.sampled_from(["exact", "jaccard"]),
    threshold=st.sampled_from([0.3, 0.5, 0.8, 1.0]),
    shingle=st.integers(1, 3),
    char_shingle=st.integers(1, 2),
)


def corpus(path: Path, texts: list[str], start: str, *, seed: int | None = None) -> Corpus:
    rows = [json.dumps({"id": f"{start}{i:02}", "text": text}) for i, text in enumerate(texts)]
    if seed is not None:
        random.Random(seed).shuffle(rows)
    path.write_text("".join(f"{row}\n" for row in rows))
    return Corpus(path)


def shingles(text: str, asked: OverlapSettings) -> set[tuple[str, ...]]:
    tokens: list[str] = []
    for word in words(text):
        tokens += [*word] if word in {"한국", "国"} else [word]
    found = set()
    for start, token in enumerate(tokens):
        length = asked.char_shingle if token in "한국国" else asked.shingle
        if start + length <= len(tokens):
            found.add(tuple(tokens[start : start + length]))
    return found or ({tuple(tokens)} if tokens else set())


def similarity(one: str, other: str, asked: OverlapSettings) -> float:
    """Return Jaccard of two texts, or 0 below the threshold."""
    if words(one) == words(other):
        return float(bool(words(one)))
    a, b = shingles(one, asked), shingles(other, asked)
    found = len(a & b) / len(a | b) if a and b else 0.0
    return found if found >= asked.threshold and asked.method != "exact" else 0.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("overlap")


@given(TEXTS, TEXTS, SETTINGS)
@settings(max_examples=60)
def test_two_corpora_share_what_every_pair_says(
    folder: Path, a: list[str], b: list[str], asked: OverlapSettings
) -> None:
    found = find_overlap(corpus(folder / "a", a, "a"), corpus(folder / "b", b, "b"), asked)
    near = {
        (i, j): like
        for (i, one), (j, other) in product(enumerate(a), enumerate(b))
        if (like := similarity(one, other, asked))
    }
    assert found.b is not None
    assert found.a.overlapping == len({i for i, _ in near})
    assert found.b.overlapping == len({j for _, j in near})
    assert found.redundant == {f"b{j:02}" for _, j in near}
    assert sum(len(each.a_ids) for each in found.clusters) == found.a.overlapping
    assert found.a.empty == sum(not words(text) for text in a)
    spelled_out: dict[tuple[int, int], float] = {}
    for pair in found.pairs:
        ones = same_words(a, int(pair.a_id[1:]))
        others = same_words(b, int(pair.b_id[1:]))
        assert (pair.a_copies, pair.b_copies) == (len(ones), len(others))
        spelled_out |= dict.fromkeys(product(ones, others), pair.jaccard)
    assert spelled_out == near


def same_words(texts: list[str], place: int) -> list[int]:
    """Return the texts with the words of one, which is the first of them."""
    found = [i for i, text in enumerate(texts) if words(text) == words(texts[place])]
    assert found[0] == place
    return found


@given(TEXTS, SETTINGS)
@settings(max_examples=40)
def test_one_corpus_within_itself(folder: Path, texts: list[str], asked: OverlapSettings) -> None:
    found = find_overlap(corpus(folder / "w", texts, "d"), None, asked)
    pairs = {
        (i, j)
        for i, j in combinations(range(len(texts)), 2)
        if similarity(texts[i], texts[j], asked)
    }
    assert found.b is None
    assert found.a.overlapping == len({i for pair in pairs for i in pair})
    gone = {int(doc[1:]) for doc in found.redundant}
    assert not [pair for pair in pairs if gone.isdisjoint(pair)]  # no pair is left
    for i in gone:  # and nothing went that had no partner which stays
        assert [pair for pair in pairs if i in pair and gone & {*pair} == {i}]
    members = [doc for each in found.clusters for doc in each.a_ids]
    assert sorted(members) == sorted({f"d{i:02}" for pair in pairs for i in pair})


@pytest.mark.parametrize("method", ["exact", "jaccard", "minhash"])
def test_order_of_rows_and_workers_change_nothing(tmp_path: Path, method: str) -> None:
    rng = random.Random(3)
    base = [[rng.choice("abcdefghij") * 3 for _ in range(30)] for _ in range(40)]
    texts = [" ".join(rng.choice(base)[rng.randrange(3) :]) for _ in range(120)]
    asked = OverlapSettings(method=method, threshold=0.6)  # type: ignore[arg-type]
    results = []
    for seed, workers in ((None, 1), (1, 1), (2, 2)):
        a = corpus(tmp_path / f"a{seed}", texts[:80], "a", seed=seed)
        b = corpus(tmp_path / f"b{seed}", texts[80:], "b", seed=seed)
        results.append(find_overlap(a, b, asked, workers=workers))
    assert results[0].pairs
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("threshold", [0, 1.1, -0.5, float("nan")])
def test_a_threshold_that_cannot_be_is_refused(threshold: float) -> None:
    with pytest.raises(UsageError, match=r"above 0 and up to 1 is possible"):
        OverlapSettings(threshold=threshold)


def planted(path: Path, seed: int) -> tuple[Corpus, Corpus, list[tuple[str, str]]]:
    """Write two corpora with 200 pairs at Jaccard 0.75 to 1 in them; return those at 0.8 and up."""
    rng = random.Random(seed)
    a, b, near = [], [], []
    for i in range(200):
        words_ = [f"w{rng.randrange(10**6)}" for _ in range(80)]
        changed = rng.randrange(0, 22)
        a.append(" ".join(words_))
        b.append(" ".join([*words_[: 80 - changed], *(f"x{rng.random()}" for _ in range(changed))]))
        like = similarity(a[-1], b[-1], OverlapSettings(method="jaccard", shingle=1))
        near += [(f"a{i:02}", f"b{i:02}")] if like else []
    return corpus(path / "pa", a, "a"), corpus(path / "pb", b, "b"), near


def test_minhash_finds_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    a, b, near = planted(tmp_path, 1)
    asked = OverlapSettings(method="minhash", shingle=1)
    found = find_overlap(a, b, asked)
    rows = {(pair.a_id, pair.b_id) for pair in found.pairs}
    assert rows <= set(near)
    assert 0 < found.miss <= 0.005
    assert len(near) - len(rows) <= 2  # of about 120, each missed with at most that probability
    everything = find_overlap(a, b, OverlapSettings(method="jaccard", shingle=1))
    assert {(pair.a_id, pair.b_id) for pair in everything.pairs} == set(near)
    assert everything.miss == 0


def test_a_hash_shared_by_chance_makes_no_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With hashes of two bits nearly all collide; what is reported stays exact."""
    real = hashing.hash_runs
    monkeypatch.setattr(ngrams, "hash_runs", lambda *args: real(*args) & np.uint64(3))
    a, b, near = planted(tmp_path, 2)
    found = find_overlap(a, b, OverlapSettings(method="jaccard", shingle=1))
    assert {(pair.a_id, pair.b_id) for pair in found.pairs} <= set(near)
