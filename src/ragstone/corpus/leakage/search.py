"""A leakage check apart from who reads the corpus: what is to be done, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragstone.corpus.leakage.found import Found
from ragstone.corpus.leakage.jobs import Common, Containing
from ragstone.corpus.leakage.probes import probes_of
from ragstone.corpus.leakage.result import Leak, Leakage
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.leakage.shelf import Shelf, shelve
from ragstone.corpus.scores import Values
from ragstone.corpus.sought import Sought
from ragstone.errors import InputError
from ragstone.formats.items import Items
from ragstone.measures import containment
from ragstone.model import Signature

if TYPE_CHECKING:
    from ragstone.text.ngrams import Places
    from ragstone.text.tokenizers.kiwi import Kiwi

ALL_COMMON = "every n-gram is in too many documents"
NORMALISER = "nfkc-lower"


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, indexed.

    whole: the shelves with the n-grams that are too common; None where all n-grams count.
    """

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
        found = Sought.of(items)
        if settings.min_words > 1:
            found.skip_short(settings.min_words)
        probes = probes_of(found, settings, kiwi)
        if not probes:
            raise found.nothing_left()
        return cls(settings, found, shelve(probes), kiwi)

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
        found = replace(self.sought, reasons=reasons)
        if not left:
            raise found.nothing_left()
        return replace(self, sought=found, shelves=shelves, whole=self.shelves)

    def containing(self) -> Containing:
        """Return the job that finds what documents hold."""
        import numpy as np

        probes = np.bincount([probe.target for shelf in self.shelves for probe in shelf.probes])
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
        leaks = list(self._leaks(state))
        best = dict(enumerate(state.best.tolist()))
        return Leakage(
            scores=Values(self.sought, containment, best, self.settings.threshold).scores(
                self._signature(),
                {**facts, "empty_documents": state.wordless},
                self._ngrams(),
            ),
            settings=self.settings,
            fields=self.sought.field_counts(leaks),
            leaks=leaks,
            not_checked=self.sought.not_checked(),
        )

    def _leaks(self, state: Found) -> Iterator[Leak]:
        for target, number, hits in state.by_target(self.sought.targets):
            for hit in hits:
                yield Leak(
                    item_id=target.item_id,
                    field=target.field,
                    doc_id=hit.doc_id,
                    containment=hit.value,
                    shared=hit.shared,
                    item_ngrams=hit.ngrams,
                    unit=hit.unit,
                    documents_at_threshold=int(state.holding[number]),
                    documents_sharing=int(state.sharing[number]),
                    passage=hit.passage.text,
                    start=hit.passage.start,
                    end=hit.passage.end,
                    cut=hit.passage.cut,
                )

    def _ngrams(self) -> dict[str, dict[str, int]]:
        """Return the n-grams of each item and how many of them do not count, where any may."""
        if self.whole is None:
            return {}
        total = {item.id: 0 for item in self.sought.items.items}
        ignored = dict(total)
        for shelf, whole in zip(self.shelves, self.whole, strict=True):
            for probe, kept, all_ in zip(
                shelf.probes, shelf.ngrams.tolist(), whole.ngrams.tolist(), strict=True
            ):
                item_id = self.sought.targets[probe.target].item_id
                total[item_id] += all_
                ignored[item_id] += all_ - kept
        return {"ngrams": total, "ignored_ngrams": ignored}

    def _signature(self) -> Signature:
        items = self.sought.items
        fields = {**self.settings.signature(), "fields": ",".join(items.fields)}
        return Signature.of(
            {**fields, **(self.kiwi.signature if self.kiwi else {})},
            items=items.digest(),
            normaliser=NORMALISER,
        )


def _kiwi() -> Kiwi:
    from ragstone.text.tokenizers.kiwi import Kiwi

    return Kiwi()
