"""The evaluator classes of Krag 0.0.32, with the values of the standard definitions.

A program written for Krag runs with its import changed. What differs, and why, is in docs/krag.md.

>>> from ragstone.krag import AveragingMethod, Document, OfflineRetrievalEvaluators
>>> gold = [[Document(page_content="The first."), Document(page_content="The second.")]]
>>> found = [[Document(page_content="The last."), Document(page_content="The second.")]]
>>> evaluator = OfflineRetrievalEvaluators(gold, found, averaging_method=AveragingMethod.MICRO)
>>> evaluator.calculate_f1_score(k=2)
{'micro_f1': 0.5}

Layer: krag | demo. Imports matching, encoders, reports (for charts) and what is below.
"""

from ragstone.krag.choices import (
    AveragingMethod,
    MatchingCriteria,
    TokenizerConfig,
    TokenizerType,
)
from ragstone.krag.document import Document, DocumentsError
from ragstone.krag.embedding import (
    EmbeddingOfflineRetrievalEvaluators,
    EmbeddingRougeOfflineRetrievalEvaluators,
)
from ragstone.krag.evaluators import OfflineRetrievalEvaluators, RougeOfflineRetrievalEvaluators

KragDocument = Document

__all__ = [
    "AveragingMethod",
    "Document",
    "DocumentsError",
    "EmbeddingOfflineRetrievalEvaluators",
    "EmbeddingRougeOfflineRetrievalEvaluators",
    "KragDocument",
    "MatchingCriteria",
    "OfflineRetrievalEvaluators",
    "RougeOfflineRetrievalEvaluators",
    "TokenizerConfig",
    "TokenizerType",
]
