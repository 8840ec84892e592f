"""The readings of an overlap: one corpus is indexed, the other asked, then the first again."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ragstone.corpus.overlap.distinct import Distinct
from ragstone.corpus.overlap.shingles import DIGEST, digests
from ragstone.corpus.overlap.similar import Index, Method
from ragstone.text.ngrams import Block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.corpus.overlap.similar import Numbers, Sketch
    from ragstone.formats.corpus import Batch

NOTHING = b""  # the digest of a document without a word, as NumPy gives it


class Sketches(Struct):
    """What is kept of a corpus that will be indexed.

    digests: of each document that has a word. parts: digests of some different texts, and their
    sketch. short: the number of documents that are one shingle.
    """

    digests: list[NDArray[np.bytes_]] = field(default_factory=list)
    parts: list[tuple[NDArray[np.bytes_], Sketch]] = field(default_factory=list)
    met: set[bytes] = field(default_factory=set)
    short: set[bytes] = field(default_factory=set)


class SketchJob(Struct, frozen=True):
    """Reads a corpus to index it; without a method, for identical texts only."""

    method: Method | None

    def start(self) -> Sketches:
        """Begin with nothing."""
        return Sketches()

    def read(self, state: Sketches, batch: Batch) -> None:
        """Add a batch: all digests, and a sketch of each text that is new."""
        import numpy as np

        block = Block.of(batch.texts)
        found = digests(block)
        state.digests.append(found[found != NOTHING])
        if self.method is None:
            return
        texts = {
            digest: place
            for place, digest in enumerate(found.tolist())
            if digest != NOTHING and digest not in state.met
        }
        if not texts:
            return
        state.met.update(texts)
        if len(texts) < len(found):
            block = Block.of([batch.texts[place] for place in texts.values()])
        names = np.array(list(texts), dtype=DIGEST)
        sketch, short = self.method.sketch(block)
        state.parts.append((names, sketch))
        state.short.update(names[short].tolist())

    def merge(self, state: Sketches, other: Sketches) -> None:
        """Add what another process read; a text that both met is no harm."""
        state.digests.extend(other.digests)
        state.parts.extend(other.parts)
        state.short |= other.short


def numbered(state: Sketches, distinct: Distinct) -> list[Sketch]:
    """Return the sketches with the numbers of their texts."""
    found = []
    for names, (texts, values) in state.parts:
        found.append((distinct.numbers_of(names)[texts], values))
    return found


class Match(Struct):
    """A text that was asked for and is, or may be similar to, an indexed one.

    ids: of the documents that have it. owners: indexed texts that it may be similar to; text: its
    text, packed, if there are any.
    """

    ids: list[str]
    owners: list[int]
    text: bytes
    short: bool


class Matches(Struct):
    """What asking a whole corpus has brought: texts by digest, and counts of documents."""

    texts: dict[bytes, Match] = field(default_factory=dict)
    with_words: int = 0
    short: int = 0


class MatchJob(Struct, frozen=True):
    """Reads a corpus and asks an index; without one, for identical texts only.

    least: how many documents of the indexed corpus have to have a text for it to be identical: 1,
    or 2 where both corpora are the same.
    """

    distinct: Distinct
    index: Index | None
    least: int

    def start(self) -> Matches:
        """Begin with none."""
        return Matches()

    def read(self, state: Matches, batch: Batch) -> None:
        """Ask for the texts of a batch; of those that were matched before, note the id."""
        block = Block.of(batch.texts)
        found = digests(block)
        names = found.tolist()
        state.with_words += len(names) - names.count(NOTHING)
        numbers = self.distinct.numbers_of(found)
        identical = (numbers >= 0) & (self.distinct.counts[numbers] >= self.least)
        new = [place for place, name in enumerate(names) if name not in state.texts]
        state.short += sum(state.texts[name].short for name in names if name in state.texts)
        if len(new) < len(names):
            block, numbers = Block.of([batch.texts[place] for place in new]), numbers[new]
        owners, short = self._ask(block, numbers)
        state.short += len(short)
        for i, place in enumerate(new):
            if owners[i] or identical[place]:
                text = packed(batch.texts[place]) if owners[i] else b""
                state.texts.setdefault(names[place], Match([], owners[i], text, i in short))
        for name, doc in zip(names, batch.ids, strict=True):
            if name in state.texts:
                state.texts[name].ids.append(doc)

    def _ask(self, block: Block, numbers: Numbers) -> tuple[list[list[int]], set[int]]:
        """Return the other texts that each may be similar to, and which texts are short."""
        owners: list[list[int]] = [[] for _ in range(len(numbers))]
        if self.index is None:
            return owners, set()
        found = self.index.ask(block)
        other = numbers[found.texts] != found.owners
        pairs = zip(found.texts[other].tolist(), found.owners[other].tolist(), strict=True)
        for text, owner in pairs:
            owners[text].append(owner)
        return owners, set(found.short.tolist())

    def merge(self, state: Matches, other: Matches) -> None:
        """Add what another process found."""
        for name, match in other.texts.items():
            if name in state.texts:
                state.texts[name].ids.extend(match.ids)
            else:
                state.texts[name] = match
        state.with_words += other.with_words
        state.short += other.short


class Fetched(Struct):
    """Of some indexed texts, by number: the ids of the documents that have it, and the text."""

    ids: dict[int, list[str]] = field(default_factory=dict)
    texts: dict[int, bytes] = field(default_factory=dict)


class FetchJob(Struct, frozen=True):
    """Reads the indexed corpus once more, for the texts with certain numbers.

    with_ids, with_text: which ids and which texts are needed.
    """

    distinct: Distinct
    with_ids: NDArray[np.bool_]
    with_text: NDArray[np.bool_]

    def start(self) -> Fetched:
        """Begin with none."""
        return Fetched()

    def read(self, state: Fetched, batch: Batch) -> None:
        """Look at the documents of a batch."""
        numbers = self.distinct.numbers(Block.of(batch.texts))
        wanted = (numbers >= 0) & self.with_ids[numbers]
        for place in wanted.nonzero()[0].tolist():
            number = int(numbers[place])
            state.ids.setdefault(number, []).append(batch.ids[place])
            if self.with_text[number] and number not in state.texts:
                state.texts[number] = packed(batch.texts[place])

    def merge(self, state: Fetched, other: Fetched) -> None:
        """Add what another process found."""
        for number, ids in other.ids.items():
            state.ids.setdefault(number, []).extend(ids)
        for number, text in other.texts.items():
            state.texts.setdefault(number, text)


def packed(text: str) -> bytes:
    """Compress a text that waits in memory."""
    return zlib.compress(text.encode(errors="surrogatepass"), 1)


def unpacked(data: bytes) -> str:
    """Return a text as it was."""
    return zlib.decompress(data).decode(errors="surrogatepass")
