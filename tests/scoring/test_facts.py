"""What is counted beside the values: each counter on its own, and the counts of each query."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from ragstone.formats import open_run, read_qrels
from ragstone.model import Scores
from ragstone.scoring import FACTS, score

Write = Callable[..., str]

NFC, NFD = (unicodedata.normalize(form, "줄1") for form in ("NFC", "NFD"))
FINE = "q1 0 a 1\n"
RUN = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n"

# fact: qrels, run, how often, and which other facts must differ from 0
CASES: dict[str, list[tuple[str, str, int, set[str]]]] = {
    "queries": [
        (FINE, RUN, 1, set()),
        (FINE + "q2 0 a 1\n", RUN + "q2 Q0 a 1 1 t\n", 2, set()),
    ],
    "unjudged_queries": [
        ('{"id": "q1", "relevant_ids": ["a"]}\n{"id": "q2"}\n{"id": "q3"}', RUN, 2, set()),
        (
            '{"id": "q1", "relevant_ids": ["a"]}\n{"id": "q2"}',
            RUN + "q2 Q0 a 1 1 t\n",
            1,
            {"unscored_run_queries"},
        ),
    ],
    "queries_without_results": [
        (FINE + "q2 0 a 1\n", RUN, 1, set()),
        (
            FINE + "q2 0 a 1\nq3 0 a 1\n",
            '{"id": "q1", "retrieved_ids": ["a"]}\n{"id": "q2", "retrieved_ids": []}',
            2,
            set(),
        ),
    ],
    "queries_without_relevant": [
        (FINE + "q2 0 a 0\nq2 0 b 0\n", RUN + "q2 Q0 a 1 1 t\n", 1, set()),
        (FINE + "q2 0 a -1\n", RUN + "q2 Q0 a 1 1 t\n", 1, set()),
        (FINE + "q2 0 a 0\n", RUN, 1, {"queries_without_results"}),
    ],
    "unscored_run_queries": [(FINE, RUN + "q2 Q0 a 1 1 t\nq3 Q0 a 1 1 t\n", 2, set())],
    "skipped_query_rows": [
        (
            '{"id": "q1", "relevant_ids": ["a", null]}\n{"relevant_ids": ["b"]}\n{"id": null}',
            RUN,
            3,
            set(),
        ),
    ],
    "skipped_retrieved_rows": [
        (
            FINE,
            '{"id": "q1", "retrieved_ids": ["a", null]}\n{"id": null, "retrieved_ids": ["a"]}\n{}',
            3,
            set(),
        ),
        (FINE, '{"id": "q1", "results": [{"score": 1}, {"id": "a", "score": 2}]}', 1, set()),
    ],
    "duplicates_removed": [
        (FINE, '{"id": "q1", "retrieved_ids": ["a", "b", "a", "a"]}', 2, set()),
        (
            FINE,
            '{"id": "q1", "results": [{"id": "a", "score": 1}, {"id": "a", "score": 2}]}',
            1,
            set(),
        ),
    ],
    "repeated_judgments": [
        (FINE * 3, RUN, 2, set()),
        ("q1\ta\t1\nq1\ta\t1\n", RUN, 1, set()),
        ('{"id": "q1", "relevant_ids": ["a", "a"]}', RUN, 1, set()),
    ],
    "self_retrieved_queries": [
        (FINE, RUN + "q1 Q0 q1 3 9 t\n", 1, set()),
        (FINE + "q1 0 q1 0\n", RUN + "q1 Q0 q1 3 9 t\n", 1, set()),
        (FINE, RUN + "q2 Q0 q2 1 1 t\n", 0, {"unscored_run_queries"}),
    ],
    "ids_differing_by_unicode_form": [
        (f"q1 0 {NFC} 1\n", f"q1 Q0 {NFD} 1 2 t\nq1 Q0 a 1 1 t\n", 1, set()),
        (f"q1 0 {NFD} 1\n", f"q1 Q0 {NFC} 1 2 t\n", 1, set()),
        (f"q1 0 {NFC} 1\n", f"q1 Q0 {NFC} 1 2 t\n", 0, set()),
        (f"q1 0 {NFC} 1\nq1 0 {NFD} 1\n", f"q1 Q0 {NFD} 1 2 t\n", 0, set()),
        (f"q1 0 {NFC} 1\n", "q1 Q0 é 1 2 t\n", 0, set()),
        (
            FINE + f"{NFC} 0 a 1\n",
            RUN + f"{NFD} Q0 a 1 2 t\n",
            1,
            {"queries_without_results", "unscored_run_queries"},
        ),
    ],
    "order_differs_between_versions": [
        (FINE, "q1 Q0 a 1 0.87654321987 t\nq1 Q0 b 2 0.87654321985 t\n", 1, set()),
        (FINE, "q1 Q0 b 1 0.87654321987 t\nq1 Q0 a 2 0.87654321985 t\n", 0, set()),
        (FINE, "q1 Q0 a 1 2e39 t\nq1 Q0 b 2 1e39 t\n", 1, set()),
        (FINE, "q1 Q0 a 1 2e-50 t\nq1 Q0 b 2 1e-50 t\n", 1, set()),
        (FINE, "q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n", 0, set()),
    ],
}
ROWS = [(fact, case) for fact, cases in CASES.items() for case in cases]


def scored(write: Write, qrels: str, run: str, **options: int) -> Scores:
    judged = read_qrels(write(qrels, "qrels"))
    return score(judged, open_run(write(run, "run")), ["RR"], **options)


@pytest.mark.parametrize(("fact", "case"), ROWS)
@pytest.mark.parametrize("version", [9, 10])
def test_each_counter(
    write: Write, version: int, fact: str, case: tuple[str, str, int, set[str]]
) -> None:
    qrels, run, number, others = case
    facts = scored(write, qrels, run, trec_eval=version).facts
    assert facts[fact] == number
    assert {name for name, count in facts.items() if count} - {fact, "queries"} == others


def test_every_counter_has_a_case_and_is_there_even_when_it_is_zero(write: Write) -> None:
    assert tuple(CASES) == FACTS
    assert tuple(scored(write, FINE, RUN).facts) == FACTS


def test_relevance_is_a_matter_of_the_level(write: Write) -> None:
    assert scored(write, FINE, RUN, relevance_level=1).facts["queries_without_relevant"] == 0
    assert scored(write, FINE, RUN, relevance_level=2).facts["queries_without_relevant"] == 1


def test_facts_of_plain_objects() -> None:
    facts = score({"q1": ["a", "a"], "q2": []}, {"q1": ["b", "b", "a"], "q3": ["a"]}, ["RR"]).facts
    assert {name: count for name, count in facts.items() if count} == {
        "queries": 1,
        "unjudged_queries": 1,
        "unscored_run_queries": 1,
        "duplicates_removed": 1,
        "repeated_judgments": 1,
    }


def test_the_counts_of_each_query(write: Write) -> None:
    """Of all that was retrieved, whatever the cutoffs of the measures are."""
    qrels = "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq1 0 d -1\nq2 0 a 1\nq3 0 a 0\n"
    run = "".join(f"q1 Q0 {doc} 1 {n} t\n" for n, doc in enumerate("xyadcb")) + "q3 Q0 a 1 1 t\n"
    for level, relevant, hits in ((1, [2, 1, 0], [2, 0, 0]), (2, [1, 0, 0], [1, 0, 0])):
        counts = scored(write, qrels, run, relevance_level=level).counts
        assert {name: numbers.tolist() for name, numbers in counts.items()} == {
            "relevant": relevant,
            "judged": [3, 1, 1],
            "retrieved": [6, 0, 1],
            "hits": hits,
        }
