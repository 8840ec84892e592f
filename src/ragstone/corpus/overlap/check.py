"""Documents that stand in two corpora, or twice in one: identical, or similar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragstone.corpus.overlap.banding import Banding
from ragstone.corpus.overlap.grouping import Grouping
from ragstone.corpus.overlap.result import Overlap, OverlapSide
from ragstone.corpus.overlap.search import Counts, Outcome, Search
from ragstone.corpus.overlap.settings import OverlapSettings
from ragstone.corpus.overlap.similar import ByBands
from ragstone.errors import UsageError
from ragstone.progress import Progress

if TYPE_CHECKING:
    from ragstone.corpus.spark.corpus import SparkCorpus
    from ragstone.formats.corpus import Corpus


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
