"""The best documents of each target against sorting all of them."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from ragstone.corpus.best import Best
from ragstone.corpus.sought import Target


class Hit(NamedTuple):
    value: float
    doc_id: str


HITS = st.lists(
    st.builds(Hit, st.sampled_from([0.25, 0.5, 0.75, 1.0]), st.sampled_from(["a", "b", "c", "é"]))
)


@given(HITS, st.integers(1, 3))
def test_the_best_are_kept_in_order_each_document_once(hits: list[Hit], most: int) -> None:
    kept = Best[Hit](1, most, least=0.25)
    for hit in hits:
        before = list(kept.hits.get(0, []))
        taken = kept.would_take(0, hit.value, hit.doc_id)
        kept.add(0, hit)
        assert taken or kept.hits.get(0, []) == before
    of_documents: dict[str, float] = {}
    for value, doc in hits:
        of_documents[doc] = max(value, of_documents.get(doc, 0.0))
    ordered = sorted((-value, doc) for doc, value in of_documents.items())[:most]
    assert kept.hits.get(0, []) == [Hit(-value, doc) for value, doc in ordered]
    assert kept.least[0] == (-ordered[-1][0] if len(ordered) == most else 0.25)


@given(HITS, st.integers(0, 9), st.integers(1, 3))
def test_parts_of_a_corpus_come_together_as_the_whole(hits: list[Hit], cut: int, most: int) -> None:
    whole, first, second = (Best[Hit](1, most, least=0.25) for _ in range(3))
    for place, hit in enumerate(hits):
        for kept in (whole, first if place < cut else second):
            kept.add(0, hit)
            kept.best[0] = max(kept.best[0], hit.value)
            kept.holding[0] += 1
    first.merge(second)
    assert first.hits == whole.hits
    assert [*first.best, *first.holding, *first.least] == [
        *whole.best,
        *whole.holding,
        *whole.least,
    ]


def test_targets_come_in_their_order_and_only_those_with_hits() -> None:
    kept = Best[Hit](3, 2)
    for number in (0, 2):
        kept.add(number, Hit(0.5, "a"))
    targets = [Target("q2", "answer"), Target("q1", "x"), Target("q2", "_id")]
    assert [(target, number) for target, number, _ in kept.by_target(targets)] == [
        (targets[2], 2),
        (targets[0], 0),
    ]
