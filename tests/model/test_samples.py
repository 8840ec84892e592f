"""Samples in memory: what is known of them, and the run and the judgments in them."""

from __future__ import annotations

import pickle
from typing import Any

import msgspec
import pytest

from ragstone.model.samples import (
    WARM_UP,
    Citation,
    Context,
    Latency,
    Nugget,
    Sample,
    Usage,
    qrels_of,
    run_of,
)


def with_ids(item: str, *docs: str, **more: Any) -> Sample:
    return Sample(item, contexts=tuple(Context("text", doc) for doc in docs), **more)


def test_what_is_not_recorded_is_none_and_not_empty() -> None:
    bare = Sample("q")
    recorded = [getattr(bare, name) for name in Sample.__struct_fields__ if name != "id"]
    assert [value for value in recorded if value is not None] == [(), {}]  # tags, extra
    assert (bare.references, bare.texts, bare.reference_texts) == ((), None, None)
    assert Sample("q", contexts=()).texts == ()


def test_references_are_one_or_several() -> None:
    assert Sample("q", reference="a").references == ("a",)
    assert Sample("q", reference=("a", "b")).references == ("a", "b")
    assert Sample("q", reference=()).references == ()


def test_texts_are_all_of_them_or_none() -> None:
    whole = (Context("a"), Context(""))
    assert Sample("q", contexts=whole).texts == ("a", "")
    assert Sample("q", contexts=(*whole, Context(id="d3"))).texts is None
    assert Sample("q", reference_contexts=whole).reference_texts == ("a", "")


def test_total_tokens_are_known_or_not() -> None:
    assert Usage(input_tokens=3, output_tokens=0).total_tokens == 3
    assert Usage(input_tokens=3).total_tokens is None
    assert Usage(output_tokens=3).total_tokens is None


def test_a_warm_up_is_a_tag() -> None:
    assert Sample("q", tags=(WARM_UP, "x")).is_warm_up
    assert not Sample("q", tags=("x",)).is_warm_up


def test_samples_are_frozen_equal_and_go_to_another_process() -> None:
    sample = Sample(
        "q",
        query="?",
        answer="!",
        contexts=(Context("t", "d", 0.5, {"page": 3}),),
        reference=("r",),
        nuggets=(Nugget("n", "okay"),),
        citations=(Citation(("d", 1), 0, 1),),
        usage=Usage(1, 2),
        latency_ms=Latency(total=1.5),
        extra={"mine": [1]},
    )
    assert pickle.loads(pickle.dumps(sample)) == sample
    with pytest.raises(AttributeError):
        sample.answer = "other"  # type: ignore[misc]


def test_two_samples_do_not_share_what_is_extra() -> None:
    assert Sample("a").extra is not Sample("b").extra
    assert msgspec.to_builtins(Sample("a"))["extra"] == {}


# ---- the run ------------------------------------------------------------------------------------


def test_scores_stay_where_all_are_there_and_fall() -> None:
    contexts = (Context("a", "d2", 0.5), Context("b", "d1", 0.5), Context("c", "d3", 0.1))
    assert run_of([Sample("q", contexts=contexts)])["q"] == {"d2": 0.5, "d1": 0.5, "d3": 0.1}


@pytest.mark.parametrize("scores", [(0.1, 0.5), (0.5, None), (None, None)])
def test_ranks_stand_for_scores_that_do_not_order(scores: tuple[float | None, ...]) -> None:
    contexts = tuple(Context("t", f"d{n}", score) for n, score in enumerate(scores))
    assert run_of([Sample("q", contexts=contexts)])["q"] == {"d0": 2.0, "d1": 1.0}


def test_chunks_of_one_document_are_one_and_counted() -> None:
    run = run_of([with_ids("q", "a", "b", "a", "a")])
    assert run["q"] == {"a": 2.0, "b": 1.0}
    assert run.facts["duplicates_removed"] == 2


def test_a_removed_chunk_takes_its_score_with_it() -> None:
    contexts = (Context("t", "a", 0.9), Context("t", "b", 0.5), Context("t", "a", 0.7))
    assert run_of([Sample("q", contexts=contexts)])["q"] == {"a": 0.9, "b": 0.5}


def test_who_is_in_the_run() -> None:
    samples = [
        Sample("nothing recorded"),
        Sample("nothing retrieved", contexts=()),
        Sample("texts alone", contexts=(Context("t"),)),
        Sample("one of two", contexts=(Context("t"), Context("t", "d"))),
    ]
    run = run_of(samples)
    assert run.rankings == {"nothing retrieved": {}, "one of two": {"d": 1.0}}
    assert run.facts == {
        "duplicates_removed": 0,
        "contexts_without_id": 1,
        "samples_without_ids": 2,
    }


def test_judgments_are_the_reference_contexts() -> None:
    good = (Context(id="d1"), Context("t", "d2"), Context(id="d1"), Context("no id"))
    samples = [Sample("q", reference_contexts=good), Sample("none", reference_contexts=())]
    qrels = qrels_of([*samples, Sample("unknown"), with_ids("retrieved alone", "d9")])
    assert qrels.grades == {"q": {"d1": 1, "d2": 1}}
    assert qrels.unjudged == ("none",)
    assert qrels.facts == {
        "repeated_judgments": 1,
        "contexts_without_id": 1,
        "samples_without_ids": 2,
    }
