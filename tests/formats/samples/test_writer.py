"""Whatever a sample holds: written and read again, it is the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.formats.samples import read_samples, write_samples
from ragstone.model.samples import Citation, Context, Latency, Nugget, Sample, Usage

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ids = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\t\n"), min_size=1, max_size=4
)
numbers = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
counts = st.integers(min_value=0, max_value=2**50)
plain = st.recursive(
    st.none() | st.booleans() | texts | st.integers(-9, 9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
extras = st.dictionaries(
    st.sampled_from(["team", "x.y", "줄"]), plain.filter(lambda it: it is not None)
)


def some(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


def tuples(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=3).map(tuple)


contexts = st.builds(
    Context, text=texts, id=some(ids), score=some(numbers.map(lambda it: -it)), extra=extras
)
samples = st.builds(
    Sample,
    id=ids,
    query=texts,
    answer=some(st.just("a long answer")),
    contexts=some(tuples(contexts)),
    reference=some(texts | tuples(texts)),
    reference_contexts=some(tuples(contexts)),
    nuggets=some(tuples(st.builds(Nugget, texts, st.sampled_from(["vital", "okay"]), extras))),
    citations=some(
        tuples(st.builds(Citation, tuples(ids | st.integers(1, 9)), st.just(1), st.just(3)))
    ),
    answerable=some(st.booleans()),
    lang=some(texts),
    model=some(texts),
    usage=some(st.builds(Usage, some(counts), some(counts), some(counts), some(counts), extras)),
    cost_usd=some(numbers),
    latency_ms=some(
        st.builds(Latency, some(numbers), some(numbers), some(numbers), some(numbers), extras)
    ),
    error=some(texts.filter(bool)),
    tags=tuples(texts),
    extra=extras,
)


@given(st.lists(samples, min_size=1, max_size=3, unique_by=lambda sample: sample.id))
def test_written_and_read_again(
    tmp_path_factory: pytest.TempPathFactory, given: list[Sample]
) -> None:
    path = tmp_path_factory.mktemp("samples") / "samples.jsonl"
    path.write_bytes(b"".join(write_samples(given)))
    assert read_samples(path, "jsonl") == given


def test_what_is_not_recorded_is_not_written() -> None:
    lines = list(write_samples([Sample("a"), Sample("b", contexts=(), answer="", reference=())]))
    assert lines == [b'{"id":"a"}\n', b'{"id":"b","answer":"","contexts":[],"reference":[]}\n']


def test_an_extra_field_does_not_stand_for_one_of_ours() -> None:
    [line] = write_samples([Sample("a", extra={"answer": "not ours", "extra": 1})])
    assert line == b'{"id":"a","extra_answer":"not ours","extra":1}\n'


@pytest.mark.parametrize("value", [float("nan"), "\ud800"])
def test_what_is_no_json_is_refused_by_name(value: object) -> None:
    with pytest.raises(InputError, match="sample 'a' cannot be written as JSON"):
        list(write_samples([Sample("a", extra={"x": value})]))
