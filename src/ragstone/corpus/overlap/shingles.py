"""What documents are compared by: the set of their shingles, and a digest of all their words."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ragstone.text.ngrams import Block, Gram, Tokens, grams, grams_of, tokens_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.text.ngrams import Hashes, Places

DIGEST = "S16"  # the type of a digest in NumPy; it sorts, unlike one of plain bytes
NO_WORDS = bytes(16)
END = b"\n"  # of a text, while its words are joined


class Shingles(NamedTuple):
    """The shingles of a block of documents.

    texts, hashes: parallel arrays, which document and the hash of the shingle. short: the
    documents that are one shingle, as they are shorter than others are.
    """

    texts: Places
    hashes: Hashes
    short: Places


class Shingling(Struct, frozen=True):
    """How documents are cut into shingles.

    words: how many words in a row; letters: how many letters in a row, from each letter of a
    script that has no spaces between words (and of Korean, whose endings change). A document that
    is shorter than that is one shingle.
    """

    words: int = 5
    letters: int = 2

    def of(
        self, block: Block, wanted: Callable[[Hashes], NDArray[np.bool_]] | None = None
    ) -> Shingles:
        """Return the shingles of a block of documents, without those that are not wanted."""
        import numpy as np

        tokens = block.tokens("mixed")
        found = grams(tokens, self.words, letters=self.letters)
        longer = np.bincount(found.texts, minlength=len(block.borders) - 1)
        short = np.flatnonzero((longer == 0) & (tokens.counts() > 0))
        texts = np.concatenate((found.texts, short))
        hashes = np.concatenate((found.hashes, _whole_texts(tokens, short)))
        kept = slice(None) if wanted is None else wanted(hashes)
        return Shingles(texts[kept], hashes[kept], short)

    def set_of(self, text: str) -> frozenset[Gram]:
        """Return the shingles of one document, as they are and not as hashes.

        >>> sorted(Shingling(words=2).set_of("The cat, the cat!"))
        [('cat', 'the'), ('the', 'cat')]
        """
        tokens = tokens_of(text, "mixed")
        found = grams_of(tokens, self.words, letters=self.letters)
        return frozenset(found) if found or not tokens else frozenset([tuple(tokens)])


def digests(block: Block) -> NDArray[np.bytes_]:
    """Return 16 bytes per document that say which words it has in which order.

    Documents with the same words have the same ones, and others, for all that is known of BLAKE2,
    different ones. A document without words has NO_WORDS.
    """
    import numpy as np

    data = np.frombuffer(block.data, dtype=np.uint8).copy()
    data[block.borders[1:] - 1] = END[0]
    lines = data.tobytes()
    for run, short in ((b"  ", b" "), (b" " + END, END), (END + b" ", END)):
        while run in lines:
            lines = lines.replace(run, short)
    found = [
        blake2b(words, digest_size=16).digest() if words else NO_WORDS
        for words in lines.lstrip(b" ").split(END)[:-1]
    ]
    return np.frombuffer(b"".join(found), dtype=DIGEST)


def jaccard(one: frozenset[Gram], other: frozenset[Gram]) -> float:
    """Return the share of the shingles of two documents that both have; 0 where none has any.

    >>> jaccard(frozenset("ab"), frozenset("bc"))
    0.3333333333333333
    """
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _whole_texts(tokens: Tokens, texts: Places) -> Hashes:
    """Return the hash of all tokens of each of some short texts."""
    import numpy as np

    lengths = tokens.counts()[texts]
    hashes = np.zeros(len(texts), dtype=np.uint64)
    for length in sorted(set(lengths.tolist())):
        these = np.flatnonzero(lengths == length)
        places = tokens.offsets[texts[these]][:, None] + np.arange(length)
        alone = Tokens(tokens.hashes[places].ravel(), np.arange(len(these) + 1) * length)
        hashes[these] = grams(alone, length).hashes
    return hashes
