"""What a search for paraphrases found: the passages that are near an item, and a value for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.model import Scores

if TYPE_CHECKING:
    from ragstone.corpus.leakage.result import FieldCounts, NotChecked


class ParaphraseSettings(Struct, frozen=True, kw_only=True):
    """What a search for paraphrases is told.

    threshold: from this cosine on a text leaks. window: characters of a passage of a document.
    documents: how many are listed for a field, the best. min_words: texts with fewer are not
    looked for.
    """

    threshold: float
    window: int
    documents: int
    min_words: int

    def check(self) -> None:
        """Raise UsageError for what cannot be."""
        if isinstance(self.threshold, bool) or not 0 < self.threshold <= 1:
            raise UsageError(
                f"threshold is {self.threshold!r}; a number above 0 and of at most 1 was expected"
            )
        for name, least in (("window", 16), ("documents", 1), ("min_words", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise UsageError(f"{name} is {value!r}; a whole number from {least} was expected")


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


@dataclass(frozen=True, slots=True)
class Paraphrases:
    """What was found, sorted by item, field, similarity and document.

    scores: the columns `paraphrase_similarity`, the highest of an item's texts with any passage,
    and `leaked`, 1 where that reaches the threshold. encoder: what a reader calls it.
    """

    scores: Scores
    settings: ParaphraseSettings
    encoder: str
    fields: list[FieldCounts]
    leaks: list[Paraphrase]
    not_checked: list[NotChecked]

    @property
    def leaking_items(self) -> int:
        """How many items leak by at least one field."""
        return len({leak.item_id for leak in self.leaks})
