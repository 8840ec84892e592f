"""ROUGE against rouge-score 0.1.2 on ASCII, and where that gives 0."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from ragstone.errors import UnknownNameError
from ragstone.text.rouge import ROUGE, Rouge, rouge, rouge_variant
from ragstone.text.tokenizers import parse_tokenizer

NAMES = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]
VOCABULARY = ["the", "The", "cat", "cats", "running", "ran", "a", "of", "x1", "3.5", "--", "end.\n"]
SENTENCES = st.lists(st.sampled_from(VOCABULARY), max_size=40).map(" ".join)
ASCII = SENTENCES | st.text(st.characters(max_codepoint=127), max_size=60)
TEXTS = ASCII | st.text(st.sampled_from("가나다 서울은\n😀a"), max_size=30)
SCORERS = {
    "words": RougeScorer(NAMES),
    "porter": RougeScorer(NAMES, use_stemmer=True),
}
WORDS_80 = [f"word{i}" for i in range(400)]


@pytest.mark.parametrize("tokenizer", SCORERS)
@given(gold=ASCII, retrieved=ASCII)
def test_as_rouge_score_on_ascii(gold: str, retrieved: str, tokenizer: str) -> None:
    expected = SCORERS[tokenizer].score(gold, retrieved)
    for name in NAMES:
        found = rouge(name, gold, retrieved, tokenizer)
        score = expected[name]
        assert found == pytest.approx((score.precision, score.recall, score.fmeasure), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rouge1", (5 / 5, 5 / 6, 10 / 11)),  # the (twice), cat, on, mat
        ("rouge2", (3 / 4, 3 / 5, 2 / 3)),  # on the, the cat, the mat
        ("rougeL", (3 / 5, 3 / 6, 6 / 11)),  # the on the
    ],
)
def test_counted_by_hand(name: str, expected: tuple[float, float, float]) -> None:
    found = rouge(name, "the cat sat on the mat", "the mat on the cat")
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ROUGE)
@given(one=TEXTS, other=TEXTS)
def test_from_0_to_1_and_mirrored(one: str, other: str, name: str) -> None:
    there, back = rouge(name, one, other), rouge(name, other, one)
    assert all(0 <= value <= 1 for value in there)
    if name != "rougeLsum":  # a union of lines is another from the other side
        assert there == pytest.approx((back.recall, back.precision, back.f), abs=1e-15)


@given(TEXTS)
def test_a_text_is_itself_unless_it_is_empty(text: str) -> None:
    expected = float(bool(parse_tokenizer("words")(text)))
    for name in ("rouge1", "rougeL", "rougeLsum"):
        assert rouge(name, text, text) == (expected, expected, expected)


@pytest.mark.parametrize(
    "text", ["세종대왕은 한글을 만들었다.", "\U0001f600\U0001f44d", "привет мир", "สวัสดีชาวโลก"]
)
@pytest.mark.parametrize("tokenizer", ["words", "chars:2", "kiwi", "whitespace", "nltk"])
def test_identical_texts_beyond_ascii(text: str, tokenizer: str) -> None:
    assert rouge("rouge1", text, text, tokenizer) == (1, 1, 1)
    assert rouge("rougeL", text, text, tokenizer) == (1, 1, 1)
    assert SCORERS["words"].score(text, text)["rouge1"].fmeasure == 0


def test_a_korean_text_in_another_order() -> None:
    gold, retrieved = "서울은 대한민국의 수도이다.", "대한민국의 수도는 서울이다."
    assert rouge("rougeL", gold, retrieved).f == pytest.approx(1 / 3)
    assert rouge("rouge1", gold, retrieved, "kiwi").f > 0.8


def test_emoji_that_differ() -> None:
    assert rouge("rouge1", "\U0001f600\U0001f44d", "\U0001f600\U0001f44e") == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("name", ["rogue1", "rouge", "rouge0", "rouge10", "ROUGE-L"])
def test_an_unknown_variant(name: str) -> None:
    with pytest.raises(UnknownNameError, match="unknown ROUGE"):
        rouge_variant(name)


# ---- cases ---------------------------------------------------------------------------------------


def pairs(folder: Path) -> list[tuple[str, str]]:
    lines = (folder / "pairs.jsonl").read_text().splitlines()
    return [(row["gold"], row["retrieved"]) for row in map(json.loads, lines)]


def test_case_62_identical_texts(shared: Path) -> None:
    given = pairs(shared / "cases" / "62-rouge-korean-identical")
    assert len(given) == 5
    for gold, retrieved in given:
        assert rouge("rouge1", gold, retrieved).f == 1
        assert rouge("rougeL", gold, retrieved).f == 1


def test_case_64_blank_texts(shared: Path) -> None:
    for gold, retrieved in pairs(shared / "cases" / "64-rouge-blank-texts"):
        for name in ROUGE:
            assert rouge(name, gold, retrieved) == Rouge(0, 0, 0)


@pytest.mark.parametrize("name", ["rougeL", "rougeLsum"])
def test_case_66_long_texts(shared: Path, name: str) -> None:
    started = time.process_time()
    [(gold, retrieved)] = pairs(shared / "cases" / "66-rouge-long-texts")
    assert rouge(name, gold, retrieved) == pytest.approx((6000 / 6020, 1, 0.998336), abs=1e-6)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("blank", ["", "   ", "\n\n", "?!"])
@pytest.mark.parametrize("name", ROUGE)
def test_blank_texts_do_not_match(blank: str, name: str) -> None:
    assert rouge(name, blank, "\n") == rouge(name, "abc", blank) == Rouge(0, 0, 0)


# ---- speed ---------------------------------------------------------------------------------------


def test_rouge_l_is_at_least_20_times_as_fast_as_rouge_score() -> None:
    """Pairs per CPU second on English texts of 80 words, all pairs of ten and ten."""
    draw = Random(5)
    texts = [" ".join(draw.choices(WORDS_80, k=80)) for _ in range(20)]
    scorer = RougeScorer(["rougeL"])
    start = time.process_time()
    theirs = [scorer.score(gold, text)["rougeL"].fmeasure for gold in texts for text in texts[:3]]
    middle = time.process_time()
    variant = rouge_variant("rougeL")
    for _ in range(5):
        prepared = [variant.prepare(text) for text in texts]
        ours = [variant.compare(gold, text).f for gold in prepared for text in prepared[:3]]
    end = time.process_time()
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert (middle - start) >= 20 * (end - middle) / 5
