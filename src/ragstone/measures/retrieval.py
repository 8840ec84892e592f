"""The retrieval measures. A new one is a declaration here, a kernel and a reference value."""

from __future__ import annotations

import math
from typing import Any

from ragstone.measures import kernels
from ragstone.measures.declaration import Cutoff, Empty, Parameter
from ragstone.measures.measure import Measure, declare

REL = ("rel", Parameter(int, 1, 10**9))
RANKED: dict[str, Any] = {"cutoff": Cutoff.RANK, "parameters": (REL,)}
WHOLE: dict[str, Any] = {"denominator": kernels.relevant, "parameters": (REL,)}
COUNT: dict[str, Any] = {
    "unit": "documents",
    "range": (0.0, math.inf),
    "aggregate": "sum",
    "empty": Empty.NEVER,
    "quality": False,
}

P = declare(
    name="P",
    kernel=kernels.precision,
    denominator=kernels.depth,
    help="share of the first k that is relevant; divides by k",
    trec_name="set_P",
    trec_cut_name="P_{k}",
    aliases=["precision", "set_P", "set_precision"],
    **RANKED,
)
R = declare(
    name="R",
    kernel=kernels.recall,
    denominator=kernels.relevant,
    help="share of the relevant that is among the first k",
    trec_name="set_recall",
    trec_cut_name="recall_{k}",
    aliases=["recall", "set_recall", "set_R"],
    **RANKED,
)
F1 = declare(
    name="F1",
    kernel=kernels.f_score,
    denominator=kernels.depth_and_relevant,
    help="harmonic mean of P and R",
    trec_name="set_F",
    aliases=["f1_score", "set_F"],
    **RANKED,
)
nDCG = declare(  # noqa: N816 - the field's own spelling
    name="nDCG",
    kernel=kernels.ndcg,
    denominator=kernels.ideal_gain,
    cutoff=Cutoff.RANK,
    help="discounted gain over the best possible; linear gain, all positive grades",
    trec_name="ndcg",
    trec_cut_name="ndcg_cut_{k}",
)
AP = declare(
    name="AP",
    kernel=kernels.average_precision,
    denominator=kernels.relevant,
    help="mean of the precision at each relevant document (its mean is MAP)",
    trec_name="map",
    trec_cut_name="map_cut_{k}",
    aliases=["map", "average_precision"],
    **RANKED,
)
RR = declare(
    name="RR",
    kernel=kernels.reciprocal_rank,
    help="1 / rank of the first relevant document (its mean is MRR)",
    trec_name="recip_rank",
    aliases=["mrr", "recip_rank", "reciprocal_rank"],
    **RANKED,
)
Success = declare(
    name="Success",
    kernel=kernels.success,
    binary=True,
    cutoff=Cutoff.RANK,
    parameters=(REL, ("share", Parameter(float, 0, 1, 0.0))),
    help="1 where any of the first k is relevant, else 0 (hit rate); share=1: where all are found",
    trec_cut_name="success_{k}",
    aliases=["hit_rate", "hit", "hitrate"],
)
Rprec = declare(
    name="Rprec",
    kernel=kernels.r_precision,
    help="precision at as many documents as are relevant",
    trec_name="Rprec",
    aliases=["r_precision", "r-prec"],
    **WHOLE,
)
Bpref = declare(
    name="Bpref",
    kernel=kernels.bpref,
    help="how far judged non-relevant documents stand below relevant ones",
    trec_name="bpref",
    **WHOLE,
)
infAP = declare(  # noqa: N816 - the field's own spelling
    name="infAP",
    kernel=kernels.inferred_ap,
    help="AP estimated from a sampled pool; a negative grade is pooled and unjudged",
    trec_name="infAP",
    **WHOLE,
)
IPrec = declare(
    name="IPrec",
    kernel=kernels.interpolated_precision,
    cutoff=Cutoff.RECALL,
    parameters=(REL,),
    versioned=True,
    help="best precision at or beyond a recall level",
    trec_cut_name="iprec_at_recall_{k:.2f}",
    aliases=["iprec_at_recall"],
)
ERR = declare(
    name="ERR",
    kernel=kernels.expected_reciprocal_rank,
    cutoff=Cutoff.RANK,
    parameters=(("max", Parameter(int, 1, 1000)),),
    help="expected 1 / rank where a user stops; max is the scale's highest grade",
)
RBP = declare(
    name="RBP",
    kernel=kernels.rank_biased_precision,
    cutoff=Cutoff.RANK,
    parameters=(("p", Parameter(float, 0, 1, 0.8)), REL),
    help="relevance seen by a user who goes on with probability p (0.8)",
)
Judged = declare(
    name="Judged",
    kernel=kernels.judged_share,
    denominator=kernels.judged_depth,
    cutoff=Cutoff.RANK,
    empty=Empty.NO_RESULTS,
    quality=False,
    help="share of the first k retrieved that is judged",
)
num_ret = declare(
    name="num_ret", kernel=kernels.number_retrieved, trec_name="num_ret", help="retrieved", **COUNT
)
num_rel = declare(
    name="num_rel",
    kernel=kernels.number_relevant,
    parameters=(REL,),
    trec_name="num_rel",
    help="judged relevant",
    **COUNT,
)
num_rel_ret = declare(
    name="num_rel_ret",
    kernel=kernels.number_relevant_retrieved,
    parameters=(REL,),
    trec_name="num_rel_ret",
    help="relevant and retrieved",
    **COUNT,
)


def default_measures(k: int) -> list[Measure]:
    """Return the six measures that score computes unless it is told which."""
    return [R @ k, P @ k, nDCG @ k, RR @ k, AP @ k, Success @ k]
