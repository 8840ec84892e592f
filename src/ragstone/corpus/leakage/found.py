"""What a leakage check has found so far: hits, and how many documents there are of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ragstone.corpus.leakage.probes import Unit
from ragstone.text.passages import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.text.ngrams import Places


class Hit(NamedTuple):
    """A document that holds enough of a target; shared and ngrams are of the probe it holds."""

    containment: float
    doc_id: str
    unit: Unit
    shared: int
    ngrams: int
    passage: Passage

    @property
    def place(self) -> tuple[float, str]:
        """Where it stands among the hits of its target: best first, then by document id."""
        return -self.containment, self.doc_id


class Found:
    """What was found of each target, numbered from 0; those of different documents are merged.

    best: the highest containment in any document, verified. holding: in how many documents it is
    at or above the threshold; sharing: in how many there is any of its n-grams; both by hash.
    hits: of each target at most `most`, best first. wordless: documents without a word.
    """

    def __init__(self, targets: int, most: int) -> None:
        """Start with nothing found."""
        import numpy as np

        self.most, self.wordless = most, 0
        self.best: NDArray[np.float64] = np.zeros(targets)
        self.least: NDArray[np.float64] = np.zeros(targets)  # what a further hit must reach
        self.holding: Places = np.zeros(targets, dtype=np.int64)
        self.sharing: Places = np.zeros(targets, dtype=np.int64)
        self.hits: dict[int, list[Hit]] = {}

    def add(self, target: int, hit: Hit) -> None:
        """Keep a hit where it is among the best; a document has one, by the probe it holds most."""
        hits = self.hits.setdefault(target, [])
        same = next((other for other in hits if other.doc_id == hit.doc_id), None)
        if same is not None:
            if hit.containment <= same.containment:
                return
            hits.remove(same)
        hits.append(hit)
        hits.sort(key=lambda each: each.place)
        del hits[self.most :]
        if len(hits) == self.most:
            self.least[target] = hits[-1].containment

    def would_take(self, target: int, containment: float, doc_id: str) -> bool:
        """Tell whether a hit would be kept."""
        hits = self.hits.get(target, [])
        return len(hits) < self.most or (-containment, doc_id) < hits[-1].place

    def merge(self, other: Found) -> None:
        """Take in what was found in other documents."""
        import numpy as np

        self.wordless += other.wordless
        np.maximum(self.best, other.best, out=self.best)
        self.holding += other.holding
        self.sharing += other.sharing
        for target, hits in other.hits.items():
            for hit in hits:
                self.add(target, hit)
