"""What a leakage check has found so far: hits, and how many documents there are of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from ragstone.corpus.best import Best
from ragstone.corpus.leakage.lines import Unit
from ragstone.text.passages import Passage

if TYPE_CHECKING:
    from ragstone.text.ngrams import Places


class Hit(NamedTuple):
    """A document that holds enough of a target; shared and ngrams are of the probe it holds.

    value: the containment of that probe.
    """

    value: float
    doc_id: str
    unit: Unit
    shared: int
    ngrams: int
    passage: Passage


class Found(Best[Hit]):
    """What was found of each target; what was found in different documents is merged.

    best: the highest containment, verified. holding: counted by hash, as is sharing: in how many
    documents there is any of a target's n-grams. wordless: documents without a word.
    """

    def __init__(self, targets: int, most: int) -> None:
        """Start with nothing found."""
        import numpy as np

        super().__init__(targets, most)
        self.sharing: Places = np.zeros(targets, dtype=np.int64)
        self.wordless = 0

    def merge(self, other: Self) -> None:
        """Take in what was found in other documents."""
        super().merge(other)
        self.wordless += other.wordless
        self.sharing += other.sharing
