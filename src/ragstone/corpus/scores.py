"""What was found of texts, as leaks that are listed and as a value for each item."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragstone.corpus.leakage.found import Found
from ragstone.corpus.leakage.probes import Sought, Target
from ragstone.corpus.leakage.result import FieldCounts, Leak, Leakage, NotChecked
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.paraphrases.result import Paraphrase
from ragstone.formats.items import Items
from ragstone.measures import containment, leaked
from ragstone.model import Cell, Scalar, Scores, ScoresBuilder, Signature, Status

EXAMPLES = 10
NORMALISER = "nfkc-lower"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was looked for and what was found."""

    items: Items
    settings: LeakageSettings
    sought: Sought
    found: Found

    def result(
        self,
        facts: Mapping[str, int],
        signature: Mapping[str, Scalar],
        ngrams: Mapping[str, tuple[int, int]],
    ) -> Leakage:
        """Put it together. ngrams: of each item, and those that do not count, where any may."""
        leaks = sorted(self._leaks(), key=_place)
        return Leakage(
            self._scores(facts, signature, ngrams),
            self.settings,
            field_counts(self.items, self.sought, leaks),
            leaks,
            not_checked(self.sought),
        )

    def _leaks(self) -> Iterator[Leak]:
        for number, hits in self.found.hits.items():
            target = self.sought.targets[number]
            for hit in hits:
                yield Leak(
                    item_id=target.item_id,
                    field=target.field,
                    doc_id=hit.doc_id,
                    containment=hit.containment,
                    shared=hit.shared,
                    item_ngrams=hit.ngrams,
                    unit=hit.unit,
                    documents_at_threshold=int(self.found.holding[number]),
                    documents_sharing=int(self.found.sharing[number]),
                    passage=hit.passage.text,
                    start=hit.passage.start,
                    end=hit.passage.end,
                    cut=hit.passage.cut,
                )

    def _scores(
        self,
        facts: Mapping[str, int],
        signature: Mapping[str, Scalar],
        ngrams: Mapping[str, tuple[int, int]],
    ) -> Scores:
        counts = ["texts", *(["ngrams", "ignored_ngrams"] if ngrams else [])]
        builder = ScoresBuilder([str(containment), str(leaked)], counts)
        texts: dict[str, list[int]] = defaultdict(list)
        for text, target in enumerate(self.sought.texts):
            texts[self.sought.targets[target].item_id].append(text)
        checked = 0
        for item in self.items.items:
            kept = [text for text in texts[item.id] if text not in self.sought.reasons]
            checked += bool(kept)
            cells = (
                self._cells(kept) or [without_value(self.items, self.sought, texts[item.id])] * 2
            )
            builder.add(item.id, cells, [len(kept), *ngrams.get(item.id, ())])
        return builder.build(
            Signature.of(signature, items=self.items.digest(), normaliser=NORMALISER),
            {
                str(containment): Signature.of(measure_version=containment.declaration.version),
                str(leaked): Signature.of(
                    measure_version=leaked.declaration.version, threshold=self.settings.threshold
                ),
            },
            {
                **facts,
                "items": len(self.items.items),
                "items_not_checked": len(self.items.items) - checked,
                "texts": len(self.sought.texts) - len(self.sought.reasons),
                "texts_not_checked": len(self.sought.reasons),
            },
        )

    def _cells(self, texts: Sequence[int]) -> list[Cell]:
        """Return the values of an item with some texts that were looked for."""
        targets = {self.sought.texts[text] for text in texts}
        if not targets:
            return []
        best = max(float(self.found.best[target]) for target in targets)
        return [Cell(best), Cell(float(best >= self.settings.threshold))]


def field_counts(
    items: Items, sought: Sought, leaks: Iterable[Leak | Paraphrase]
) -> list[FieldCounts]:
    """Count for each field its texts, looked for or not, and the items of which it leaks."""
    texts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for text, target in enumerate(sought.texts):
        counts = skipped if text in sought.reasons else texts
        counts[sought.targets[target].field] += 1
    leaking = Counter(field for _, field in {(leak.item_id, leak.field) for leak in leaks})
    return [
        FieldCounts(
            name=field, texts=texts[field], not_checked=skipped[field], leaking=leaking[field]
        )
        for field in items.fields
    ]


def not_checked(sought: Sought) -> list[NotChecked]:
    """Return why texts were not looked for, and the first items of which."""
    by_reason: dict[str, list[Target]] = defaultdict(list)
    for text, reason in sought.reasons.items():
        by_reason[reason].append(sought.targets[sought.texts[text]])
    return [
        NotChecked(
            reason=reason,
            texts=len(targets),
            examples=sorted({target.item_id for target in targets})[:EXAMPLES],
        )
        for reason, targets in sorted(by_reason.items())
    ]


def without_value(items: Items, sought: Sought, texts: Sequence[int]) -> Cell:
    """Return the cell of an item none of whose texts could be looked for."""
    reasons = {
        f"{sought.targets[sought.texts[text]].field}: {sought.reasons[text]}" for text in texts
    }
    said = "; ".join(sorted(reasons)) or f"has no {' and no '.join(items.fields)}"
    return Cell(0.0, Status.NOT_APPLICABLE, reason=said)


def _place(leak: Leak) -> tuple[str, str, float, str]:
    return leak.item_id, leak.field, -leak.containment, leak.doc_id
