"""What a check for leaks found: which fields of items stand in which documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from ragstone.model import Scores


class OfField(Protocol):
    """What is said of a field of an item."""

    @property
    def item_id(self) -> str:
        """Which item."""

    @property
    def field(self) -> str:
        """Which field of it."""


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


S = TypeVar("S")
L = TypeVar("L", bound=OfField)


@dataclass(frozen=True, slots=True)
class Leaks(Generic[S, L]):
    """What was found, sorted by item, field, value and document.

    scores: the values of items, and `leaked`, 1 where a value reaches the threshold.
    """

    scores: Scores
    settings: S
    fields: list[FieldCounts]
    leaks: list[L]
    not_checked: list[NotChecked]

    @property
    def leaking_items(self) -> int:
        """How many items leak by at least one field."""
        return len({leak.item_id for leak in self.leaks})
