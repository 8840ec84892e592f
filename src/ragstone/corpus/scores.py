"""A value for each item that was looked for in a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragstone.corpus.sought import Sought
from ragstone.measures import Measure, leaked
from ragstone.model import Cell, Scores, ScoresBuilder, Signature, Status


@dataclass(frozen=True, slots=True)
class Values:
    """The highest value of any document for each target, and what it takes to be a leak."""

    sought: Sought
    measure: Measure
    best: Mapping[int, float]
    threshold: float

    def scores(
        self,
        signature: Signature,
        facts: Mapping[str, int],
        counts: Mapping[str, Mapping[str, int]] | None = None,
    ) -> Scores:
        """Return a row for each item; counts: more of each item, by name and item."""
        more = counts or {}
        builder = ScoresBuilder([str(self.measure), str(leaked)], ["texts", *more])
        sought, texts, checked = self.sought, self.sought.texts_of_items(), 0
        for item in sought.items.items:
            of_item = texts.get(item.id, [])
            kept = [text for text in of_item if text not in sought.reasons]
            checked += bool(kept)
            cells = self._cells(kept) if kept else [self._without(of_item)] * 2
            builder.add(item.id, cells, [len(kept), *(each[item.id] for each in more.values())])
        counted = {
            **facts,
            "items": len(sought.items.items),
            "items_not_checked": len(sought.items.items) - checked,
            "texts": len(sought.left),
            "texts_not_checked": len(sought.reasons),
        }
        return builder.build(signature, self._signatures(), counted)

    def _cells(self, texts: Sequence[int]) -> list[Cell]:
        """Return the values of an item of which some texts were looked for."""
        best = max(self.best[self.sought.owners[text]] for text in texts)
        return [Cell(best), Cell(float(best >= self.threshold))]

    def _without(self, texts: Sequence[int]) -> Cell:
        """Return the cell of an item of which no text could be looked for."""
        sought = self.sought
        reasons = {f"{sought.target(text).field}: {sought.reasons[text]}" for text in texts}
        said = "; ".join(sorted(reasons)) or f"has no {' and no '.join(sought.items.fields)}"
        return Cell(0.0, Status.NOT_APPLICABLE, reason=said)

    def _signatures(self) -> dict[str, Signature]:
        version = self.measure.declaration.version
        flag = Signature.of(measure_version=leaked.declaration.version, threshold=self.threshold)
        return {str(self.measure): Signature.of(measure_version=version), str(leaked): flag}
