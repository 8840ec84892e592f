"""Methods that compare the letters and tokens of two texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from ragstone.errors import UsageError
from ragstone.matching.matrix import Gold, Similarities
from ragstone.matching.texts import plain_form
from ragstone.model import Scalar
from ragstone.text.ngrams import grams_of
from ragstone.text.rouge import Rouge, rouge_variant
from ragstone.text.tokenizers import Tokenizer, parse_tokenizer

KEPT = 20_000
"""How many texts are kept as they were prepared: a chunk is retrieved for many queries."""

Split = str | Tokenizer | Callable[[str], list[str]]


class Exact:
    """Equality of the normalised texts; white space counts as one space, punctuation counts."""

    threshold = None
    signature: Mapping[str, Scalar] = {"matcher": "exact"}

    def prepare(self, texts: Iterable[str]) -> None:
        """Nothing is to be done."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Give equal texts 1 and others 0."""
        forms = [plain_form(text) for text in retrieved]
        return Similarities([[float(gold.form == form) for form in forms] for gold in golds])


class Contains:
    """The tokens of one text are a run of the other's, in either direction.

    A retrieved text that has the whole gold holds it, and may hold others besides; one that is a
    part of the gold counts for that gold alone.
    """

    threshold = None

    def __init__(self, tokenizer: Split = "words") -> None:
        """Take what splits a text."""
        self._split = parse_tokenizer(tokenizer)
        self._framed = lru_cache(KEPT)(self._frame)

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The method and its tokenizer."""
        return {"matcher": "contains", **self._split.signature}

    def prepare(self, texts: Iterable[str]) -> None:
        """Nothing is to be done."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Give pairs of which one contains the other 1, and others 0."""
        theirs = [self._framed(text) for text in retrieved]
        values, held = [], []
        for gold in golds:
            mine = self._framed(gold.text)
            held.append([mine in text for text in theirs] if mine else [False] * len(theirs))
            values.append(
                [
                    float(holds or bool(mine and text and text in mine))
                    for text, holds in zip(theirs, held[-1], strict=True)
                ]
            )
        return Similarities(values, held)

    def _frame(self, text: str) -> str:
        """Return the tokens in one text, with a border on both sides of each."""
        tokens = self._split(text)
        return "".join(("\0", *(f"{token}\0" for token in tokens))) if tokens else ""


class Containment:
    """The share of the gold's n-grams that the retrieved text has.

    A gold of fewer than n tokens is one n-gram of all of them. The method is not symmetric: a
    retrieved text may be as long as it will, and hold several golds.
    """

    threshold = 0.8

    def __init__(self, ngram: int = 5, tokenizer: Split = "words") -> None:
        """Take how many tokens in a row are compared, and what splits a text."""
        if ngram < 1:
            raise UsageError(f"the length of an n-gram is at least 1, got {ngram}")
        self._n, self._split = ngram, parse_tokenizer(tokenizer)
        self._tokens = lru_cache(KEPT)(lambda text: tuple(self._split(text)))
        self._grams = lru_cache(KEPT)(self._grams_of_length)

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The method, its n and its tokenizer."""
        return {"matcher": "containment", "ngram": self._n, **self._split.signature}

    def prepare(self, texts: Iterable[str]) -> None:
        """Nothing is to be done."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Return each gold's share in each retrieved text."""
        values = [[self._share(gold.text, text) for text in retrieved] for gold in golds]
        return Similarities(values, [[True] * len(retrieved)] * len(golds))

    def _share(self, gold: str, text: str) -> float:
        tokens = self._tokens(gold)
        n = min(self._n, len(tokens))
        if not n:
            return 0.0
        mine, its = self._grams(gold, n), self._grams(text, n)
        return len(mine & its) / len(mine)

    def _grams_of_length(self, text: str, n: int) -> frozenset[tuple[str, ...]]:
        return frozenset(grams_of(self._tokens(text), n))


class RougeMethod:
    """ROUGE between two texts: its f, or the share of either text that is in the other.

    f is symmetric. recall is the share of the gold, precision that of the retrieved text.
    """

    threshold = 0.5

    def __init__(self, name: str, score: str = "f", tokenizer: Split = "words") -> None:
        """Take the variant, which of its three numbers is the similarity, and what splits."""
        if score not in Rouge._fields:
            known = ", ".join(Rouge._fields)
            raise UsageError(f"the score of ROUGE is one of {known}, got {score!r}")
        self.name, self._score, self._place = name, score, Rouge._fields.index(score)
        self._split = parse_tokenizer(tokenizer)
        self._variant = rouge_variant(name, self._split)
        self._prepared = lru_cache(KEPT)(self._variant.prepare)

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The variant, the score and the tokenizer."""
        return {"matcher": self.name, "rouge_score": self._score, **self._split.signature}

    def prepare(self, texts: Iterable[str]) -> None:
        """Nothing is to be done."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Compare each pair."""
        return Similarities([[self.of(gold.text, text) for text in retrieved] for gold in golds])

    def of(self, gold: str, retrieved: str) -> float:
        """Compare one pair."""
        prepared = self._prepared
        return self._variant.compare(prepared(gold), prepared(retrieved))[self._place]
