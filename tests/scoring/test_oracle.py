"""An oracle in a few lines, for the order of version 10 and for what trec_eval does not have."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragstone.scoring import score

DOCS = ["a", "b", "B", "d9", "d10", "é", "\uffff", "\U00010000"]
SCORES = [0.0, -0.0, 1.0, 0.87654321987, 0.87654321985, 16777216.0, 16777217.0, -1e300, 1e-320]

ranking = st.dictionaries(st.sampled_from(DOCS), st.sampled_from(SCORES), min_size=1)
judged = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1)
K = 3
NAMES = ["RR", "P@3", "AP", "nDCG@3", "ERR@3", "RBP(p=0.5)@3", "F1@3", "Judged@3", "RR@3"]


def oracle(grades: dict[str, int], scores: dict[str, float], top: int) -> dict[str, float]:
    order = sorted(scores, key=lambda doc: (scores[doc], [ord(c) for c in doc]), reverse=True)
    hit = [grades.get(doc, -1) > 0 for doc in order]
    gain = [max(grades.get(doc, 0), 0) for doc in order[:K]]
    best = sorted((max(grade, 0) for grade in grades.values()), reverse=True)[:K]
    found = sum(hit[:K])
    relevant = sum(grade > 0 for grade in grades.values())
    first = hit.index(True) + 1 if any(hit) else math.inf
    stop = [(2**g - 1) / 2**top for g in gain]
    dcg, ideal = (sum(g / math.log2(n + 2) for n, g in enumerate(each)) for each in (gain, best))
    return {
        "RR": 1 / first,
        "RR@3": 1 / first if first <= K else 0.0,
        "P@3": found / K,
        "AP": sum(sum(hit[: n + 1]) / (n + 1) for n, one in enumerate(hit) if one)
        / (relevant or 1),
        "nDCG@3": dcg / ideal if ideal else 0.0,
        "ERR@3": sum(s * math.prod(1 - t for t in stop[:n]) / (n + 1) for n, s in enumerate(stop)),
        "RBP(p=0.5)@3": 0.5 * sum(0.5**n for n, one in enumerate(hit[:K]) if one),
        "F1@3": 2 * found / (K + relevant),
        "Judged@3": sum(grades.get(doc, -1) >= 0 for doc in order[:K]) / min(K, len(order)),
    }


@settings(max_examples=300)
@given(grades=judged, run=ranking)
@example(grades={"a": 1, "b": 0}, run={"a": 0.87654321987, "b": 0.87654321985})
@example(grades={"\U00010000": 1, "\uffff": 0}, run={"\U00010000": 1.0, "\uffff": 1.0})
def test_version_10_ranks_by_double_then_by_id(
    grades: dict[str, int], run: dict[str, float]
) -> None:
    expected = oracle(grades, run, max(1, *grades.values()))
    scores = score({"q": grades}, {"q": run}, NAMES)
    found = {name: scores[name].values[0] for name in NAMES}
    assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)


@given(grades=judged, run=ranking)
def test_the_order_of_rows_makes_no_difference(
    grades: dict[str, int], run: dict[str, float]
) -> None:
    back = dict(reversed(run.items()))
    for version in (9, 10):
        there = score({"q": grades}, {"q": run}, NAMES, trec_eval=version)
        again = score({"q": dict(reversed(grades.items()))}, {"q": back}, NAMES, trec_eval=version)
        assert there == again
