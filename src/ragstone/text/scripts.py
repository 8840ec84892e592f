"""Scripts of letters, as far as the checks need them: which are written without spaces."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

# First and last code point; after normalisation, which folds compatibility forms into these.
_RANGES = {
    "han": [(0x3005, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)],
    "hiragana": [(0x3041, 0x309F)],
    "katakana": [(0x30A0, 0x30FF), (0x31F0, 0x31FF)],
    "bopomofo": [(0x3100, 0x312F), (0x31A0, 0x31BF)],
    "hangul": [(0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97F), (0xAC00, 0xD7FF)],
    "thai": [(0x0E01, 0x0E7F)],
    "lao": [(0x0E81, 0x0EFF)],
    "myanmar": [(0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)],
    "khmer": [(0x1780, 0x17FF)],
}
_RANGES["han"] += [(0x20000, 0x323AF)]
# All of them: scripts whose letters are tokens where words cannot be told by spaces, or, as in
# Korean, change their endings.
RANGES = tuple(sorted(pair for ranges in _RANGES.values() for pair in ranges))
# Words of these have no spaces between them.
HANGUL = frozenset({"hangul"})
UNSPACED = frozenset(_RANGES) - HANGUL
_SORTED = sorted((first, last, name) for name, ranges in _RANGES.items() for first, last in ranges)
_FIRST = [first for first, _, _ in _SORTED]


def script_of(char: str) -> str:
    """Return the script of a letter, or "other" for those not in the table.

    >>> script_of("国"), script_of("한"), script_of("a")
    ('han', 'hangul', 'other')
    """
    place = bisect_right(_FIRST, ord(char)) - 1
    return _SORTED[place][2] if place >= 0 and ord(char) <= _SORTED[place][1] else "other"


@cache
def letters_of(scripts: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern of one letter of any of some scripts.

    >>> letters_of(frozenset({"thai"})).findall("a ก"), letters_of(UNSPACED).findall("가国")
    (['ก'], ['国'])
    """
    ranges = (pair for script in sorted(scripts) for pair in _RANGES[script])
    return re.compile("[{}]".format("".join(f"{chr(a)}-{chr(b)}" for a, b in ranges)))
