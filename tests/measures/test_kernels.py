"""Kernels against their formulas, written out a second time in the plainest way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.measures import Measure, Ranking, kernels, parse_measure

RULES = {"rel": 1, "trec_eval": 10, "max": 3}
DOCS = "abcdefgh"


def value(name: str, docs: Sequence[str], grades: Mapping[str, int], **rules: int) -> float:
    return parse_measure(name).bound({**RULES, **rules})(Ranking.of(docs, grades))


def test_a_ranking_knows_where_judged_documents_stand() -> None:
    ranking = Ranking.of(list("xaybz"), {"a": 2, "b": -1, "c": 1, "d": 0, "e": 3})
    assert ranking.retrieved == 5
    assert (list(ranking.ranks), list(ranking.grades)) == ([2, 4], [2, -1])
    assert ranking.ideal == [3, 2, 1]
    assert ranking.number_judged == 4
    assert [ranking.relevant(rel) for rel in (1, 2, 3)] == [[2], [2], []]
    assert [ranking.number_relevant(rel) for rel in (1, 2, 3, 4)] == [3, 2, 1, 0]
    assert [ranking.hits(1, k) for k in (1, 2, 9, None)] == [0, 1, 1, 1]
    assert [ranking.depth(k) for k in (1, 9, None)] == [1, 9, 5]


cases = st.tuples(
    st.permutations(DOCS).flatmap(lambda docs: st.integers(0, 8).map(lambda n: docs[:n])),
    st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 3)),
)
cutoffs = st.one_of(st.none(), st.integers(1, 10))


@given(case=cases, k=cutoffs, rel=st.integers(1, 3))
def test_set_measures(case: tuple[list[str], dict[str, int]], k: int | None, rel: int) -> None:
    docs, grades = case
    first = docs if k is None else docs[:k]
    relevant = {doc for doc, grade in grades.items() if grade >= rel}
    hits, depth = len(relevant & set(first)), len(docs) if k is None else k
    at = "" if k is None else f"@{k}"
    expected = {
        "P": Fraction(hits, depth or 1),
        "R": Fraction(hits, len(relevant) or 1),
        "F1": Fraction(2 * hits, (depth + len(relevant)) or 1),  # 2PR / (P + R)
        "Success": Fraction(hits > 0),
        "Judged": Fraction(sum(grades.get(doc, -1) >= 0 for doc in first), len(first) or 1),
    }
    for name, share in expected.items():
        assert value(name + at, docs, grades, rel=rel) == pytest.approx(float(share), abs=1e-15)


@given(case=cases, k=cutoffs, rel=st.integers(1, 3))
def test_ranked_measures(case: tuple[list[str], dict[str, int]], k: int | None, rel: int) -> None:
    docs, grades = case
    at = "" if k is None else f"@{k}"
    gains = [max(grades.get(doc, 0), 0) for doc in docs][:k]
    hits = [int(grades.get(doc, 0) >= rel) for doc in docs][:k]
    relevant = sum(grade >= rel for grade in grades.values())
    precisions = [sum(hits[: n + 1]) / (n + 1) for n in range(len(hits))]
    average = sum(p for p, hit in zip(precisions, hits, strict=True) if hit) / (relevant or 1)
    assert value(f"AP{at}", docs, grades, rel=rel) == pytest.approx(average, abs=1e-14)
    first = next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
    assert value(f"RR{at}", docs, grades, rel=rel) == first
    best = sorted((max(grade, 0) for grade in grades.values()), reverse=True)[:k]
    dcg, ideal = (sum(g / math.log2(n + 2) for n, g in enumerate(gs)) for gs in (gains, best))
    ndcg = dcg / ideal if ideal else 0.0
    assert value(f"nDCG{at}", docs, grades, rel=rel) == pytest.approx(ndcg, abs=1e-14)
    stops = [(2**gain - 1) / 2**3 for gain in gains]
    err = sum(s / (n + 1) * math.prod(1 - t for t in stops[:n]) for n, s in enumerate(stops))
    assert value(f"ERR{at}", docs, grades, rel=rel) == pytest.approx(err, abs=1e-14)
    for p in (0.0, 0.5, 0.8, 1.0):
        rbp = (1 - p) * sum(hit * p**n for n, hit in enumerate(hits))
        read = value(f"RBP(p={p}){at}", docs, grades, rel=rel)
        assert read == pytest.approx(rbp, abs=1e-14)


def test_rbp_has_a_default_persistence() -> None:
    assert value("RBP", ["x", "a"], {"a": 1}) == pytest.approx(0.2 * 0.8, abs=1e-15)


def test_rbp_of_a_long_list_is_all_there_is_to_see() -> None:
    docs = [str(n) for n in range(2000)]
    assert value("RBP(p=0.9)", docs, dict.fromkeys(docs, 1)) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("top", [4, 52, 60, 1023, 1024, 2000, 10**9 - 1])
def test_err_of_grades_however_high(top: int) -> None:
    """The best document stops nearly everyone; one grade less stops half as many."""
    grades = {"a": top, "b": top - 1}
    first = value("ERR", ["a"], grades, max=top)
    assert first == pytest.approx(1 - 2.0**-top, abs=1e-15)
    assert value("ERR", ["b"], grades, max=top) == pytest.approx(first / 2, abs=2.0**-top)


def test_err_knows_a_scale_beyond_the_judgments() -> None:
    assert value("ERR(max=4)", ["a"], {"a": 3}) == 7 / 16
    assert value("ERR(max=2)", ["a"], {"a": 3}) == 3 / 4
    assert value("ERR", ["a"], {"a": 3}) == 7 / 8


def test_bpref_counts_judged_documents_only() -> None:
    grades = {"a": 1, "b": 1, "n": 0, "m": 0, "o": 0, "u": -1}
    assert value("Bpref", list("xuab"), grades) == 1.0  # neither unknown nor unjudged stand above
    assert value("Bpref", list("nab"), grades) == (1 - 1 / 2) * 2 / 2
    assert value("Bpref", list("nmoab"), grades) == 0.0  # as many as are relevant, at most
    assert value("Bpref", list("a"), {"a": 1}) == 1.0  # nothing judged could stand above
    assert value("Bpref", list("nab"), {"a": 2, "b": 2, "n": 1}, rel=2) == 0.0


def test_infap_takes_negative_grades_as_pooled() -> None:
    e = kernels.INFAP_EPSILON
    grades = {"a": 1, "b": 1, "n": 0, "u": -1}
    # second: rank 4, one relevant, one not, one unjudged above it
    second = 1 / 4 + 3 / 4 * (3 / 3) * (1 + e) / (2 + 2 * e)
    assert value("infAP", list("anub"), grades) == pytest.approx((1 + second) / 2, abs=1e-15)
    unknown = 1 / 4 + 3 / 4 * (2 / 3) * (1 + e) / (2 + 2 * e)
    assert value("infAP", list("anxb"), grades) == pytest.approx((1 + unknown) / 2, abs=1e-15)


def test_interpolated_precision_of_both_versions() -> None:
    """Four relevant, two found: version 10 rounds 0.3 * 4 to 1, version 9 up to 2."""
    docs, grades = ["a", "x", "y", "z", "b"], {"a": 1, "b": 1, "c": 1, "d": 1}
    for version, expected in ((9, 2 / 5), (10, 1.0)):
        assert value("IPrec@0.3", docs, grades, trec_eval=version) == expected
    for version in (9, 10):
        assert value("IPrec@0", docs, grades, trec_eval=version) == 1.0
        assert value("IPrec@0.5", docs, grades, trec_eval=version) == 2 / 5
        assert value("IPrec@1", docs, grades, trec_eval=version) == 0.0


@given(case=cases, level=st.integers(0, 100), version=st.sampled_from([9, 10]))
def test_interpolated_precision(
    case: tuple[list[str], dict[str, int]], level: int, version: int
) -> None:
    docs, grades = case
    hits = [int(grades.get(doc, 0) >= 1) for doc in docs]
    share = level / 100 * sum(grade >= 1 for grade in grades.values())
    needed = math.floor(share + 0.9) if version == 9 else math.floor(share + 0.5)
    precisions = [sum(hits[: n + 1]) / (n + 1) for n in range(len(hits))]
    reached = [p for n, p in enumerate(precisions) if sum(hits[: n + 1]) >= needed]
    expected = max(reached, default=0.0)
    assert value(f"IPrec@{level / 100}", docs, grades, trec_eval=version) == expected


EMPTY_CASES = {
    "nothing retrieved": ([], {"a": 1}),
    "nothing relevant": (["a"], {"a": 0}),
    "all unjudged": (["a"], {"a": -1, "b": -2}),
    "neither": ([], {"a": 0}),
}
NAMES = ["P@5", "R@5", "F1@5", "nDCG@5", "AP@5", "RR@5", "Success@5", "Rprec", "Bpref", "infAP"]
NAMES += ["IPrec@0", "IPrec@0.5", "IPrec@1", "ERR@5", "RBP@5", "num_rel_ret"]
NAMES += ["P", "R", "F1", "nDCG", "AP", "RR", "Success", "ERR", "RBP"]


@pytest.mark.parametrize("version", [9, 10])
@pytest.mark.parametrize("case", EMPTY_CASES)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_divide_by_is_zero(name: str, case: str, version: int) -> None:
    docs, grades = EMPTY_CASES[case]
    assert value(name, docs, grades, trec_eval=version) == 0.0


def test_counts() -> None:
    docs, grades = list("abxy"), {"a": 2, "b": 1, "c": 3, "d": 0, "e": -1}
    read = {
        name: value(name, docs, grades, rel=2) for name in ("num_ret", "num_rel", "num_rel_ret")
    }
    assert read == {"num_ret": 4.0, "num_rel": 2.0, "num_rel_ret": 1.0}


@given(case=cases, k=st.integers(1, 10))
def test_a_denominator_is_what_the_value_was_divided_by(
    case: tuple[list[str], dict[str, int]], k: int
) -> None:
    """So that a value times its denominator is what was counted."""
    docs, grades = case
    ranking = Ranking.of(docs, grades)
    counted = {"P": 1, "R": 1, "F1": 2, "Judged": 1}
    for name, factor in counted.items():
        measure = Measure(name) @ k
        below = measure.bound_denominator(RULES)
        assert below is not None
        above = measure.bound(RULES)(ranking) * below(ranking)
        assert above == pytest.approx(round(above / factor) * factor, abs=1e-12)


# ---- texts: one that holds several, and gains that are no grades ---------------------------------


def of(name: str, ranking: Ranking) -> float:
    return parse_measure(name).bound({"rel": 1, "trec_eval": 10, "max": 1})(ranking)


def test_recall_counts_all_that_a_document_holds_and_rank_measures_count_it_once() -> None:
    """Rank 2 holds two of three relevant ones, so that two are found at one rank."""
    ranking = Ranking(4, [2], [1], [1, 1, 1], found=[2, 2])
    assert of("R@1", ranking) == 0
    assert of("R@2", ranking) == of("R", ranking) == pytest.approx(2 / 3)
    assert of("P@2", ranking) == of("RR", ranking) == 0.5
    assert of("AP", ranking) == pytest.approx(1 / 2 / 3)
    assert of("num_rel_ret", ranking) == 1


def test_gains_count_in_ndcg_alone() -> None:
    plain, worth = Ranking(2, [1], [1], [1, 1]), Ranking(2, [1], [1], [1, 1], gains=[0.5])
    assert of("nDCG", worth) == pytest.approx(of("nDCG", plain) / 2)
    for name in ("P@1", "R@1", "AP", "RR", "ERR", "Success@1"):
        assert of(name, worth) == of(name, plain)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Success@1", 0),
        ("Success@2", 1),
        ("Success(share=0.3)@2", 1),
        ("Success(share=0.4)@2", 0),
        ("Success(share=1)@4", 0),
        ("Success(share=1)@5", 1),
        ("Success(share=1)", 1),
    ],
)
def test_success_of_a_share(name: str, expected: float) -> None:
    """Three relevant: at 2, 3 and 5."""
    assert of(name, Ranking(6, [2, 3, 5], [1, 1, 1], [1, 1, 1])) == expected


def test_success_of_a_share_of_nothing() -> None:
    assert of("Success(share=1)@5", Ranking(2, [], [], [0])) == 0
