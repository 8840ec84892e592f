"""A block of texts normalised at once: words in UTF-8, with spaces between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ragstone.text.normal import normal_form

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    A = TypeVar("A", bound=np.generic)
    Places: TypeAlias = NDArray[np.int64]

SPACE = 32
KEPT = 16 << 20  # bytes, more than the arrays of a block together
MEMO_CHUNK, MEMO_SIZE = 48, 1 << 16
DENSE = 8  # a block with more than one byte in so many beyond ASCII is normalised as a whole
_SEPARATORS = re.compile(r"[\W_]+")
# What an ASCII byte is once it is normalised: itself in lower case, or a space between words.
_LOWER = bytes(
    byte if byte >= 0x80 else ord(chr(byte).lower()) if chr(byte).isalnum() else SPACE
    for byte in range(256)
)
_memo: dict[bytes, bytes] = {}


def normalised(texts: Sequence[str]) -> tuple[bytes, Places]:
    """Return the words of texts, each behind a space or the start, and the borders of the texts.

    The last byte before each border is a space.
    """
    import numpy as np

    _keep_memory()
    encoded = [text.encode(errors="surrogatepass") for text in texts]
    borders = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) + 1 for text in encoded], out=borders[1:])
    data = b" ".join([*encoded, b""])
    if not data.isascii():
        beyond = np.count_nonzero(np.frombuffer(data, dtype=np.uint8) & 0x80)
        whole = beyond * DENSE > len(data)
        data, borders = _normal_texts(texts) if whole else _normal_chunks(data, borders)
    return data.translate(_LOWER), borders


@cache
def _keep_memory() -> None:
    """Let the C library keep the memory of a block for the next one, once in a process.

    glibc gives pieces as large as our arrays back at once, and asks for them again, until it has
    seen a larger one freed (see mallopt, M_MMAP_THRESHOLD). That is a tenth of the time.
    """
    import numpy as np

    np.empty(KEPT, dtype=np.uint8)


def _normal_chunks(data: bytes, borders: Places) -> tuple[bytes, Places]:
    """Normalise what lies between two spaces and has a byte beyond ASCII; move the borders.

    A space neither composes with what is beside it nor lets it change its case, so what lies
    between two of them can be normalised for itself.
    """
    return replaced(data, borders, 0x80, _normal_pieces)


def _normal_pieces(chunks: list[bytes]) -> list[bytes]:
    known = _memo.get  # no call for a chunk that was there before, as most were
    return [known(chunk) or _normal_chunk(chunk) for chunk in chunks]


def replaced(
    data: bytes, borders: Places, least: int, others: Callable[[list[bytes]], list[bytes]]
) -> tuple[bytes, Places]:
    """Put another piece for each that lies between two spaces and has a byte of `least` or more.

    others: makes of all these pieces those that are put there. Returns the new data and where the
    borders are in it.
    """
    import numpy as np

    array = np.frombuffer(data, dtype=np.uint8)
    spaces = np.concatenate(([-1], np.flatnonzero(array == SPACE), [len(data)]))
    chunks = without_repeats(np.searchsorted(spaces, np.flatnonzero(array >= least)))
    starts, ends = spaces[chunks - 1] + 1, spaces[chunks]
    first, last = starts.tolist(), ends.tolist()
    pieces = others([data[start:end] for start, end in zip(first, last, strict=True)])
    between = [data[end:start] for end, start in zip([0, *last], [*first, len(data)], strict=True)]
    joined = [b""] * (2 * len(pieces) + 1)
    joined[0::2], joined[1::2] = between, pieces
    grown = np.zeros(len(chunks) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)) - (ends - starts), out=grown[1:])
    return b"".join(joined), borders + grown[np.searchsorted(starts, borders)]


def _normal_texts(texts: Sequence[str]) -> tuple[bytes, Places]:
    """Normalise texts that are mostly beyond ASCII, all at once; no normal form makes a line feed.

    >>> _normal_texts(["\u00c4, \u00f6", "\ufb01\\n"])[0].decode()
    '\u00e4  \u00f6 fi  '
    """
    import numpy as np

    joined = normal_form("\n".join([*(text.replace("\n", " ") for text in texts), ""]))
    codes = codes_of(joined)
    lines = codes == ord("\n")
    spaced = np.where(_is_word(codes), codes, np.uint32(SPACE)).astype("<u4").tobytes()
    data = spaced.decode("utf-32-le").encode()
    leading = np.flatnonzero((np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80)
    return data, np.concatenate(([0], leading[lines] + 1))


def codes_of(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text."""
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", errors="surrogatepass"), dtype="<u4")


def running(flags: NDArray[np.bool_]) -> Places:
    """Return how many flags are set before each place, and in all."""
    import numpy as np

    return np.concatenate(([0], np.cumsum(flags, dtype=np.int64)))


def _is_word(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Tell which code points are letters or digits."""
    import numpy as np

    table = _letters()
    inside = table[np.minimum(codes, len(table) - 1)]
    for code in without_repeats(np.sort(codes[codes >= len(table)])).tolist():
        inside[codes == code] = chr(code).isalnum()
    return inside


@cache
def _letters() -> NDArray[np.bool_]:
    """Return for each code point of the first plane whether it is a letter or a digit."""
    import numpy as np

    return np.array([chr(code).isalnum() for code in range(1 << 16)], dtype=np.bool_)


def _normal_chunk(chunk: bytes) -> bytes:
    """Return the words of a piece of text, normalised, with a space between them."""
    known = _memo.get(chunk)
    if known is not None:
        return known
    text = normal_form(chunk.decode(errors="surrogatepass"))
    words_only = _SEPARATORS.sub(" ", text).encode()
    if len(chunk) <= MEMO_CHUNK:
        if len(_memo) >= MEMO_SIZE:
            _memo.clear()
        _memo[chunk] = words_only
    return words_only


def without_repeats(ascending: NDArray[A]) -> NDArray[A]:
    """Return each of some numbers once; np.unique would import masked arrays for it."""
    import numpy as np

    new = np.ones(len(ascending), dtype=np.bool_)
    new[1:] = ascending[1:] != ascending[:-1]
    return ascending[new]
