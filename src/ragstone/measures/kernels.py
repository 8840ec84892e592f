"""How the retrieval measures are computed: pure functions over a Ranking.

Each follows trec_eval (see docs/conformance.md) unless its docstring names another source.
`k` is the cutoff or None for the full depth, `rel` the least grade that counts as relevant.
A quotient with nothing below the line is 0.
"""

from __future__ import annotations

import math

from ragstone.measures.ranking import Ranking

INFAP_EPSILON = 0.00001
ROUNDING = 1e-9


def ratio(above: float, below: float) -> float:
    """Divide; 0 where there is nothing to divide by."""
    return above / below if below else 0.0


def precision(ranking: Ranking, *, k: int | None, rel: int) -> float:
    """Relevant among the first k, over k even where fewer were retrieved."""
    return ratio(ranking.hits(rel, k), ranking.depth(k))


def recall(ranking: Ranking, *, k: int | None, rel: int) -> float:
    """Relevant among the first k, over all relevant."""
    return ratio(ranking.number_found(rel, k), ranking.number_relevant(rel))


def f_score(ranking: Ranking, *, k: int | None, rel: int, beta: float = 1.0) -> float:
    """Weighted harmonic mean of precision and recall (van Rijsbergen 1979)."""
    p, r = precision(ranking, k=k, rel=rel), recall(ranking, k=k, rel=rel)
    return ratio((beta * beta + 1) * p * r, beta * beta * p + r)


def average_precision(ranking: Ranking, *, k: int | None, rel: int) -> float:
    """Sum of the precision at each relevant document, over all relevant."""
    total = 0.0
    for found, rank in enumerate(ranking.relevant(rel), 1):
        if k is not None and rank > k:
            break
        total += found / rank
    return ratio(total, ranking.number_relevant(rel))


def reciprocal_rank(ranking: Ranking, *, k: int | None, rel: int) -> float:
    """One over the rank of the first relevant document."""
    ranks = ranking.relevant(rel)
    return 1 / ranks[0] if ranks and (k is None or ranks[0] <= k) else 0.0


def success(ranking: Ranking, *, k: int | None, rel: int, share: float) -> float:
    """1 where any relevant document is among the first k, and at least a share of them."""
    found = ranking.number_found(rel, k)
    return float(found > 0 and found >= share * ranking.number_relevant(rel) - ROUNDING)


def r_precision(ranking: Ranking, *, rel: int) -> float:
    """Precision at as many documents as are relevant."""
    relevant = ranking.number_relevant(rel)
    return ratio(ranking.hits(rel, relevant), relevant)


def ndcg(ranking: Ranking, *, k: int | None) -> float:
    """Discounted gain over that of the best order of all positive grades (Jarvelin 2002)."""
    gain = 0.0
    for rank, worth in zip(ranking.ranks, ranking.gains, strict=True):
        if k is not None and rank > k:
            break
        if worth > 0:
            gain += worth / math.log2(rank + 1)
    return ratio(gain, ideal_gain(ranking, k=k))


def ideal_gain(ranking: Ranking, *, k: int | None) -> float:
    """Discounted gain of the best order of all positive grades."""
    best = 0.0
    for position, grade in enumerate(ranking.ideal[:k]):
        best += grade / math.log2(position + 2)
    return best


def bpref(ranking: Ranking, *, rel: int) -> float:
    """Share of judged non-relevant documents that stand below each relevant one (Buckley 2004)."""
    relevant = ranking.number_relevant(rel)
    bound = min(sum(0 <= grade < rel for grade in ranking.judgments), relevant)
    above, total = 0, 0.0
    for grade in ranking.grades:
        if grade >= rel:
            total += 1 - min(above, relevant) / bound if above else 1.0
        elif grade >= 0:
            above += 1
    return ratio(total, relevant)


def inferred_ap(ranking: Ranking, *, rel: int) -> float:
    """Average precision estimated from a sampled pool (Yilmaz & Aslam 2006).

    A negative grade marks a document of the pool that was not judged.
    """
    found, nonrelevant, unjudged, total = 0, 0, 0, 0.0
    for rank, grade in zip(ranking.ranks, ranking.grades, strict=True):
        if grade >= rel:
            total += _inferred_precision(rank, found, nonrelevant, unjudged)
            found += 1
        elif grade >= 0:
            nonrelevant += 1
        else:
            unjudged += 1
    return ratio(total, ranking.number_relevant(rel))


def _inferred_precision(rank: int, found: int, nonrelevant: int, unjudged: int) -> float:
    above = rank - 1
    if not above:
        return 1.0
    pooled = (found + nonrelevant + unjudged) / above
    relevant = (found + INFAP_EPSILON) / (found + nonrelevant + 2 * INFAP_EPSILON)
    return 1 / rank + above / rank * pooled * relevant


def interpolated_precision(ranking: Ranking, *, k: float, rel: int, trec_eval: int) -> float:
    """Best precision at or beyond the rank where recall reaches `k`.

    How many documents that recall is, is where trec_eval 9 and 10 differ.
    """
    share = k * ranking.number_relevant(rel)
    needed = int(share + 0.9) if trec_eval == 9 else _round_half_up(share)
    ranks = ranking.relevant(rel)
    reached = range(max(needed, 1), len(ranks) + 1)
    return max((found / ranks[found - 1] for found in reached), default=0.0)


def _round_half_up(value: float) -> int:
    whole = math.floor(value)
    return whole + (value - whole >= 0.5)


def expected_reciprocal_rank(ranking: Ranking, *, k: int | None, max: int) -> float:  # noqa: A002
    """Expected 1/rank at which a cascading user stops (Chapelle et al. 2009).

    A document of grade g stops the user with probability (2^g - 1) / 2^max.
    """
    total, goes_on = 0.0, 1.0
    for rank, grade in zip(ranking.ranks, ranking.grades, strict=True):
        if k is not None and rank > k:
            break
        if grade > 0:
            stops = 2.0 ** (min(grade, max) - max) - 2.0**-max  # 2^max may be beyond a double
            total += goes_on * stops / rank
            goes_on *= 1 - stops
    return total


def rank_biased_precision(ranking: Ranking, *, k: int | None, rel: int, p: float) -> float:
    """Relevance seen by a user who goes on with probability p (Moffat & Zobel 2008)."""
    ranks = ranking.relevant(rel)
    return (1 - p) * math.fsum(p ** (rank - 1) for rank in ranks if k is None or rank <= k)


def judged_share(ranking: Ranking, *, k: int | None) -> float:
    """Share of the first k retrieved that are judged; a negative grade is not a judgment."""
    depth = ranking.retrieved if k is None else min(k, ranking.retrieved)
    pairs = zip(ranking.ranks, ranking.grades, strict=True)
    return ratio(sum(grade >= 0 and rank <= depth for rank, grade in pairs), depth)


def number_retrieved(ranking: Ranking) -> float:
    """Documents retrieved."""
    return float(ranking.retrieved)


def number_relevant(ranking: Ranking, *, rel: int) -> float:
    """Documents judged relevant."""
    return float(ranking.number_relevant(rel))


def number_relevant_retrieved(ranking: Ranking, *, rel: int) -> float:
    """Relevant documents retrieved."""
    return float(ranking.hits(rel, None))


def depth(ranking: Ranking, *, k: int | None, rel: int) -> float:  # noqa: ARG001
    """Return the denominator of precision."""
    return float(ranking.depth(k))


def relevant(ranking: Ranking, *, rel: int, **_: object) -> float:
    """Return the denominator of recall, AP, R-precision, Bpref and infAP."""
    return float(ranking.number_relevant(rel))


def depth_and_relevant(ranking: Ranking, *, k: int | None, rel: int) -> float:
    """Return the denominator of F1: 2 x hits is divided by k and the number of relevant."""
    return float(ranking.depth(k) + ranking.number_relevant(rel))


def judged_depth(ranking: Ranking, *, k: int | None) -> float:
    """Return the denominator of Judged."""
    return float(ranking.retrieved if k is None else min(k, ranking.retrieved))
