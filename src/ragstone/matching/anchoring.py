"""Labels made into places once, so that they hold whatever the chunks are later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ragstone.errors import InputError
from ragstone.formats.gold import Passage, Place
from ragstone.matching.locating import locate

if TYPE_CHECKING:
    from ragstone.formats.corpus import Corpus
    from ragstone.progress import Progress


class Anchored(Struct, frozen=True):
    """Gold passages with their places, and those of which none was found, by query.

    cleaned: how many differ from their document in more than where they begin and end, as in
    white space or punctuation. ambiguous: how many stand in several documents; the first by id is
    taken.
    """

    gold: dict[str, list[Passage]]
    lost: dict[str, list[Passage]]
    cleaned: int
    ambiguous: int


def anchor(
    gold: Mapping[str, Sequence[Passage]], corpus: Corpus, progress: Progress | None = None
) -> Anchored:
    """Find the place of each gold in a corpus, which is read once.

    A gold with a text stands where the text does; one with an id alone is the whole document. Each
    place has the digest of its document; a passage has the text as it stands there. Raises
    InputError where no gold is found.
    """
    every = [each for found in gold.values() for each in found]
    texts = list(dict.fromkeys(each.text for each in every if each.text))
    ids = sorted({each.id for each in every if not each.text and each.id is not None})
    found = locate(corpus, texts, [Place(doc, 0, 0) for doc in ids], progress)
    located = {text: each for text, each in zip(texts, found.found, strict=True) if each}

    def placed(passage: Passage) -> Passage | None:
        if passage.text:
            each = located.get(passage.text)
            return Passage(each.text, passage.id, each.place) if each else None
        source = found.sources.get(passage.id or "")
        if source is None or not source.length:
            return None
        return Passage("", passage.id, Place(passage.id or "", 0, source.length, source.digest))

    kept = {query: [placed(each) for each in passages] for query, passages in gold.items()}
    if not any(each for passages in kept.values() for each in passages):
        raise InputError("no gold was found in the corpus; are these its documents?")
    lost = {
        query: [each for each, place in zip(gold[query], passages, strict=True) if place is None]
        for query, passages in kept.items()
    }
    return Anchored(
        {query: [each for each in passages if each] for query, passages in kept.items()},
        {query: passages for query, passages in lost.items() if passages},
        sum(each.text != text.strip() for text, each in located.items()),
        sum(each.documents > 1 for each in located.values()),
    )
