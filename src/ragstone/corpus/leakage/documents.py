"""Documents that are looked at closely: their n-grams spelt out, and where these stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragstone.corpus.leakage.lines import Lines, Ngram, Spelling, Unit
from ragstone.corpus.leakage.shelf import Shelf
from ragstone.text.passages import (
    Aligned,
    Passage,
    Run,
    Span,
    densest_run,
    letter_span,
    passage_of,
    word_span,
)

if TYPE_CHECKING:
    from ragstone.formats.corpus import Batch
    from ragstone.text.tokenizers.kiwi import Kiwi, Placed


class Documents:
    """A batch of documents: all their n-grams as hashes, those that are looked at spelt out."""

    def __init__(self, batch: Batch, kiwi: Kiwi | None = None) -> None:
        """Keep a batch; kiwi: where a unit is morphemes."""
        self.batch, self.lines = batch, Lines(batch.texts, kiwi)
        self._kiwi = kiwi
        self._spellings: dict[tuple[int, Unit], Spelling] = {}
        self._aligned: dict[int, Aligned] = {}
        self._placed: dict[int, list[Placed]] = {}

    def spelling(self, text: int, unit: Unit) -> Spelling:
        """Return the tokens of a document, spelt out."""
        key = text, unit
        if key not in self._spellings:
            self._spellings[key] = Spelling(self.lines.line(text, unit), unit)
        return self._spellings[key]

    def passage(self, text: int, unit: Unit, run: Run) -> Passage:
        """Return the passage of a document that holds a run of its tokens."""
        aligned = self._aligned.get(text)
        if aligned is None:
            aligned = self._aligned[text] = Aligned(self.batch.texts[text])
        return passage_of(aligned, self._span(text, aligned.normal, unit, run))

    def _span(self, text: int, normal: str, unit: Unit, run: Run) -> Span:
        """Return where a run of tokens stands in the normal form of a document."""
        if unit != "morpheme":
            return letter_span(normal, run) if unit == "char" else word_span(normal, run)
        assert self._kiwi is not None
        if text not in self._placed:
            self._placed[text] = self._kiwi.placed(normal)
        morphemes = self._placed[text]
        return morphemes[run.first].start, morphemes[run.last].end


class Matches:
    """The n-grams of a batch of documents that may be of a shelf's probes.

    Every n-gram of a probe that a document has is among them; which of them are, is seen when
    they are spelt out.
    """

    def __init__(self, documents: Documents, shelf: Shelf) -> None:
        """Look up the n-grams of all documents by their hash."""
        self._documents, self._shelf = documents, shelf
        self.found = shelf.found_in(documents.lines)
        self._borders: list[int] = []
        self._spelt: dict[int, list[tuple[int, Ngram]]] = {}

    def spelt(self, text: int) -> list[tuple[int, Ngram]]:
        """Return the n-grams of a document, each with the number of its first token, ascending."""
        if text not in self._spelt:
            start, end = self._range(text)
            spelling = self._documents.spelling(text, self._shelf.unit)
            starts = self.found.starts[start:end].tolist()
            ngrams = spelling.ngrams_at(starts, self._shelf.size)
            self._spelt[text] = list(zip(starts, ngrams, strict=True))
        return self._spelt[text]

    def passage(self, text: int, owner: int, wanted: set[Ngram]) -> Passage:
        """Return the passage of a document where most of a probe's n-grams stand."""
        shared = [(start, gram) for start, gram in self.spelt(text) if gram in wanted]
        run = densest_run(shared, self._shelf.size, self._shelf.probes[owner].tokens)
        return self._documents.passage(text, self._shelf.unit, run)

    def _range(self, text: int) -> tuple[int, int]:
        """Return which of the n-grams that were found are of a document."""
        if not self._borders:
            import numpy as np

            texts = np.arange(len(self._documents.batch.ids) + 1)
            self._borders = np.searchsorted(self.found.texts, texts).tolist()
        return self._borders[text], self._borders[text + 1]
