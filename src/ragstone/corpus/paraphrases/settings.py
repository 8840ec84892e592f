"""What a search for paraphrases is told."""

from __future__ import annotations

from msgspec import Struct

from ragstone.corpus.options import check_share, check_whole


class ParaphraseSettings(Struct, frozen=True, kw_only=True):
    """What a search for paraphrases is told.

    threshold: from this cosine on a text leaks. window: characters of a passage of a document.
    documents: how many are listed for a field, the best. min_words: texts with fewer are not
    looked for.
    """

    threshold: float
    window: int
    documents: int
    min_words: int

    def check(self) -> None:
        """Raise UsageError for what cannot be."""
        check_share("threshold", self.threshold)
        for name, least in (("window", 16), ("documents", 1), ("min_words", 0)):
            check_whole(name, getattr(self, name), least)
