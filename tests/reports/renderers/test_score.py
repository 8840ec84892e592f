"""What a person sees of a score: each measure once, floors, warnings, and the signature."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.gate import check_floors
from ragstone.measures import Aggregate, parse_aggregate
from ragstone.model import Cell, Scores, ScoresBuilder, Signature, Status
from ragstone.reports import Input, build_score
from ragstone.reports.renderers.page import Page, Table, Text, Tone
from ragstone.reports.renderers.score import page, signature_line
from ragstone.reports.renderers.text import render


@pytest.fixture
def scores() -> Scores:
    """Three items under three measures: scored, by default, and failed or not applicable."""
    builder = ScoresBuilder(["R@5", "num_ret", "RR"], weighted=["R@5"])
    nothing = Cell(0.0, Status.DEFAULT, 1.0)
    failed = Cell(0.0, Status.FAILED, reason="timeout")
    builder.add("q1", [Cell(0.5, weight=2.0), Cell(10.0), Cell(0.25)])
    builder.add("q2", [nothing, nothing, failed])
    builder.add("문서", [Cell(1.0, weight=1.0), Cell(3.0), Cell(1.0, Status.NOT_APPLICABLE)])
    return builder.build(Signature.of(trec_eval=10, relevance_level=2, judgments="abcdef12"))


def aggregates(*names: str) -> list[Aggregate]:
    return [parse_aggregate(name) for name in names]


ALL = ("R@5", "R@5:micro", "num_ret", "RR")


def drawn(scores: Scores, *, per_query: bool = False, **options: Any) -> Page:
    wanted = aggregates(*ALL)
    inputs = [Input(role="run", name="run.trec", sha256="0" * 64)]
    report = build_score(scores, inputs, aggregates=wanted, **options)
    return page(report, scores, wanted, per_query)


def test_a_table_of_measures(scores: Scores) -> None:
    assert (
        render(drawn(scores))
        == """\
run.trec: 3 queries

measure     value  aggregate  queries  by default
---------  ------  ---------  -------  ----------
R@5        0.5000  mean             3           1
R@5:micro  0.5000  micro            3           1
num_ret        13  sum              3           1
RR         0.2500  mean             1           0

signature: te10|rel2|q:abcdef|n3
"""
    )


def test_a_table_of_queries_has_each_measure_once(scores: Scores) -> None:
    [table] = [
        block
        for block in drawn(scores, per_query=True).blocks
        if isinstance(block, Table) and block.heads[0] == "query"
    ]
    assert table.heads == ("query", "R@5", "num_ret", "RR")
    assert [list(map(str, row)) for row in table.rows] == [
        ["q1", "0.5000", "10", "0.2500"],
        ["q2", "0.0000", "0", "n/a"],
        ["문서", "1.0000", "3", "n/a"],
    ]


def test_floors_come_with_a_verdict(scores: Scores) -> None:
    shown = drawn(scores, floors=check_floors(scores, ["R@5=0.5", "RR=0.9"]))
    assert shown.headline == Text("FAIL: run.trec: 3 queries", Tone.BAD)
    lines = [block for block in shown.blocks if isinstance(block, Text)]
    assert Text("floor held: R@5 0.5000, at least 0.5 was asked for", Tone.GOOD) in lines
    assert Text("below its floor: RR 0.2500, at least 0.9 was asked for", Tone.BAD) in lines
    shown = drawn(scores, floors=check_floors(scores, ["R@5=0.5"]))
    assert shown.headline == Text("PASS: run.trec: 3 queries", Tone.GOOD)
    assert drawn(scores).headline == Text("run.trec: 3 queries")


def test_a_floor_without_a_value(scores: Scores) -> None:
    builder = ScoresBuilder(["RR"])
    builder.add("q", [Cell(0.0, Status.FAILED, reason="timeout")])
    failed = builder.build()
    wanted = aggregates("RR")
    report = build_score(failed, [], aggregates=wanted, floors=check_floors(failed, ["RR=0.1"]))
    text = render(page(report, failed, wanted))
    assert text.startswith("FAIL: run: 1 query\n")
    assert "RR         n/a  mean             0           0" in " " + text
    assert "below its floor: RR n/a, at least 0.1 was asked for" in text


def test_warnings(scores: Scores) -> None:
    shown = drawn(scores, warnings=["1 query is odd"])
    assert Text("warning: 1 query is odd", Tone.WARNING) in shown.blocks


def test_a_long_name_of_a_run_is_shortened(scores: Scores) -> None:
    inputs = [Input(role="run", name="가" * 300 + "\n", sha256="0" * 64)]
    wanted = aggregates(*ALL)
    shown = page(build_score(scores, inputs, aggregates=wanted), scores, wanted)
    assert str(shown.headline) == "가" * 19 + "…: 3 queries"


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "n0"),
        ({"trec_eval": 9}, "te9|n0"),
        ({"judgments": "0123456789", "relevance_level": 1}, "rel1|q:012345|n0"),
        ({"tokenizer": "words", "trec_eval": 10}, "te10|tokenizer:words|n0"),
    ],
)
def test_the_signature_in_a_line(fields: dict[str, Any], line: str) -> None:
    assert signature_line(Scores((), {}, Signature.of(fields))) == line
