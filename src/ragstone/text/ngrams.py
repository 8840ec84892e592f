"""The one n-gram kernel: a block of texts becomes hashes of tokens, and of runs of tokens.

Equal tokens have equal hashes, so whoever looks for equal n-grams by their hash misses none.
Unequal ones can share a hash: what is reported is checked again on its tokens (`tokens_of`).
Hashes depend on the tokens and on nothing else, so that processes and machines can share them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ragstone.text.blocks import DENSE, MEMO_SIZE, SPACE, codes_of, normalised, replaced, running
from ragstone.text.hashing import FIRST, hash_runs, spread, word_edges
from ragstone.text.normal import words
from ragstone.text.scripts import HANGUL, RANGES, UNSPACED, letters_of, script_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes: TypeAlias = NDArray[np.uint64]
    Places: TypeAlias = NDArray[np.int64]

Gram: TypeAlias = tuple[str, ...]
Unit: TypeAlias = Literal["word", "char", "mixed"]

LETTERS = HANGUL | UNSPACED
THREE_BYTES = 0xE0  # from here on, the first byte of a character of three bytes or more


@cache
def _letter_or_run() -> re.Pattern[str]:
    letters = "".join(f"{chr(first)}-{chr(last)}" for first, last in RANGES)
    return re.compile(f"[{letters}]|[^ {letters}]+")


class Tokens(NamedTuple):
    """The hashed tokens of a block of texts, one text behind the other.

    hashes: one per token. offsets: one per text and one more; the tokens of text i are
    hashes[offsets[i]:offsets[i + 1]]. letters: where the unit is "mixed", which tokens are single
    letters of a script that has no spaces.
    """

    hashes: Hashes
    offsets: Places
    letters: NDArray[np.bool_] | None = None

    def counts(self) -> Places:
        """Return the number of tokens of each text."""
        return self.offsets[1:] - self.offsets[:-1]


class Grams(NamedTuple):
    """N-grams of a block of texts, in the order of texts and tokens; all arrays are as long.

    texts: which text of the block; hashes: of the n-gram; starts: the number of its first token
    in that text.
    """

    texts: Places
    hashes: Hashes
    starts: Places


def tokens_of(text: str, unit: Unit) -> list[str]:
    """Return what the kernel hashes: the words of a text, or the letters and digits of them.

    "mixed" is words, but each letter by itself in Chinese, Japanese, Korean, Thai and the other
    scripts of text.scripts.

    >>> tokens_of("It's 3.5 km", "word"), tokens_of("한국 어!", "char")
    (['it', 's', '3', '5', 'km'], ['한', '국', '어'])
    >>> tokens_of("BM25로 검색!", "mixed")
    ['bm25', '로', '검', '색']
    """
    found = words(text)
    if unit == "word":
        return found
    if unit == "char":
        return list("".join(found))
    joined = " ".join(found)
    return found if _has_no_letter(joined) else _letter_or_run().findall(joined)


class Block(NamedTuple):
    """A block of normalised texts: words in UTF-8 with spaces between them.

    borders: one per text and one more; text i lies in data[borders[i]:borders[i + 1]], and the
    last byte before each border is a space.
    """

    data: bytes
    borders: Places

    @classmethod
    def of(cls, texts: Sequence[str]) -> Block:
        """Normalise texts; the result is the same however they are put into blocks.

        A block takes about ten times its bytes while it is worked on; a quarter of a megabyte
        is a good size.
        """
        return cls(*normalised(texts))

    def tokens(self, unit: Unit) -> Tokens:
        """Hash the words of the texts, or each letter and digit of them.

        >>> Block.of(["One two", "", "TWO one!"]).tokens("word").offsets.tolist()
        [0, 2, 2, 4]
        """
        if unit == "char":
            return self._chars()
        return self._words() if unit == "word" else self._mixed()

    def _mixed(self) -> Tokens:
        """Hash words, and letters that stand for themselves: all those have three bytes or more."""
        import numpy as np

        long = np.count_nonzero(np.frombuffer(self.data, dtype=np.uint8) >= THREE_BYTES)
        if not long:
            return self._words()
        return self._many_letters() if long * 3 * DENSE > len(self.data) else self._few_letters()

    def _few_letters(self) -> Tokens:
        """Put spaces around letters word by word."""
        import numpy as np

        data, borders = replaced(self.data, self.borders, THREE_BYTES, _all_spaced)
        starts, ends = word_edges(data)
        letters = np.frombuffer(data, dtype=np.uint8)[starts] >= THREE_BYTES
        for token in letters.nonzero()[0].tolist():
            letters[token] = _is_letter(data[starts[token] : ends[token]].decode())
        return Tokens(hash_runs(data, starts, ends), np.searchsorted(starts, borders), letters)

    def _words(self) -> Tokens:
        import numpy as np

        starts, ends = word_edges(self.data)
        hashes = hash_runs(self.data, starts, ends)
        return Tokens(hashes, np.searchsorted(starts, self.borders))

    def _chars(self) -> Tokens:
        import numpy as np

        codes = codes_of(self.data.decode())
        kept = codes != SPACE
        offsets = running(kept)[self._borders_in_codes()]
        return Tokens(spread(codes[kept].astype(np.uint64)), offsets)

    def _many_letters(self) -> Tokens:
        """Put spaces around letters in the whole block at once."""
        import numpy as np

        codes = codes_of(self.data.decode())
        alone = _is_alone(codes)
        wide = np.repeat(codes, 1 + 2 * alone)
        places = np.arange(len(codes)) + 2 * running(alone)[:-1] + alone
        wide[places[alone] - 1] = wide[places[alone] + 1] = SPACE
        data = wide.astype("<u4").tobytes().decode("utf-32-le").encode()
        starts, ends = word_edges(data)
        letters = np.zeros(len(wide), dtype=np.bool_)
        letters[places] = alone
        first = np.flatnonzero((wide != SPACE) & (np.concatenate(([SPACE], wide[:-1])) == SPACE))
        ahead = np.append(places - alone, len(wide))[self._borders_in_codes()]
        return Tokens(hash_runs(data, starts, ends), np.searchsorted(first, ahead), letters[first])

    def _borders_in_codes(self) -> Places:
        import numpy as np

        return running((np.frombuffer(self.data, dtype=np.uint8) & 0xC0) != 0x80)[self.borders]


def hash_token_lists(texts: Sequence[Sequence[str]]) -> Tokens:
    """Hash tokens that some tokenizer made; a token that is a word has the hash of that word."""
    import numpy as np

    counts = [0, *map(len, texts)]
    data = " ".join(token.replace(" ", "\0") for text in texts for token in text).encode(
        errors="surrogatepass"
    )
    hashes = _hash_spaced(data)
    offsets = np.cumsum(counts, dtype=np.int64)
    if len(hashes) != offsets[-1]:
        raise ValueError("a token is empty; tokens of at least one character were expected")
    return Tokens(hashes, offsets)


def grams(
    tokens: Tokens,
    size: int,
    wanted: Callable[[Hashes], NDArray[np.bool_]] | None = None,
    *,
    letters: int | None = None,
) -> Grams:
    """Return the n-grams of `size` tokens of each text; none where a text has fewer.

    wanted: tells for an array of hashes which of them are needed; the others are left out before
    their places are worked out, which is most of the work. letters: the size of the n-grams that
    begin with a letter standing for itself, in the unit "mixed"; by default the same.

    >>> grams(Block.of(["a b c", "b c"]).tokens("word"), 2).starts.tolist()
    [0, 1, 0]
    """
    import numpy as np

    hashes, whole = _runs(tokens, size)
    if letters is not None and tokens.letters is not None:
        others, whole_too = _runs(tokens, letters)
        hashes = np.where(tokens.letters, others, hashes)
        whole = np.where(tokens.letters, whole_too, whole)
    places = np.flatnonzero(whole if wanted is None else whole & wanted(hashes))
    texts = np.searchsorted(tokens.offsets, places, side="right") - 1
    return Grams(texts, hashes[places], places - tokens.offsets[texts])


def grams_of(tokens: Sequence[str], size: int, *, letters: int | None = None) -> list[Gram]:
    """Return what `grams` hashes, for the tokens of one text.

    >>> grams_of(["bm25", "로", "검", "색"], 3, letters=2)
    [('bm25', '로', '검'), ('로', '검'), ('검', '색')]
    """
    if letters in (None, size) or _has_no_letter("".join(tokens)):
        return list(zip(*(tokens[start:] for start in range(size)), strict=False))
    sizes = [letters if _is_letter(token) else size for token in tokens]
    return [
        tuple(tokens[start : start + length])
        for start, length in enumerate(sizes)
        if start + length <= len(tokens)
    ]


def _has_no_letter(text: str) -> bool:
    return text.isascii() or not letters_of(LETTERS).search(text)


def _is_letter(token: str) -> bool:
    return len(token) == 1 and script_of(token) != "other"


def _runs(tokens: Tokens, size: int) -> tuple[Hashes, NDArray[np.bool_]]:
    """Hash the run of `size` tokens from each token on; tell which are within one text."""
    import numpy as np

    number = len(tokens.hashes)
    runs = max(0, number - size + 1)
    whole = np.zeros(number, dtype=np.bool_)
    whole[:runs] = True
    for back in range(1, size):
        ends = tokens.offsets[1:] - back
        whole[ends[ends >= 0]] = False
    hashes = tokens.hashes.copy()
    hashes[:runs] = rolled = tokens.hashes[:runs]
    for step in range(1, size):
        rolled = rolled * np.uint64(FIRST) + tokens.hashes[step : step + runs]
    hashes[:runs] = rolled
    return hashes, whole


def _hash_spaced(data: bytes) -> Hashes:
    return hash_runs(data, *word_edges(data))


def _all_spaced(words: list[bytes]) -> list[bytes]:
    return list(map(_spaced, words))


@lru_cache(MEMO_SIZE)
def _spaced(word: bytes) -> bytes:
    """Put a space on both sides of each letter that stands for itself."""
    return " ".join(_letter_or_run().findall(word.decode())).encode()


def _is_alone(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Tell which code points are letters of a script that has no spaces."""
    import numpy as np

    found = np.zeros(len(codes), dtype=np.bool_)
    for first, last in RANGES:
        found |= (codes >= first) & (codes <= last)
    return found
