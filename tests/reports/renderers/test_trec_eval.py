"""trec_eval's own lines: names, padding, decimals, order."""

from __future__ import annotations

import pytest

from judged import scores
from ragstone.measures import MEASURES, Aggregate, parse_aggregate, parse_measure
from ragstone.measures.declaration import Cutoff
from ragstone.model import Cell, Scores, ScoresBuilder, Status
from ragstone.reports.renderers.trec_eval import render


def lines(found: Scores, *names: str, per_query: bool = False) -> list[str]:
    text = render(found, [parse_aggregate(name) for name in names], per_query)
    assert text.endswith("\n") or not text
    return text.splitlines()


def test_lines_as_trec_eval_prints_them() -> None:
    found = scores({"AP": [1 / 3, 1.0], "P@10": [0.5, 0.25], "num_ret": [5.0, 7.0]}, ["2", "10"])
    assert lines(found, "map", "P_10", "num_ret", per_query=True) == [
        "map                   \t10\t1.0000",
        "P_10                  \t10\t0.2500",
        "num_ret               \t10\t7",
        "map                   \t2\t0.3333",
        "P_10                  \t2\t0.5000",
        "num_ret               \t2\t5",
        "map                   \tall\t0.6667",
        "P_10                  \tall\t0.3750",
        "num_ret               \tall\t12",
    ]


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("AP@10", "map_cut_10"),
        ("nDCG", "ndcg"),
        ("nDCG@10", "ndcg_cut_10"),
        ("R@100", "recall_100"),
        ("R", "set_recall"),
        ("Success@1", "success_1"),
        ("RR", "recip_rank"),
        ("IPrec@0.1", "iprec_at_recall_0.10"),
        ("Rprec", "Rprec"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("ERR@20", "ERR@20"),
        ("R@5:p95", "recall_5:p95"),
        ("num_ret:mean", "num_ret:mean"),
    ],
)
def test_the_name(name: str, printed: str) -> None:
    aggregate = parse_aggregate(name)
    [line] = lines(scores({str(aggregate.measure): [1.0]}), name)
    assert line.split("\t")[0] == printed.ljust(22)


def test_a_name_longer_than_its_field_is_whole() -> None:
    name = "RBP(p=0.123456789, rel=2)@100"
    [line] = lines(scores({str(parse_measure(name)): [1.0]}), name)
    assert line == f"{parse_measure(name)}\tall\t1.0000"


def test_every_measure_has_a_line() -> None:
    for name, declaration in MEASURES.items():
        cutoff = {Cutoff.NONE: "", Cutoff.RANK: "@5", Cutoff.RECALL: "@0.5"}[declaration.cutoff]
        measure = parse_measure(name + cutoff)
        text = render(scores({str(measure): [1.0]}), [Aggregate.default(measure)])
        printed, query, value = text.split("\t")
        assert query == "all"
        assert float(value) == 1
        assert parse_measure(printed.strip()) == measure


def test_several_aggregates_of_a_measure_are_one_line_a_query() -> None:
    found = scores({"RR": [1.0, 0.5]})
    assert lines(found, "RR", "RR:p50", per_query=True) == [
        "recip_rank            \tq0\t1.0000",
        "recip_rank            \tq1\t0.5000",
        "recip_rank            \tall\t0.7500",
        "recip_rank:p50        \tall\t0.7500",
    ]


def test_what_has_no_value() -> None:
    builder = ScoresBuilder(["RR"])
    builder.add("q", [Cell(0.0, Status.FAILED, reason="timeout")])
    assert lines(builder.build(), "RR", per_query=True) == [
        "recip_rank            \tq\tn/a",
        "recip_rank            \tall\tn/a",
    ]


def test_a_count_that_is_no_whole_number_has_decimals() -> None:
    assert lines(scores({"num_ret": [1.0, 2.0]}), "num_ret:mean", "num_ret:p50") == [
        "num_ret:mean          \tall\t1.5000",
        "num_ret:p50           \tall\t1.5000",
    ]


def test_no_aggregate_no_line() -> None:
    assert render(scores({"RR": [1.0]}), []) == ""
