"""English tokens by NLTK (extra `nltk`): its word tokenizer, and Porter's stems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from ragstone.errors import MissingExtraError
from ragstone.model import Scalar
from ragstone.text.normal import normalise
from ragstone.text.tokenizers.plain import UnicodeWords

UNSTEMMED = 3


class NltkWords:
    """NLTKWordTokenizer on the normalised text; punctuation is a token. Downloads nothing."""

    name = "nltk"

    def __init__(self) -> None:
        """Raise MissingExtraError where NLTK is not installed."""
        self._version = _version(self.name)

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The name, and NLTK's version."""
        return {"tokenizer": self.name, "tokenizer_version": self._version}

    def __call__(self, text: str) -> list[str]:
        """Return the tokens."""
        return _word_tokenizer()(normalise(text))


class PorterStems:
    """Unicode words, those of more than three characters as their Porter stem.

    These are the tokens that rouge-score has with `use_stemmer`, on ASCII.
    """

    name = "porter"

    def __init__(self) -> None:
        """Raise MissingExtraError where NLTK is not installed."""
        self._version, self._words = _version(self.name), UnicodeWords()
        self._stem = cache(_porter())

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The name, and NLTK's version."""
        return {"tokenizer": self.name, "tokenizer_version": self._version}

    def __call__(self, text: str) -> list[str]:
        """Return the stems."""
        return [self._stem(word) if len(word) > UNSTEMMED else word for word in self._words(text)]


def _version(name: str) -> str:
    try:
        return f"nltk {version('nltk')}"
    except PackageNotFoundError:
        raise MissingExtraError(f"the tokenizer {name}", "nltk") from None


@cache
def _word_tokenizer() -> Callable[[str], list[str]]:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    tokenize: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return tokenize


def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem
