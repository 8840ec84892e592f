"""Corpora and eval items with planted copies, the same in every run.

Words follow Zipf's law; some are not ASCII; one document in ten has a stock paragraph. Each item
is a text of which a document holds a copy, as it is or changed in a known way, or of which none
does. English words, Korean (words with particles) and Japanese (no spaces) are made up alike.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

WORDS = 50_000
STOCK_SHARE = 10  # one document in so many has the stock paragraph
PLANTED = 2  # one item in so many has a copy in a document
BLOCK = 2_000  # documents that are made at a time
KINDS = (
    "verbatim",
    "case and punctuation",
    "wrapped",
    "1 changed",
    "2 changed",
    "3 changed",
    "4 changed",
    "reordered",
)
_ONSETS = [*"bcdfghklmnprstvw", "br", "cl", "dr", "gr", "pl", "st", "tr"]
_VOWELS = ["a", "e", "i", "o", "u", "ea", "ou"]
_FOREIGN = ["é", "ü", "ß", "ñ", "ø", "ﬁ", "İ", "ж", "λ", "검", "e\u0301", "—"]
_PARTICLES = ["은", "는", "이", "가", "을", "를", "에", "에서", "으로", "의", "과", "도", ""]


class Written(NamedTuple):
    """The files, and how each item was planted: its id, the kind of change, the document."""

    corpus: Path
    items: Path
    truth: dict[str, tuple[str, str]]


class Language(NamedTuple):
    """Words by rank, what stands between them, and what two words apart may differ in."""

    words: Sequence[str]
    separator: str
    endings: Sequence[str] = ("",)

    def join(self, words: Sequence[str]) -> str:
        """Return a text of words."""
        return self.separator.join(words)


def english(rng: random.Random) -> Language:
    """Make up words of syllables, the frequent ones short; one in fifty is not ASCII."""
    found = sorted(dict.fromkeys(_syllables(rng) for _ in range(3 * WORDS)))
    found.sort(key=lambda word: len(word) * rng.uniform(0.7, 1.3))
    words = [word + rng.choice(_FOREIGN) * (rng.random() < 0.02) for word in islice(found, WORDS)]
    return Language(words, " ")


def korean(rng: random.Random) -> Language:
    """Make up stems of two to four syllables; a particle follows each where it is used."""
    stems = ["".join(chr(rng.randrange(0xAC00, 0xD7A4, 7)) for _ in range(rng.randint(2, 4)))
             for _ in range(WORDS)]  # fmt: skip
    return Language(stems, " ", _PARTICLES)


def japanese(rng: random.Random) -> Language:
    """Make up words of one to three kanji with kana behind them, and none but these."""
    words = []
    for _ in range(WORDS):
        kanji = "".join(chr(rng.randrange(0x4E00, 0x9FA0, 5)) for _ in range(rng.randint(1, 3)))
        kana = "".join(chr(rng.randrange(0x3041, 0x3094)) for _ in range(rng.randint(0, 2)))
        words.append(kanji + kana)
    return Language(words, "")


LANGUAGES = {"english": english, "korean": korean, "japanese": japanese}


def write(
    folder: Path,
    name: str,
    documents: int,
    items: int = 2_000,
    *,
    words: tuple[int, int] = (80, 220),
    language: str = "english",
) -> Written:
    """Write name.corpus.jsonl and name.items.jsonl; documents have so many words."""
    rng = random.Random(f"{name} {documents} {items} {words} {language}")
    made = Maker(LANGUAGES[language](rng), rng)
    corpus, questions = folder / f"{name}.corpus.jsonl", folder / f"{name}.items.jsonl"
    planted: dict[int, list[str]] = {}
    truth: dict[str, tuple[str, str]] = {}
    with questions.open("w", encoding="utf-8") as file:
        for number in range(items):
            text, item = made.text(rng.randint(12, 28)), f"i{number}"
            if number % PLANTED == 0:
                kind = KINDS[number // PLANTED % len(KINDS)]
                place = rng.randrange(documents)
                planted.setdefault(place, []).append(made.changed(text, kind))
                truth[item] = (kind, f"d{place}")
            row = {"id": item, "question": made.language.join(text)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    with corpus.open("w", encoding="utf-8") as file:
        for number, text in enumerate(made.documents(documents, words)):
            for copy in planted.get(number, ()):
                half = len(text) // 2
                text[half:half] = [copy]
            row = {"_id": f"d{number}", "title": "", "text": made.language.join(text)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return Written(corpus, questions, truth)


class Maker:
    """Draws texts in a language."""

    def __init__(self, language: Language, rng: random.Random) -> None:
        """Weigh the words by their rank."""
        self.language, self._rng = language, rng
        weights = 1 / np.arange(1, len(language.words) + 1)
        self._reach = np.cumsum(weights) / weights.sum()
        self._numpy = np.random.default_rng(rng.getrandbits(64))
        self._stock = self.text(60)

    def text(self, length: int) -> list[str]:
        """Draw a text of so many words."""
        return self._words(length)

    def documents(self, number: int, words: tuple[int, int]) -> Iterator[list[str]]:
        """Draw so many documents, a block of them at a time."""
        for start in range(0, number, BLOCK):
            lengths = self._numpy.integers(*words, endpoint=True, size=min(BLOCK, number - start))
            drawn = self._words(int(lengths.sum()))
            ends = np.cumsum(lengths).tolist()
            for place, (length, end) in enumerate(zip(lengths.tolist(), ends, strict=True), start):
                text = drawn[end - length : end]
                yield text if place % STOCK_SHARE else [*text, *self._stock]

    def changed(self, text: Sequence[str], kind: str) -> str:
        """Return a copy of a text, changed in one of the KINDS."""
        words, rng = list(text), self._rng
        if kind.endswith("changed"):
            for place in rng.sample(range(len(words)), int(kind[0])):
                words[place] = self._other(words[place])
        elif kind == "reordered":
            parts = [words[i : i + 4] for i in range(0, len(words), 4)]
            rng.shuffle(parts)
            words = [word for part in parts for word in part]
        if kind == "wrapped":
            lines = [self.language.join(words[i : i + 5]) for i in range(0, len(words), 5)]
            return "\n".join(lines)
        copy = self.language.join(words)
        if kind == "case and punctuation":
            return copy.upper().replace(" ", ", ", 3) + "!?"
        return copy

    def _other(self, word: str) -> str:
        """Return another word, in Korean the same one with another ending."""
        if len(self.language.endings) > 1:
            stem = next(
                word.removesuffix(end)
                for end in sorted(self.language.endings, key=len, reverse=True)
                if word.endswith(end)
            )
            return stem + self._rng.choice(self.language.endings)
        return self._rng.choice(self.language.words)

    def _words(self, number: int) -> list[str]:
        ranks = np.searchsorted(self._reach, self._numpy.random(number)).tolist()
        words, endings = self.language.words, self.language.endings
        if len(endings) == 1:
            return [words[rank] for rank in ranks]
        ends = self._numpy.integers(len(endings), size=number).tolist()
        return [words[rank] + endings[end] for rank, end in zip(ranks, ends, strict=True)]


def _syllables(rng: random.Random) -> str:
    number = rng.choice((1, 2, 2, 3, 3, 3, 4))
    return "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(number))
