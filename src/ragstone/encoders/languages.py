"""Which languages texts are in, as far as script and little words tell: no model, no guesswork."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST_TEXTS, MOST_CHARACTERS = 1000, 1000
"""Of how many texts, evenly spread, how much is read."""

SHARE = 0.05
"""The part of the texts from which a language counts."""

UNDECIDED = "latin"

NAMES = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "ja": "Japanese",
    "ko": "Korean",
    "zh": "Chinese",
}
SCRIPTS = {"HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh"}

# Frequent little words of each that the others do not have.
LITTLE_WORDS = {
    "de": "der die das und ist nicht ein eine zu mit auf für von dem den sich wird auch wie ich",
    "en": "the of and to is that it for was with be by are from this which at how should you",
    "es": "el los las y en una por con para del se como más pero su al lo este esta cómo",
    "fr": "le les et des est du une dans pour qui sur au avec ce il pas aux je cette ont",
}
_LITTLE = {word: code for code, words in LITTLE_WORDS.items() for word in words.split()}
_WORD = re.compile(r"[^\W\d_]+")


def languages_of(texts: Sequence[str]) -> list[str]:
    """Return the languages of at least 5% of the texts, the most frequent first.

    A code of ISO 639-1 where sentences of the language are built in (`NAMES`), else the name of the
    script, such as `cyrillic`. Where Latin letters do not tell the language, it is that of most
    others in Latin letters, or English.

    >>> languages_of(["How do I reset it?", "nDCG", "비밀번호를 잊었어요", "Как дела?", "42"])
    ['en', 'cyrillic', 'ko']
    """
    found = Counter(filter(None, map(language_of, spread(texts, MOST_TEXTS))))
    if undecided := found.pop(UNDECIDED, 0):
        known = [code for code in LITTLE_WORDS if found[code]] or ["en"]
        found[max(known, key=lambda code: (found[code], code))] += undecided
    least = SHARE * found.total()
    return [
        code
        for code, n in sorted(found.items(), key=lambda each: (-each[1], each[0]))
        if n >= least
    ]


def spread(texts: Sequence[str], most: int) -> list[str]:
    """Return so many of the texts, evenly spread over their order.

    >>> spread("abcdef", 3)
    ['a', 'c', 'e']
    """
    if len(texts) <= most:
        return list(texts)
    return [texts[n * len(texts) // most] for n in range(most)]


def language_of(text: str) -> str | None:
    """Return the language of a text, or its script; None for one without a letter.

    The script of most letters decides, but a text with a tenth of kana in its Han is Japanese.
    Latin is the one of German, English, Spanish and French whose little words are the most;
    `latin` where that is undecided.

    >>> language_of("東京は日本の首都です"), language_of("Der Zug ist da"), language_of("nDCG@10")
    ('ja', 'de', 'latin')
    """
    scripts = Counter(filter(None, map(_script, text[:MOST_CHARACTERS])))
    if not scripts:
        return None
    kana, han = scripts["HIRAGANA"] + scripts["KATAKANA"], scripts["CJK"]
    if kana and kana * 10 >= han:
        scripts["HIRAGANA"] = kana + han
        scripts["KATAKANA"] = scripts["CJK"] = 0
    script = min(scripts, key=lambda name: (-scripts[name], name))
    if script == "LATIN":
        return _latin(text[:MOST_CHARACTERS])
    return SCRIPTS.get(script, script.lower())


def _latin(text: str) -> str:
    words: Iterable[str] = _WORD.findall(text.lower())
    found = Counter(_LITTLE[word] for word in words if word in _LITTLE).most_common(2)
    undecided = not found or (len(found) == 2 and found[0][1] == found[1][1])
    return UNDECIDED if undecided else found[0][0]


@lru_cache(maxsize=1 << 16)
def _script(char: str) -> str:
    """Return the first word of a letter's name in Unicode, which is its script."""
    if not char.isalpha():
        return ""
    return unicodedata.name(char, "").replace("FULLWIDTH ", "").partition(" ")[0]
