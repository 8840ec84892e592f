"""ROUGE (Lin 2004) over any tokenizer: shared n-grams, and longest common subsequences.

With the tokenizers `words` and `porter` it equals rouge-score 0.1.2, without and with its stemmer,
on ASCII. A text is prepared once and then compared with as many as there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from typing import NamedTuple, Protocol

from ragstone.registry import Registry
from ragstone.text.lcs import Places, lcs_length, lcs_places
from ragstone.text.tokenizers import Tokenizer, parse_tokenizer


class Rouge(NamedTuple):
    """How much of a retrieved text is in the gold text, how much of the gold is found, and both.

    precision: hits over the retrieved text's size. recall: hits over the gold text's. f: their
    harmonic mean. Each is 0 where it has nothing to divide by: empty texts do not match.
    """

    precision: float
    recall: float
    f: float

    @classmethod
    def of(cls, hits: int, gold: int, retrieved: int) -> Rouge:
        """Divide the hits by both sizes."""
        precision, recall = hits / max(retrieved, 1), hits / max(gold, 1)
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)


class Prepared:
    """A text with all that a variant needs of it, worked out when it is first needed."""

    def __init__(self, parts: Sequence[Sequence[str]], n: int = 1) -> None:
        """Keep the tokens of the text's parts: its lines for rougeLsum, else all as one."""
        self.parts, self._n = parts, n

    @cached_property
    def counts(self) -> Mapping[Hashable, int]:
        """How often each n-gram occurs; of tokens themselves where n is 1."""
        if self._n == 1:
            return Counter(chain.from_iterable(self.parts))
        tokens = self.parts[0]
        return Counter(zip(*(islice(tokens, i, None) for i in range(self._n)), strict=False))

    @cached_property
    def size(self) -> int:
        """How many n-grams there are."""
        return sum(self.counts.values())

    @cached_property
    def repeats(self) -> Mapping[Hashable, int]:
        """The n-grams that occur more than once, and how often beyond that."""
        if self.size == len(self.counts):
            return {}
        return {gram: count - 1 for gram, count in self.counts.items() if count > 1}

    @cached_property
    def places(self) -> list[Places]:
        """Where each token stands, for each part."""
        return [Places.of(part) for part in self.parts]


class Variant(Protocol):
    """One kind of ROUGE: `prepare` each text, then `compare` any two."""

    def prepare(self, text: str) -> Prepared:
        """Split a text."""

    def compare(self, gold: Prepared, retrieved: Prepared) -> Rouge:
        """Compare two texts."""


class RougeN:
    """Shared n-grams, each as often as it occurs in both."""

    def __init__(self, n: int, tokenizer: Tokenizer) -> None:
        """Take the length of the n-grams and what splits a text."""
        self.n, self.tokenizer = n, tokenizer

    def prepare(self, text: str) -> Prepared:
        """Split a text; one of fewer than n tokens has no n-gram."""
        return Prepared([self.tokenizer(text)], self.n)

    def compare(self, gold: Prepared, retrieved: Prepared) -> Rouge:
        """Count what both have."""
        hits = len(gold.counts.keys() & retrieved.counts.keys())
        mine, other = gold.repeats, retrieved.repeats
        hits += sum(min(mine[gram], other[gram]) for gram in mine.keys() & other.keys())
        return Rouge.of(hits, gold.size, retrieved.size)


class RougeL:
    """The longest common subsequence of the tokens."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Take what splits a text."""
        self.tokenizer = tokenizer

    def prepare(self, text: str) -> Prepared:
        """Split a text."""
        return Prepared([self.tokenizer(text)])

    def compare(self, gold: Prepared, retrieved: Prepared) -> Rouge:
        """Find the length of the subsequence."""
        hits = lcs_length(gold.places[0], retrieved.parts[0])
        return Rouge.of(hits, len(gold.parts[0]), len(retrieved.parts[0]))


class RougeLsum:
    """The union of the longest common subsequences of each line with all lines of the other.

    Lines end with a line feed. A token counts at most as often as each text has it (ROUGE 1.5.5).
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Take what splits a line."""
        self.tokenizer = tokenizer

    def prepare(self, text: str) -> Prepared:
        """Split each line of a text."""
        return Prepared([self.tokenizer(line) for line in text.split("\n") if line])

    def compare(self, gold: Prepared, retrieved: Prepared) -> Rouge:
        """Count the tokens of the unions."""
        counts = retrieved.counts
        left = {token: min(count, counts.get(token, 0)) for token, count in gold.counts.items()}
        hits = 0
        for part, places in zip(gold.parts, gold.places, strict=True):
            union = set(chain.from_iterable(lcs_places(places, other) for other in retrieved.parts))
            for place in union:
                if left[part[place]]:
                    left[part[place]] -= 1
                    hits += 1
        return Rouge.of(hits, gold.size, retrieved.size)


ROUGE: Registry[Callable[[Tokenizer], Variant]] = Registry("ROUGE")
for _n in range(1, 10):
    ROUGE.add(f"rouge{_n}", partial(RougeN, _n))
ROUGE.add("rougeL", RougeL)
ROUGE.add("rougeLsum", RougeLsum)


def rouge_variant(name: str, tokenizer: str | Tokenizer = "words") -> Variant:
    """Return a variant by its name: rouge1 to rouge9, rougeL, rougeLsum.

    Raises UnknownNameError with the nearest names.
    """
    return ROUGE[name](parse_tokenizer(tokenizer))


def rouge(name: str, gold: str, retrieved: str, tokenizer: str | Tokenizer = "words") -> Rouge:
    """Compare two texts; for many of them, prepare each once with a rouge_variant.

    >>> rouge("rougeL", "서울은 대한민국의 수도이다.", "대한민국의 수도는 서울이다.").f
    0.3333333333333333
    """
    variant = rouge_variant(name, tokenizer)
    return variant.compare(variant.prepare(gold), variant.prepare(retrieved))
