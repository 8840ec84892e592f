"""A text as matching sees it: whether there is anything in it, and its form for equality."""

from __future__ import annotations

import re

from ragstone.text import normalise
from ragstone.text.tokenizers import parse_tokenizer

NORMALISER = 1
"""Raised when the normalisation of texts changes, as a field of the signature."""

_words = parse_tokenizer("words")
_any_word = re.compile(r"[^\W_]")


def is_blank(text: str) -> bool:
    """Tell whether a text has neither a word nor a symbol such as emoji: it matches nothing.

    >>> is_blank(" ... "), is_blank("\U0001f600"), is_blank("가")
    (True, False, False)
    """
    return not (_any_word.search(text) or _words(text))


def plain_form(text: str) -> str:
    """Return the normalised text with single spaces: two texts with the same one are equal.

    >>> plain_form(" Hello,\\n WORLD ")
    'hello, world'
    """
    return " ".join(normalise(text).split())
