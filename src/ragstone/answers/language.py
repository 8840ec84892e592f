"""Which language a text is in, as far as scripts tell."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ragstone.text.normal import normalise
from ragstone.text.scripts import script_of

DENSE = 2.0
"""How many letters of an alphabet one letter of Chinese, Japanese or Korean is worth."""

LOOKED_AT = 2_000
"""Characters of a text by which its script is told."""

KEPT = 64
"""How many texts are kept with their scripts."""

KANA = frozenset({"hiragana", "katakana"})
LANGUAGES = {
    "hangul": "ko",
    "japanese": "ja",
    "han": "zh",
    "bopomofo": "zh",
    "thai": "th",
    "lao": "lo",
    "myanmar": "my",
    "khmer": "km",
    "latin": "en",
}
"""What a script is taken for where a sample has no `lang`."""


@lru_cache(KEPT)
def weights(text: str) -> Mapping[str, float]:
    """Return how much of a text is in each script; Japanese is kana, and the Han beside them.

    >>> dict(weights("BM25로 검색"))
    {'latin': 2.0, 'hangul': 6.0}
    """
    if text.isascii():
        return {"latin": sum(map(str.isalpha, text))}
    found: defaultdict[str, float] = defaultdict(float)
    for char, number in Counter(filter(str.isalpha, normalise(text))).items():
        script, weight = _script(char)
        found[script] += weight * number
    kana = sum(found.pop(script, 0) for script in KANA)
    if kana:
        found["japanese"] = kana + found.pop("han", 0)
    return found


def main_script(texts: Iterable[str]) -> str:
    """Return the script that most of some texts is in; "" where they have no letter.

    >>> main_script(["서울은 Seoul"]), main_script(["東京の人口"]), main_script(["1937"])
    ('hangul', 'japanese', '')
    """
    found: defaultdict[str, float] = defaultdict(float)
    for text in texts:
        for script, weight in weights(text[:LOOKED_AT]).items():
            found[script] += weight
    most = max(found.values(), default=0)
    return min((script for script, weight in found.items() if weight == most > 0), default="")


def language_of(given: str | None, texts: Iterable[str]) -> str:
    """Return the language of an item: its `lang`, or what its script is taken for.

    >>> language_of("de-AT", []), language_of(None, ["서울"]), language_of(None, ["42"])
    ('de', 'ko', '')
    """
    if given:
        return given.replace("_", "-").split("-")[0].lower()
    return LANGUAGES.get(main_script(texts), "")


@lru_cache(1 << 16)
def _script(char: str) -> tuple[str, float]:
    known = script_of(char)
    if known != "other":
        return known, DENSE
    return unicodedata.name(char, "unknown").split()[0].lower(), 1.0
