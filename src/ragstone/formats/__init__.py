"""Readers and writers of qrels, runs and texts: TREC, BEIR, JSON lines; gzip, standard input.

Layer: statistics | measures | formats | text | http | store. Imports model, registry, errors.
"""

from ragstone.formats.files import (
    QRELS_FORMATS,
    RUN_FORMATS,
    RunFile,
    open_run,
    read_qrels,
    read_run,
)
from ragstone.formats.packing import packed, packed_as
from ragstone.formats.source import Source
from ragstone.formats.texts import (
    Document,
    QueryText,
    in_folder,
    read_queries,
    stream_documents,
    stream_queries,
)
from ragstone.formats.trec import NotGroupedError
from ragstone.formats.writers import QRELS_WRITERS, RUN_WRITERS

__all__ = [
    "QRELS_FORMATS",
    "QRELS_WRITERS",
    "RUN_FORMATS",
    "RUN_WRITERS",
    "Document",
    "NotGroupedError",
    "QueryText",
    "RunFile",
    "Source",
    "in_folder",
    "open_run",
    "packed",
    "packed_as",
    "read_qrels",
    "read_queries",
    "read_run",
    "stream_documents",
    "stream_queries",
]
