"""The jobs of a leakage check: in how many documents n-grams stand, and what documents hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.corpus.leakage.documents import Documents, Matches
from ragstone.corpus.leakage.found import Found, Hit
from ragstone.corpus.leakage.lines import Lines
from ragstone.corpus.leakage.shelf import Shelf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.formats.corpus import Batch
    from ragstone.text.ngrams import Places
    from ragstone.text.tokenizers.kiwi import Kiwi


@dataclass(frozen=True, slots=True)
class Containing:
    """Finds in each document what it contains of the targets (a corpus.job.Job).

    several: which targets have several probes, or None where none has.
    """

    shelves: Sequence[Shelf]
    targets: int
    several: NDArray[np.bool_] | None
    threshold: float
    documents: int
    kiwi: Kiwi | None = None

    def start(self) -> Found:
        """Return what is found before the first document."""
        return Found(self.targets, self.documents)

    def read(self, state: Found, batch: Batch) -> None:
        """Find what a batch of documents contains."""
        import numpy as np

        documents = Documents(batch, self.kiwi)
        tally = Tally(state, self.several)
        for shelf in self.shelves:
            matches = Matches(documents, shelf)
            for pairs, shares in shelf.shared(matches.found):
                targets = shelf.targets[pairs.owners]
                holding = shares >= self.threshold
                tally.add(pairs.texts, targets, holding)
                kept = (shares > state.best[targets]) | holding & (shares >= state.least[targets])
                places = np.flatnonzero(kept)
                # the best first: most of the others are then no better than what is known
                places = places[np.argsort(-shares[places], kind="stable")]
                rows = (array[places].tolist() for array in (pairs.texts, pairs.owners, shares))
                for text, owner, share in zip(*rows, strict=True):
                    self._check(state, shelf, matches, batch.ids[text], text, owner, share)
        tally.finish()
        state.wordless += documents.lines.wordless()

    def merge(self, state: Found, other: Found) -> None:
        """Take in what was found in other documents."""
        state.merge(other)

    def _check(  # noqa: PLR0917
        self,
        state: Found,
        shelf: Shelf,
        matches: Matches,
        doc_id: str,
        text: int,
        owner: int,
        share: float,
    ) -> None:
        """Count a pair again, on the n-grams themselves, where it may be kept; keep it if so."""
        target = shelf.probes[owner].target
        is_hit = share >= self.threshold and state.would_take(target, share, doc_id)
        if share <= state.best[target] and not is_hit:
            return
        wanted = shelf.different(owner)
        shared = len({gram for _, gram in matches.spelt(text) if gram in wanted})
        containment = shared / len(wanted)
        state.best[target] = max(state.best[target], containment)
        if containment >= self.threshold and state.would_take(target, containment, doc_id):
            passage = matches.passage(text, owner, wanted)
            hit = Hit(containment, doc_id, shelf.unit, shared, len(wanted), passage)
            state.add(target, hit)


class Tally:
    """Counts the documents of a batch for each target, each once however many probes it has."""

    def __init__(self, state: Found, several: NDArray[np.bool_] | None) -> None:
        """Count into a state."""
        self._state, self._several = state, several
        self._keys: list[Places] = []
        self._held: list[Places] = []

    def add(self, texts: Places, targets: Places, holding: NDArray[np.bool_]) -> None:
        """Count pairs; those of a target with several probes are counted in the end."""
        import numpy as np

        if self._several is not None:
            later = self._several[targets]
            keys = texts[later] * len(self._several) + targets[later]
            self._keys.append(keys)
            self._held.append(keys[holding[later]])
            targets, holding = targets[~later], holding[~later]
        np.add.at(self._state.sharing, targets, 1)
        np.add.at(self._state.holding, targets[holding], 1)

    def finish(self) -> None:
        """Count what was left, each pair of a document and a target once."""
        import numpy as np

        for counts, keys in ((self._state.sharing, self._keys), (self._state.holding, self._held)):
            if keys:
                once = np.unique(np.concatenate(keys))
                np.add.at(counts, once % len(counts), 1)


class Common:
    """Counts in how many documents each indexed n-gram stands (a corpus.job.Job)."""

    def __init__(self, shelves: Sequence[Shelf], kiwi: Kiwi | None = None) -> None:
        """Count the n-grams of these shelves, by their hash."""
        self.shelves, self._kiwi = shelves, kiwi

    def start(self) -> list[Places]:
        """Return a count for each n-gram of each shelf."""
        import numpy as np

        return [np.zeros(len(shelf.postings), dtype=np.int64) for shelf in self.shelves]

    def read(self, state: list[Places], batch: Batch) -> None:
        """Count the documents of a batch."""
        import numpy as np

        documents = Lines(batch.texts, self._kiwi)
        for counts, shelf in zip(state, self.shelves, strict=True):
            _, numbers = shelf.postings.known(shelf.found_in(documents))
            np.add.at(counts, numbers, 1)

    def merge(self, state: list[Places], other: list[Places]) -> None:
        """Add the counts of other documents."""
        for place, more in enumerate(other):
            state[place] += more
