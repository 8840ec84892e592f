"""Tokenizers by name."""

from __future__ import annotations

from collections.abc import Callable

from ragstone.errors import UsageError
from ragstone.registry import Registry
from ragstone.text.tokenizers.english import NltkWords, PorterStems
from ragstone.text.tokenizers.kiwi import Kiwi
from ragstone.text.tokenizers.plain import Characters, UnicodeWords, Whitespace
from ragstone.text.tokenizers.tokenizer import Function, Tokenizer

LONGEST_RUN = 100

TOKENIZERS: Registry[Callable[[], Tokenizer]] = Registry("tokenizer")
TOKENIZERS.add("words", UnicodeWords)
TOKENIZERS.add("whitespace", Whitespace)
TOKENIZERS.add("chars", Characters)
TOKENIZERS.add("kiwi", Kiwi)
TOKENIZERS.add("nltk", NltkWords)
TOKENIZERS.add("porter", PorterStems)


def parse_tokenizer(given: str | Tokenizer | Callable[[str], list[str]]) -> Tokenizer:
    """Return a tokenizer by its name, or the one that was given, or a function as one.

    Names: words, whitespace, chars and chars:N (runs of N characters), kiwi, nltk, porter.
    Raises UnknownNameError, UsageError for a length that cannot be, MissingExtraError.

    >>> parse_tokenizer("chars:3")("a b c d"), parse_tokenizer(str.split).name
    (['abc', 'bcd'], 'python:builtins:str.split')
    """
    if not isinstance(given, str):
        return given if isinstance(given, Tokenizer) else Function(given)
    name, colon, argument = given.strip().partition(":")
    if not colon:
        return TOKENIZERS[name]()
    if TOKENIZERS.resolve(name) != "chars":
        raise UsageError(f"tokenizer {given!r}: {name} takes nothing behind a colon; chars:3 does")
    if not (argument.isascii() and argument.isdecimal() and 1 <= int(argument) <= LONGEST_RUN):
        raise UsageError(
            f"tokenizer {given!r}: a whole number from 1 to {LONGEST_RUN} was expected behind the "
            "colon, as in chars:3"
        )
    return Characters(int(argument))
