"""Cosine similarity of an answer with its reference and with its question, by an encoder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragstone.answers.view import View
from ragstone.encoders import Encoder, cosines
from ragstone.model import Cell, Scalar
from ragstone.model.samples import Sample


class Similarity:
    """Compares an answer with other texts of its sample; all texts are encoded once, together."""

    def __init__(self, encoder: Encoder) -> None:
        """Keep the encoder."""
        self.encoder = encoder
        self._rows: dict[str, int] = {}
        self._vectors: Any = None

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The encoder, and its version."""
        return self.encoder.signature

    def prepare(self, samples: Sequence[Sample]) -> None:
        """Encode the texts of all samples, each once."""
        texts = list(dict.fromkeys(text for each in samples for text in _texts(each)))
        self._rows = {text: place for place, text in enumerate(texts)}
        self._vectors = self.encoder.encode(texts)

    def to_reference(self, view: View) -> Cell:
        """Return the cosine of the answer and the nearest reference."""
        return self._nearest(view.answer, view.references)

    def to_query(self, view: View) -> Cell:
        """Return the cosine of the answer and the question."""
        return self._nearest(view.answer, [view.sample.query or ""])

    def _nearest(self, answer: str, others: Sequence[str]) -> Cell:
        rows = [self._rows[each] for each in others]
        mine = self._vectors[[self._rows[answer]] * len(rows)]
        return Cell(float(cosines(mine, self._vectors[rows]).max()))


def _texts(sample: Sample) -> Iterator[str]:
    if sample.answer and sample.error is None:
        yield sample.answer
        yield from sample.references
        if sample.query is not None:
            yield sample.query
