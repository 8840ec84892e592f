"""The answer by itself: its script, its length, what it repeats, words of a list in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from ragstone.answers.abstaining import read_list
from ragstone.answers.language import DENSE, main_script, weights
from ragstone.answers.view import View, nothing
from ragstone.formats.source import Source
from ragstone.model import Cell, Scalar
from ragstone.text.ngrams import grams_of, tokens_of
from ragstone.text.normal import words
from ragstone.text.scripts import RANGES

REPEATED_GRAM = 4
LEAST_LETTERS = 6 * DENSE
"""Letters of an alphabet, or half as many syllables, below which a script says nothing: a name."""

FAMILIES = {"japanese": {"japanese", "han"}, "bopomofo": {"han", "bopomofo"}}
"""Scripts in which a question in another one may be answered."""


def length(view: View) -> Cell:
    """Return the answer's tokens, as ROUGE counts them."""
    return Cell(float(len(view.plain)))


def repetition(view: View) -> Cell:
    """Return 1 - distinct 4-grams / 4-grams, after Welleck et al. 2020 (seq-rep-n)."""
    grams = grams_of(tokens_of(view.answer, "mixed"), REPEATED_GRAM)
    if not grams:
        return nothing("too_short")
    return Cell(1 - len(set(grams)) / len(grams))


def language_agreement(view: View) -> Cell:
    """Tell whether most of the answer is in the script that most of the question is in.

    A name or a number alone is in no language. Languages of one script are not told apart.
    """
    asked = main_script([view.sample.query or ""])
    if not asked:
        return nothing("no_letters")
    if sum(weights(view.answer).values()) < LEAST_LETTERS:
        return nothing("too_short")
    answered = main_script([view.answer])
    note = "" if answered in FAMILIES.get(asked, {asked}) else f"{asked}: {answered}"
    return Cell(float(not note), note=note)


class WordList:
    """Words and phrases of the user's that an answer should not have.

    Entries in Korean, Chinese or Japanese are found inside of words too, since those take endings;
    others are whole words. Case, width and punctuation do not count.
    """

    def __init__(self, entries: Iterable[str]) -> None:
        """Normalise the entries; one without a letter or digit finds nothing."""
        self.entries = sorted({" ".join(found) for each in entries if (found := words(each))})
        self._inside = [each for each in self.entries if max(each) >= chr(RANGES[0][0])]
        self._whole = [each for each in self.entries if max(each) < chr(RANGES[0][0])]

    def found(self, text: str) -> list[str]:
        """Return the entries that a text has.

        >>> WordList(["damn", "바보"]).found("Damn! 바보같은 condamned")
        ['damn', '바보']
        """
        plain = f" {' '.join(words(text))} "
        return [
            *(each for each in self._whole if f" {each} " in plain),
            *(each for each in self._inside if each in plain),
        ]

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """What the list is known by."""
        joined = "\n".join(self.entries)
        return {"word_list": hashlib.sha256(joined.encode()).hexdigest()}


def read_word_list(path: str | Source) -> WordList:
    """Read a word or a phrase a line; `#` begins a comment line. Raises FormatError where empty."""
    source = path if isinstance(path, Source) else Source(path)
    return WordList(text for _, text in read_list(source))


class Profanity:
    """Looks for the words of a list."""

    def __init__(self, listed: WordList) -> None:
        """Keep the list."""
        self.listed = listed
        self.signature = listed.signature

    def __call__(self, view: View) -> Cell:
        """Tell whether any entry stands in the answer; the note names those that do."""
        found = self.listed.found(view.answer)
        note = ", ".join(found) if view.settings.quotes else ""
        return Cell(float(bool(found)), note=note)
