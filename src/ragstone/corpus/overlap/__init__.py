"""Documents that stand in two corpora, or twice in one: identical, or similar by their shingles.

Layer: matching | corpus | judge. Imports corpus.spark, the modules of corpus itself, and what is
below.
"""

from ragstone.corpus.overlap.check import find_overlap
from ragstone.corpus.overlap.settings import OverlapSettings

__all__ = ["OverlapSettings", "find_overlap"]
