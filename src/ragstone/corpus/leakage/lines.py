"""Texts as tokens in some unit, which n-grams consist of: hashed, or spelt out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from ragstone.text.ngrams import Block, Tokens, hash_token_lists
from ragstone.text.normal import normalise

if TYPE_CHECKING:
    from ragstone.text.tokenizers.kiwi import Kiwi

Unit: TypeAlias = Literal["word", "char", "morpheme"]
"""What an n-gram consists of: words; letters and digits without what separates them; morphemes."""

Ngram: TypeAlias = tuple[bytes, ...] | str
"""An n-gram spelt out: words in a row, or letters in a row."""


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
