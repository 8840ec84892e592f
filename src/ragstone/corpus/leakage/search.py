"""A leakage check apart from who reads the corpus: what is to be done, and what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragstone.corpus.leakage.found import Found
from ragstone.corpus.leakage.jobs import Common, Containing
from ragstone.corpus.leakage.probes import ALL_COMMON, Sought, sought
from ragstone.corpus.leakage.result import Leakage
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.leakage.shelf import Shelf, shelve
from ragstone.corpus.scores import Outcome
from ragstone.errors import InputError
from ragstone.formats.items import Items

if TYPE_CHECKING:
    from ragstone.text.ngrams import Places
    from ragstone.text.tokenizers.kiwi import Kiwi


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, indexed.

    whole: the shelves with the n-grams that are too common; None where all n-grams count.
    """

    items: Items
    settings: LeakageSettings
    sought: Sought
    shelves: Sequence[Shelf]
    kiwi: Kiwi | None = None
    whole: Sequence[Shelf] | None = None

    @classmethod
    def of(cls, items: Items, settings: LeakageSettings) -> Search:
        """Index the texts of items; raises InputError where there is none to look for."""
        settings.check()
        kiwi = _kiwi() if settings.unit == "morpheme" else None
        found = sought(items, settings, kiwi)
        if not found.probes:
            raise nothing_to_look_for(found)
        return cls(items, settings, found, shelve(found.probes), kiwi)

    def counting(self) -> Common:
        """Return the job that counts in how many documents each n-gram stands."""
        return Common(self.shelves, self.kiwi)

    def without_common(self, counts: Sequence[Places], most: float) -> Search:
        """Leave out the n-grams in more than so many documents.

        counts: what `counting` found. Raises InputError where no n-gram is left.
        """
        shelves = [
            shelf.without(shelf.postings.hashes[of_shelf > most])
            for shelf, of_shelf in zip(self.shelves, counts, strict=True)
        ]
        left = {
            probe.text
            for shelf in shelves
            for probe, ngrams in zip(shelf.probes, shelf.ngrams.tolist(), strict=True)
            if ngrams
        }
        reasons = {
            text: self.sought.reasons.get(text, ALL_COMMON)
            for text in range(len(self.sought.texts))
            if text not in left
        }
        found = self.sought._replace(reasons=reasons)
        if not left:
            raise nothing_to_look_for(found)
        return replace(self, sought=found, shelves=shelves, whole=self.shelves)

    def containing(self) -> Containing:
        """Return the job that finds what documents hold."""
        import numpy as np

        probes = np.bincount([probe.target for probe in self.sought.probes])
        several = np.zeros(len(self.sought.targets), dtype=np.bool_)
        several[: len(probes)] = probes > 1
        return Containing(
            self.shelves,
            len(several),
            several if several.any() else None,
            self.settings.threshold,
            self.settings.documents,
            self.kiwi,
        )

    def result(self, state: Found, facts: Mapping[str, int]) -> Leakage:
        """Return what came of it. facts: counts of the corpus.

        Raises InputError where no document has a word: nothing was compared.
        """
        if state.wordless == facts["documents"]:
            raise InputError("no document of the corpus has a word; nothing can be found in it")
        outcome = Outcome(self.items, self.settings, self.sought, state)
        counted = {**facts, "empty_documents": state.wordless}
        return outcome.result(counted, self._signature(), self._ngrams())

    def _ngrams(self) -> dict[str, tuple[int, int]]:
        """Return the n-grams of each item and how many of them do not count, where any may."""
        if self.whole is None:
            return {}
        counts: dict[str, list[int]] = {item.id: [0, 0] for item in self.items.items}
        for shelf, whole in zip(self.shelves, self.whole, strict=True):
            for probe, kept, all_ in zip(
                shelf.probes, shelf.ngrams.tolist(), whole.ngrams.tolist(), strict=True
            ):
                of_item = counts[self.sought.targets[probe.target].item_id]
                of_item[0] += all_
                of_item[1] += all_ - kept
        return {item: (total, ignored) for item, (total, ignored) in counts.items()}

    def _signature(self) -> dict[str, str | int | float]:
        fields = {**self.settings.signature(), "fields": ",".join(self.items.fields)}
        return {**fields, **(self.kiwi.signature if self.kiwi else {})}


def _kiwi() -> Kiwi:
    from ragstone.text.tokenizers.kiwi import Kiwi

    return Kiwi()


def nothing_to_look_for(found: Sought) -> InputError:
    """Nothing that can be looked for is no corpus without leaks."""
    reasons = Counter(found.reasons.values())
    listed = ", ".join(f"{count:,} with {reason}" for reason, count in sorted(reasons.items()))
    return InputError(
        f"no text of the items can be looked for: {listed or 'there is none in their fields'}"
    )
