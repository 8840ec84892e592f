"""Tokenizers that need nothing: Unicode words, white space, runs of characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from ragstone.model import Scalar
from ragstone.text.normal import normalise, words


class UnicodeWords:
    """The words of text.words; a text that has none is its symbols beyond ASCII, as emoji are.

    On ASCII these are the tokens of rouge-score.

    >>> UnicodeWords()("Don't re-use 검색!"), UnicodeWords()("\U0001f600 \U0001f44d!")
    (['don', 't', 're', 'use', '검색'], ['😀', '👍'])
    """

    name = "words"
    signature: Mapping[str, Scalar] = {"tokenizer": "words"}

    def __call__(self, text: str) -> list[str]:
        """Return the words, or the symbols where there is no word."""
        return words(text) or symbols(text)


class Whitespace:
    """What stands between white space in the normalised text; punctuation stays where it is.

    >>> Whitespace()("One, TWO")
    ['one,', 'two']
    """

    name = "whitespace"
    signature: Mapping[str, Scalar] = {"tokenizer": "whitespace"}

    def __call__(self, text: str) -> list[str]:
        """Return the parts."""
        return normalise(text).split()


class Characters:
    """Runs of n characters of the words, written without spaces between them.

    So they do not depend on how a text is spaced, as chrF's do not. A text of fewer than n
    characters is one token.

    >>> Characters(2)("두 해,"), Characters(3)("ab")
    (['두해'], ['ab'])
    """

    def __init__(self, n: int = 1) -> None:
        """Take the length of a run, at least 1."""
        self.n, self.name = n, "chars" if n == 1 else f"chars:{n}"

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The name, which has the length."""
        return {"tokenizer": self.name}

    def __call__(self, text: str) -> list[str]:
        """Return the runs, each starting one character behind the one before."""
        joined = "".join(words(text) or symbols(text))
        if len(joined) <= self.n:
            return [joined] if joined else []
        return [joined[i : i + self.n] for i in range(len(joined) - self.n + 1)]


def symbols(text: str) -> list[str]:
    """Return the symbols of a text beyond ASCII (category S), each on its own.

    >>> symbols("a\u2192b = \U0001f600\ufe0f!")
    ['→', '😀']
    """
    if text.isascii():
        return []
    return [
        char
        for char in normalise(text)
        if not char.isascii() and unicodedata.category(char).startswith("S")
    ]
