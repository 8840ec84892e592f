"""What a search for n-grams found: the documents that hold much of an item, a value for each."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.leaks import Leaks


class Leak(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A document that holds much of a field of an item.

    containment: the share of the field's different n-grams that the document has, shared of
    item_ngrams. unit: what these n-grams consist of. documents_at_threshold: in how many documents
    of the corpus the field's containment reaches the threshold; documents_sharing: in how many any
    of its n-grams stands. passage: characters start to end of the document, which are those of
    `title LF text` where it has a title; `cut` says that it would go on.
    """

    item_id: str
    field: str
    doc_id: str
    containment: float
    shared: int
    item_ngrams: int
    unit: str
    documents_at_threshold: int
    documents_sharing: int
    passage: str
    start: int
    end: int
    cut: bool = False

    @property
    def value(self) -> float:
        """What the threshold is for."""
        return self.containment


@dataclass(frozen=True, slots=True)
class Leakage(Leaks[LeakageSettings, Leak]):
    """What was found, sorted by item, field, containment and document.

    scores: the columns `containment`, the highest of an item's fields in any document, and
    `leaked`, 1 where that reaches the threshold.
    """
