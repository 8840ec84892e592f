"""Scripts against the names that Unicode gives its characters."""

from __future__ import annotations

import sys
import unicodedata

from ragstone.text.scripts import script_of

NAMES = {
    "CJK UNIFIED": "han",
    "CJK COMPATIBILITY IDEOGRAPH": "han",
    "HIRAGANA LETTER": "hiragana",
    "KATAKANA LETTER": "katakana",
    "BOPOMOFO LETTER": "bopomofo",
    "HANGUL": "hangul",
    "THAI CHARACTER": "thai",
    "LAO LETTER": "lao",
    "MYANMAR LETTER": "myanmar",
    "KHMER LETTER": "khmer",
}
HISTORIC_KANA = range(0x1AFF0, 0x1B170)


def test_every_letter_has_the_script_of_its_name() -> None:
    wrong = []
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if not char.isalnum() or unicodedata.normalize("NFKC", char) != char:
            continue
        if code in HISTORIC_KANA:
            continue
        name = unicodedata.name(char, "")
        expected = next((script for start, script in NAMES.items() if name.startswith(start)), None)
        if expected and script_of(char) != expected:
            wrong.append(f"{name}: {script_of(char)}")
        if not expected and script_of(char) != "other" and code < 0x3000:
            known = name.startswith(("THAI", "LAO", "MYANMAR", "KHMER"))
            wrong += [] if known else [f"{name}: {script_of(char)}"]
    assert not wrong
