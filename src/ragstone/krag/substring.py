"""Krag's own comparison of texts, for those who want to see its numbers again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ragstone.matching import Gold, Similarities
from ragstone.model import Scalar


class Substring:
    """The gold text stands in the retrieved one, letter by letter; nothing is normalised."""

    threshold = None
    signature: Mapping[str, Scalar] = {"matcher": "substring"}

    def prepare(self, texts: Iterable[str]) -> None:
        """Nothing is to be done."""

    def compare(self, golds: Sequence[Gold], retrieved: Sequence[str]) -> Similarities:
        """Give pairs of which the second has the first 1, and others 0."""
        held = [[gold.text in text for text in retrieved] for gold in golds]
        return Similarities([[float(each) for each in row] for row in held], held)
