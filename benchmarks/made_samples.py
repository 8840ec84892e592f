"""Samples of a RAG system of a given size, the same in every run.

Of ten questions eight are English, one Korean and one Japanese. Each has five contexts of about a
hundred words that no other sample has, two reference contexts of which one was retrieved, a
reference of two sentences of that one, three nuggets, and an answer of one to four sentences.
Of these, half are sentences of the reference with a few words changed, a fourth stand in some
context, and most have a mark that cites one. One question in twenty has no answer, and half of
those are left without one. Words follow Zipf's law.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planted_corpora import LANGUAGES, Language, Maker, english

OFTEN = ("plain english",) * 4 + ("korean",) + ("plain english",) * 4 + ("japanese",)
CONTEXTS, NUGGETS = 5, 3
CONTEXT, SENTENCE = (80, 120), (10, 26)
ABSTAINED = {
    "plain english": "I could not find this in the documents.",
    "korean": "제공된 문서에서 관련 정보를 찾을 수 없습니다.",
    "japanese": "Unknown",
}


def write(path: Path, number: int) -> Path:
    """Write JSON lines as `ragstone evaluate` reads them."""
    rng = random.Random(f"samples {number}")
    makers = {name: Drawn(name, rng) for name in ABSTAINED}
    with path.open("w", encoding="utf-8") as file:
        for place in range(number):
            row = makers[OFTEN[place % len(OFTEN)]].sample(f"q{place}")
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def plain_english(rng: random.Random) -> Language:
    """Make up English words of which the frequent ones are about as long as in a text."""
    words = list(english(rng).words)
    words.sort(key=lambda word: len(word) * rng.uniform(0.2, 1.0))
    return Language(words, " ")


class Drawn:
    """Draws samples in one language."""

    def __init__(self, name: str, rng: random.Random) -> None:
        """Make up the words."""
        self.name, self.rng = name, rng
        self.maker = Maker(LANGUAGES.get(name, plain_english)(rng), rng)
        self.end = "。" if name == "japanese" else ". "

    def sample(self, item: str) -> dict[str, Any]:
        """Return a row."""
        rng = self.rng
        texts = [self._sentences(*CONTEXT) for _ in range(CONTEXTS)]
        gold = rng.choice(texts)
        golds = [self._text(gold), self._text(self._sentences(*CONTEXT))]
        reference = [self._changed(each) for each in gold[:2]]
        answerable = rng.random() < 0.95
        abstains = not answerable and rng.random() < 0.5
        return {
            "id": item,
            "query": self.maker.language.join(self.maker.text(rng.randint(5, 14))) + "?",
            "answer": ABSTAINED[self.name] if abstains else self._answer(texts, reference),
            "contexts": [
                {"id": f"{item}-{place}", "text": self._text(each), "score": 1 / (place + 1)}
                for place, each in enumerate(texts)
            ],
            "reference": self._text(reference),
            "reference_contexts": [
                {"id": f"{item}-{rng.randrange(CONTEXTS * 2)}", "text": text} for text in golds
            ],
            "nuggets": [
                {"text": self.maker.language.join(rng.choice(reference)[:6]), "importance": each}
                for each in ("vital", "vital", "okay")[:NUGGETS]
            ],
            "answerable": answerable,
            "model": "made-up",
            "usage": {"input_tokens": rng.randint(600, 900), "output_tokens": rng.randint(20, 90)},
            "cost_usd": round(rng.uniform(0.001, 0.01), 6),
            "latency_ms": {"total": round(rng.lognormvariate(6.5, 0.4), 1)},
        }

    def _answer(self, texts: Sequence[list[list[str]]], reference: list[list[str]]) -> str:
        parts = []
        for _ in range(self.rng.randint(1, 4)):
            found = self.rng.choice([reference, reference, *self.rng.sample(texts, 1), None])
            words = self._changed(self.rng.choice(found)) if found else self._sentence()
            mark = f" [{self.rng.randint(1, CONTEXTS)}]" if self.rng.random() < 0.7 else ""
            parts.append(self.maker.language.join(words) + mark)
        return self.end.join([*parts, ""]).strip()

    def _changed(self, words: Sequence[str]) -> list[str]:
        """Return the words of a sentence, about one in ten of them another."""
        others = self.maker.text(len(words))
        return [b if self.rng.random() < 0.1 else a for a, b in zip(words, others, strict=True)]

    def _sentences(self, least: int, most: int) -> list[list[str]]:
        left, found = self.rng.randint(least, most), []
        while left > 0:
            found.append(self._sentence()[:left])
            left -= len(found[-1])
        return found

    def _sentence(self) -> list[str]:
        """Draw the words of a sentence; one in three has a number."""
        words = self.maker.text(self.rng.randint(*SENTENCE))
        if self.rng.random() < 0.33:
            words[self.rng.randrange(len(words))] = f"{self.rng.randint(1, 9_999):,}"
        return [words[0].capitalize(), *words[1:]]

    def _text(self, found: Sequence[Sequence[str]]) -> str:
        return self.end.join([*map(self.maker.language.join, found), ""]).strip()
