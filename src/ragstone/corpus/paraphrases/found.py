"""What a search for paraphrases has found so far."""

from __future__ import annotations

from typing import NamedTuple, Self

from ragstone.corpus.best import Best
from ragstone.corpus.paraphrases.windows import Window


class Near(NamedTuple):
    """A document whose nearest passage is near enough to a target; value: their cosine."""

    value: float
    doc_id: str
    window: Window
    text: str


class Nearest(Best[Near]):
    """What was found of each target; passages: how many were compared."""

    def __init__(self, targets: int, most: int, threshold: float) -> None:
        """Start with nothing found."""
        super().__init__(targets, most, threshold)
        self.passages = 0

    def merge(self, other: Self) -> None:
        """Take in what was found in other documents."""
        super().merge(other)
        self.passages += other.passages
