"""The passages of a corpus that are nearest to some texts: blocked products, then exact cosines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ragstone.corpus.paraphrases.found import Nearest
from ragstone.corpus.paraphrases.passages import Passages
from ragstone.encoders import Encoder, cosines, error_bound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.formats.corpus import Batch

    Vectors = NDArray[np.float32]
    Places = NDArray[np.int64]
    Cosines = NDArray[np.float32]

TARGETS, PASSAGES = 1024, 2048  # at most in one product, unless a single one has more


@dataclass(frozen=True, slots=True)
class Nearing:
    """Finds in each document the passages that are near the targets (a corpus.job.Job).

    vectors: a row for each text that is looked for, of length 1, those of a target together.
    starts: the first row of each target.
    """

    encoder: Encoder
    vectors: Vectors
    starts: Places
    threshold: float
    documents: int
    window: int

    def start(self) -> Nearest:
        """Return what is found before the first document."""
        return Nearest(len(self.starts), self.documents, self.threshold)

    def read(self, state: Nearest, batch: Batch) -> None:
        """Find what is near in a batch of documents."""
        passages = Passages(batch.ids, batch.texts, self.window)
        if not passages.windows:
            return
        vectors = passages.encoded(self.encoder)
        state.passages += len(vectors)
        near = Groups(passages.starts, len(vectors))
        wanted = Groups(self.starts.tolist(), len(self.vectors))
        for documents in near.blocks(PASSAGES):
            for targets in wanted.blocks(TARGETS):
                ours = Side(wanted, targets, self.vectors)
                theirs = Side(near, documents, vectors)
                Comparison(self, state, passages, ours, theirs).read()

    def merge(self, state: Nearest, other: Nearest) -> None:
        """Take in what was found in other documents."""
        state.merge(other)


class Groups(NamedTuple):
    """Rows in groups: the texts of each target, or the passages of each document.

    starts: the first row of each group. rows: how many there are in all.
    """

    starts: Sequence[int]
    rows: int

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the rows of the groups from first to last."""
        return self.starts[first], self.starts[last] if last < len(self.starts) else self.rows

    def blocks(self, most: int) -> Iterator[tuple[int, int]]:
        """Yield neighbours, from first to last, with at most so many rows, or one group alone.

        >>> list(Groups([0, 2, 3, 9], 10).blocks(3))
        [(0, 2), (2, 3), (3, 4)]
        """
        first = 0
        for place in range(len(self.starts)):
            if place > first and self.span(first, place + 1)[1] - self.starts[first] > most:
                yield first, place
                first = place
        yield first, len(self.starts)


class Side(NamedTuple):
    """One side of a product: groups from first to last, and the vectors of all rows."""

    groups: Groups
    block: tuple[int, int]
    all_vectors: Vectors

    @property
    def first(self) -> int:
        """The row with which the block begins."""
        return self.groups.starts[self.block[0]]

    @property
    def vectors(self) -> Vectors:
        """The rows of the block."""
        return self.all_vectors[slice(*self.groups.span(*self.block))]

    @property
    def starts(self) -> Places:
        """The first row of each group, counted in the block."""
        import numpy as np

        return np.asarray(self.groups.starts[slice(*self.block)], dtype=np.int64) - self.first

    def rows(self, group: int) -> slice:
        """Return the rows of a group, both counted in the block."""
        place = self.block[0] + group
        start, end = self.groups.span(place, place + 1)
        return slice(start - self.first, end - self.first)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Some targets and some documents: the product of their vectors, and what is worth a look."""

    job: Nearing
    state: Nearest
    passages: Passages
    targets: Side
    documents: Side

    @property
    def bound(self) -> float:
        """How far a number of the product may be from the cosine."""
        return error_bound(self.job.vectors.shape[1])

    def read(self) -> None:
        """Count the documents at the threshold, and keep the best."""
        import numpy as np

        product: Cosines = self.targets.vectors @ self.documents.vectors.T
        of_documents = np.maximum.reduceat(product, self.documents.starts, axis=1)
        highest: Cosines = np.maximum.reduceat(of_documents, self.targets.starts, axis=0)
        surely, perhaps = self._told(highest)
        self.state.holding[slice(*self.targets.block)] += surely.sum(axis=1)
        for target, document in np.argwhere(perhaps).tolist():
            self._look(product, target, document, counted=bool(surely[target, document]))

    def _told(self, highest: Cosines) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which pairs surely reach the threshold, and which have to be looked at.

        A pair is looked at where its exact cosine may be at the threshold, among the best of its
        target that are listed, or its best of all.
        """
        part = slice(*self.targets.block)
        wanted = highest.astype(float)
        surely = wanted >= self.job.threshold + self.bound
        unsure = ~surely & (wanted >= self.job.threshold - self.bound)
        listed = surely & (wanted >= self.state.least[part, None] - self.bound)
        top = wanted.max(axis=1, keepdims=True) - 2 * self.bound
        best = (wanted >= top) & (wanted >= self.state.best[part, None] - self.bound)
        return surely, unsure | listed | best

    def _look(self, product: Cosines, target: int, document: int, *, counted: bool) -> None:
        """Find the nearest passage of a document exactly, and keep it where it is among the best.

        target, document: their numbers in this block.
        """
        window, similarity = self._nearest(product, target, document)
        number = self.targets.block[0] + target
        state, threshold = self.state, self.job.threshold
        state.best[number] = max(state.best[number], similarity)
        if similarity < threshold:
            return
        state.holding[number] += not counted
        if similarity >= state.least[number]:
            place = self.documents.block[0] + document
            state.add(number, self.passages.near(place, window, similarity))

    def _nearest(self, product: Cosines, target: int, document: int) -> tuple[int, float]:
        """Return the passage of a document that is nearest, the first of equal ones."""
        import numpy as np

        probes, rows = self.targets.rows(target), self.documents.rows(document)
        part = product[probes, rows]
        close = np.argwhere(part >= part.max() - 2 * self.bound)
        exact = cosines(
            self.targets.vectors[probes][close[:, 0]], self.documents.vectors[rows][close[:, 1]]
        )
        best = np.lexsort((close[:, 1], -exact))[0]
        return self.documents.first + rows.start + int(close[best, 1]), float(exact[best])
