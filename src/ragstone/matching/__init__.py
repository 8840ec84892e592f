"""Texts instead of ids: which retrieved text is which gold text, and so what a ranking is worth.

Layer: matching | corpus | judge. Imports scoring, encoders and what is below.

One query: `match_query` gives a MatchMatrix with all similarities, computed once; its `assign`
decides at a threshold which pairs count, and the `ranking` of that is what every measure is
computed from. Many queries: `match_texts` gives Matches, whose `scores` are those of `scoring`.

>>> matrix = match_query(["one two", "three four"], ["three four", "five", "one two"], "exact")
>>> ranking = matrix.assign(assignment="greedy").ranking()
>>> from ragstone.measures import parse_measure
>>> parse_measure("R@1").bound({"rel": 1})(ranking)
0.5
"""

from ragstone.formats.gold import Passage
from ragstone.matching.assignment import ASSIGNMENTS, Assignment, Pair
from ragstone.matching.listing import Excerpt, Match, NotFound, QueryMatches, Unmatched, listing
from ragstone.matching.matches import Matches, SweepPoint
from ragstone.matching.matching import match_query, match_texts
from ragstone.matching.matrix import NEVER, Gold, MatchMatrix, Similarities
from ragstone.matching.methods import METHODS, Method, Options, make_method
from ragstone.matching.names import AVERAGES, CRITERIA, as_aggregates, default_measures
from ragstone.matching.rules import GAINS, Rules
from ragstone.matching.spans import match_spans, span_measures
from ragstone.matching.texts import is_blank
from ragstone.matching.warnings import warnings

__all__ = [
    "ASSIGNMENTS",
    "AVERAGES",
    "CRITERIA",
    "GAINS",
    "METHODS",
    "NEVER",
    "Assignment",
    "Excerpt",
    "Gold",
    "Match",
    "MatchMatrix",
    "Matches",
    "Method",
    "NotFound",
    "Options",
    "Pair",
    "Passage",
    "QueryMatches",
    "Rules",
    "Similarities",
    "SweepPoint",
    "Unmatched",
    "as_aggregates",
    "default_measures",
    "is_blank",
    "listing",
    "make_method",
    "match_query",
    "match_spans",
    "match_texts",
    "span_measures",
    "warnings",
]
