"""Every shared measure equals pytrec_eval-terrier (trec_eval 9) on random runs full of ties."""

from __future__ import annotations

import math
from typing import TypeVar

import pytest
import pytrec_eval
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragstone.measures import Aggregate, parse_measure
from ragstone.scoring import score

N = TypeVar("N", int, float)
Judgments = dict[str, dict[str, int]]
Rankings = dict[str, dict[str, float]]

CUTOFFS = (1, 2, 3, 5, 10)
CUT = ("P", "recall", "map_cut", "ndcg_cut", "success")
WHOLE = ("map", "ndcg", "recip_rank", "Rprec", "bpref", "infAP", "set_P", "set_recall", "set_F")
COUNTS = ("num_ret", "num_rel", "num_rel_ret")
LEVELS = [f"iprec_at_recall_{level / 10:.2f}" for level in range(11)]
NAMES = [*WHOLE, *COUNTS, *LEVELS, *(f"{name}_{k}" for name in CUT for k in CUTOFFS)]
ASKED = {*WHOLE, *COUNTS, "iprec_at_recall"}
ASKED |= {f"{name}.{','.join(map(str, CUTOFFS))}" for name in CUT}

# ids whose order as numbers, as bytes, as UTF-16 and by locale differ
DOCS = ["d1", "d2", "d9", "d10", "D1", "é", "e\u0301", "\uffff", "\U00010000", "0", "00", " ", "#"]
# ties of doubles, of floats alone, beyond a float's range, below its smallest
SCORES = [0.0, -0.0, 1.0, 1.0, 2.5, -1.0, 16777216.0, 16777217.0, 0.87654321987, 0.87654321985]
SCORES += [1e39, 2e39, -1e39, -1e300, 1e-46, 1e-47, 5e-324]


def some_docs(value: st.SearchStrategy[N]) -> st.SearchStrategy[dict[str, N]]:
    """Give most documents a value: long rankings over many judgments say more than short ones."""
    values = st.tuples(*[st.one_of(value, value, st.none())] * len(DOCS))
    return values.map(lambda row: {d: v for d, v in zip(DOCS, row, strict=True) if v is not None})


judged = some_docs(st.sampled_from([0, 0, 0, 1, 1, 2, 3, -1, -2])).filter(
    lambda grades: max(grades.values(), default=-1) >= 0  # others crash the interpreter there
)
drawn = some_docs(st.sampled_from(SCORES))
ranking = st.one_of(
    drawn,
    drawn.map(lambda run: dict(sorted(run.items(), key=lambda pair: -pair[1]))),
    st.dictionaries(st.sampled_from(DOCS), st.sampled_from(SCORES), max_size=2),
)
queries = st.sampled_from(["q1", "q2", "q10", "é"])


AGGREGATES = {name: Aggregate.default(parse_measure(name)) for name in NAMES}


any_run = given(
    qrels=st.dictionaries(queries, judged, min_size=1),
    run=st.dictionaries(queries, ranking, min_size=1),
    level=st.integers(1, 3),
)


def agrees(qrels: Judgments, run: Rankings, level: int) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, ASKED, relevance_level=level)
    reference = evaluator.evaluate(run)
    if not any(run.get(query) for query in qrels):
        return  # an error of ours: there is nothing to score
    scores = score(qrels, run, AGGREGATES.values(), relevance_level=level, trec_eval=9)
    assert list(scores.items) == sorted(qrels)
    for name, aggregate in AGGREGATES.items():
        column = scores[str(aggregate.measure)]
        values = dict(zip(scores.items, column.values, strict=True))
        expected = {query: row[name] for query, row in reference.items()}
        for query in qrels:
            if not run.get(query):  # nothing retrieved: absent there, or 0 / 0
                missing = float(sum(grade >= level for grade in qrels[query].values()))
                expected[query] = missing if name == "num_rel" else 0.0
        assert values == pytest.approx(expected, rel=1e-12, abs=1e-12), name
        total = math.fsum(expected.values())
        mean = total if name in COUNTS else total / len(qrels)
        assert aggregate.of(column) == pytest.approx(mean, rel=1e-12, abs=1e-12)


@any_run
@example(qrels={"q1": {"d1": 0}}, run={"q1": {"d1": 1.0}}, level=1)
@example(qrels={"q1": {"d1": 1, "d9": -1}, "q2": {"d1": 0}}, run={"q1": {}}, level=2)
@example(
    qrels={"q1": {"d1": 1, "d2": 0}},
    run={"q1": {"d1": 0.87654321987, "d2": 0.87654321985}},  # falls, as doubles
    level=1,
)
def test_agrees_to_the_last_digits(qrels: Judgments, run: Rankings, level: int) -> None:
    agrees(qrels, run, level)


@pytest.mark.slow
@settings(max_examples=1500)
@any_run
def test_agrees_to_the_last_digits_on_many(qrels: Judgments, run: Rankings, level: int) -> None:
    agrees(qrels, run, level)


def test_a_query_with_negative_grades_alone_scores_zero() -> None:
    """By hand: pytrec_eval would end the process, as would trec_eval."""
    qrels = {"q1": {"d1": -1, "d2": -2}, "q2": {"d1": 1}}
    run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}}
    for version in (9, 10):
        scores = score(qrels, run, [*NAMES, "ERR", "RBP", "Judged@5"], trec_eval=version)
        for name, column in scores.columns.items():
            assert column.values[0] == (2.0 if name == "num_ret" else 0.0)
        assert scores.facts["queries_without_relevant"] == 1
        assert scores.counts["judged"].tolist() == [0, 1]


def test_every_name_that_is_compared_is_what_we_call_it() -> None:
    assert all(parse_measure(name).trec_name == name for name in NAMES)
