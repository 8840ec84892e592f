"""Qrels and runs made from plain Python objects, and the digest of judgments."""

from __future__ import annotations

import hashlib
import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.model import Qrels, Run, is_id, parallel

ODD = ["a b", "\u00a0", "\u2028", "\u0085", "줄", "e\u0301", "😀", "#", "\x7f", "NA", "007"]
NO_ID = "is not an id: some text without tabs, line feeds and halves of surrogate pairs"


def test_qrels_from_dicts_and_lists() -> None:
    assert Qrels.of({"q": {"a": 2, "b": -1}}).grades == {"q": {"a": 2, "b": -1}}
    for ids in (["a", "b"], ("a", "b"), {"a": 0, "b": 0}.keys(), iter("ab")):
        assert Qrels.of({"q": ids}).grades == {"q": {"a": 1, "b": 1}}
    assert Qrels.of({"q": {"a"}}).grades == {"q": {"a": 1}}
    assert Qrels.of([["a"], ("b",)]).grades == {"0": {"a": 1}, "1": {"b": 1}}


def test_runs_from_dicts_and_lists() -> None:
    assert Run.of({"q": {"a": 2, "b": -0.5}}).rankings == {"q": {"a": 2.0, "b": -0.5}}
    for ids in (["b", "a"], ("b", "a"), {"b": 0, "a": 0}.keys(), iter("ba")):
        assert Run.of({"q": ids}).rankings == {"q": {"b": 2.0, "a": 1.0}}  # type: ignore[dict-item]
    assert Run.of([["a"], []]).rankings == {"0": {"a": 1.0}, "1": {}}
    assert Run.of({"q": ODD}).rankings["q"] == dict(zip(ODD, range(11, 0, -1), strict=True))


def test_what_is_one_already_is_taken_as_it_is() -> None:
    qrels, run = Qrels.of({"q": ["a"]}), Run.of({"q": ["a"]})
    assert Qrels.of(qrels) is qrels
    assert Run.of(run) is run


def test_a_query_without_ids_is_unjudged() -> None:
    qrels = Qrels.of({"q1": [], "q2": {"a": 0}, "q3": {}})
    assert qrels.unjudged == ("q1", "q3")
    assert dict(qrels) == {"q2": {"a": 0}}
    assert (len(qrels), list(qrels), qrels["q2"]) == (1, ["q2"], {"a": 0})


def test_repeated_ids_are_counted() -> None:
    """The first of a repeated id counts; an iterator is not read twice for it."""
    run = Run.of({"q": ["a", "b", "a"], "p": iter("aa")})  # type: ignore[dict-item]
    assert run.rankings == {"q": {"a": 2.0, "b": 1.0}, "p": {"a": 1.0}}
    assert run.facts == {"duplicates_removed": 2}
    qrels = Qrels.of({"q": ["a", "b", "a"], "p": iter("aa")})
    assert qrels.grades == {"q": {"a": 1, "b": 1}, "p": {"a": 1}}
    assert qrels.facts == {"repeated_judgments": 2}


def test_positions_name_parallel_lists_so_that_they_stay_in_order() -> None:
    qrels, run = parallel([["a"]] * 11, [["a"]] * 11)
    assert list(qrels) == list(run) == [f"{n:02}" for n in range(11)] == sorted(qrels)
    assert list(Run.of([])) == []


def test_lists_that_are_not_parallel() -> None:
    with pytest.raises(InputError) as caught:
        parallel([["a"]], [["a"], ["b"]])
    assert str(caught.value) == (
        "the lists are not parallel: 1 lists of relevant ids, 2 of retrieved ids"
    )
    with pytest.raises(InputError, match="3 lists of relevant ids, 0 of retrieved ids"):
        parallel(([each] for each in "abc"), iter([]))  # type: ignore[arg-type]


def test_numpy_scalars_and_exact_numbers_are_numbers() -> None:
    grades = [np.int8(2), np.uint64(2), np.float32(2), np.float64(2), 2.0, Decimal(2), Fraction(2)]
    for grade in grades:
        read = Qrels.of({"q": {"a": grade}})["q"]["a"]
        assert read == 2
        assert type(read) is int
    scores = [np.int64(2), np.float16(2), np.float32(2), np.float64(2), 2, Decimal(2), Fraction(2)]
    for score in scores:
        value = Run.of({"q": {"a": score}})["q"]["a"]  # type: ignore[dict-item]
        assert value == 2
        assert type(value) is float
    assert Run.of({"q": np.array(["a", "b"])}).rankings == {"q": {"a": 2, "b": 1}}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "grade",
    [1.5, math.nan, math.inf, "1", b"1", None, True, [1], 10**9, -(10**9), 10**400, 1j]  # noqa: RUF005
    + [Decimal("1.5"), np.float32(0.5)],
)
def test_what_is_no_grade(grade: Any) -> None:
    with pytest.raises(InputError) as caught:
        Qrels.of({"q": {"a": 1, "b": grade}})
    assert str(caught.value).startswith("query 'q', document 'b': ")
    assert str(caught.value).endswith(" is not an integer grade below 10**9")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "score", [math.nan, math.inf, -math.inf, np.float32("nan"), "1", b"1", None, True, [1], 10**400]
)
def test_what_is_no_score(score: Any) -> None:
    with pytest.raises(InputError) as caught:
        Run.of({"q": {"a": 1, "b": score}})
    assert str(caught.value).startswith("query 'q', document 'b': ")
    assert str(caught.value).endswith(" is not a finite score")
    assert len(str(caught.value)) < 200


BAD_IDS = [1, None, True, 1.0, b"a", ("a",), ["a"], {"a": 1}, "", "a\tb", "a\n"]
BAD_IDS += ["\ud800", "a\udfff"]


@pytest.mark.parametrize("make", [Qrels.of, Run.of])
@pytest.mark.parametrize("bad", BAD_IDS, ids=ascii)
def test_what_is_no_id(make: Callable[[Any], object], bad: Any) -> None:
    with pytest.raises(InputError, match=r"^query 'q': the document id .* is not an id: some text"):
        make({"q": ["a", bad]})
    with pytest.raises(InputError, match=r"^query '0': the document id .* is not an id: some text"):
        make([[bad]])
    try:
        hash(bad)
    except TypeError:
        return
    with pytest.raises(InputError, match=r"^query 'q': the document id .* is not an id: some text"):
        make({"q": {bad: 1}})
    with pytest.raises(InputError, match=r"^the query id .* is not an id: some text"):
        make({bad: {"a": 1}})


@pytest.mark.parametrize("make", [Qrels.of, Run.of])
def test_a_value_too_deep_to_print_is_named_all_the_same(make: Callable[[Any], object]) -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    for value in ([deep], {"a": deep}):
        with pytest.raises(InputError, match=r"\[\[\[\[\[\[\.\.\.\]\]"):
            make({"q": value})


def test_the_message_of_an_id() -> None:
    with pytest.raises(InputError) as caught:
        Run.of({7: ["a"]})  # type: ignore[dict-item]
    assert str(caught.value) == f"the query id 7 {NO_ID}"


@pytest.mark.parametrize("make", [Qrels.of, Run.of])
@pytest.mark.parametrize("bad", ["ab", b"ab", None, 7, len])
def test_what_is_no_list_of_ids(make: Callable[[Any], object], bad: Any) -> None:
    with pytest.raises(InputError, match=r"^query 'q': .* is neither a list of ids nor a dict$"):
        make({"q": bad})


@pytest.mark.parametrize("make", [Qrels.of, Run.of])
def test_what_is_no_collection_of_queries(make: Callable[[Any], object]) -> None:
    for path in ("run.trec", b"run.trec", Path("run.trec")):
        with pytest.raises(InputError, match=r"; read a file with read_qrels or read_run$"):
            make(path)
    for other in (None, 7, 1.5):
        with pytest.raises(InputError, match=r" is neither a dict of queries nor a list of lists"):
            make(other)


def test_a_set_is_no_ranking() -> None:
    with pytest.raises(InputError, match=r"^query 'q': a set has no order; a list of ids was"):
        Run.of({"q": {"a", "b"}})  # type: ignore[dict-item]


@given(text=st.text(alphabet=st.characters(codec=None)))
def test_ids_are_what_utf8_can_say_on_a_line(text: str) -> None:
    expected = text != "" and not {"\t", "\n"} & set(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        expected = False
    assert is_id(text) == expected


def test_the_digest_written_out() -> None:
    qrels = Qrels.of({"q2": {"b": 0, "a": 10}, "q10": {"줄": -1}, "q1": {"a": 1}})
    lines = b"q1\ta\t1\nq10\t\xec\xa4\x84\t-1\nq2\ta\t10\nq2\tb\t0\n"
    assert qrels.digest() == hashlib.sha256(lines).hexdigest()
    assert Qrels({}).digest() == hashlib.sha256(b"").hexdigest()


ids = st.text(st.sampled_from("ab\x01\x08\x0b -é\uffff\U00010000"), min_size=1, max_size=4)


@given(
    grades=st.dictionaries(ids, st.dictionaries(ids, st.integers(-2, 12), min_size=1), max_size=6),
    seed=st.randoms(use_true_random=False),
)
def test_the_digest_is_of_the_sorted_lines(grades: dict[str, dict[str, int]], seed: Any) -> None:
    lines = [f"{q}\t{doc}\t{grade}\n" for q, docs in grades.items() for doc, grade in docs.items()]
    expected = hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
    assert Qrels(grades).digest() == expected
    shuffled = {query: shuffle(grades[query], seed) for query in shuffle(grades, seed)}
    assert Qrels(shuffled).digest() == expected


def shuffle(value: dict[str, Any], seed: Any) -> dict[str, Any]:
    keys = list(value)
    seed.shuffle(keys)
    return {key: value[key] for key in keys}


def test_the_digest_knows_every_judgment() -> None:
    base = {"q": {"a": 1, "b": 0}}
    others: list[dict[str, dict[str, int]]] = [
        {"q": {"a": 1}},
        {"q": {"a": 1, "b": 1}},
        {"q": {"a": 1, "c": 0}},
        {"p": {"a": 1, "b": 0}},
        {"q": {"a": 1, "b": 0}, "p": {"a": 0}},
    ]
    digests = {Qrels.of(each).digest() for each in [base, *others]}
    assert len(digests) == 6


def test_both_go_to_another_process() -> None:
    qrels, run = Qrels.of({"q": ["a"], "p": []}), Run.of({"q": ["a"]})
    there = pickle.loads(pickle.dumps(qrels))
    assert (there.grades, there.unjudged, there.facts) == (qrels.grades, ("p",), qrels.facts)
    assert pickle.loads(pickle.dumps(run)).rankings == run.rankings
    assert pickle.loads(pickle.dumps(Qrels({}))).facts == {}


def test_results_are_bytes() -> None:
    assert list(Run.of({"q": {"é": 2, "a": 3}, "p": []}).results()) == [
        ("q", ["é".encode(), b"a"], [2.0, 3.0], True),
        ("p", [], [], True),
    ]
