"""A search for paraphrases: what is looked for, encoded, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.corpus.paraphrases.found import Nearest
from ragstone.corpus.paraphrases.nearing import Nearing
from ragstone.corpus.paraphrases.passages import LONGEST
from ragstone.corpus.paraphrases.result import Paraphrase, Paraphrases
from ragstone.corpus.paraphrases.settings import ParaphraseSettings
from ragstone.corpus.scores import Values
from ragstone.corpus.sought import Sought, Target
from ragstone.corpus.streaming import stream
from ragstone.encoders import Encoder, normalized
from ragstone.errors import InputError
from ragstone.formats.corpus import Corpus
from ragstone.formats.items import Items
from ragstone.measures import paraphrase_similarity
from ragstone.model import Scores, Signature
from ragstone.progress import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ParaphraseSearch:
    """The texts that are looked for, encoded.

    vectors: a row for each text that is left in `sought`, in their order.
    """

    settings: ParaphraseSettings
    encoder: Encoder
    sought: Sought
    vectors: NDArray[np.float32]

    @classmethod
    def of(cls, items: Items, settings: ParaphraseSettings, encoder: Encoder) -> ParaphraseSearch:
        """Encode the texts of items; raises InputError where there is none to look for."""
        settings.check()
        found = Sought.of(items)
        found.skip_short(max(1, settings.min_words))
        if not found.left:
            raise found.nothing_left()
        vectors = normalized(encoder.encode([found.texts[number] for number in found.left]))
        return cls(settings, encoder, found, vectors)

    def over(self, corpus: Corpus, progress: Progress | None = None) -> Paraphrases:
        """Look for them in a corpus."""
        starts = self._starts()
        state, census = stream(self._job(list(starts.values())), corpus, progress=progress)
        if not state.passages:
            raise InputError("no document of the corpus has a text; nothing can be found in it")
        leaks = list(self._leaks(state, [self.sought.targets[number] for number in starts]))
        best = dict(zip(starts, state.best.tolist(), strict=True))
        return Paraphrases(
            scores=self._scores(best, {**census.facts, "passages": state.passages}),
            settings=self.settings,
            fields=self.sought.field_counts(leaks),
            leaks=leaks,
            not_checked=self.sought.not_checked(),
            encoder=self.encoder.name,
        )

    def _starts(self) -> dict[int, int]:
        """Return the targets that are looked for, each with the first of its rows."""
        first: dict[int, int] = {}
        for row, number in enumerate(self.sought.left):
            first.setdefault(self.sought.owners[number], row)
        return first

    def _job(self, starts: Sequence[int]) -> Nearing:
        import numpy as np

        rows = np.array(starts, dtype=np.int64)
        told = self.settings
        return Nearing(
            self.encoder, self.vectors, rows, told.threshold, told.documents, told.window
        )

    def _leaks(self, state: Nearest, targets: Sequence[Target]) -> Iterator[Paraphrase]:
        for target, number, hits in state.by_target(targets):
            for hit in hits:
                start, end = hit.window
                yield Paraphrase(
                    item_id=target.item_id,
                    field=target.field,
                    doc_id=hit.doc_id,
                    similarity=hit.value,
                    documents_at_threshold=int(state.holding[number]),
                    passage=hit.text,
                    start=start,
                    end=min(end, start + LONGEST),
                    cut=end > start + LONGEST,
                )

    def _scores(self, best: Mapping[int, float], facts: Mapping[str, int]) -> Scores:
        items = self.sought.items
        signature = Signature.of(
            {**self.encoder.signature, "fields": ",".join(items.fields)},
            items=items.digest(),
            method="embedding",
            min_words=self.settings.min_words,
            window=self.settings.window,
        )
        values = Values(self.sought, paraphrase_similarity, best, self.settings.threshold)
        return values.scores(signature, facts)
