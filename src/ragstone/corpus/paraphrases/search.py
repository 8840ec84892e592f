"""Which eval items stand in a corpus in other words: cosines of an encoder's vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.corpus.leakage.probes import NO_WORDS, TOO_SHORT, Sought, Target, word_count
from ragstone.corpus.leakage.search import nothing_to_look_for
from ragstone.corpus.paraphrases.nearing import LONGEST, Nearest, Nearing
from ragstone.corpus.paraphrases.result import Paraphrase, Paraphrases, ParaphraseSettings
from ragstone.corpus.scores import field_counts, not_checked, without_value
from ragstone.corpus.streaming import stream
from ragstone.encoders import Encoder, normalized
from ragstone.errors import InputError
from ragstone.formats.corpus import Corpus
from ragstone.formats.items import Items, read_items
from ragstone.measures import leaked, paraphrase_similarity
from ragstone.model import Cell, Scores, ScoresBuilder, Signature
from ragstone.progress import Progress
from ragstone.text.normal import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THRESHOLD, WINDOW = 0.8, 400


def paraphrases(
    corpus: Corpus | str | Path | Sequence[str | Path],
    items: Items | str | Path | Iterable[Mapping[str, Any]],
    encoder: Encoder,
    *,
    fields: Sequence[str] = (),
    threshold: float = THRESHOLD,
    window: int = WINDOW,
    documents: int = 3,
    min_words: int = 0,
    progress: Progress | None = None,
) -> Paraphrases:
    """Find the items that stand in a corpus in other words, and in which documents.

    Each text of an item is compared with every passage of the corpus (see `windows`); from a cosine
    of `threshold` on it leaks. What counts as near depends on the model: look at pairs that are
    known before trusting a threshold.

    corpus, items, fields: as `leakage` takes them. window: characters of a passage. progress: is
    told of bytes. Raises InputError for what cannot be read, and where no text could be looked for
    at all, and what the encoder raises.
    """
    settings = ParaphraseSettings(
        threshold=threshold, window=window, documents=documents, min_words=min_words
    )
    read = items if isinstance(items, Items) else read_items(items, fields)
    search = ParaphraseSearch.of(read, settings, encoder)
    return search.over(corpus if isinstance(corpus, Corpus) else Corpus(corpus), progress)


@dataclass(frozen=True, slots=True)
class ParaphraseSearch:
    """The texts that are looked for, encoded.

    places: the numbers, in `sought.texts`, of the texts that have a row in `vectors`, in its order.
    """

    items: Items
    settings: ParaphraseSettings
    encoder: Encoder
    sought: Sought
    places: Sequence[int]
    vectors: NDArray[np.float32]

    @classmethod
    def of(cls, items: Items, settings: ParaphraseSettings, encoder: Encoder) -> ParaphraseSearch:
        """Encode the texts of items; raises InputError where there is none to look for."""
        settings.check()
        found = Sought([], [], [], {})
        texts = list(_texts(items, settings, found))
        places = [place for place in range(len(texts)) if place not in found.reasons]
        if not places:
            raise nothing_to_look_for(found)
        vectors = normalized(encoder.encode([texts[place] for place in places]))
        return cls(items, settings, encoder, found, places, vectors)

    def over(self, corpus: Corpus, progress: Progress | None = None) -> Paraphrases:
        """Look for them in a corpus."""
        state, census = stream(self._job(), corpus, progress=progress)
        if not state.passages:
            raise InputError("no document of the corpus has a text; nothing can be found in it")
        leaks = sorted(self._leaks(state), key=_place)
        return Paraphrases(
            self._scores(state, census.facts),
            self.settings,
            self.encoder.name,
            field_counts(self.items, self.sought, leaks),
            leaks,
            not_checked(self.sought),
        )

    @property
    def _targets(self) -> list[int]:
        """The fields of items that have a text, in the order of their rows."""
        return list(dict.fromkeys(self.sought.texts[place] for place in self.places))

    def _job(self) -> Nearing:
        import numpy as np

        first: dict[int, int] = {}
        for row, place in enumerate(self.places):
            first.setdefault(self.sought.texts[place], row)
        starts = np.array(list(first.values()), dtype=np.int64)
        told = self.settings
        return Nearing(
            self.encoder, self.vectors, starts, told.threshold, told.documents, told.window
        )

    def _leaks(self, state: Nearest) -> Iterator[Paraphrase]:
        targets = self._targets
        for number, hits in state.hits.items():
            item_id, field = self.sought.targets[targets[number]]
            for hit in hits:
                start, end = hit.window
                yield Paraphrase(
                    item_id=item_id,
                    field=field,
                    doc_id=hit.doc_id,
                    similarity=hit.similarity,
                    documents_at_threshold=int(state.holding[number]),
                    passage=hit.text,
                    start=start,
                    end=min(end, start + LONGEST),
                    cut=end > start + LONGEST,
                )

    def _scores(self, state: Nearest, facts: Mapping[str, int]) -> Scores:
        builder = ScoresBuilder([str(paraphrase_similarity), str(leaked)], ["texts"])
        best: dict[str, float] = {}
        for number, target in enumerate(self._targets):
            item_id = self.sought.targets[target].item_id
            best[item_id] = max(best.get(item_id, 0.0), float(state.best[number]))
        texts: dict[str, list[int]] = defaultdict(list)
        for text, target in enumerate(self.sought.texts):
            texts[self.sought.targets[target].item_id].append(text)
        for item in self.items.items:
            kept = sum(text not in self.sought.reasons for text in texts[item.id])
            builder.add(item.id, self._cells(best, item.id, texts[item.id]), [kept])
        counted = {
            **facts,
            "passages": state.passages,
            "items": len(self.items.items),
            "items_not_checked": len(self.items.items) - len(best),
            "texts": len(self.places),
            "texts_not_checked": len(self.sought.reasons),
        }
        return builder.build(self._signature(), self._signatures(), counted)

    def _cells(self, best: Mapping[str, float], item: str, texts: Sequence[int]) -> list[Cell]:
        if item not in best:
            return [without_value(self.items, self.sought, texts)] * 2
        value = best[item]
        return [Cell(value), Cell(float(value >= self.settings.threshold))]

    def _signature(self) -> Signature:
        fields = {"fields": ",".join(self.items.fields), "items": self.items.digest()}
        return Signature.of(
            {**self.encoder.signature, **fields},
            method="embedding",
            min_words=self.settings.min_words,
            window=self.settings.window,
        )

    def _signatures(self) -> dict[str, Signature]:
        versions = {str(m): m.declaration.version for m in (paraphrase_similarity, leaked)}
        return {
            str(paraphrase_similarity): Signature.of(
                measure_version=versions[str(paraphrase_similarity)]
            ),
            str(leaked): Signature.of(
                measure_version=versions[str(leaked)], threshold=self.settings.threshold
            ),
        }


def _texts(items: Items, settings: ParaphraseSettings, found: Sought) -> Iterator[str]:
    """Go through all texts; note targets, where each text stands, and what is not looked for."""
    for item in items.items:
        for field in items.fields:
            if field not in item.texts:
                continue
            found.targets.append(Target(item.id, field))
            for text in item.texts[field]:
                if word_count(text) < max(1, settings.min_words):
                    found.reasons[len(found.texts)] = TOO_SHORT if words(text) else NO_WORDS
                found.texts.append(len(found.targets) - 1)
                yield text


def _place(leak: Paraphrase) -> tuple[str, str, float, str]:
    return leak.item_id, leak.field, -leak.similarity, leak.doc_id
