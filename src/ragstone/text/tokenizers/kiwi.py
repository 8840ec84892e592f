"""Korean morphemes, by kiwipiepy (extra `korean`)."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from operator import attrgetter
from threading import Lock
from typing import Any, NamedTuple

from ragstone.errors import MissingExtraError
from ragstone.model import Scalar
from ragstone.text.normal import normalise, words
from ragstone.text.tokenizers.plain import symbols

_LATIN = re.compile(r"[^\W_\u0250-\U0010ffff]+")
_loading = Lock()


class Placed(NamedTuple):
    """A morpheme, and where it begins and ends."""

    text: str
    start: int
    end: int


class Kiwi:
    """Morphemes of the normalised text; as everywhere, punctuation is in none.

    Words in Latin letters and digits stay whole: Kiwi takes "document." apart. The model is loaded
    once in a process, for the first text that has other letters, and without the dictionary of
    names that go over several words: it is half of the time, and a token here has no space.
    """

    name = "kiwi"

    def __init__(self) -> None:
        """Raise MissingExtraError where kiwipiepy is not installed."""
        self._versions = _versions()

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The name, and the versions of the code and of the model: other ones split otherwise."""
        return {"tokenizer": self.name, "tokenizer_version": self._versions}

    def __call__(self, text: str) -> list[str]:
        """Return the morphemes, or the symbols of a text where there is none."""
        text = normalise(text)
        return [token.text for token in self.placed(text)] or symbols(text)

    def placed(self, normal: str) -> list[Placed]:
        """Return the morphemes of a text that is normalised, and where each stands in it.

        Two can stand at one place, and a morpheme is not always what stands there: 했 is 하 and 었.
        """
        found = [Placed(match[0], *match.span()) for match in _LATIN.finditer(normal)]
        if not normal.isascii():
            latin = {i for token in found for i in range(token.start, token.end)}
            found += _morphemes(normal, latin)
            found.sort(key=attrgetter("start"))
        return found


def _morphemes(text: str, left_out: Container[int]) -> Iterator[Placed]:
    """Find the morphemes that do not start at some places."""
    for token in _model().tokenize(text):
        if token.start not in left_out:
            for word in words(token.form):
                yield Placed(word, token.start, max(token.end, token.start + 1))


@cache
def _versions() -> str:
    try:
        return f"kiwipiepy {version('kiwipiepy')}, model {version('kiwipiepy_model')}"
    except PackageNotFoundError:
        raise _missing() from None


def _model() -> Any:
    with _loading:
        return _loaded()


@cache
def _loaded() -> Any:
    try:
        import kiwipiepy
    except ImportError:
        raise _missing() from None
    return kiwipiepy.Kiwi(num_workers=1, load_multi_dict=False)


def _missing() -> MissingExtraError:
    return MissingExtraError("the tokenizer kiwi", "korean")
