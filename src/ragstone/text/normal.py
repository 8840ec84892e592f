"""The one normalisation for match, overlap, leakage, answers and lint, and its words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

KEPT, LONGEST = 128, 10_000
"""How many of the last texts are kept with their form and words, and how long such a text is."""

_SEPARATORS = re.compile(r"[^\x00-\x7f\w]")  # those of ASCII by _SPACED
_SPACED = bytes(byte if byte >= 0x80 or chr(byte).isalnum() else ord(" ") for byte in range(256))


def normalise(text: str) -> str:
    r"""Return a text without format characters (category Cf), in NFKC and in lower case.

    White space and punctuation stay as they are. Normalising twice gives the same as once: NFKC
    is applied again behind lower case, which can leave marks out of their order.

    >>> normalise("Soft\u00adware, ﬁne"), normalise("\u1112\u1161\u11ab") == "한"
    ('software, fine', True)
    """
    if text.isascii():
        return text.lower()
    return _kept_form(text) if len(text) <= LONGEST else normal_form(text)


def normal_form(text: str) -> str:
    """Return the same, without keeping it: for texts of which none comes again."""
    if not text.replace("\n", "").isprintable():  # nor is any format character
        for char in {char for char in set(text) if unicodedata.category(char) == "Cf"}:
            text = text.replace(char, "")
    return _nfkc(_nfkc(text).lower())


def words(text: str) -> list[str]:
    """Return the runs of letters and digits of the normalised text, in their order.

    Punctuation, marks, symbols and the underscore separate words and are in none.

    >>> words("Don't re-use snake_case: 3.5 검색!"), words("?! \U0001f600")
    (['don', 't', 're', 'use', 'snake', 'case', '3', '5', '검색'], [])
    """
    return list(_kept_words(text)) if len(text) <= LONGEST else _words(text)


def _words(text: str) -> list[str]:
    """Put spaces for what separates words, and split there: quicker than to find the words."""
    plain = normalise(text)
    if not plain.isascii():
        plain = _SEPARATORS.sub(" ", plain)
    spaced = plain.encode(errors="surrogatepass").translate(_SPACED)
    return spaced.decode(errors="surrogatepass").split()


_kept_form = lru_cache(KEPT)(normal_form)


@lru_cache(KEPT)
def _kept_words(text: str) -> tuple[str, ...]:
    return tuple(_words(text))


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
