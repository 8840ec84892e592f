"""Scoring: the loop over queries that turns qrels and a run into Scores.

Layer: scoring | encoders. Imports measures, formats, model, errors.
"""

from ragstone.scoring.plan import Rules
from ragstone.scoring.rankings import score_rankings
from ragstone.scoring.score import FACTS, MeasuresLike, as_aggregates, score
from ragstone.scoring.warnings import warnings

__all__ = ["FACTS", "MeasuresLike", "Rules", "as_aggregates", "score", "score_rankings", "warnings"]
