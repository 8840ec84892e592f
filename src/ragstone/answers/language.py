"""Which language a text is in, as far as scripts tell."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from ragstone.text.normal import normalise
from ragstone.text.scripts import script_of

DENSE = 2.0
"""How many letters of an alphabet one letter of Chinese, Japanese or Korean is worth."""

LOOKED_AT = 2_000
"""Characters of a text by which its script is told."""

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


def weights(text: str) -> Counter[str]:
    """Return how much of a text is in each script; Japanese is kana, and the Han beside them.

    >>> weights("BM25로 검색").most_common()
    [('hangul', 6.0), ('latin', 2.0)]
    """
    if text.isascii():
        return Counter({"latin": sum(map(str.isalpha, text))})
    found: Counter[str] = Counter()
    for char, number in Counter(filter(str.isalpha, normalise(text))).items():
        script, weight = _script(char)
        found[script] += weight * number  # type: ignore[assignment]
    kana = sum(found.pop(script, 0) for script in KANA)
    if kana:
        found["japanese"] = kana + found.pop("han", 0)
    return found


def main_script(texts: Iterable[str]) -> str:
    """Return the script that most of some texts is in; "" where they have no letter.

    >>> main_script(["서울은 Seoul"]), main_script(["東京の人口"]), main_script(["1937"])
    ('hangul', 'japanese', '')
    """
    found: Counter[str] = Counter()
    for text in texts:
        found.update(weights(text[:LOOKED_AT]))
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
