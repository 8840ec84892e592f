"""The one normalisation for match, overlap, leakage, answers and lint, and its words."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def normalise(text: str) -> str:
    r"""Return a text without format characters (category Cf), in NFKC and in lower case.

    White space and punctuation stay as they are. Normalising twice gives the same as once: NFKC
    is applied again behind lower case, which can leave marks out of their order.

    >>> normalise("Soft\u00adware, ﬁne"), normalise("\u1112\u1161\u11ab") == "한"
    ('software, fine', True)
    """
    if text.isascii():
        return text.lower()
    for char in {char for char in set(text) if unicodedata.category(char) == "Cf"}:
        text = text.replace(char, "")
    return _nfkc(_nfkc(text).lower())


def words(text: str) -> list[str]:
    """Return the runs of letters and digits of the normalised text, in their order.

    Punctuation, marks, symbols and the underscore separate words and are in none.

    >>> words("Don't re-use snake_case: 3.5 검색!"), words("?! \U0001f600")
    (['don', 't', 're', 'use', 'snake', 'case', '3', '5', '검색'], [])
    """
    return _WORD.findall(normalise(text))


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
