"""Documents that stand in two corpora, or twice in one: identical, or similar by their shingles.

Layer: matching | corpus | judge. Imports corpus.spark, the modules of corpus itself, and what is
below.
"""

from ragstone.corpus.overlap.check import OverlapSettings, find_overlap

__all__ = ["OverlapSettings", "find_overlap"]
