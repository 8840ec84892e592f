"""What a tokenizer is, and a Python function as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from reprlib import repr as brief
from typing import Protocol, runtime_checkable

from ragstone.errors import InputError
from ragstone.model import Scalar


@runtime_checkable
class Tokenizer(Protocol):
    """Turns a text into tokens.

    A text without any token is empty: it matches nothing, not even itself. Tokenizers of
    ragstone normalise a text before they split it (see text.normalise).
    """

    @property
    def name(self) -> str:
        """The name that parse_tokenizer reads back, such as `chars:3`."""

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The fields that go into the signature of a number made from the tokens."""

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text, in their order."""


class Function:
    """A Python function as a tokenizer; it is known by its module and its name.

    >>> by_comma = Function(lambda text: text.split(","), name="by_comma")
    >>> by_comma("a,b"), dict(by_comma.signature)
    (['a', 'b'], {'tokenizer': 'python:by_comma'})
    """

    def __init__(self, function: Callable[[str], list[str]], name: str | None = None) -> None:
        """Take a function from a text to a list of texts, and the name it is to be known by."""
        self._function, self.name = function, f"python:{name or _place(function)}"

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The function's name; that its code is the same nobody can tell."""
        return {"tokenizer": self.name}

    def __call__(self, text: str) -> list[str]:
        """Return the tokens; raises InputError where the function gives no list of texts."""
        tokens: object = self._function(text)
        if not isinstance(tokens, list) or not all(isinstance(each, str) for each in tokens):
            raise InputError(
                f"the tokenizer {self.name} returned {brief(tokens)}; a list of texts was expected"
            )
        return tokens


def _place(function: object) -> str:
    """Return the module and name of a function, or of the class of what is called like one."""
    known = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(known, "__module__", None) or getattr(known, "__objclass__", known).__module__
    return f"{module}:{getattr(known, '__qualname__', '')}"
