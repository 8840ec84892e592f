"""The passages of documents, and their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragstone.corpus.paraphrases.found import Near
from ragstone.corpus.paraphrases.windows import Window, windows
from ragstone.encoders import Encoder, normalized

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST = 1000  # characters of a passage that are kept


class Passages:
    """The passages of some documents, and their vectors.

    windows: where each stands in its document. starts: the first passage of each document.
    """

    def __init__(self, ids: Sequence[str], texts: Sequence[str], size: int) -> None:
        """Cut the texts; those without anything but white space have no passage."""
        self.ids, self.texts, self.windows = list[str](), list[str](), list[Window]()
        self.starts: list[int] = []
        for doc_id, text in zip(ids, texts, strict=True):
            if text.strip():
                self.ids.append(doc_id)
                self.texts.append(text)
                self.starts.append(len(self.windows))
                self.windows += windows(text, size)

    def encoded(self, encoder: Encoder) -> NDArray[np.float32]:
        """Return the vector of each passage, of length 1."""
        ends = [*self.starts[1:], len(self.windows)]
        return normalized(
            encoder.encode(
                [
                    text[first:last]
                    for text, start, end in zip(self.texts, self.starts, ends, strict=True)
                    for first, last in self.windows[start:end]
                ]
            )
        )

    def near(self, document: int, window: int, similarity: float) -> Near:
        """Return a passage as what was found."""
        first, last = self.windows[window]
        text = self.texts[document][first : min(last, first + LONGEST)]
        return Near(similarity, self.ids[document], (first, last), text)
