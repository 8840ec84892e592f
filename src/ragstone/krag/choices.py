"""What Krag's evaluators are told by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ragstone.text import normalise
from ragstone.text.tokenizers import Function, Tokenizer, parse_tokenizer


class Choice(Enum):
    """A name out of a few; for another one the error lists them."""

    @classmethod
    def _missing_(cls, value: object) -> Choice:
        known = ", ".join(repr(each.value) for each in cls)
        raise ValueError(f"{value!r} is not a valid {cls.__name__}; known: {known}")


class AveragingMethod(Choice):
    """How queries become one number: over all texts, over queries, or both."""

    MICRO = "micro"
    MACRO = "macro"
    BOTH = "both"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the averages."""
        return ("micro", "macro") if self is AveragingMethod.BOTH else (self.value,)


class MatchingCriteria(Choice):
    """When a query is a hit: where all its golds are found, or any."""

    ALL = "all"
    PARTIAL = "partial"


class TokenizerType(Choice):
    """What splits a text into tokens."""

    WORDS = "words"
    WHITESPACE = "whitespace"
    KIWI = "kiwi"
    NLTK = "nltk"


@dataclass
class TokenizerConfig:
    """A tokenizer of one's own: a function from a text to its tokens, joined by spaces."""

    type: TokenizerType
    tokenize_fn: Callable[[str], str]


Splitter: TypeAlias = TokenizerType | TokenizerConfig | str | Tokenizer | Callable[[str], list[str]]


def tokenizer_of(given: Splitter) -> Tokenizer:
    """Return the tokenizer that is meant: a type, a config, or whatever parse_tokenizer takes.

    >>> tokenizer_of(TokenizerConfig(TokenizerType.WHITESPACE, str.title))("ONE two")
    ['one', 'two']
    """
    if isinstance(given, TokenizerConfig):
        split = given.tokenize_fn
        name = getattr(split, "__qualname__", type(split).__qualname__)
        return Function(lambda text: normalise(split(text)).split(), f"{given.type.value}:{name}")
    return parse_tokenizer(given.value if isinstance(given, TokenizerType) else given)
