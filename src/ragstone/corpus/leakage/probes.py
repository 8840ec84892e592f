"""The texts that are looked for, each as n-grams of one or two units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, get_args

from ragstone.corpus.leakage.lines import Lines, Unit
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.sought import FIRST, NO_WORDS, Sought
from ragstone.text.normal import words
from ragstone.text.scripts import HANGUL, UNSPACED, letters_of

if TYPE_CHECKING:
    from ragstone.text.tokenizers.kiwi import Kiwi

CHARACTERS = 128 * 1024  # of texts that are worked on at a time
MOSTLY, PARTLY = 1 / 2, 1 / 5  # shares of the letters of a text


def units_of(text: str) -> tuple[Unit, ...]:
    """Return the units that fit a text's script.

    Words where words have spaces between them; letters where at least half of the letters are of
    a script without spaces, as Chinese, Japanese and Thai; both where a fifth are, or are Korean,
    which has spaces, but also endings that change.

    >>> units_of("How so?"), units_of("東京タワー"), units_of("검색 품질")
    (('word',), ('char',), ('word', 'char'))
    """
    if max(text, default="") < FIRST:
        return ("word",)
    found = "".join(words(text))
    letters = max(1, sum(map(str.isalpha, found)))
    unspaced, inflected = (len(letters_of(each).findall(found)) for each in (UNSPACED, HANGUL))
    if unspaced >= MOSTLY * letters:
        return ("char",)
    return ("word", "char") if unspaced + inflected >= PARTLY * letters else ("word",)


def _units(text: str, settings: LeakageSettings) -> Iterable[Unit]:
    if settings.unit == "auto":
        return units_of(text)
    return [unit for unit in get_args(Unit) if unit == settings.unit]


class Probe(NamedTuple):
    """A text to look for by one unit: its tokens, and how many of them are an n-gram.

    text, target: the numbers of the text and of the field it stands in. A field with several
    texts, and a text of two units, is several probes. line: the tokens in UTF-8, with spaces
    between words and behind them.
    """

    text: int
    target: int
    unit: Unit
    size: int
    tokens: int
    line: bytes


def probes_of(found: Sought, settings: LeakageSettings, kiwi: Kiwi | None = None) -> list[Probe]:
    """Cut the texts that are looked for into n-grams; a text without any is given its reason.

    kiwi: where the unit is morphemes.
    """
    texts: dict[Unit, list[int]] = {unit: [] for unit in get_args(Unit)}
    for number in found.left:
        for unit in _units(found.texts[number], settings):
            texts[unit].append(number)
    return [
        probe
        for unit, of_unit in texts.items()
        for part in _parts(found, of_unit)
        for probe in _probes(found, part, unit, settings.size(unit), kiwi)
    ]


def _probes(
    found: Sought, numbers: Sequence[int], unit: Unit, size: int, kiwi: Kiwi | None
) -> Iterator[Probe]:
    lines = Lines([found.texts[number] for number in numbers], kiwi)
    counts = lines.tokens(unit).counts().tolist()
    for i, (number, count) in enumerate(zip(numbers, counts, strict=True)):
        if count:
            target, line = found.owners[number], lines.line(i, unit)
            yield Probe(number, target, unit, min(size, count), count, line)
        else:
            found.reasons[number] = NO_WORDS


def _parts(found: Sought, numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    start = length = 0
    for end, number in enumerate(numbers, 1):
        length += len(found.texts[number])
        if length >= CHARACTERS or end == len(numbers):
            yield numbers[start:end]
            start, length = end, 0
