"""Spans that were put together: which of them counts, and what is not known."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.formats.samples.spans import Span, Trace, covered, traces
from ragstone.model.samples import Context, Latency, Sample, Usage

MS = 1_000_000


def span(own: str, parent: str | None = None, **more: Any) -> Span:
    for name in ("start", "end", "first_token"):
        if name in more:
            more[name] *= MS
    return Span(trace="t", id=own, parent=parent, **more)


def sample(*spans: Span) -> tuple[Sample, Counter[str]]:
    facts: Counter[str] = Counter()
    return Trace(spans, facts).sample("q"), facts


def test_the_first_span_is_the_one_without_a_parent_whatever_their_order() -> None:
    found, facts = sample(
        span("b", "a", kind="llm", start=1, end=4, answer="inner"),
        span("a", start=0, end=5, question="?", answer="outer"),
    )
    assert (found.query, found.answer) == ("?", "outer")
    assert found.latency_ms == Latency(5.0, None, None, 3.0)
    assert not facts


def test_several_first_spans_are_counted_and_last_from_first_to_last() -> None:
    found, facts = sample(
        span("a", "away", kind="retriever", start=2, end=4, question="?"),
        span("b", "away", kind="llm", start=5, end=9, answer="x"),
    )
    assert found.latency_ms == Latency(7.0, 2.0, None, 4.0)
    assert facts == {"traces_with_several_roots": 1}


def test_spans_in_a_circle_end_somewhere() -> None:
    found, _ = sample(span("a", "b", kind="llm", usage=Usage(1, 1)), span("b", "a", kind="llm"))
    assert found.usage == Usage(1, 1)


def test_times_that_are_not_known_make_no_latency() -> None:
    times: list[dict[str, Any]] = [{"start": 3}, {"start": 5, "end": 3}, {}]
    for bad in times:
        found, _ = sample(span("a", question="?", answer="x", **bad))
        assert found.latency_ms is None
    one = span("b", "a", kind="llm", start=1)
    found, _ = sample(span("a", start=0, end=5), one)
    assert found.latency_ms == Latency(5.0)


def test_the_first_token_is_that_of_the_last_call() -> None:
    first = span("b", "a", kind="llm", start=1, end=3, first_token=2)
    last = span("c", "a", kind="llm", start=4, end=9)
    found, _ = sample(span("a", start=0, end=9), first, last)
    assert found.latency_ms is not None
    assert found.latency_ms.first_token is None  # the call before says nothing of the answer
    last.first_token = 6 * MS
    found, _ = sample(span("a", start=0, end=9), first, last)
    assert found.latency_ms is not None
    assert found.latency_ms.first_token == 6.0


def test_usage_of_the_first_span_where_no_call_was_recorded() -> None:
    found, _ = sample(span("a", question="?", answer="x", usage=Usage(5, 1), cost=0.5))
    assert (found.usage, found.cost_usd) == (Usage(5, 1), 0.5)


def test_a_call_that_failed_needs_no_count() -> None:
    failed = span("b", "a", kind="llm", error="429")
    found, facts = sample(
        span("a"), failed, span("c", "a", kind="llm", usage=Usage(2, 1), cost=0.1)
    )
    assert (found.usage, found.cost_usd, found.error) == (Usage(2, 1), 0.1, None)
    assert not facts


def test_a_call_inside_a_call_counts_once() -> None:
    inner = [span(name, "b", kind="llm", usage=Usage(2, 1)) for name in "cd"]
    outer = span("b", "a", kind="llm", usage=Usage(4, 2))
    assert sample(span("a"), outer, *inner)[0].usage == Usage(4, 2)
    outer.usage = None
    assert sample(span("a"), outer, *inner)[0].usage == Usage(4, 2)


def test_contexts_of_several_retrievers_and_of_one_inside_another() -> None:
    one, two = (Context("a", "1"),), (Context("b", "2"),)
    first = span("b", "a", kind="retriever", start=1, contexts=one)
    second = span("c", "a", kind="retriever", start=2, contexts=two)
    inner = span("d", "c", kind="retriever", start=3, contexts=(Context("c", "3"),))
    assert sample(span("a"), first, second, inner)[0].contexts == one + two
    last = span("e", "a", kind="reranker", start=4, contexts=two)
    assert sample(span("a"), first, second, last)[0].contexts == two


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ({"question": "?"}, 0),
        ({"question": "?", "answer": "x"}, 1),
        ({"question": "?", "error": "away"}, 1),
        ({"kind": "llm"}, 1),
        ({"kind": "retriever"}, 1),
        ({}, 0),
    ],
    ids=str,
)
def test_what_is_no_question_is_left_out(more: dict[str, Any], left: int) -> None:
    facts: Counter[str] = Counter()
    assert len(traces([span("a", **more)], facts)) == left
    assert facts["traces_without_an_answer"] == 1 - left


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted).map(tuple), max_size=6)
)
def test_what_some_intervals_cover(intervals: list[tuple[int, int]]) -> None:
    points = {point for start, end in intervals for point in range(start, end)}
    assert covered(intervals) == len(points)
