"""Methods that compare vectors of two texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ragstone.errors import UsageError
from ragstone.matching.lexical import RougeMethod
from ragstone.matching.matrix import NEVER, ROUNDING, Gold, Similarities
from ragstone.model import Scalar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragstone.encoders import Encoder


class Embedding:
    """The cosine of two texts' vectors; one below 0 is 0. All texts are encoded in one call."""

    threshold: float = 0.7

    def __init__(self, encoder: Encoder | None) -> None:
        """Take what makes vectors; raises UsageError where there is none."""
        if encoder is None:
            raise UsageError("matching by embedding needs an encoder; name one with --encoder")
        self._encoder = encoder
        self._vectors: dict[str, NDArray[np.float64]] = {}

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """The method and its encoder."""
        return {"matcher": "embedding", **self._encoder.signature}

    def prepare(self, texts: Iterable[str]) -> None:
        """Encode the texts that are not yet encoded, each once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            from ragstone.encoders.vectors import unit_rows

            self._vectors.update(zip(new, unit_rows(self._encoder.encode(new)), strict=True))

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Return the cosine of each pair."""
        texts = [gold.text for gold in golds]
        self.prepare([*texts, *retrieved])
        if not texts or not retrieved:
            return Similarities([[] for _ in texts])
        import numpy as np

        mine, theirs = (
            np.stack([self._vectors[text] for text in each]) for each in (texts, retrieved)
        )
        cosines: list[list[float]] = np.clip(mine @ theirs.T, 0.0, 1.0).tolist()
        return Similarities(cosines)


class EmbeddingRouge:
    """ROUGE of the pairs whose vectors are near enough; other pairs never match."""

    threshold: float = 0.7

    def __init__(self, encoder: Encoder | None, rouge: RougeMethod, least: float = 0.7) -> None:
        """Take what makes vectors, what compares tokens, and the least cosine."""
        if not 0 <= least <= 1:
            raise UsageError(f"the threshold of the embedding is from 0 to 1, got {least}")
        self._embedding, self._rouge, self._least = Embedding(encoder), rouge, least

    @property
    def signature(self) -> Mapping[str, Scalar]:
        """Both methods, and the least cosine."""
        return {
            **self._embedding.signature,
            **self._rouge.signature,
            "matcher": f"embedding+{self._rouge.name}",
            "embedding_threshold": self._least,
        }

    def prepare(self, texts: Iterable[str]) -> None:
        """Encode the texts."""
        self._embedding.prepare(texts)

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Return ROUGE where the cosine is high enough, else NEVER."""
        cosines = self._embedding.compare(golds, retrieved).values
        return Similarities(
            [
                [
                    self._rouge.of(gold.text, text) if cosine >= self._least - ROUNDING else NEVER
                    for text, cosine in zip(retrieved, row, strict=True)
                ]
                for gold, row in zip(golds, cosines, strict=True)
            ]
        )
