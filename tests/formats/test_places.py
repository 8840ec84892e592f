"""Where judgments stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragstone.formats import QRELS_FORMATS, Source
from ragstone.formats.places import JUDGMENT_LINES, locate

Make = Callable[..., Source]

FILES = {
    "trec": b"# x\n\nq1 0 d1 1\nq2\t0\td1 1\r\nq1 0 d2 0\nq1 0 d1 1\n",
    "beir": b"query-id\tcorpus-id\tscore\n\nq1\td1\t1\nq2\td1\t1\nq1\t d2 \t0\n",
    "jsonl": (
        b'{"id":"q0"}\n\n{"_id":"q1","relevance":{"d1":1}}\n{"id":"q2","relevant_ids":["d1","d3"]}\n'
        b'{"relevant_ids":["d1"]}\n'
    ),
}


def test_every_format_has_its_places() -> None:
    assert set(JUDGMENT_LINES) == set(QRELS_FORMATS) == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_the_first_line_of_what_is_asked_for(source_of: Make, name: str) -> None:
    wanted = {("q1", "d1"), ("q2", "d1"), ("q2", None), ("q9", None), ("q9", "d1")}
    found = locate(source_of(FILES[name]), name, wanted)
    assert found == {("q1", "d1"): 3, ("q2", "d1"): 4, ("q2", None): 4}


def test_a_listed_query_and_a_later_document(source_of: Make) -> None:
    assert locate(source_of(FILES["jsonl"]), "jsonl", {("q0", None)}) == {("q0", None): 1}
    assert locate(source_of(FILES["trec"]), "trec", {("q1", "d2")}) == {("q1", "d2"): 5}
    assert locate(source_of(FILES["beir"]), "beir", {("q1", "d2")}) == {("q1", "d2"): 5}
    assert locate(source_of(FILES["beir"]), "beir", {("query-id", None)}) == {}


def test_nothing_is_read_for_nothing(source_of: Make) -> None:
    assert locate(source_of(b"\xff"), "trec", set()) == {}
