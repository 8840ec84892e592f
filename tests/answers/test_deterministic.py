"""Measures of answers against references: SQuAD's own lines, rouge-score, sacrebleu, people."""

from __future__ import annotations

import gzip
import json
import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.answers import Options, evaluate
from ragstone.model import Cell, Status
from ragstone.model.samples import Sample
from ragstone.text.tokenizers import Function

WORDS = ["the", "a", "An", "A.", "bridge", "Bridge,", "in", "1937", "don't", "re-use", "(it)"]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def value(name: str, answer: str, *references: str, lang: str | None = None, **told: Any) -> float:
    sample = Sample("q", answer=answer, reference=references, lang=lang)
    column = evaluate([sample], [name], options=Options(**told)).scores[name]
    found = column.value(0)
    assert found is not None, column.reasons
    return found


def cell(name: str, sample: Sample, **told: Any) -> Cell:
    column = evaluate([sample], [name], options=Options(**told)).scores[name]
    status = Status(column.status[0])
    return Cell(column.values[0], status, 0.0, column.reasons.get(0, ""), column.notes.get(0, ""))


# ---- SQuAD ---------------------------------------------------------------------------------------


def squad_tokens(text: str) -> list[str]:
    """Normalise as the evaluation script of SQuAD 1.1 says that it does."""
    text = "".join(char for char in text.lower() if char not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def squad_f1(answer: str, reference: str) -> float:
    mine, gold = squad_tokens(answer), squad_tokens(reference)
    same = sum((Counter(mine) & Counter(gold)).values())
    if not same:
        return 0.0
    precision, recall = same / len(mine), same / len(gold)
    return 2 * precision * recall / (precision + recall)


def says_something(text: str) -> bool:
    return bool(squad_tokens(text))


@given(texts.filter(says_something), st.lists(texts.filter(says_something), min_size=1, max_size=3))
def test_tokens_are_those_of_squad(answer: str, references: list[str]) -> None:
    best = max(squad_f1(answer, each) for each in references)
    assert value("token_f1", answer, *references) == pytest.approx(best)
    same = any(squad_tokens(answer) == squad_tokens(each) for each in references)
    assert value("exact_match", answer, *references) == float(same)


def test_precision_and_recall_are_of_the_best_reference() -> None:
    references = ["red bridge", "blue bridge over the river"]
    assert value("token_precision", "red bridge here", *references) == pytest.approx(2 / 3)
    assert value("token_recall", "red bridge here", *references) == 1.0
    assert value("token_f1", "red bridge here", *references) == pytest.approx(0.8)


def test_an_answer_that_is_an_article_is_one() -> None:
    assert value("exact_match", "A", "A.") == 1.0
    assert value("exact_match", "The", "A") == 0.0


def test_articles_are_dropped_from_english_alone() -> None:
    assert value("exact_match", "the la", "la", lang="en") == 1.0
    assert value("exact_match", "a casa", "casa", lang="pt") == 0.0


def test_case_72_answers_in_cjk(shared: Path) -> None:
    rows = (shared / "cases/72-answer-f1-cjk/pairs.jsonl").read_text().splitlines()
    found = [value("token_f1", row["answer"], row["gold"]) for row in map(json.loads, rows)]
    assert found == [pytest.approx(0.8), 1.0, pytest.approx(0.4), 1.0]
    letters = [
        value("token_f1", row["answer"], row["gold"], tokenizer="chars")
        for row in map(json.loads, rows[:3])
    ]
    assert letters == [pytest.approx(0.8), 1.0, pytest.approx(4 / 7)]


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("東京", "東京都", 0.8),
        ("서울", "서울 특별시", 0.4),
        ("두해", "두 해", 1.0),
        ("BM25로 검색", "BM25 검색", 0.8),
        ("กรุงเทพ", "กรุงเทพ", 1.0),
    ],
)
def test_texts_without_words_between_spaces(answer: str, reference: str, expected: float) -> None:
    assert value("token_f1", answer, reference) == pytest.approx(expected)


def test_korean_morphemes() -> None:
    assert value("token_f1", "서울은 수도다", "서울이 수도이다", lang="ko", korean="kiwi") > 0.5


# ---- ROUGE, chrF, BLEU ---------------------------------------------------------------------------


@given(texts.filter(says_something), texts.filter(says_something))
def test_rouge_is_that_of_rouge_score(answer: str, reference: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    names = ["rouge1", "rouge2", "rougeL"]
    wanted = RougeScorer(names).score(reference, answer)
    for name in names:
        assert value(name, answer, reference) == pytest.approx(wanted[name].fmeasure)


@given(texts.filter(says_something), st.lists(texts.filter(says_something), min_size=1, max_size=3))
def test_chrf_and_bleu_are_those_of_sacrebleu(answer: str, references: list[str]) -> None:
    from sacrebleu import sentence_bleu, sentence_chrf

    chrf = sentence_chrf(answer, references).score
    assert value("chrF", answer, *references) == pytest.approx(min(chrf, 100))
    bleu = sentence_bleu(answer, references, use_effective_order=True).score
    assert value("BLEU", answer, *references) == pytest.approx(min(bleu, 100))


def test_bleu_counts_letters_where_there_are_no_words() -> None:
    assert 0 < value("BLEU", "東京は日本の首都", "東京は日本の首都です") < 100


# ---- people --------------------------------------------------------------------------------------


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = math.fsum(one) / len(one), math.fsum(other) / len(other)
    above = math.fsum((x - a) * (y - b) for x, y in zip(one, other, strict=True))
    return above / math.sqrt(
        math.fsum((x - a) ** 2 for x in one) * math.fsum((y - b) ** 2 for y in other)
    )


def nfkc_words(text: str) -> list[str]:
    from unicodedata import normalize

    return re.findall(r"\w+", normalize("NFKC", text).lower())


@pytest.mark.parametrize(
    ("measure", "tokenizer", "expected"),
    [
        ("token_f1", Function(nfkc_words), 0.508),
        ("token_f1", "auto", 0.519),
        ("rouge1", "auto", 0.512),
        ("chrF", "auto", 0.465),
    ],
)
def test_agreement_with_people(shared: Path, measure: str, tokenizer: Any, expected: float) -> None:
    with gzip.open(shared / "data/ragchecker/human_labeled_data.json.gz") as file:
        rows = json.load(file)
    samples = [
        Sample(f"{place:03}-{side}", answer=row[side]["response"], reference=row["gt_answer"])
        for place, row in enumerate(rows)
        for side in ("model1", "model2")
    ]
    scores = evaluate(samples, [measure], options=Options(tokenizer=tokenizer)).scores
    values = scores[measure].values
    change = [second - first for first, second in zip(values[::2], values[1::2], strict=True)]
    assert len(rows) == 560
    labels = [row["overall_label"] for row in rows]
    assert pearson(change, labels) == pytest.approx(expected, abs=0.005)
