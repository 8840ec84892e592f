"""Golds as places: which are found, what is measured, what an edited document means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError, UsageError
from ragstone.formats.corpus import Corpus
from ragstone.formats.gold import Passage, Place
from ragstone.matching import warnings
from ragstone.matching.locating import digest_of, locate, place_in
from ragstone.matching.spans import match_spans, span_measures
from ragstone.scoring import score

DOC = (
    "Refunds are paid within ten days. Shipping is free above fifty euros. We answer mail at once."
)
OTHER = "모든 상품의 보증 기간은 구매일로부터 2년입니다. 반품은 30일 안에 할 수 있습니다."


def at(doc: str, start: int, end: int) -> Passage:
    return Passage("", None, Place(doc, start, end))


def corpus(path: Path, **documents: str) -> Corpus:
    rows = [json.dumps({"id": doc, "text": text}) for doc, text in documents.items()]
    path.write_text("".join(f"{row}\n" for row in rows))
    return Corpus(path)


def test_a_gold_is_found_where_chunks_cover_enough_of_it() -> None:
    gold = {"q": [at("d", 0, 10), at("d", 20, 30)]}
    chunks = {"q": [at("d", 0, 4), at("e", 0, 50), at("d", 4, 26)]}
    scores = match_spans(gold, chunks, min_coverage=0.6).scores(
        ["R@1", "R@3", "RR", "P@3", *span_measures([1, 3])]
    )
    assert {name: values[0] for name, values in scores.to_dict().items() if name != "id"} == {
        "relevant": 2, "judged": 2, "retrieved": 3, "hits": 1,
        "R@1": 0.0, "R@3": 1.0, "RR": pytest.approx(1 / 3), "P@3": pytest.approx(1 / 3),
        "SpanRecall@1": 0.2, "SpanPrecision@1": 1.0, "SpanIoU@1": 0.2,
        "SpanRecall@3": 0.8, "SpanPrecision@3": pytest.approx(16 / 76),
        "SpanIoU@3": pytest.approx(16 / 80),
    }  # fmt: skip


PLACES = st.builds(
    lambda doc, start, length: at(doc, start, start + length),
    st.sampled_from("ab"),
    st.integers(0, 30),
    st.integers(1, 15),
)


@given(st.lists(PLACES, min_size=1, max_size=4), st.lists(PLACES, min_size=1, max_size=6))
def test_values_are_shares_that_grow_with_k(golds: list[Passage], chunks: list[Passage]) -> None:
    ks = range(1, 8)
    names = [f"{name}@{k}" for name in ("R", "SpanRecall", "SpanPrecision", "SpanIoU", "nDCG", "AP")
             for k in ks]  # fmt: skip
    table = match_spans({"q": golds}, {"q": chunks}).scores(names).to_dict()
    assert all(0 <= table[name][0] <= 1 for name in names)
    for name in ("R", "SpanRecall"):
        values = [table[f"{name}@{k}"][0] for k in ks]
        assert values == sorted(values)
    turned = match_spans({"q": golds[::-1]}, {"q": chunks}).scores(names).to_dict()
    assert turned == table
    twice = match_spans({"q": golds}, {"q": [each for each in chunks for _ in range(2)]})
    assert twice.scores(["R@12"]).to_dict()["R@12"] == table["R@7"]


@given(st.integers(0, 60), st.integers(5, 40), st.integers(0, 3), st.sampled_from([DOC, OTHER]))
def test_a_trimmed_chunk_is_placed_where_it_stood(
    start: int, length: int, trim: int, document: str
) -> None:
    chunk = document[start : start + length]
    if not any(map(str.isalnum, chunk)):
        return
    found = place_in("d", document, f"\n {chunk.strip()} ")
    assert found is not None
    assert (
        document[found.place.start : found.place.end] == chunk.strip()
        or document.count(chunk.strip()) > 1
    )
    changed = chunk.replace(" ", "  ").replace(".", "!").upper()
    again = place_in("d", document, changed)
    if len(chunk) > 15:
        assert again is not None
        assert again.share == 1
        mine = document[again.place.start : again.place.end]
        assert [each for each in mine if each.isalnum()] == [e for e in chunk if e.isalnum()]


def test_texts_are_located_in_a_corpus(tmp_path: Path) -> None:
    documents = corpus(tmp_path / "c", d=DOC, e=OTHER, f="Nothing of it.", g=DOC)
    texts = ["shipping is free  above fifty euros", "보증기간은 구매일로부터 2년입니다",
             "ten days.", "stands nowhere at all in here", "free"]  # fmt: skip
    found = locate(documents, texts).found
    places = [each and (each.place.doc, each.documents) for each in found]
    assert places == [("d", 2), ("e", 1), ("d", 2), None, ("d", 2)]
    assert found[1] is not None
    place = found[1].place
    assert OTHER[place.start : place.end] == "보증 기간은 구매일로부터 2년입니다"


def test_gold_texts_and_chunks_without_a_place(tmp_path: Path) -> None:
    documents = corpus(tmp_path / "c", d=DOC, e=OTHER)
    gold = {
        "q1": [Passage("Shipping is free above fifty euros.")],
        "q2": [Passage("반품은 30일 안에")],
    }
    chunks = {"q1": [Passage("paid within ten days. Shipping is free above"), Passage("lost")],
              "q2": [Passage(OTHER)]}  # fmt: skip
    found = match_spans(gold, chunks, documents)
    table = found.scores(["SpanRecall@1", "R@1"]).to_dict()
    assert table["SpanRecall@1"] == [pytest.approx(22 / 35), 1.0]
    assert table["R@1"] == [1.0, 1.0]
    assert found.facts["located_retrieved"] == 2
    assert found.facts["unlocated_retrieved"] == 1
    alone = r"^query 'q1': the text 'Shipping is free .*', gold\[1\], has no place; give 'doc'"
    with pytest.raises(InputError, match=alone):
        match_spans(gold, chunks)


def test_an_edited_or_deleted_gold_is_no_ranking_loss(tmp_path: Path) -> None:
    digest = digest_of(DOC)
    text = "Shipping is free above fifty euros."
    start = DOC.index(text)
    kept = Passage(text, "kept", Place("d", start, start + len(text), digest))
    moved = Passage("We answer mail at once.", "moved", Place("d", 0, 23, digest))
    edited = Passage("Refunds are paid at once, always.", "edited", Place("d", 0, 33, "0" * 64))
    unsure = Passage("", "no text", Place("d", 0, 33, "0" * 64))
    deleted = Passage("gone", "deleted", Place("x", 0, 4, digest))
    gold = {"q": [kept, moved, edited, unsure, deleted], "gone": [deleted]}
    found = match_spans(gold, {"q": [at("d", 0, len(DOC))]}, corpus(tmp_path / "c", d=DOC))
    assert [each.id for each in found.matrices["q"].golds] == ["kept", "moved"]
    facts = {name: number for name, number in found.facts.items() if number}
    assert facts == {
        "moved_golds": 1, "edited_golds": 2, "deleted_golds": 2, "queries": 1,
        "queries_without_golds_left": 1,
    }  # fmt: skip
    assert found.scores(["R@1"]).to_dict()["R@1"] == [1.0]


@pytest.mark.parametrize(
    ("chunk", "fact", "said"),
    [
        (Passage("", "c", Place("x", 0, 9)), "retrieved_of_no_document", "in a document that the"),
        (Passage("", "c", Place("d", 0, 10**6)), "retrieved_beyond_their_document", "beyond the"),
        (Passage(DOC[:30], "c", Place("d", 40, 70)), "retrieved_with_another_text", "where anothe"),
        (Passage(DOC[:30], "c", Place("d", 0, 30)), "", ""),
        (Passage(DOC[:30].upper() + " !", "c", Place("d", 0, 30)), "", ""),
        (Passage("", "c", Place("d", 0, len(DOC))), "", ""),
    ],
)
def test_a_chunk_whose_place_is_wrong_is_said(
    tmp_path: Path, chunk: Passage, fact: str, said: str
) -> None:
    gold = {"q": [Passage("", "g", Place("d", 0, 10))]}
    found = match_spans(gold, {"q": [chunk]}, corpus(tmp_path / "c", d=DOC))
    faults = {name for name, number in found.facts.items() if number and "retrieved_" in name}
    assert faults - {"located_retrieved"} == ({fact} if fact else set())
    lines = [line for line in warnings(found.facts) if "retrieved place" in line]
    assert [line.startswith(f"1 retrieved place {said}") for line in lines] == [True] * bool(fact)


def test_the_wrong_corpus_is_named_as_the_reason(tmp_path: Path) -> None:
    gold = {"q": [Passage("", "g", Place("d", 0, 10))], "r": [Passage("stands nowhere at all")]}
    with pytest.raises(InputError) as caught:
        match_spans(gold, {"q": [at("d", 0, 5)]}, corpus(tmp_path / "c", x=DOC))
    assert str(caught.value) == (
        "no query has a gold whose place is known (1 gold whose document is not in the corpus any "
        "more, left out; 1 gold text that no document of the corpus has, left out); is this the "
        "corpus of the labels?"
    )


def test_measures_of_places_are_not_for_ids() -> None:
    with pytest.raises(UsageError, match=r"`ragstone match --method spans` computes them"):
        score({"q": ["a"]}, {"q": ["a"]}, ["SpanRecall@5"])
