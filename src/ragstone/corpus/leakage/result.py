"""What a leakage check found: the leaks, what could not be checked, and a value for each item."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.model import Scores


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


class FieldCounts(Struct, frozen=True, kw_only=True):
    """How a field did: its texts that were looked for, those that could not be, what leaks.

    leaking: items of which this field stands in a document.
    """

    name: str
    texts: int
    not_checked: int
    leaking: int


class NotChecked(Struct, frozen=True, kw_only=True):
    """Why texts could not be looked for: how many, and the first items by id."""

    reason: str
    texts: int
    examples: list[str]


@dataclass(frozen=True, slots=True)
class Leakage:
    """What was found, sorted by item, field, containment and document.

    scores: the columns `containment`, the highest of an item's fields in any document, and
    `leaked`, 1 where that reaches the threshold.
    """

    scores: Scores
    settings: LeakageSettings
    fields: list[FieldCounts]
    leaks: list[Leak]
    not_checked: list[NotChecked]

    @property
    def leaking_items(self) -> int:
        """How many items leak by at least one field."""
        return len({leak.item_id for leak in self.leaks})
