"""What a search for paraphrases found: the passages that are near an item, and a value for each."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from ragstone.corpus.leaks import Leaks
from ragstone.corpus.paraphrases.settings import ParaphraseSettings


class Paraphrase(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A document with a passage that is near a field of an item.

    similarity: the cosine of the field's text, or of the nearest of its texts, and the passage.
    documents_at_threshold: in how many documents of the corpus a passage reaches the threshold.
    passage: characters start to end of the document, which are those of `title LF text` where it
    has a title; `cut` says that the passage that was compared goes on.
    """

    item_id: str
    field: str
    doc_id: str
    similarity: float
    documents_at_threshold: int
    passage: str
    start: int
    end: int
    cut: bool = False

    @property
    def value(self) -> float:
        """What the threshold is for."""
        return self.similarity


@dataclass(frozen=True, slots=True)
class Paraphrases(Leaks[ParaphraseSettings, Paraphrase]):
    """What was found, sorted by item, field, similarity and document.

    scores: the columns `paraphrase_similarity`, the highest of an item's texts with any passage,
    and `leaked`, 1 where that reaches the threshold. encoder: what a reader calls it.
    """

    encoder: str
