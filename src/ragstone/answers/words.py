"""The tokens by which an answer is compared with its reference, by language.

English is normalised as SQuAD does (Rajpurkar et al. 2016): lower case, no punctuation, no
articles, split at white space. Korean is compared by pairs of syllables, Chinese, Japanese and
other scripts without spaces by letters, wherever they stand: a text may mix them.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from ragstone.model import Scalar
from ragstone.text.normal import normalise, words
from ragstone.text.scripts import HANGUL, UNSPACED, letters_of
from ragstone.text.tokenizers import Tokenizer, parse_tokenizer

AUTO = "auto"
PAIRS = "pairs"
KEPT = 64
"""How many texts are kept with their tokens: those of an item, and not many more."""
ARTICLES = re.compile(r"\b(a|an|the)\b")
ENGLISH = "en"
KOREAN = "ko"
_ASCII_PUNCTUATION = str.maketrans("", "", string.punctuation)

Words = Callable[[str, str], list[str]]
"""From a text and its language to its tokens."""


def squad_form(text: str, lang: str = ENGLISH) -> str:
    """Return a text normalised: what exact match compares.

    Articles are dropped from English alone, and not from a text that is nothing else.

    >>> squad_form("The Eiffel-Tower, Paris!"), squad_form("A"), squad_form("La Tour", "fr")
    ('eiffeltower paris', 'a', 'la tour')
    """
    plain = _unpunctuated(normalise(text))
    if lang in {ENGLISH, ""}:
        without = " ".join(ARTICLES.sub(" ", plain).split())
        if without:
            return without
    return " ".join(plain.split())


def squad_words(text: str, lang: str = ENGLISH) -> list[str]:
    """Return the tokens of the normalised text.

    >>> squad_words("the Eiffel Tower"), squad_words("東京", "ja"), squad_words("서울특별시", "ko")
    (['eiffel', 'tower'], ['東', '京'], ['서울', '울특', '특별', '별시'])
    """
    return spread(squad_form(text, lang))


def plain_words(text: str, lang: str = "") -> list[str]:  # noqa: ARG001
    """Return runs of letters and digits, as rouge-score does, with the letters of CJK apart.

    >>> plain_words("Don't: 검색 API")
    ['don', 't', '검색', 'api']
    """
    return spread(" ".join(words(text)))


def spread(text: str) -> list[str]:
    """Split at white space, Korean into pairs of syllables, and scripts without spaces by letter.

    How Korean is spaced does not matter; a syllable alone is a token.

    >>> spread("bm25로 문서 검색"), spread("v2 東京 시")
    (['bm25', '로문', '문서', '서검', '검색'], ['v2', '東', '京', '시'])
    """
    if text.isascii():
        return text.split()
    found: list[str] = []
    for part in _parts().finditer(text):
        if part["hangul"]:
            found += _pairs("".join(part["hangul"].split()))
        else:
            found.append(part[0])
    return found


class Splitter:
    """Splits texts for a run: by language, or by one tokenizer whatever the language.

    tokenizer: `auto`, or a name of parse_tokenizer. korean: what `auto` splits Korean items by:
    `pairs` of syllables, or a tokenizer such as `kiwi`.
    """

    def __init__(self, tokenizer: str | Tokenizer = AUTO, korean: str = PAIRS) -> None:
        """Raise UnknownNameError or MissingExtraError for a tokenizer that is not there."""
        self._one = None if tokenizer == AUTO else parse_tokenizer(tokenizer)
        self._korean = None if korean == PAIRS else parse_tokenizer(korean)
        self._split = lru_cache(KEPT)(self._tokens)
        self._form = lru_cache(KEPT)(squad_form)

    def words(self, text: str, lang: str) -> list[str]:
        """Return the tokens that exact match and token measures compare."""
        return self._split(text, lang, self._squad_words)

    def plain(self, text: str, lang: str) -> list[str]:
        """Return the tokens that ROUGE and lengths count."""
        return self._split(text, lang, plain_words)

    def form(self, text: str, lang: str) -> str:
        """Return what exact match compares."""
        return self._form(text, lang) if self._one is None else " ".join(self._one(text))

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """What must be equal for two numbers to be compared."""
        if self._one is not None:
            return self._one.signature
        if self._korean is None:
            return {"tokenizer": AUTO}
        inner = {f"korean_{name}": value for name, value in self._korean.signature.items()}
        return {"tokenizer": AUTO, **inner}

    def _squad_words(self, text: str, lang: str) -> list[str]:
        return spread(self._form(text, lang))

    def _tokens(self, text: str, lang: str, usual: Words) -> list[str]:
        if self._one is not None:
            return self._one(text)
        if self._korean is not None and lang == KOREAN:
            return self._korean(text)
        return usual(text, lang)


def _unpunctuated(text: str) -> str:
    """Drop punctuation, as SQuAD drops that of ASCII."""
    text = text.translate(_ASCII_PUNCTUATION)
    if not text.isascii():
        for char in filter(_is_punctuation, set(text)):
            text = text.replace(char, "")
    return text


@lru_cache(1 << 16)
def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char).startswith("P")


def _pairs(syllables: str) -> list[str]:
    if len(syllables) == 1:
        return [syllables]
    return [syllables[place : place + 2] for place in range(len(syllables) - 1)]


@cache
def _parts() -> re.Pattern[str]:
    hangul = letters_of(HANGUL).pattern[1:-1]
    letter = letters_of(UNSPACED).pattern[1:-1]
    return re.compile(
        rf"(?P<hangul>[{hangul}]+(?:\s+[{hangul}]+)*)|[{letter}]|[^\s{hangul}{letter}]+"
    )
