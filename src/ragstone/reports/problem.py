"""Something that is wrong with a report: where, what was found, what was expected."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

DETAILS = "$.predicate.details"
LONGEST = 60
SENTENCE = 240
NOUNS: dict[type[Any], str] = {dict: "an object", list: "a list"}


class Problem(Struct, frozen=True):
    """Where, as a JSON path, and what is wrong there: what was found, what was expected."""

    path: str
    message: str

    def __str__(self) -> str:
        """Print the path and the message."""
        return f"{self.path} {self.message}"


def child(path: str, step: str | int) -> str:
    """Return the path of a field, or of an entry of a list.

    >>> child(child("$.summary", "nDCG@10"), 3)
    '$.summary["nDCG@10"][3]'
    """
    if isinstance(step, str) and step.isidentifier():
        return f"{path}.{step}"
    return f"{path}[{json.dumps(step, ensure_ascii=False)}]"


def shown(value: Any, longest: int = LONGEST) -> str:
    """Return a JSON value as an error shows it: on one line, and not too long.

    >>> shown(None), shown("x" * 99), shown([1, 2])
    ('null', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...', 'a list')
    """
    noun = NOUNS.get(type(value))
    if noun:
        return noun if value else f"{noun} with nothing in it"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
