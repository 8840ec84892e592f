"""From what a retriever returned to a ranking: every form, and every error with its place."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError, UsageError
from ragstone.pipelines.hits import NotResultsError, as_list
from ragstone.pipelines.ranking import Ranker


@dataclass
class Found:
    """A result as an object."""

    id: object = None
    score: object = None
    text: str = ""
    metadata: dict[str, object] = field(default_factory=dict)


def generated() -> Iterator[tuple[str, float]]:
    yield "a", 2.0
    yield "b", 1.0


SCORED = {
    "pairs": [("a", 2.0), ("b", 1.0)],
    "lists as from JSON": [["a", 2], ["b", 1]],
    "dicts": [{"id": "a", "score": 2.0}, {"id": "b", "score": 1}],
    "names of Elasticsearch": [{"_id": "a", "_score": 2.0}, {"_id": "b", "_score": 1.0}],
    "objects": [Found("a", 2.0), Found("b", 1.0)],
    "(object, score)": [(Found("a"), 2.0), (Found("b"), 1.0)],
    "numbers of NumPy": [("a", np.float32(2)), (np.str_("b"), np.int64(1))],
    "a generator": generated,
    "a tuple": (("a", 2.0), ("b", 1.0)),
    "a dict of scores": {"b": 1.0, "a": 2.0},
    "in a dict": {"documents": [("a", 2.0), ("b", 1.0)], "took": 3},
}
RANKED = {
    "texts": ["a", "b"],
    "an array": np.array(["a", "b"]),
    "dicts": [{"doc_id": "a"}, {"document_id": "b"}],
    "objects": [Found("a"), Found("b")],
    "a score is missing": [("a", 2.0), ("b", None)],
}


@pytest.mark.parametrize("raw", SCORED.values(), ids=SCORED)
def test_results_with_scores(raw: Any) -> None:
    ranking = Ranker(10).rank("q", raw() if callable(raw) else raw)
    assert (ranking.docs, ranking.scores, ranking.falls) == (["a", "b"], [2.0, 1.0], True)
    assert all(type(score) is float for score in ranking.scores or [])
    assert all(type(doc) is str for doc in ranking.docs)


@pytest.mark.parametrize("raw", RANKED.values(), ids=RANKED)
def test_results_without_scores(raw: Any) -> None:
    ranking = Ranker(10).rank("q", raw)
    assert (ranking.docs, ranking.scores) == (["a", "b"], None)


def test_integers_are_ids() -> None:
    assert Ranker(10).rank("q", [7, np.int64(8), (9, 1.0)]).docs == ["7", "8", "9"]


def test_nothing_found() -> None:
    nothing: list[Any] = [[], (), {}, iter(())]
    for raw in nothing:
        assert Ranker(10).rank("q", raw).docs == []


def test_the_first_of_a_repeated_id_counts_and_then_the_list_is_cut() -> None:
    ranking = Ranker(2).rank("q", [("a", 4), ("a", 3), ("b", 2), ("c", 1)])
    assert (ranking.docs, ranking.scores) == (["a", "b"], [4.0, 2.0])
    assert ranking.facts == {"results": 4, "duplicates_removed": 1}


def test_texts_are_kept_when_asked_for() -> None:
    raw = [{"id": "a", "text": "x"}, {"id": "b", "content": "y"}, {"id": "c", "text": 7}, "d"]
    assert Ranker(9, keep_text=True).rank("q", raw).texts == ["x", "y", None, None]
    assert Ranker(9).rank("q", raw).texts is None


def test_scores_that_do_not_fall() -> None:
    assert not Ranker(9).rank("q", [("a", 0.1), ("b", 0.4)]).falls
    assert Ranker(9).rank("q", [("a", 0.4), ("b", 0.4)]).falls


# ---- the fast way and the careful one -----------------------------------------------------------

ITEMS = st.one_of(
    st.sampled_from(["a", "b", "c d", "é", "", "x\ty", "\ud800", 7, None, 0.5]),
    st.tuples(
        st.sampled_from(["a", "b", "c d", "é", "", "x\ty", 7]),
        st.sampled_from([1.0, 2, 0.5, -0.0, None, "high", True, math.inf, math.nan]),
    ),
)
GOOD_ITEMS = st.one_of(
    st.lists(st.sampled_from("abcdef")),
    st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(-9, 9))),
    st.lists(
        st.fixed_dictionaries(
            {"id": st.sampled_from(["a", "b", "c", 7, None])},
            optional={
                "score": st.sampled_from([1, 0.5, None]),
                "_id": st.just("x"),
                "_score": st.just(3.0),
            },
        )
    ),
)


def outcome(ranker: Ranker, raw: list[Any]) -> Any:
    try:
        return ranker.rank("q", raw)
    except InputError as error:
        return str(error)


@given(st.one_of(GOOD_ITEMS, st.lists(ITEMS)), st.integers(1, 5), st.booleans())
def test_the_fast_way_says_what_the_careful_one_says(raw: list[Any], k: int, columns: bool) -> None:
    fast, careful = Ranker(k, columns=columns), Ranker(k, columns=columns)
    careful._as_they_are = False
    assert outcome(fast, raw) == outcome(careful, raw)


# ---- ids from elsewhere -------------------------------------------------------------------------


def test_the_id_of_a_metadata_key() -> None:
    raw = [Found("x1", metadata={"doc_id": "a"}), {"id": "x2", "metadata": {"doc_id": 8}},
           {"id": "x3", "doc_id": "c"}]  # fmt: skip
    assert Ranker(9, id_key="doc_id").rank("q", raw).docs == ["a", "8", "c"]


def test_a_path_in_the_metadata() -> None:
    raw = [{"id": "x", "meta": {"source": {"id": "a"}}}, {"id": "x", "meta": {"source.id": "b"}}]
    assert Ranker(9, id_key="source.id").rank("q", raw).docs == ["a", "b"]


CHUNKS = ["p1#0", "p1#3", "p2#1", "p3#0"]


@pytest.mark.parametrize(
    ("rule", "raw"),
    [
        ("^(.*)#", CHUNKS),
        (r"^(\w+)#\d+$", [(chunk, 9.0 - rank) for rank, chunk in enumerate(CHUNKS)]),
        ("parent", [{"id": chunk, "parent": chunk[:2]} for chunk in CHUNKS]),
        ("parent", [Found(chunk, metadata={"parent": chunk[:2]}) for chunk in CHUNKS]),
        ("parent", [Found(None, metadata={"parent": chunk[:2]}) for chunk in CHUNKS]),
    ],
)
def test_chunks_are_folded_before_the_cut(rule: str, raw: list[Any]) -> None:
    ranking = Ranker(3, fold_to_parent=rule).rank("q", raw)
    assert ranking.docs == ["p1", "p2", "p3"]
    assert ranking.facts == {"results": 4, "folded": 1}


def test_an_id_that_is_not_of_a_chunk_stays() -> None:
    ranking = Ranker(9, fold_to_parent="^(.*)#").rank("q", ["p1#0", "whole"])
    assert ranking.docs == ["p1", "whole"]
    assert ranking.facts["ids_not_folded"] == 1


def test_a_key_then_a_pattern() -> None:
    raw = [Found("x", metadata={"chunk": "p1#3"})]
    assert Ranker(9, id_key="chunk", fold_to_parent="^(.*)#").rank("q", raw).docs == ["p1"]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("", "is empty"),
        ("^(.*", "no regular expression"),
        ("^.*#", "without a group"),
    ],
)
def test_a_rule_that_cannot_be(rule: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Ranker(9, fold_to_parent=rule)


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "e"])), st.integers(1, 6))
def test_folding_as_ten_lines_do_it(docs: list[str], k: int) -> None:
    chunks = [f"{doc}#{n}" for n, doc in enumerate(docs)]
    expected: list[str] = []
    for doc in docs:
        if doc not in expected and len(expected) < k:
            expected.append(doc)
    assert Ranker(k, fold_to_parent="^(.*)#").rank("q", chunks).docs == expected
    assert Ranker(k).rank("q", docs).docs == expected


# ---- what is wrong with a result ----------------------------------------------------------------

BAD: dict[str, tuple[Any, str]] = {
    "no id": (
        [{"id": "a"}, {"id": None, "doc_key": 1}],
        "query 'q', rank 2: the result has no id; name the metadata key that has it with --id-key",
    ),
    "an empty id": (["a", ""], "query 'q', rank 2: the result has no id"),
    "a null": (["a", None], "query 'q', rank 2: None came back as a result; expected ids, (id, sc"),
    "a boolean": ([True], "rank 1: the id True is a bool; an id is a string or an integer"),
    "a float": ([(0.5, 1.0)], "rank 1: 0.5 came back as a result"),
    "the wrong way round": ([(0.5, "a")], "rank 1: (0.5, 'a') is a (score, id) pair"),
    "three": ([("a", 1, 2)], "rank 1: ('a', 1, 2) is no (id, score) pair"),
    "a control character": (["a\tb"], r"rank 1: the id 'a\tb' has control characters"),
    "a UUID": ([Found(uuid.UUID(int=1))], "is a UUID; an id is a string or an integer"),
    "NaN": ([("a", math.nan)], "query 'q': the score of 'a' is nan; a score must be finite"),
    "a number that no double holds": ([("a", 10**400)], "the score of 'a' is 1000"),
    "a text for a score": ([("a", "high")], "the score of 'a' is 'high'; a number was expected"),
    "a text": ("abc", "query 'q': 'abc' came back; expected a list of ids"),
    "None": (None, "query 'q': None came back; expected a list of ids"),
    "a number": (7, "query 'q': 7 came back"),
    "a set": ({"a"}, "query 'q': a set has no order"),
    "a dict of something": ({"error": "x"}, "query 'q': a dict with 'error' came back"),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "message"), BAD.values(), ids=BAD)
def test_what_is_no_result(raw: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Ranker(9).rank("q", raw)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("ranker", "flag"),
    [
        (Ranker(9, id_key="doc_id"), "--id-key"),
        (Ranker(9, fold_to_parent="doc_id"), "--fold-to-parent"),
    ],
)
def test_a_missing_key_is_answered_with_those_there_are(ranker: Ranker, flag: str) -> None:
    with pytest.raises(InputError) as caught:
        ranker.rank("q", [{"id": "a", "metadata": {"doc": 1, "page": 2}}])
    assert f"query 'q', rank 1: the result has no 'doc_id', which {flag} n" in str(caught.value)
    assert "its keys: doc, page" in str(caught.value)


def test_white_space_in_an_id_is_said_before_a_trec_run_is_written() -> None:
    assert Ranker(9).rank("q", ["a b"]).docs == ["a b"]
    with pytest.raises(InputError, match=r"rank 1: the id 'a b' has white space.*--to jsonl"):
        Ranker(9, columns=True).rank("q", ["a b"])


def test_a_coroutine_is_closed_and_said() -> None:
    async def search() -> list[str]:
        return ["a"]

    with pytest.raises(NotResultsError, match="async def"):
        as_list(search())
