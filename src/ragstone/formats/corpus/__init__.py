"""Corpora: what they are made of, read in batches, in parts, and written without some documents.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, progress,
errors.
"""

from ragstone.formats.corpus.batch import CHARACTERS, Batch, Places
from ragstone.formats.corpus.census import Census
from ragstone.formats.corpus.corpus import Corpus, Part
from ragstone.formats.corpus.member import Named
from ragstone.formats.corpus.opening import digest_of_files
from ragstone.formats.corpus.writing import check_name, is_parquet, without

__all__ = [
    "CHARACTERS",
    "Batch",
    "Census",
    "Corpus",
    "Named",
    "Part",
    "Places",
    "check_name",
    "digest_of_files",
    "is_parquet",
    "without",
]
