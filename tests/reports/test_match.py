"""Reports of match: that what they list goes with their rows, and that a change is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.matching import as_aggregates, match_texts
from ragstone.reports import Input, encode, encode_report, validate_report
from ragstone.reports.match import build_match
from ragstone.reports.reader import parse_report

INPUTS = [Input(role=role, name=f"{role}.jsonl", sha256="0" * 64) for role in ("gold", "retrieved")]
GOLD = {"q1": ["a b c d", "e f"], "q2": ["g h"]}
RETRIEVED = {"q1": ["a b c", "x", "a b c"], "q2": ["g"]}


def report(
    gold: Any = GOLD, retrieved: Any = RETRIEVED, method: str = "rouge1", **rules: Any
) -> bytes:
    rows = rules.pop("rows", None)
    matches = match_texts(gold, retrieved, method, **rules)
    names = as_aggregates(["R@2", "AP"])
    scores = matches.scores(names)
    sweep = [] if method in {"exact", "contains"} else matches.sweep([0.5, 0.9], names)
    return encode_report(
        build_match(matches, scores, INPUTS, aggregates=names, rows=rows, sweep=sweep)
    )


def test_it_reads_back() -> None:
    read = parse_report(report(), "match.json")
    assert read.kind == "ragstone.match"
    assert read.summary == {"R@2": 0.75, "AP": 0.75}
    assert read.scores["R@2"].values.tolist() == [0.5, 1.0]
    assert read.details.queries[0].unmatched[1].repeats == 1
    assert [point.found for point in read.details.sweep] == [2, 0]


@pytest.mark.parametrize("rows", ["all", "none", "worst:1", "failed"])
def test_it_is_valid_whatever_it_keeps(rows: str) -> None:
    checked = validate_report(report(rows=rows), "match.json")
    assert checked.errors == []


WORDS = st.lists(st.sampled_from(["a", "b", "c", "?", "서울"]), max_size=4).map(" ".join)
LISTS = st.lists(st.lists(WORDS, max_size=4), min_size=2, max_size=2)


@pytest.mark.parametrize("assignment", ["greedy", "optimal", "free"])
@pytest.mark.parametrize("method", ["exact", "contains", "containment", "rouge1"])
@settings(max_examples=25)
@given(gold=LISTS, retrieved=LISTS)
def test_whatever_is_matched_makes_a_valid_report(
    gold: list[list[str]], retrieved: list[list[str]], method: str, assignment: str
) -> None:
    gold[0], retrieved[0] = [*gold[0], "one"], [*retrieved[0], "one two"]
    data = report(gold, retrieved, method, assignment=assignment)
    assert validate_report(data, "match.json").errors == []


def changed(change: Callable[[dict[str, Any]], None]) -> list[str]:
    document = json.loads(report())
    change(document["predicate"])
    return [str(each) for each in validate_report(encode(document), "match.json").errors]


def similarity(predicate: Any) -> None:
    predicate["details"]["queries"][0]["matches"][0]["similarity"] = 0.4


def beyond(predicate: Any) -> None:
    predicate["details"]["queries"][0]["matches"][0]["similarity"] = 1.5


def lost(predicate: Any) -> None:
    predicate["details"]["queries"][0]["not_found"] = []


def gone(predicate: Any) -> None:
    del predicate["details"]["queries"][0]["unmatched"][0]


def invented(predicate: Any) -> None:
    queries = predicate["details"]["queries"]
    queries[1]["matches"].append(queries[1]["matches"][0] | {"retrieved": {"place": 2, "text": ""}})


def twice(predicate: Any) -> None:
    query = predicate["details"]["queries"][0]
    query["unmatched"][0]["retrieved"]["place"] = 1


def other(predicate: Any) -> None:
    predicate["details"]["queries"][0]["id"] = "q0"


def swept(predicate: Any) -> None:
    predicate["details"]["sweep"][0]["summary"]["AP"] = 0.5


def out_of_range(predicate: Any) -> None:
    predicate["details"]["sweep"][1]["threshold"] = 2.0


def unsigned(predicate: Any) -> None:
    del predicate["signature"]["matcher"]


def summed(predicate: Any) -> None:
    predicate["summary"]["AP"] = 0.7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (similarity, "is 0.4; a match is from the threshold, 0.5, to 1"),
        (beyond, "is 1.5; a match is from the threshold"),
        (lost, "queries[0] is 1; 2 was expected: its row counts so many relevant"),
        (gone, "queries[0] is 2; 3 was expected: its row counts so many retrieved"),
        (invented, "queries[1] is 2; 1 was expected: its row counts so many hits"),
        (twice, "queries[0] has a text that is matched and unmatched"),
        (other, "details.queries are not those of the rows, each once and in their order"),
        (swept, "sweep[0].summary is 0.5; 0.75 was expected: the summary has this AP"),
        (out_of_range, "sweep[1].threshold is 2.0; from 0 to 1 was expected"),
        (unsigned, "$.predicate.signature has no field 'matcher'"),
        (summed, "$.predicate.summary.AP is 0.7; 0.75 was expected: it follows from the rows"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_change_is_found(change: Callable[[dict[str, Any]], None], message: str) -> None:
    assert any(message in error for error in changed(change)), changed(change)
