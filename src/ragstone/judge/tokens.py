"""How many tokens a text has, about: no tokenizer of a model is needed to plan by."""

from __future__ import annotations

from collections.abc import Iterable

ASCII_PER_TOKEN = 4.0
OTHERS_PER_TOKEN = 1.25
A_MESSAGE = 8
A_SCHEMA = 150


def about(text: str) -> int:
    """Return about how many tokens a text has: 4 ASCII characters each, or 1.25 of any other.

    >>> about("four letters"), about("세탁기 필터")
    (3, 4)
    """
    plain = len(text) if text.isascii() else sum(char.isascii() for char in text)
    return round(plain / ASCII_PER_TOKEN + (len(text) - plain) / OTHERS_PER_TOKEN)


def at_most(text: str) -> int:
    """Return what no tokenizer over bytes goes beyond: a token for each byte."""
    return len(text.encode("utf-8", "replace"))


def prompt(texts: Iterable[str]) -> int:
    """Return about how many tokens the messages of a request have, with its schema."""
    return sum(about(text) + A_MESSAGE for text in texts) + A_SCHEMA
