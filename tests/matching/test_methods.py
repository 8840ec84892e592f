"""Methods: what they say of two texts, and what must hold of all that they say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import UnknownNameError, UsageError
from ragstone.matching import METHODS, Options, is_blank, make_method, match_query
from ragstone.matching.matrix import NEVER
from ragstone.text.rouge import rouge
from ragstone.text.tokenizers import parse_tokenizer

WORDS = ["alpha", "beta", "Gamma", "3.5", "서울은", "수도", "\U0001f600", "--"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
SYMMETRIC = ["exact", "contains", "rouge1", "rouge2", "rougeL", "embedding", "embedding+rouge"]


class Letters:
    """An encoder whose vectors count letters: near for texts that share them."""

    name = "letters"
    signature: Mapping[str, Any] = {"encoder": "letters", "encoder_dimensions": 64}

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> Any:
        self.calls.append(list(texts))
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in enumerate(texts):
            for char in text:
                rows[row, ord(char) % 64] += 1
        return rows


def options(**more: Any) -> Options:
    return Options(encoder=Letters(), **more)


def of(method: str, gold: str, retrieved: str, **more: Any) -> float:
    return match_query([gold], [retrieved], method, options(**more)).similarities.values[0][0]


@pytest.mark.parametrize(
    ("method", "gold", "retrieved", "expected"),
    [
        ("exact", "Hello,  World", "hello,\nworld", 1.0),
        ("exact", "Hello, World", "hello world", 0.0),
        ("exact", "x = -1", "x = 1", 0.0),
        ("contains", "the cat", "On it the Cat, sat", 1.0),
        ("contains", "On it the Cat, sat", "the cat", 1.0),
        ("contains", "cat", "concatenate", 0.0),
        ("contains", "the sat", "the cat sat", 0.0),
        ("containment", "a b c", "x a b c y", 1.0),
        ("containment", "a b c d e f", "x a b c d e y", 0.5),
        ("containment", "a b c d e", "a b c d", 0.0),
        ("rouge1", "a b c d", "a b", 2 / 3),
        ("rougeL", "a b c d", "d c b a", 0.25),
        ("embedding", "abc", "cba", 1.0),
        ("embedding", "abc", "xyz", 0.0),
        ("embedding+rouge", "ab cd", "dc ba", 0.0),
        ("embedding+rouge", "ab cd", "xy zw", NEVER),
    ],
)
def test_similarities(method: str, gold: str, retrieved: str, expected: float) -> None:
    assert of(method, gold, retrieved) == pytest.approx(expected)


def test_a_tokenizer_decides_what_contains_means() -> None:
    assert of("contains", "서울", "서울은 수도이다") == 0.0
    assert of("contains", "서울", "서울은 수도이다", tokenizer="chars") == 1.0
    assert of("contains", "서울", "서울은 수도이다", tokenizer="kiwi") == 1.0


def test_the_scores_of_rouge() -> None:
    gold, retrieved = "a b c d", "a b"
    assert of("rouge1", gold, retrieved, rouge_score="precision") == 1.0
    assert of("rouge1", gold, retrieved, rouge_score="recall") == 0.5


@pytest.mark.parametrize("name", ["rouge1", "rouge2", "rougeL", "rougeLsum"])
@settings(max_examples=25)
@given(gold=TEXTS, retrieved=TEXTS)
def test_rouge_methods_are_rouge(gold: str, retrieved: str, name: str) -> None:
    if not is_blank(gold) and not is_blank(retrieved):
        assert of(name, gold, retrieved) == rouge(name, gold, retrieved).f


def test_n_grams_of_another_length() -> None:
    assert of("containment", "a b c d", "a b x c d", ngram=2) == pytest.approx(2 / 3)
    assert of("containment", "a b c d", "a b x c d", ngram=1) == 1.0


# ---- what must hold ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=25)
@given(golds=st.lists(TEXTS, max_size=3), retrieved=st.lists(TEXTS, max_size=4))
def test_from_0_to_1(golds: list[str], retrieved: list[str], name: str) -> None:
    matrix = match_query(golds, retrieved, name, options())
    for row in matrix.similarities.values:
        assert len(row) == len(retrieved)
        assert all(0 <= value <= 1 or value == NEVER for value in row)


@pytest.mark.parametrize("name", SYMMETRIC)
@settings(max_examples=25)
@given(one=TEXTS, other=TEXTS)
def test_symmetric(one: str, other: str, name: str) -> None:
    if not is_blank(one) and not is_blank(other):
        assert of(name, one, other) == pytest.approx(of(name, other, one), abs=1e-12)


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=25)
@given(text=TEXTS)
def test_a_text_is_itself(text: str, name: str) -> None:
    if not is_blank(text):
        shown = of(name, text, text)
        few = "rouge2" in name and len(parse_tokenizer("words")(text)) < 2
        assert shown == pytest.approx(1.0, abs=1e-12) or few


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("blank", ["", "  ", "...", "?!\n"])
def test_blank_texts_match_nothing(name: str, blank: str) -> None:
    """Not at a threshold of 0 either, and not with a tokenizer that keeps punctuation."""
    matrix = match_query(["real words here"], [blank, "real words here"], name, options())
    assert matrix.similarities.values[0][0] == NEVER
    assert [pair.rank for pair in matrix.assign(0.0, "free").pairs] == [2]
    assert match_query([blank], [blank], name, options(tokenizer="whitespace")).golds == ()


@pytest.mark.parametrize("row", [0, 1, 2])
def test_case_68_marks_and_width(shared: Path, row: int) -> None:
    lines = (shared / "cases" / "68-rtl-marks-and-width" / "pairs.jsonl").read_text().splitlines()
    pair = json.loads(lines[row])
    for name in ("exact", "contains", "rouge1", "rougeL", "containment"):
        assert of(name, pair["gold"], pair["retrieved"]) == 1.0


# ---- embeddings ----------------------------------------------------------------------------------


def test_all_texts_are_encoded_in_one_call_each_once() -> None:
    encoder = Letters()
    method = make_method("embedding", Options(encoder=encoder))
    method.prepare(["one", "two", "one"])
    match_query(["one"], ["two", "one"], method)
    assert encoder.calls == [["one", "two"]]


def test_a_cosine_below_0_is_0() -> None:
    class Signed(Letters):
        def encode(self, texts: Sequence[str]) -> Any:
            return np.array([[1, 0] if text == "up" else [-1, 0] for text in texts], np.float32)

    found = match_query(["up"], ["down"], "embedding", Options(encoder=Signed()))
    assert found.similarities.values == [[0.0]]


def test_vectors_as_large_as_a_float_can_be() -> None:
    class Large(Letters):
        def encode(self, texts: Sequence[str]) -> Any:
            return np.full((len(texts), 3), 3e38, np.float32)

    found = match_query(["a"], ["b"], "embedding", Options(encoder=Large()))
    assert found.similarities.values == [[pytest.approx(1.0, abs=1e-12)]]


def test_rouge_is_not_asked_where_the_cosine_is_too_low() -> None:
    low = match_query(["abc def"], ["abc xyz"], "embedding+rouge", options(embedding_threshold=0.9))
    high = match_query(["abc def"], ["abc xyz"], "embedding+rouge", options(embedding_threshold=0))
    assert low.similarities.values == [[NEVER]]
    assert high.similarities.values == [[0.5]]
    assert low.assign(0.0).pairs == ()


# ---- names, signatures, errors -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("exact", {"matcher": "exact"}),
        ("contains", {"matcher": "contains", "tokenizer": "chars:2"}),
        ("containment", {"matcher": "containment", "ngram": 5, "tokenizer": "chars:2"}),
        ("rougeL", {"matcher": "rougeL", "rouge_score": "recall", "tokenizer": "chars:2"}),
        ("embedding", {"matcher": "embedding", **Letters.signature}),
        (
            "embedding+rouge",
            {
                "matcher": "embedding+rouge1",
                "rouge_score": "recall",
                "tokenizer": "chars:2",
                "embedding_threshold": 0.7,
                **Letters.signature,
            },
        ),
    ],
)
def test_signatures(name: str, expected: dict[str, Any]) -> None:
    method = make_method(name, options(tokenizer="chars:2", rouge_score="recall"))
    assert dict(method.signature) == expected


@pytest.mark.parametrize(
    ("name", "given", "error", "message"),
    [
        ("rogue1", options(), UnknownNameError, "unknown matching method 'rogue1'; did you mean r"),
        ("embedding", Options(), UsageError, "needs an encoder; name one with --encoder"),
        ("embedding+rouge", Options(), UsageError, "needs an encoder"),
        ("containment", options(ngram=0), UsageError, "the length of an n-gram is at least 1"),
        ("embedding+rouge", options(embedding_threshold=1.5), UsageError, "from 0 to 1, got 1.5"),
        ("rouge1", options(rouge_score="F"), UsageError, "one of precision, recall, f, got 'F'"),
        ("rouge1", options(tokenizer="kiwis"), UnknownNameError, "unknown tokenizer"),
    ],
)
def test_what_cannot_be(name: str, given: Options, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_method(name, given)
