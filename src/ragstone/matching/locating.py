"""Where texts stand in the documents they were cut from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ragstone.formats.gold import Place
from ragstone.text.ngrams import Block, grams, grams_of, tokens_of
from ragstone.text.passages import Aligned, densest_run, letter_span
from ragstone.text.postings import Postings

if TYPE_CHECKING:
    from ragstone.formats.corpus import Batch, Corpus
    from ragstone.progress import Progress

SIZE = 10  # letters and digits in a row by which a text is looked for
LEAST = 0.5  # of a text's n-grams have to stand in the document, close to each other


class Located(Struct, frozen=True):
    """Where a text stands, with the digest of that document, and what stands there.

    share: of its n-grams that stand there; 1 where all letters and digits do. documents: in how
    many it stands as well as there; the first of them by id is taken.
    """

    place: Place
    text: str
    share: float
    documents: int = 1


class Source(NamedTuple):
    """A document that places were given of: the sha256 of its text, its length, its excerpts."""

    digest: str
    length: int
    excerpts: dict[Place, str]


class Locations(Struct, frozen=True):
    """What was found in a corpus: for each text its place or None, and the documents of places."""

    found: list[Located | None]
    sources: dict[str, Source]


def locate(
    corpus: Corpus,
    sought: Sequence[str],
    places: Iterable[Place] = (),
    progress: Progress | None = None,
) -> Locations:
    """Look for texts in a corpus, and look up places; the corpus is read once.

    A text that stands in a document letter by letter is found by that; one that a chunker has
    trimmed, joined or cleaned by the n-grams of its letters, of which LEAST have to stand close
    to each other. sources: has the document of each place, if the corpus has it.
    """
    wanted: dict[str, list[Place]] = {}
    for place in places:
        wanted.setdefault(place.doc, []).append(place)
    index = _Index(sought)
    best: list[Located | None] = [None] * len(sought)
    sources: dict[str, Source] = {}
    for batch in corpus.batches(progress=progress):
        for number, found in index.look(batch):
            best[number] = _better(best[number], found)
        for doc, text in zip(batch.ids, batch.texts, strict=True):
            if doc in wanted:
                excerpts = {each: text[each.start : each.end] for each in wanted[doc]}
                sources[doc] = Source(digest_of(text), len(text), excerpts)
    return Locations(best, sources)


def digest_of(text: str) -> str:
    """Return the sha256 of a document's text as UTF-8, in hex."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


class _Index:
    """The texts that are looked for, by the n-grams of their letters."""

    def __init__(self, sought: Sequence[str]) -> None:
        self.sought = sought
        block = Block.of(sought)
        tokens = block.tokens("char")
        self._short = [number for number, count in enumerate(tokens.counts()) if count < SIZE]
        found = grams(tokens, SIZE)
        self._postings = Postings(found.texts, found.hashes)
        self._sizes = self._postings.sizes(len(sought))

    def look(self, batch: Batch) -> Iterator[tuple[int, Located]]:
        """Go through what the documents of a batch have of the texts."""
        found = grams(Block.of(batch.texts).tokens("char"), SIZE, self._postings.may_have)
        for part in self._postings.shared(found, len(self.sought)):
            enough = part.counts >= LEAST * self._sizes[part.owners]
            pairs = zip(part.texts[enough].tolist(), part.owners[enough].tolist(), strict=True)
            for text, number in pairs:
                yield from self._place(batch, text, number)
        for number in self._short:
            for text in range(len(batch.ids)):
                yield from self._place(batch, text, number)

    def _place(self, batch: Batch, text: int, number: int) -> Iterator[tuple[int, Located]]:
        found = place_in(batch.ids[text], batch.texts[text], self.sought[number])
        if found is not None:
            yield number, found


def place_in(doc: str, document: str, text: str) -> Located | None:
    """Return where a text stands in one document: letter by letter, or most of its n-grams.

    >>> place_in("d", "One two three, four five six.", "two  three four five").text
    'two three, four five'
    """
    inside = text.strip()
    start = document.find(inside) if inside else -1
    if start >= 0:
        return _located(doc, document, start, start + len(inside), 1.0)
    mine = tokens_of(text, "char")
    size = min(SIZE, len(mine))
    wanted = set(grams_of(mine, size)) if mine else set()
    letters = tokens_of(document, "char") if wanted else []
    shared = [(start, gram) for start, gram in enumerate(grams_of(letters, size)) if gram in wanted]
    if not shared:
        return None
    run = densest_run(shared, size, len(mine))
    inside_run = {gram for start, gram in shared if run.first <= start <= run.last}
    share = len(inside_run) / len(wanted)
    if share < LEAST:
        return None
    aligned = Aligned(document)
    first, last = aligned.place(*letter_span(aligned.normal, run))
    return _located(doc, document, first, last, share)


def _located(doc: str, document: str, start: int, end: int, share: float) -> Located:
    return Located(Place(doc, start, end, digest_of(document)), document[start:end], share)


def _better(one: Located | None, other: Located) -> Located:
    """Return the better of two places; of equal ones the first by document, counted as two."""
    if one is None or other.share > one.share:
        return other
    if other.share < one.share:
        return one
    first = min(one, other, key=lambda each: each.place.doc)
    return replace(first, documents=one.documents + other.documents)
