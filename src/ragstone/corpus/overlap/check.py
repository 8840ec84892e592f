"""Documents that stand in two corpora, or twice in one: identical, or similar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from ragstone.corpus.overlap.banding import Banding, choose_banding
from ragstone.corpus.overlap.grouping import Grouping, OverlapCluster, OverlapPair
from ragstone.corpus.overlap.search import Counts, Outcome, Search
from ragstone.corpus.overlap.shingles import Shingling
from ragstone.corpus.overlap.similar import ByBands, ByShingles, Method
from ragstone.errors import UsageError
from ragstone.progress import Progress

if TYPE_CHECKING:
    from ragstone.corpus.spark.corpus import SparkCorpus
    from ragstone.formats.corpus import Corpus

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
        for name, number in (("shingle", self.shingle), ("char-shingle", self.char_shingle)):
            if number < 1:
                raise UsageError(f"{name} is {number}; 1 or more was expected")

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


def find_overlap(
    a: Corpus | SparkCorpus,
    b: Corpus | SparkCorpus | None = None,
    settings: OverlapSettings | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Overlap:
    """Find the documents of `b` that stand in `a`, or those that stand twice in `a` alone.

    The smaller corpus is indexed and read twice, the larger one once. workers: how
    many processes read, with the same result. progress: is told of each reading. Raises
    FormatError for rows that cannot be read and for an id that stands twice. Corpora of Spark are
    both read by it; then `jaccard` is a UsageError.
    """
    asked = settings or OverlapSettings()
    bands = asked.banding()
    found = _searched([a] if b is None else [a, b], asked, bands, workers, progress)
    grouping = Grouping(found.pairs, found.ids)
    sides = [
        _side(counts, grouping.overlapping(place)) for place, counts in enumerate(found.counts)
    ]
    return Overlap(
        settings=asked,
        a=sides[0],
        b=None if b is None else sides[1],
        candidates=found.compared if bands else 0,
        bands=bands,
        pairs=grouping.rows(),
        clusters=grouping.clusters,
        redundant=grouping.redundant(),
    )


def _searched(
    corpora: Sequence[Corpus | SparkCorpus],
    asked: OverlapSettings,
    bands: Banding | None,
    workers: int,
    progress: Progress | None,
) -> Outcome:
    from ragstone.formats.corpus import Corpus

    here = [corpus for corpus in corpora if isinstance(corpus, Corpus)]
    there = [corpus for corpus in corpora if not isinstance(corpus, Corpus)]
    if here and there:
        raise UsageError("one corpus is read by Spark and the other is not; both have to be")
    if here:
        way = asked.way(bands)
        return Search(here, way, asked.shingling, asked.threshold, workers, progress).run()
    if asked.method == "jaccard":
        raise UsageError("the method jaccard is not there for Spark; exact and minhash are")
    from ragstone.corpus.overlap.spark_search import SparkSearch

    by_bands = ByBands(asked.shingling, bands) if bands else None
    return SparkSearch(there, by_bands, asked.shingling, asked.threshold).run()


def _side(counts: Counts, overlapping: int) -> OverlapSide:
    census = counts.census
    return OverlapSide(
        documents=census.documents,
        empty=census.documents - counts.with_words,
        short=counts.short,
        overlapping=overlapping,
        truncated=census.truncated,
    )
