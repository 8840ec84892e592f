"""Scoring from the outside: what is taken, what is refused, statuses and signatures."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.formats import open_run, read_qrels, read_run
from ragstone.measures import AP, MEASURES, Area, Cutoff, Measure, P, nDCG, parse_aggregate, summary
from ragstone.model import Qrels, Run, Scores, Signature, Status
from ragstone.scoring import as_aggregates, score

Write = Callable[..., str]
S, D = Status.SCORED, Status.DEFAULT

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1}}
RUN = {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}


def message(*args: Any, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        score(*args, **options)
    return str(caught.value)


def test_whatever_holds_them_the_scores_are_the_same(write: Write) -> None:
    qrels_file = write(
        "".join(f"{q} 0 {d} {g}\n" for q, r in QRELS.items() for d, g in r.items()), "q"
    )
    run_file = write("".join(f"{q} Q0 {d} 1 {s} t\n" for q, r in RUN.items() for d, s in r.items()))
    jsonl = write(
        "".join(
            f'{{"id": "{q}", "retrieved_ids": {str(list(r)).replace(chr(39), chr(34))}}}\n'
            for q, r in RUN.items()
        ),
        "run.jsonl",
    )
    expected = score(QRELS, RUN, ["AP", "nDCG@2"])
    assert expected.to_dict()["AP"] == [(1 / 2 + 2 / 3) / 2, 1.0]
    runs: list[Any] = [
        Run.of(RUN), open_run(run_file), read_run(run_file), open_run(jsonl), read_run(jsonl),
        {query: list(ranking) for query, ranking in RUN.items()},
        {query: {d: np.float32(s) for d, s in r.items()} for query, r in RUN.items()},
    ]  # fmt: skip
    judged: list[Any] = [
        Qrels.of(QRELS), read_qrels(qrels_file),
        {query: {d: np.int8(g) for d, g in r.items()} for query, r in QRELS.items()},
    ]  # fmt: skip
    for qrels in [QRELS, *judged]:
        for run in [RUN, *runs]:
            assert score(qrels, run, ["AP", "nDCG@2"]) == expected


def test_parallel_lists_and_ids_alone() -> None:
    lists = score([["a", "b"], ["c"]], [["a", "x"], ["x", "c"]], ["AP", "RR"])
    dicts = score({"0": ["a", "b"], "1": ["c"]}, {"0": ["a", "x"], "1": ["x", "c"]}, ["AP", "RR"])
    assert lists == dicts
    assert lists.to_dict()["AP"] == [0.5, 0.5]
    assert lists.items == ("0", "1")
    assert message([["a"]], [["a"], ["b"]]) == (
        "the lists are not parallel: 1 lists of relevant ids, 2 of retrieved ids"
    )


def test_lists_stay_in_their_order() -> None:
    relevant = [[f"d{n}"] for n in range(12)]
    scores = score(relevant, [["x"] * (n % 2) + [f"d{n}"] for n in range(12)], ["RR"])
    assert scores["RR"].values.tolist() == [1.0, 0.5] * 6


def test_the_default_measures() -> None:
    assert list(score(QRELS, RUN).columns) == ["R@5", "P@5", "nDCG@5", "RR@5", "AP@5", "Success@5"]
    assert "R@2" in score(QRELS, RUN, k=2).columns


def test_measures_are_names_measures_or_aggregates() -> None:
    scores = score(
        QRELS, RUN, ["map", AP, "AP:p95", nDCG @ 2, parse_aggregate("ndcg_cut_2"), "p@k"]
    )
    assert list(scores.columns) == ["AP", "nDCG@2", "P@5"]
    for one in ("nDCG@2", nDCG @ 2, parse_aggregate("nDCG@2")):
        assert list(score(QRELS, RUN, one).columns) == ["nDCG@2"]
    assert list(map(str, as_aggregates(["R@5:micro", "recall_5", P(rel=2) @ 5], 3))) == [
        "R@5:micro",
        "R@5",
        "P(rel=2)@5",
    ]


def test_many_cutoffs_in_one_pass_are_as_one_at_a_time() -> None:
    names = [f"{name}@{k}" for name in ("P", "R", "nDCG", "AP") for k in (1, 2, 3, 100)]
    together = score(QRELS, RUN, names)
    for name in names:
        assert score(QRELS, RUN, [name])[name] == together[name]


@pytest.mark.parametrize("value", [0, -1, 1.5, "5", None, True, math.nan])
@pytest.mark.parametrize(
    ("option", "what"),
    [
        ("k", "k"),
        ("relevance_level", "the relevance level"),
        ("workers", "the number of workers"),
        ("trec_eval", "trec_eval"),
    ],
)
def test_numbers_are_whole_and_at_least_one(option: str, what: str, value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        score(QRELS, RUN, **{option: value})
    assert str(caught.value) == f"{what} is a whole number of at least 1, got {value!r}"


def test_numpys_whole_numbers_are_whole_numbers() -> None:
    whole: dict[str, Any] = {"k": np.int64(3), "relevance_level": np.int8(2), "workers": np.int8(1)}
    scores = score(QRELS, RUN, **whole, trec_eval=9)
    assert scores.signature["relevance_level"] == 2
    assert [type(value) for value in scores.signature.values()] == [str, int, int]
    assert "R@3" in scores.columns


def test_there_are_two_versions_of_trec_eval() -> None:
    with pytest.raises(UsageError, match=r"^trec_eval is 9 or 10, got 8$"):
        score(QRELS, RUN, trec_eval=8)


def test_what_is_no_measure() -> None:
    assert message(QRELS, RUN, []) == "no measure was named"
    with pytest.raises(UnknownNameError, match=r"^unknown measure 'ndgc'; did you mean nDCG\?$"):
        score(QRELS, RUN, ["ndgc"])


NOTHING = [
    ({}, "the qrels judge no query; nothing can be scored"),
    ([], "the qrels judge no query; nothing can be scored"),
    (
        {"q1": [], "q2": {}},
        "the qrels judge no query; queries listed without a judgment: 2; nothing can be scored",
    ),
]


@pytest.mark.parametrize(("qrels", "text"), NOTHING)
def test_no_judged_query(write: Write, qrels: Any, text: str) -> None:
    run = RUN if isinstance(qrels, dict) else []
    assert message(qrels, run) == text
    name = write("q1 Q0 a 1 1 t\n")
    for workers in (1, 2):
        assert message(qrels, open_run(name), workers=workers) == text


@pytest.mark.parametrize("run", [{}, {"q1": []}, {"q1": {}, "q2": []}])
def test_an_empty_run(run: Any) -> None:
    assert message(QRELS, run) == "the run is empty: it has no result; nothing can be scored"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("data", "name"), [("", "trec"), ("# note\n", "trec"), ("", "jsonl"), ("{}\n", "jsonl")]
)
def test_an_empty_run_file(write: Write, data: str, name: str, workers: int) -> None:
    text = message(QRELS, open_run(write(data), name), workers=workers)
    assert text == "the run is empty: it has no result; nothing can be scored"


def test_sides_that_share_no_query() -> None:
    """Zeros for all, as a baseline, would let every candidate pass."""
    qrels = {f"q{n}": ["a"] for n in (1, 10, 2, 3, 4)}
    assert message(qrels, {"1": ["a"], "2": ["a"]}) == (
        "no judged query has a result: the qrels have 'q1', 'q10', 'q2' and 2 more, "
        "the run has '1', '2'; the query ids of the two must be the same text"
    )
    assert message({"é": ["a"]}, {"e\u0301": ["a"]}).endswith(
        "must be the same text, and some differ only by Unicode form (NFC, NFD)"
    )
    assert "no judged query has a result" in message({"q": ["a"]}, {"q": [], "p": ["a"]})


ALL = [
    name
    for name, declared in MEASURES.items()
    if declared.area is Area.RETRIEVAL and declared.cutoff is not Cutoff.RECALL
]
ALL += ["IPrec@0.5", "P@5", "R@5", "F1@5", "nDCG@5", "AP@5", "RR@5", "Success@5", "ERR@5", "RBP@5"]
ALL += ["Judged@5", "P(rel=2)@5"]
COUNTS = {"num_ret", "num_rel", "num_rel_ret"}
JUDGED = {"Judged", "Judged@5"}
ANY_GAIN = {"nDCG", "nDCG@5", "ERR", "ERR@5"}


def status(scores: Scores, query: str) -> dict[str, Status]:
    place = scores.items.index(query)
    return {name: Status(column.status[place]) for name, column in scores.columns.items()}


def test_what_is_a_measurement_and_what_a_default() -> None:
    """A default is for nothing retrieved or nothing relevant; counts are never one."""
    qrels = {"full": {"a": 2}, "no results": {"a": 2}, "no relevant": {"a": 0}, "low": {"a": 1}}
    scores = score(qrels, {"full": ["a"], "no relevant": ["a"], "low": ["a"], "x": ["a"]}, ALL)
    assert status(scores, "full") == dict.fromkeys(ALL, S)
    assert status(scores, "no results") == {name: S if name in COUNTS else D for name in ALL}
    expected = {name: S if name in COUNTS | JUDGED else D for name in ALL}
    assert status(scores, "no relevant") == expected
    assert status(scores, "low") == {**dict.fromkeys(ALL, S), "P(rel=2)@5": D}


def test_a_default_at_a_higher_level_is_one_for_what_knows_levels() -> None:
    """nDCG and ERR take every gain, so they measure where P finds nothing relevant."""
    scores = score({"q": {"a": 1}}, {"q": ["a"]}, ALL, relevance_level=2)
    measured = COUNTS | JUDGED | ANY_GAIN
    assert status(scores, "q") == {name: S if name in measured else D for name in ALL}
    assert scores["nDCG"].values[0] == 1.0
    assert scores["P"].values[0] == 0.0


def test_a_relevant_document_that_is_not_found_is_a_measurement() -> None:
    scores = score({"q": {"a": 1}}, {"q": ["x"]}, ["AP", "P@5"])
    assert status(scores, "q") == {"AP": S, "P@5": S}
    assert summary(scores) == {"AP": 0.0, "P@5": 0.0}


def test_a_measure_of_something_else_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        score({"q": ["a"]}, {"q": ["a"]}, ["RR", "latency_ms:p95"])
    assert str(caught.value) == (
        "latency_ms is about operations, not about retrieval; "
        "`ragstone evaluate --samples` computes it"
    )


def test_judged_queries_all_count() -> None:
    scores = score({"q1": ["a"], "q2": ["a"], "q3": {"a": 0}}, {"q1": ["a"]}, ["AP"])
    assert summary(scores) == {"AP": 1 / 3}


def test_the_signature() -> None:
    lines = b"q1\ta\t2\nq1\tb\t1\nq1\tc\t0\nq2\ta\t1\n"
    scores = score(QRELS, RUN, ["AP", "P(rel=2)@5"], relevance_level=2, trec_eval=9)
    assert scores.signature == Signature.of(
        judgments=hashlib.sha256(lines).hexdigest(), relevance_level=2, trec_eval=9
    )
    for name in scores.columns:
        assert scores[name].signature == Signature.of(measure_version=1)
    back = {query: dict(reversed(judged.items())) for query, judged in reversed(QRELS.items())}
    assert score(back, RUN, ["AP"], relevance_level=2, trec_eval=9).signature == scores.signature
    assert score(QRELS, RUN, ["AP"]).signature["trec_eval"] == 10


def test_the_signature_says_which_version_of_a_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    import msgspec

    later = msgspec.structs.replace(MEASURES["AP"], version=2)
    monkeypatch.setitem(MEASURES._values, "AP", later)
    scores = score(QRELS, RUN, ["AP", "RR"])
    assert scores["AP"].signature == Signature.of(measure_version=2)
    assert scores["RR"].signature == Signature.of(measure_version=1)


def test_err_takes_the_scale_from_the_judgments_of_all_queries() -> None:
    scores = score({"q1": {"a": 1}, "q2": {"a": 3}}, {"q1": ["a"], "q2": ["a"]}, ["ERR"])
    assert scores["ERR"].values.tolist() == [1 / 8, 7 / 8]
    assert score({"q1": {"a": 0}}, {"q1": ["a"]}, ["ERR"])["ERR"].values.tolist() == [0.0]


def test_negative_grades_are_not_relevant_and_unjudged() -> None:
    graded = score({"q": {"a": -1, "b": 1}}, {"q": ["a", "b"]}, ["RR", "nDCG", "Judged", "Bpref"])
    assert graded.to_dict() == {
        "id": ["q"],
        "relevant": [1],
        "judged": [1],
        "retrieved": [2],
        "hits": [1],
        "RR": [0.5],
        "nDCG": [1 / math.log2(3)],
        "Judged": [0.5],
        "Bpref": [1.0],
    }


def test_any_measure_as_a_value() -> None:
    assert list(score(QRELS, RUN, [Measure("AP")]).columns) == ["AP"]
