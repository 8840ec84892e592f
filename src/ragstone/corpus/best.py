"""The documents that hold most of each target, as far as a corpus was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.corpus.sought import Target
    from ragstone.text.ngrams import Places


class Valued(Protocol):
    """A document that holds a target, or something near it; a higher value is better."""

    @property
    def value(self) -> float:
        """How much of it there is, or how near it comes."""

    @property
    def doc_id(self) -> str:
        """Which document it is."""


H = TypeVar("H", bound=Valued)


class Best(Generic[H]):
    """What was found of each target, numbered from 0.

    best: the highest value in any document, 0 where none is above. holding: in how many documents
    the threshold is reached. hits: of each target at most `most`, best first, then by document id.
    least: the value that a further hit must reach.
    """

    def __init__(self, targets: int, most: int, least: float = 0.0) -> None:
        """Start with nothing found."""
        import numpy as np

        self.most = most
        self.best: NDArray[np.float64] = np.zeros(targets)
        self.least: NDArray[np.float64] = np.full(targets, least)
        self.holding: Places = np.zeros(targets, dtype=np.int64)
        self.hits: dict[int, list[H]] = {}

    def add(self, target: int, hit: H) -> None:
        """Keep a hit where it is among the best; of one document the better of two stays."""
        hits = self.hits.setdefault(target, [])
        same = next((other for other in hits if other.doc_id == hit.doc_id), None)
        if same is not None:
            if hit.value <= same.value:
                return
            hits.remove(same)
        hits.append(hit)
        hits.sort(key=lambda each: _place(each.value, each.doc_id))
        del hits[self.most :]
        if len(hits) == self.most:
            self.least[target] = hits[-1].value

    def would_take(self, target: int, value: float, doc_id: str) -> bool:
        """Tell whether a hit would be kept."""
        hits = self.hits.get(target, [])
        if len(hits) < self.most:
            return True
        return _place(value, doc_id) < _place(hits[-1].value, hits[-1].doc_id)

    def merge(self, other: Self) -> None:
        """Take in what was found in other documents."""
        import numpy as np

        np.maximum(self.best, other.best, out=self.best)
        self.holding += other.holding
        for target, hits in other.hits.items():
            for hit in hits:
                self.add(target, hit)

    def by_target(self, targets: Sequence[Target]) -> Iterator[tuple[Target, int, list[H]]]:
        """Go through the targets that have hits, in order, each with its number."""
        for number in sorted(self.hits, key=lambda number: targets[number]):
            yield targets[number], number, self.hits[number]


def _place(value: float, doc_id: str) -> tuple[float, str]:
    """Return where a hit stands among those of its target."""
    return -value, doc_id
