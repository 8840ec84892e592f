"""Measures: what they are (declarations, registry, parser) and how they are computed (kernels).

Layer: statistics | measures | formats | text | http | store. Imports model, registry, errors.
"""

from ragstone.measures.aggregate import (
    AGGREGATES,
    Aggregate,
    parse_aggregate,
    quantile,
    summary,
)
from ragstone.measures.declaration import Cutoff, Declaration, Direction, Empty, Parameter
from ragstone.measures.measure import MEASURES, Measure, parse_measure, split_name
from ragstone.measures.ranking import Ranking
from ragstone.measures.retrieval import (
    AP,
    ERR,
    F1,
    RBP,
    RR,
    Bpref,
    IPrec,
    Judged,
    P,
    R,
    Rprec,
    Success,
    default_measures,
    infAP,
    nDCG,
    num_rel,
    num_rel_ret,
    num_ret,
)

__all__ = [
    "AGGREGATES",
    "AP",
    "ERR",
    "F1",
    "MEASURES",
    "RBP",
    "RR",
    "Aggregate",
    "Bpref",
    "Cutoff",
    "Declaration",
    "Direction",
    "Empty",
    "IPrec",
    "Judged",
    "Measure",
    "P",
    "Parameter",
    "R",
    "Ranking",
    "Rprec",
    "Success",
    "default_measures",
    "infAP",
    "nDCG",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "parse_aggregate",
    "parse_measure",
    "quantile",
    "split_name",
    "summary",
]
