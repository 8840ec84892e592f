"""How a comparison of corpora is told to compare documents."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ragstone.corpus.options import check_whole
from ragstone.corpus.overlap.banding import Banding, choose_banding
from ragstone.corpus.overlap.shingles import Shingling
from ragstone.corpus.overlap.similar import ByBands, ByShingles, Method
from ragstone.errors import UsageError

MethodName: TypeAlias = Literal["exact", "jaccard", "minhash"]


class OverlapSettings(Struct, frozen=True, kw_only=True):
    """How documents are compared.

    method: exact, identical words; jaccard, the share of common shingles of every pair; minhash,
    the same for pairs that MinHash brings together. threshold: the least Jaccard similarity of a
    pair, above 0 up to 1. shingle: words in a row; char_shingle: letters in a row in Chinese,
    Japanese, Korean, Thai and other scripts without spaces. permutations, seed: of MinHash.
    """

    method: MethodName = "exact"
    threshold: float = 0.8
    shingle: int = 5
    char_shingle: int = 2
    permutations: int = 128
    seed: int = 1

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be."""
        if not 0 < self.threshold <= 1:
            raise UsageError(
                f"the threshold is {self.threshold:g}; above 0 and up to 1 is possible"
            )
        check_whole("shingle", self.shingle, 1)
        check_whole("char_shingle", self.char_shingle, 1)

    @property
    def shingling(self) -> Shingling:
        """How documents are cut."""
        return Shingling(self.shingle, self.char_shingle)

    def banding(self) -> Banding | None:
        """The bands of MinHash; None for the other methods."""
        if self.method != "minhash":
            return None
        return choose_banding(self.threshold, self.permutations, self.seed)

    def way(self, bands: Banding | None) -> Method | None:
        """Return how similar texts are looked for; None where only identical ones are."""
        if bands:
            return ByBands(self.shingling, bands)
        return None if self.method == "exact" else ByShingles(self.shingling, self.threshold)
