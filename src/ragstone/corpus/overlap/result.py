"""What two corpora have in common, or one with itself: counts, pairs, clusters."""

from __future__ import annotations

from msgspec import Struct

from ragstone.corpus.overlap.banding import Banding
from ragstone.corpus.overlap.settings import OverlapSettings


class OverlapPair(Struct, frozen=True):
    """Two texts that overlap, each with the first id, by code point, of the documents that have it.

    a_copies, b_copies: how many documents of each corpus have that very text; both are of the one
    corpus where it was compared with itself.
    """

    cluster: int
    a_id: str
    b_id: str
    jaccard: float
    a_copies: int
    b_copies: int


class OverlapCluster(Struct, frozen=True, omit_defaults=True):
    """Documents that pairs connect; all are in a_ids where one corpus was compared with itself."""

    cluster: int
    a_ids: list[str]
    b_ids: list[str] = []


class OverlapSide(Struct, frozen=True):
    """Counts of one corpus.

    empty: documents without a word, which are compared with nothing; short: documents that are
    one shingle as they are shorter than that; overlapping: documents with a partner.
    """

    documents: int
    empty: int
    short: int
    overlapping: int
    truncated: bool

    @property
    def rate(self) -> float:
        """The share of the documents that have a partner."""
        return self.overlapping / self.documents


class Overlap(Struct, frozen=True):
    """What two corpora have in common; `b` is None where one was compared with itself.

    bands: those of MinHash, which can miss a pair; None for methods that miss none. candidates:
    how many pairs of different texts it brought together. redundant: ids of the
    second or only corpus that can go so that no pair is left.
    """

    settings: OverlapSettings
    a: OverlapSide
    b: OverlapSide | None
    candidates: int
    bands: Banding | None
    pairs: list[OverlapPair]
    clusters: list[OverlapCluster]
    redundant: frozenset[str]

    @property
    def miss(self) -> float:
        """The probability that a pair at the threshold was missed."""
        return self.bands.miss(self.settings.threshold) if self.bands else 0.0
