"""BM25 against a brute-force one, and trec_eval's order of ties."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.demo.bm25 import BM25

Documents = dict[str, str]


def brute_force(documents: Documents, query: str, k1: float, b: float) -> dict[str, float]:
    """Score every document by reading all of them for every word of the query."""
    words = {doc: re.findall("[a-z]+", text.lower()) for doc, text in documents.items()}
    mean = sum(len(found) for found in words.values()) / len(words)
    scores = dict.fromkeys(documents, 0.0)
    for term in re.findall("[a-z]+", query.lower()):
        df = sum(term in found for found in words.values())
        idf = math.log(1 + (len(words) - df + 0.5) / (df + 0.5))
        for doc, found in words.items():
            if tf := found.count(term):
                scores[doc] += idf * tf / (tf + k1 * (1 - b + b * len(found) / mean))
    return {doc: score for doc, score in scores.items() if score > 0}


texts = st.lists(st.sampled_from(["a", "B", "c", "D", "e"]), max_size=8).map(", ".join)
collections = st.dictionaries(st.text("xyzÄ9", min_size=1, max_size=3), texts, min_size=1)
parameters = st.tuples(st.floats(0, 3), st.floats(0, 1))


@given(collections, texts, parameters)
def test_scores_are_those_of_brute_force(
    documents: Documents, query: str, k1_b: tuple[float, float]
) -> None:
    k1, b = k1_b
    found = BM25(documents.items(), k1=k1, b=b).search(query, len(documents))
    assert dict(found) == pytest.approx(brute_force(documents, query, k1, b), rel=1e-12)


def test_brute_force_notices_another_parameter() -> None:
    documents = {"x": "a b", "y": "a a c c c", "z": "d"}
    wrong = dict(BM25(documents.items(), k1=1.2).search("a", 3))
    assert wrong != pytest.approx(brute_force(documents, "a", 0.9, 0.4), rel=1e-12)


@given(collections, texts, st.integers(0, 5))
def test_the_order_is_score_then_id_both_descending(
    documents: Documents, query: str, k: int
) -> None:
    index = BM25(documents.items())
    everything = index.search(query, len(documents))
    assert everything == sorted(everything, key=lambda hit: (hit[1], hit[0]), reverse=True)
    assert index.search(query, k) == everything[:k]


def test_ties_go_to_the_id_that_is_greater_by_code_point() -> None:
    ids = ["10", "9", "b", "B", "ä"]
    found = BM25((doc, "same words") for doc in ids).search("words", 4)
    assert [doc for doc, _ in found] == ["ä", "b", "B", "9"]
    assert len({score for _, score in found}) == 1


def test_the_value_worked_by_hand() -> None:
    index = BM25([("x", "red red blue"), ("y", "blue")], k1=0.9, b=0.4)
    score = math.log(1 + 1.5 / 1.5) * 2 / (2 + 0.9 * (0.6 + 0.4 * 3 / 2))
    assert dict(index.search("red", 10)) == pytest.approx({"x": score})


def test_a_word_that_is_said_twice_counts_twice() -> None:
    index = BM25([("x", "red"), ("y", "blue")])
    [(_, once)] = index.search("red", 1)
    [(_, twice)] = index.search("red Red", 1)
    assert twice == pytest.approx(2 * once)


@pytest.mark.parametrize("query", ["", "green", "?!"])
def test_nothing_in_common_finds_nothing(query: str) -> None:
    assert BM25([("x", "red")]).search(query, 10) == []


@pytest.mark.parametrize("documents", [[], [("x", "")], [("x", "?"), ("y", "")]])
def test_a_collection_without_words_finds_nothing(documents: list[tuple[str, str]]) -> None:
    assert BM25(documents).search("red", 10) == []


def test_a_repeated_id_is_refused() -> None:
    with pytest.raises(ValueError, match="'x' occurs more than once"):
        BM25([("y", "red"), ("x", "red"), ("x", "blue")])
