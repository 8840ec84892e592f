"""How many letters an n-gram should have: recall of changed copies, and what is alike by chance.

    python benchmarks/char_shingles.py FOLDER

FOLDER has a folder for each source, with translation catalogues (LC_MESSAGES/*.po) somewhere in
it; the sources should have nothing to do with each other. A text is a translation of at least 12
letters; a document is 15 translations in a row. A copy is changed as named and looked for in its
document; by chance is the highest containment of an unchanged text in any document of another
source.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from ragstone.text.ngrams import tokens_of

LANGUAGES = {"Korean": ["ko"], "Japanese": ["ja"], "Chinese": ["zh_Hans", "zh_CN"], "Thai": ["th"]}
SIZES = range(2, 7)
THRESHOLD = 0.6
TEXTS = 400  # of a language
LEAST, TOGETHER = 12, 15
PARTICLES = ["은", "는", "이", "가", "을", "를", "의", "에", "에서", "으로", "로", "와", "과", "도"]
_ENTRY = re.compile(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', re.MULTILINE)
_FILLED = re.compile(r"%\(\w+\)\w|%[sd]|\{\w*\}|<[^>]+>|&\w+;|\\n")


def translations(path: Path) -> Iterator[str]:
    """Go through the texts of a catalogue, without what is filled in later and without markup."""
    for match in _ENTRY.finditer(path.read_text(encoding="utf-8")):
        text = "".join(re.findall(r'"(.*)"', match[1]))
        if text := _FILLED.sub(" ", text).strip():
            yield text


def letters(text: str) -> str:
    """Return the letters and digits of a text, normalised."""
    return "".join(tokens_of(text, "char"))


def changed(text: str, number: int, rng: random.Random, alphabet: Sequence[str]) -> str:
    """Return a text with so many of its letters changed to others."""
    places = [i for i, char in enumerate(text) if char.isalnum()]
    chars = list(text)
    for place in rng.sample(places, min(number, len(places))):
        chars[place] = rng.choice(alphabet)
    return "".join(chars)


def reordered(text: str) -> str:
    """Return a text with its halves swapped."""
    half = len(text) // 2
    return text[half:] + text[:half]


def particles(text: str, rng: random.Random) -> str:
    """Return a Korean text with other particles on half of the words that have one."""
    words = text.split(" ")
    for place, word in enumerate(words):
        end = next((each for each in sorted(PARTICLES, key=len, reverse=True)
                    if len(word) > len(each) + 1 and word.endswith(each)), "")  # fmt: skip
        if end and rng.random() < 0.5:
            words[place] = word.removesuffix(end) + rng.choice(PARTICLES)
    return " ".join(words)


def grams(text: str, size: int) -> set[str]:
    """Return the different runs of letters of a text."""
    joined = letters(text)
    return {joined[i : i + size] for i in range(len(joined) - size + 1)}


def contained(text: str, document: str, size: int) -> float:
    """Return the share of the runs of a text that a document has."""
    wanted = grams(text, size)
    return len(wanted & grams(document, size)) / len(wanted)


class Sources:
    """The texts of a language by their source, and documents made of them."""

    def __init__(self, language: str, texts: dict[str, list[str]]) -> None:
        """Draw the texts to look for."""
        self.language, self._rng = language, random.Random(language)
        self.documents = {
            source: [" ".join(each[i : i + TOGETHER]) for i in range(0, len(each), TOGETHER)]
            for source, each in texts.items()
        }
        found = [
            (source, text, self.documents[source][i // TOGETHER])
            for source, each in texts.items()
            for i, text in enumerate(each)
            if len(letters(text)) >= LEAST
        ]
        self.found = self._rng.sample(found, min(TEXTS, len(found)))

    def copies(self) -> dict[str, list[str]]:
        """Return the texts changed in each way."""
        texts, rng = [text for _, text, _ in self.found], self._rng
        alphabet = letters("".join(texts))
        kinds = {"verbatim": [text.replace(" ", "") for text in texts]}
        for number in range(1, 5):
            kinds[f"{number} changed"] = [changed(text, number, rng, alphabet) for text in texts]
        kinds["reordered"] = [reordered(text) for text in texts]
        if self.language == "Korean":
            kinds["particles"] = [particles(text, rng) for text in texts]
        return kinds

    def recall(self, copies: Sequence[str], size: int) -> float:
        """Return the share of changed copies that reach the threshold in their document."""
        pairs = zip(copies, self.found, strict=True)
        return mean(contained(copy, doc, size) >= THRESHOLD for copy, (_, _, doc) in pairs)

    def by_chance(self, size: int) -> list[float]:
        """Return the highest containment of each text in a document of another source, sorted."""
        held = {
            source: [grams(document, size) for document in documents]
            for source, documents in self.documents.items()
        }
        found = []
        for source, text, _ in self.found:
            wanted = grams(text, size)
            others = (each for other in held if other != source for each in held[other])
            found.append(max(len(wanted & each) / len(wanted) for each in others))
        return sorted(found)

    def report(self) -> None:
        """Print a row for each size."""
        length = mean(len(letters(text)) for _, text, _ in self.found)
        number = sum(map(len, self.documents.values()))
        print(f"\n{self.language}: {len(self.found)} texts of {length:.0f} letters on average, "
              f"{number} documents of {len(self.documents)} sources")  # fmt: skip
        kinds = self.copies()
        heads = [*kinds, "by chance: mean", "p99", "leaks"]
        print("| n | " + " | ".join(heads) + " |\n| --- |" + " ---: |" * len(heads))
        for size in SIZES:
            cells = [f"{self.recall(copies, size):.0%}" for copies in kinds.values()]
            chance = self.by_chance(size)
            high, leaks = chance[int(len(chance) * 0.99)], mean(c >= THRESHOLD for c in chance)
            cells += [f"{mean(chance):.2f}", f"{high:.2f}", f"{leaks:.1%}"]
            print(f"| {size} | " + " | ".join(cells) + " |")


def main() -> None:
    """Measure each language of which there are catalogues in two folders or more."""
    for language, codes in LANGUAGES.items():
        sources = {}
        for source in sorted(Path(sys.argv[1]).iterdir()):
            found = (each for code in codes for each in source.rglob(f"{code}/LC_MESSAGES/*.po"))
            texts = dict.fromkeys(text for path in sorted(found) for text in translations(path))
            if texts:
                sources[source.name] = list(texts)
        if len(sources) > 1:
            Sources(language, sources).report()


if __name__ == "__main__":
    main()
