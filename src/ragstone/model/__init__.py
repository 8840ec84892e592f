"""What ragstone computes with: judgments, rankings, and one value per item and measure.

Layer: model | registry | progress | processes | usercode. Imports errors only; no NumPy, no I/O.
Samples are imported from `ragstone.model.samples`, so that a command which has none does not pay
for them.
"""

from ragstone.model.retrieval import Qrels, QrelsLike, Results, Run, RunLike, is_id, parallel
from ragstone.model.scores import (
    FAILED_SAMPLES,
    Cell,
    Column,
    Scalar,
    Scores,
    ScoresBuilder,
    Signature,
    Status,
)

__all__ = [
    "FAILED_SAMPLES",
    "Cell",
    "Column",
    "Qrels",
    "QrelsLike",
    "Results",
    "Run",
    "RunLike",
    "Scalar",
    "Scores",
    "ScoresBuilder",
    "Signature",
    "Status",
    "is_id",
    "parallel",
]
