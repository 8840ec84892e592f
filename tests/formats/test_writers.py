"""What is written is read again as it was, or is refused."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import InputError, UsageError
from ragstone.formats import (
    QRELS_WRITERS,
    RUN_WRITERS,
    Source,
    open_run,
    packed,
    read_qrels,
)
from ragstone.model import Qrels, Results

Make = Callable[..., Source]
N = TypeVar("N", int, float)

ODD = ["a", "b", "q1", "é", "줄", "\u2028", "\u00a0", "\x00", "\x1c", "\x7f", "a#", "[q", '"', "\\"]
BLANK = ["a b", "a\rb", " a", "a\v", "\f"]
FIRST = ["#", "#q", "\ufeff", "\ufeffq"]
ids = st.one_of(
    st.sampled_from([*ODD, *BLANK, *FIRST]),
    st.text(st.characters(codec="utf-8", exclude_characters="\t\n"), min_size=1, max_size=4),
)
grades = st.integers(-(10**9) + 1, 10**9 - 1)
scores = st.floats(allow_nan=False, allow_infinity=False)


def queries(numbers: st.SearchStrategy[N]) -> st.SearchStrategy[dict[str, dict[str, N]]]:
    return st.dictionaries(
        ids, st.dictionaries(ids, numbers, min_size=1, max_size=3), min_size=1, max_size=3
    )


def fits(texts: list[str], name: str) -> bool:
    """Whether ids can stand in the columns of a format; the first of `texts` begins a line."""
    separated = name == "jsonl" or not any(set(" \r\v\f") & set(text) for text in texts)
    return separated and (name == "jsonl" or not texts[0].startswith(("#", "\ufeff")))


@pytest.mark.parametrize("name", list(QRELS_WRITERS))
@settings(max_examples=60)
@given(judged=queries(grades))
def test_qrels(source_of: Make, name: str, judged: dict[str, dict[str, int]]) -> None:
    def written() -> bytes:
        return b"".join(QRELS_WRITERS[name](Qrels(judged)))

    if all(fits([query, *docs], name) for query, docs in judged.items()):
        assert read_qrels(source_of(written()), name).grades == judged
    else:
        with pytest.raises(InputError, match=r"; write JSON lines instead$"):
            written()


@pytest.mark.parametrize("name", list(RUN_WRITERS))
@settings(max_examples=60)
@given(run=queries(scores))
def test_runs(source_of: Make, name: str, run: dict[str, dict[str, float]]) -> None:
    results = [
        Results(query, [doc.encode() for doc in docs], list(docs.values()))
        for query, docs in run.items()
    ]

    def written() -> bytes:
        return b"".join(RUN_WRITERS[name](results, "tag"))

    if all(fits([query, *docs], name) for query, docs in run.items()):
        again = open_run(source_of(written()), name).results(Counter())
        found = [(each.query, sorted(zip(each.docs, each.scores, strict=True))) for each in again]
        assert found == [
            (query, sorted((doc.encode(), score) for doc, score in docs.items()))
            for query, docs in run.items()
        ]
    else:
        with pytest.raises(InputError, match=r"; write JSON lines instead$"):
            written()


def test_a_trec_run_is_written_in_its_order() -> None:
    results = [Results("q", [b"d10", b"d9", b"a"], [1.0, 1.0, 2.0])]
    assert b"".join(RUN_WRITERS["trec"](results, "own")) == (
        b"q Q0 a 1 2.0 own\nq Q0 d9 2 1.0 own\nq Q0 d10 3 1.0 own\n"
    )


def test_ranks_alone_stay_ranks_alone(source_of: Make) -> None:
    text = b'{"id":"q","retrieved_ids":["b","a"]}\n'
    results = list(open_run(source_of(text)).results(Counter()))
    assert b"".join(RUN_WRITERS["jsonl"](results, "tag")) == text
    assert b"".join(RUN_WRITERS["trec"](results, "t")) == b"q Q0 b 1 2.0 t\nq Q0 a 2 1.0 t\n"


def test_queries_without_judgments_are_kept_in_json_lines(source_of: Make) -> None:
    data = b"".join(QRELS_WRITERS["jsonl"](Qrels({"q": {"a": 1}}, ("p",))))
    again = read_qrels(source_of(data))
    assert (again.grades, again.unjudged) == ({"q": {"a": 1}}, ("p",))


@pytest.mark.parametrize("tag", ["", "a b", "a\n"])
def test_a_tag_is_one_word(tag: str) -> None:
    with pytest.raises(UsageError, match=r"^--tag .*: a run's tag is one word without white space"):
        list(RUN_WRITERS["trec"]([], tag))


@given(chunks=st.lists(st.binary(max_size=50)))
def test_packed_is_gzip_and_always_the_same(chunks: list[bytes]) -> None:
    data = b"".join(packed(chunks))
    assert gzip.decompress(data) == b"".join(chunks)
    assert data == b"".join(packed(iter(chunks)))
