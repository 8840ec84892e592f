"""A sample as measures see it: what several of them need is worked out once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from ragstone.answers.abstaining import Abstentions
from ragstone.answers.language import language_of
from ragstone.answers.sentences import MARKS, Sentence, sentences
from ragstone.answers.words import Splitter
from ragstone.model import Cell, Status
from ragstone.model.samples import Sample
from ragstone.text.ngrams import Gram, grams_of, tokens_of
from ragstone.text.rouge import Prepared, Rouge, RougeN
from ragstone.text.tokenizers import parse_tokenizer

SUPPORT_GRAM = 3
"""Tokens in a row that support looks for; of letters of Chinese, Japanese and Korean one more."""

LETTERS = SUPPORT_GRAM + 1
_TOKENS = RougeN(1, parse_tokenizer("words"))


@dataclass(frozen=True)
class Settings:
    """What is the same for all samples of a run.

    quotes: whether notes may have texts of the samples in them.
    """

    splitter: Splitter = field(default_factory=Splitter)
    abstentions: Abstentions = field(default_factory=Abstentions)
    quotes: bool = True


class View:
    """A sample whose system did not fail, with what is worked out of it when it is first needed."""

    def __init__(self, sample: Sample, settings: Settings) -> None:
        """Keep both."""
        self.sample, self.settings = sample, settings

    @cached_property
    def answer(self) -> str:
        """The answer; "" where there is none."""
        return self.sample.answer or ""

    @cached_property
    def references(self) -> tuple[str, ...]:
        """The references that have a token."""
        return tuple(
            text for text in self.sample.references if self.settings.splitter.plain(text, "")
        )

    @cached_property
    def lang(self) -> str:
        """The language of the item: its `lang`, else that of its references, question, answer."""
        query = (self.sample.query,) if self.sample.query else ()
        for texts in (self.references, query, (self.answer,)):
            found = language_of(self.sample.lang, texts)
            if found:
                return found
        return ""

    @cached_property
    def overlap(self) -> Rouge:
        """The tokens that the answer shares with the best reference."""
        split, lang = self.settings.splitter.words, self.lang
        answer = Prepared([split(self.answer, lang)])
        golds = [Prepared([split(each, lang)]) for each in self.references]
        return best(_TOKENS.compare(gold, answer) for gold in golds)

    @cached_property
    def plain(self) -> list[str]:
        """The answer's tokens as ROUGE and lengths count them."""
        return self.settings.splitter.plain(self.answer, self.lang)

    @cached_property
    def counted(self) -> Prepared:
        """The same, counted."""
        return Prepared([self.plain])

    @cached_property
    def reference_plain(self) -> list[list[str]]:
        """The same of each reference."""
        return [self.settings.splitter.plain(text, self.lang) for text in self.references]

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences of the answer."""
        return sentences(self.answer)

    @cached_property
    def abstains(self) -> bool:
        """Whether the answer says that there is none."""
        return self.settings.abstentions.found(self.answer, self.sentences)

    @cached_property
    def sentence_grams(self) -> list[list[Gram]]:
        """The n-grams of each sentence."""
        return [grams_in(each.text) for each in self.sentences]

    @cached_property
    def context_grams(self) -> list[frozenset[Gram]]:
        """Those n-grams of the sentences that stand in each context."""
        wanted = frozenset(chain.from_iterable(self.sentence_grams))
        return [grams_among(wanted, text) for text in self.sample.texts or ()]

    @cached_property
    def support(self) -> list[float]:
        """For each sentence the share of its n-grams that stand in any context."""
        found = frozenset[Gram]().union(*self.context_grams)
        return [share_in(grams, found) for grams in self.sentence_grams]


def best(found: Iterable[Rouge]) -> Rouge:
    """Return the one with the highest F, the first of equal ones."""
    return max(found, key=lambda each: each.f)


def grams_in(text: str) -> list[Gram]:
    """Return a sentence's n-grams, without citation marks; all of it is one where it is shorter.

    >>> grams_in("It opened in May [1]."), grams_in("In May")
    ([('it', 'opened', 'in'), ('opened', 'in', 'may')], [('in', 'may')])
    """
    tokens = tokens_of(MARKS.sub(" ", text), "mixed")
    return grams_of(tokens, SUPPORT_GRAM, letters=LETTERS) or ([tuple(tokens)] if tokens else [])


def share_in(grams: Sequence[Gram], found: Container[Gram]) -> float:
    """Return how many of a sentence's n-grams are among others, as a share; 0 where it has none."""
    return sum(map(found.__contains__, grams)) / len(grams) if grams else 0.0


def grams_among(wanted: frozenset[Gram], text: str) -> frozenset[Gram]:
    """Return those of some n-grams that a text has.

    >>> grams_among(frozenset({("in", "may"), ("may", "be")}), "It opened in May.")
    frozenset({('in', 'may')})
    """
    tokens = tokens_of(text, "mixed")
    sizes = set(map(len, wanted))
    runs = (zip(*(tokens[start:] for start in range(size)), strict=False) for size in sizes)
    return frozenset[Gram]().union(*(wanted.intersection(each) for each in runs))


def nothing(reason: str, status: Status = Status.NOT_APPLICABLE) -> Cell:
    """Return a cell that does not count, with its reason."""
    return Cell(0.0, status, reason=reason)


def zero(reason: str) -> Cell:
    """Return the stated value of an item of which nothing was answered or retrieved."""
    return Cell(0.0, Status.DEFAULT, reason=reason)
