"""What is looked for in a corpus: each text of each item as n-grams of one or two units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.sought import FIRST, NO_WORDS, Sought
from ragstone.text.ngrams import Block, Tokens, hash_token_lists
from ragstone.text.normal import normalise, words
from ragstone.text.scripts import HANGUL, UNSPACED, letters_of

if TYPE_CHECKING:
    from ragstone.text.tokenizers.kiwi import Kiwi

Unit: TypeAlias = Literal["word", "char", "morpheme"]
"""What an n-gram consists of: words; letters and digits without what separates them; morphemes."""

Ngram: TypeAlias = tuple[bytes, ...] | str
"""An n-gram spelt out: words in a row, or letters in a row."""

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


class Lines:
    """Texts as their tokens in some unit: hashed all together, or spelt out one by one."""

    def __init__(self, texts: Sequence[str], kiwi: Kiwi | None = None) -> None:
        """Keep the texts; what is not asked for is not worked out."""
        self._texts, self._kiwi = texts, kiwi
        self._block: Block | None = None
        self._morphemes: list[list[str]] | None = None
        self._tokens: dict[Unit, Tokens] = {}

    def tokens(self, unit: Unit) -> Tokens:
        """Return the hashed tokens of all texts."""
        if unit not in self._tokens:
            self._tokens[unit] = (
                hash_token_lists(self._lists())
                if unit == "morpheme"
                else self._words().tokens(unit)
            )
        return self._tokens[unit]

    def wordless(self) -> int:
        """Count the texts without any token, in a unit that was asked for already."""
        counts = next(iter(self._tokens.values())).counts()
        return len(counts) - int((counts > 0).sum())

    def line(self, i: int, unit: Unit) -> bytes:
        """Return the tokens of text i, with spaces between words or morphemes, and behind them."""
        if unit == "morpheme":
            return "".join(f"{token} " for token in self._lists()[i]).encode()
        block = self._words()
        return block.data[block.borders[i] : block.borders[i + 1]]

    def _words(self) -> Block:
        if self._block is None:
            self._block = Block.of(self._texts)
        return self._block

    def _lists(self) -> list[list[str]]:
        if self._morphemes is None:
            assert self._kiwi is not None
            self._morphemes = [
                [token.text for token in self._kiwi.placed(normalise(text))] for text in self._texts
            ]
        return self._morphemes


def hash_lines(lines: Sequence[bytes], unit: Unit) -> Tokens:
    """Hash the tokens of lines that are spelt out, as Lines.tokens does."""
    import numpy as np

    if unit == "morpheme":
        return hash_token_lists([line.decode().split(" ")[:-1] for line in lines])
    borders = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    return Block(b"".join(lines), borders).tokens(unit)


class Spelling:
    """The tokens of a line, spelt out.

    >>> Spelling(b"a  bc d ", "word").ngrams(2), Spelling(b"a  bc d ", "char").ngrams(3)
    ([(b'a', b'bc'), (b'bc', b'd')], ['abc', 'bcd'])
    """

    def __init__(self, line: bytes, unit: Unit) -> None:
        """Take a line apart."""
        self._tokens: list[bytes] | str = (
            line.decode().replace(" ", "") if unit == "char" else line.split()
        )

    def ngrams_at(self, starts: Sequence[int], size: int) -> list[Ngram]:
        """Return the n-grams that begin with some tokens."""
        tokens = self._tokens
        if isinstance(tokens, str):
            return [tokens[i : i + size] for i in starts]
        return [tuple(tokens[i : i + size]) for i in starts]

    def ngrams(self, size: int) -> list[Ngram]:
        """Return all n-grams, in order."""
        return self.ngrams_at(range(len(self._tokens) - size + 1), size)
