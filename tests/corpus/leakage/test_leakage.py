"""Leakage against ten lines of brute force, however the corpus is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.corpus.leakage.check import leakage
from ragstone.corpus.leakage.probes import units_of
from ragstone.corpus.leakage.result import Leakage
from ragstone.corpus.leakage.search import Search
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.errors import InputError, UnknownNameError, UsageError
from ragstone.formats.corpus import Batch
from ragstone.formats.items import read_items
from ragstone.text import ngrams
from ragstone.text.ngrams import Tokens, tokens_of

Rows = Sequence[Mapping[str, Any]]
QUESTION = "Which enzyme breaks down starch in the human mouth before it is swallowed"


def check(corpus: Mapping[str, str], items: Rows, cuts: Sequence[int] = (), **told: Any) -> Leakage:
    """Check documents in memory, in batches cut at some places, some by others."""
    usual = {"threshold": 0.6, "unit": "auto", "shingle": 3, "char_shingle": 5, "documents": 3}
    told.pop("size", None)
    search = Search.of(read_items(items), LeakageSettings(**{"min_words": 0, **usual, **told}))
    if common := search.settings.ignore_common:
        job = search.counting()
        counts = job.start()
        job.read(counts, batch_of(corpus))
        search = search.without_common(counts, float(common))
    containing = search.containing()
    state = containing.start()
    ids = list(corpus)
    for start, end in zip([0, *cuts], [*cuts, len(ids)], strict=True):
        batch = batch_of({doc: corpus[doc] for doc in ids[start:end]})
        if start % 2:
            other = containing.start()
            containing.read(other, batch)
            containing.merge(state, other)
        else:
            containing.read(state, batch)
    return search.result(state, {"documents": len(ids)})


def batch_of(documents: Mapping[str, str]) -> Batch:
    return Batch(list(documents), list(documents.values()), list(documents))


# ---- the oracle ---------------------------------------------------------------------------------


def gram_set(text: str, unit: str, size: int) -> set[tuple[str, ...]]:
    tokens = tokens_of(text, "char" if unit == "char" else "word")
    return {tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1)}


def containments(
    text: str, documents: Mapping[str, str], units: Sequence[str], sizes: Mapping[str, int]
) -> dict[str, float]:
    """Return the highest share of a text's n-grams in each document, of any of the units."""
    best = dict.fromkeys(documents, 0.0)
    for unit in units:
        size = min(sizes[unit], len(tokens_of(text, "char" if unit == "char" else "word")))
        wanted = gram_set(text, unit, size)
        for doc, document in documents.items():
            share = len(wanted & gram_set(document, unit, size)) / len(wanted)
            best[doc] = max(best[doc], share)
    return best


# ---- texts --------------------------------------------------------------------------------------

WORD = st.sampled_from(
    ["a", "b", "c", "No", "한국", "한국은", "é", "e\u0301", "ﬁ", "東京", "x_y", "-"]
)
SHORT = st.lists(WORD, max_size=8).map(" ".join)
LONG = st.lists(WORD, max_size=25).map(" ".join)
DOCUMENTS = st.dictionaries(
    st.sampled_from(["d1", "d10", "d2", "é", "z"]), LONG, min_size=1
).filter(lambda documents: any(tokens_of(text, "word") for text in documents.values()))
ITEMS = st.lists(
    st.fixed_dictionaries(
        {}, optional={"question": SHORT, "reference": st.lists(SHORT, max_size=3)}
    ),
    min_size=1,
    max_size=5,
).map(lambda rows: [{"id": f"i{n}", **row} for n, row in enumerate(rows)])


def texts_of(row: Mapping[str, Any], field: str) -> list[str]:
    value = row.get(field, [])
    found = value if isinstance(value, list) else [value]
    return [text for text in found if tokens_of(text, "word")]


def units_told(text: str, unit: str) -> Sequence[str]:
    return units_of(text) if unit == "auto" else [unit]


runs = ngrams._runs


def colliding(tokens: Tokens, size: int) -> Any:
    """N-grams that have 16 hashes among them, so that nearly all collide."""
    hashes, whole = runs(tokens, size)
    return hashes & np.uint64(0xF000000000000000), whole


@settings(max_examples=150)
@given(
    DOCUMENTS,
    ITEMS,
    st.fixed_dictionaries(
        {
            "unit": st.sampled_from(["auto", "word", "char"]),
            "size": st.integers(1, 4),
            "threshold": st.sampled_from([0.3, 0.5, 0.6, 1.0]),
            "documents": st.integers(1, 3),
        }
    ),
    st.lists(st.integers(0, 5), max_size=3).map(sorted),
    st.booleans(),
)
def test_what_is_found_is_what_brute_force_finds(
    documents: dict[str, str],
    items: Rows,
    told: dict[str, Any],
    cuts: list[int],
    collisions: bool,
) -> None:
    if not any(texts_of(row, field) for row in items for field in ("question", "reference")):
        return
    unit, size, threshold, most = (
        told[name] for name in ("unit", "size", "threshold", "documents")
    )
    told = {**told, "shingle": size, "char_shingle": size}
    with patch.object(ngrams, "_runs", colliding if collisions else ngrams._runs):
        found = check(documents, items, cuts, **told)
    listed = {(leak.item_id, leak.field): [] for leak in found.leaks}  # type: ignore[var-annotated]
    for leak in found.leaks:
        listed[leak.item_id, leak.field].append((leak.doc_id, leak.containment))
        assert leak.passage == documents[leak.doc_id][leak.start : leak.end]
        assert leak.containment == leak.shared / leak.item_ngrams
    values: dict[str, float | None] = {row["id"]: None for row in items}
    for row in items:
        for field in ("question", "reference"):
            best = dict.fromkeys(documents, 0.0)
            for text in texts_of(row, field):
                units = units_told(text, unit)
                shares = containments(text, documents, units, {"word": size, "char": size})
                best = {doc: max(best[doc], shares[doc]) for doc in documents}
                values[row["id"]] = max(values[row["id"]] or 0.0, *shares.values())
            leaks = sorted((-share, doc) for doc, share in best.items() if share >= threshold)
            assert listed.pop((row["id"], field), []) == [(doc, -s) for s, doc in leaks[:most]]
            if leaks and not collisions:
                leak = next(k for k in found.leaks if (k.item_id, k.field) == (row["id"], field))
                assert leak.documents_at_threshold == len(leaks)
                assert leak.documents_sharing == sum(share > 0 for share in best.values())
    assert listed == {}
    column = found.scores["containment"]
    assert {item: column.value(i) for i, item in enumerate(found.scores.items)} == values


def test_ngrams_of_an_item_with_one_hash_are_not_missed() -> None:
    def equal(tokens: Tokens, size: int) -> Any:
        hashes, whole = runs(tokens, size)
        return hashes * np.uint64(0), whole

    with patch.object(ngrams, "_runs", equal):
        documents = {"d": "so a b c d e it is", "e": "a b c d e", "x": "a b c"}
        found = check(documents, [{"id": "q", "text": "a b c d e"}])
    assert [(leak.doc_id, leak.shared, leak.item_ngrams) for leak in found.leaks] == [
        ("d", 3, 3),
        ("e", 3, 3),
    ]


# ---- what the numbers mean ----------------------------------------------------------------------

FILLER = "Nothing to do with it, this is about trains and the people who drive them at night. "


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("one two three four five six seven eight nine ten eleven twelve", 1.0),
        ("One, TWO three: four five (six) seven eight nine ten eleven twelve?!", 1.0),
        ("one two three four five X seven eight nine ten eleven twelve", 0.7),
        ("one two three X five six seven eight nine X eleven twelve", 0.4),
        ("one X three four five six seven eight nine X eleven twelve", 0.5),
        ("somebody else asks a question of twelve words about another thing altogether", 0.0),
    ],
)
def test_a_question_of_twelve_words(question: str, expected: float) -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"
    found = check({"d": f"{FILLER}. {text}. {FILLER}"}, [{"id": "q", "question": question}])
    assert found.scores["containment"].values.tolist() == [expected]
    assert found.scores["leaked"].values.tolist() == [float(expected >= 0.6)]
    assert [leak.containment for leak in found.leaks] == [expected] * (expected >= 0.6)


@pytest.mark.parametrize(
    ("answer", "document", "expected"),
    [
        ("Paris", "It is Paris, they say.", True),
        ("Paris", "He saw comparisons.", False),  # within a word
        ("New York", "in new-york today", True),
        ("New York", "york is not new", False),
        ("42", "about 42 %", True),
        ("42", "1942", False),
        ("서울", "수도는 서울이다", True),  # with its particle, by letters
        ("東京", "日本の首都は東京です", True),
        ("กรุงเทพ", "อยู่กรุงเทพมหานคร", True),
    ],
)
def test_short_answers_are_found_as_phrases(answer: str, document: str, expected: bool) -> None:
    found = check({"d": document}, [{"id": "q", "answer": answer}])
    assert bool(found.leaks) is expected


@pytest.mark.parametrize("size", [3, 5])
def test_copies_without_spaces_are_found(size: int) -> None:
    question = "光合成において葉緑体はどのような役割を果たしますか"
    wrapped = "前置き。光合成において葉緑体は\nどのような役割を　果たしますか\uff1f続き"
    found = check({"d": wrapped}, [{"id": "q", "question": question}], char_shingle=size)
    assert [(leak.containment, leak.unit) for leak in found.leaks] == [(1.0, "char")]
    assert found.leaks[0].passage == "光合成において葉緑体は\nどのような役割を　果たしますか"


def test_korean_endings_change_and_the_row_says_which_unit() -> None:
    question = "검색 품질을 평가하는 방법은 무엇입니까"
    documents = {
        "same": f"자, {question}?",
        "endings": "검색 품질은 평가하는 방법이 무엇입니까",
        "other": "기차는 밤에 달린다",
    }
    found = check(documents, [{"id": "q", "question": question}], threshold=0.2)
    assert [(leak.doc_id, leak.unit) for leak in found.leaks] == [
        ("same", "word"),
        ("endings", "char"),
    ]
    assert found.leaks[1].containment > 0.2
    assert found.leaks[0].documents_at_threshold == found.leaks[0].documents_sharing == 2


def test_a_unit_can_be_forced() -> None:
    documents = {"d": "the quick brown fox"}
    items = [{"id": "q", "text": "quick brown dog"}]
    assert check(documents, items, unit="word").scores["containment"].values[0] == 0.0
    assert check(documents, items, unit="char").scores["containment"].values[0] > 0.5
    chinese = [{"id": "q", "text": "东京塔 很高"}]
    assert check({"d": "东京塔,很高"}, chinese, unit="word").leaks[0].unit == "word"
    assert check({"d": "东京塔很高"}, chinese, unit="word").leaks == []


def test_the_best_documents_by_containment_then_by_id() -> None:
    text = "one two three four five six"
    documents = dict.fromkeys(("d10", "d2", "e", "Z"), text) | {"a": "one two three four five"}
    found = check(documents, [{"id": "q", "text": text}], documents=4)
    assert [leak.doc_id for leak in found.leaks] == ["Z", "d10", "d2", "e"]
    assert {leak.documents_at_threshold for leak in found.leaks} == {5}
    three = check(documents, [{"id": "q", "text": text}], [1, 2, 4], documents=3)
    assert [leak.doc_id for leak in three.leaks] == ["Z", "d10", "d2"]
    assert three.leaks[0].documents_at_threshold == 5


def test_what_cannot_be_looked_for_is_counted_and_never_clean() -> None:
    items = [
        {"id": "a", "question": "", "answer": "?!"},
        {"id": "b", "question": "what is it", "answer": "\u200b"},
        {"id": "c"},
        {"id": "d", "answer": "yes"},
    ]
    found = check({"d": "so what is it then"}, items, min_words=2)
    column = found.scores["containment"]
    assert list(column.status) == [2, 0, 2, 2]
    assert dict(column.reasons) == {
        0: "answer: no letter or digit; question: no letter or digit",
        2: "has no question and no answer",
        3: "answer: fewer words than asked for",
    }
    assert [(each.reason, each.texts, each.examples) for each in found.not_checked] == [
        ("fewer words than asked for", 1, ["d"]),
        ("no letter or digit", 3, ["a", "b"]),
    ]
    assert [(each.name, each.texts, each.not_checked, each.leaking) for each in found.fields] == [
        ("question", 1, 1, 1),
        ("answer", 0, 3, 0),
    ]
    facts = found.scores.facts
    assert (facts["items"], facts["items_not_checked"]) == (4, 3)
    assert (facts["texts"], facts["texts_not_checked"]) == (1, 4)


def test_documents_without_a_word_are_counted_and_are_no_corpus() -> None:
    items = [{"id": "q", "text": "a b"}]
    found = check({"d1": "a b", "d2": "?!", "d3": ""}, items, [1])
    assert found.scores.facts["empty_documents"] == 2
    with pytest.raises(InputError, match="no document of the corpus has a word"):
        check({"d1": "?!", "d2": "..."}, items)


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([{"id": 1, "text": "..."}], "1 with no letter or digit"),
        ([{"id": 1, "text": []}], "there is none in their fields"),
    ],
)
def test_nothing_to_look_for_is_an_error(items: Rows, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check({"d": "a"}, items)


def test_words_without_spaces_are_counted_by_letters_for_min_words() -> None:
    items = [{"id": "q", "text": "東京タワーの高さ"}]
    assert check({"d": "東京タワーの高さ"}, items, min_words=8).leaking_items == 1
    with pytest.raises(InputError, match="1 with fewer words than asked for"):
        check({"d": "a"}, items, min_words=9)


def test_common_ngrams_do_not_count_and_their_number_is_said() -> None:
    stock = "thank you for your question about our"
    documents = {f"d{n}": f"{stock} trains" for n in range(9)}
    items = [
        {"id": "own", "text": f"{stock} reclining seats in first class"},
        {"id": "stock", "text": stock},
    ]
    plain = check(documents, items)
    assert [leak.item_id for leak in plain.leaks] == ["stock"] * 3
    assert plain.scores["containment"].values.tolist() == [0.5, 1.0]
    found = check(documents, items, ignore_common="8")
    assert found.leaks == []
    column = found.scores["containment"]
    assert (column.value(0), column.value(1)) == (0.0, None)
    assert dict(column.reasons) == {1: "text: every n-gram is in too many documents"}
    assert found.scores.counts["ngrams"].tolist() == [10, 5]
    assert found.scores.counts["ignored_ngrams"].tolist() == [5, 5]
    assert (
        check(documents, items, ignore_common="9").scores["containment"]
        == (plain.scores["containment"])
    )
    with pytest.raises(InputError, match="1 with every n-gram is in too many documents"):
        check(documents, items[1:], ignore_common="8")


def test_what_is_ignored_is_ignored_by_the_oracle_too() -> None:
    documents = {"d1": "a b c d", "d2": "a b c x", "d3": "a b c y z"}
    found = check(documents, [{"id": "q", "text": "a b c d e"}], ignore_common="2", threshold=0.5)
    assert [(leak.doc_id, leak.shared, leak.item_ngrams) for leak in found.leaks] == [("d1", 1, 2)]
    assert found.leaks[0].passage == "b c d"


def test_several_references_are_one_field() -> None:
    items = [{"id": "q", "reference": ["not in there at all", "the cat sat on the mat"]}]
    found = check({"d": "so the cat sat on the mat", "e": "the cat sat on"}, items, threshold=0.5)
    assert [(leak.doc_id, leak.field) for leak in found.leaks] == [
        ("d", "reference"),
        ("e", "reference"),
    ]
    assert found.leaks[0].documents_at_threshold == 2


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"threshold": 0}, "threshold is 0; a number above 0"),
        ({"threshold": 1.1}, "threshold is 1.1"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"unit": "words"}, "unknown unit 'words'; did you mean word"),
        ({"shingle": 0}, "shingle is 0; a whole number from 1"),
        ({"documents": True}, "documents is True"),
        ({"min_words": -1}, "min_words is -1; a whole number from 0"),
        ({"ignore_common": "101%"}, "ignore_common is '101%'"),
        ({"ignore_common": "x"}, "write a number of documents as 100, or a share"),
    ],
)
def test_settings_that_cannot_be(told: dict[str, Any], said: str) -> None:
    with pytest.raises((UsageError, UnknownNameError), match=said):
        check({"d": "a"}, [{"id": 1, "text": "a"}], **told)


# ---- from files ---------------------------------------------------------------------------------


def write(folder: Path, documents: Mapping[str, str], items: Rows) -> tuple[Path, Path]:
    corpus, questions = folder / "corpus.jsonl", folder / "items.jsonl"
    rows = (json.dumps({"_id": doc, "title": "", "text": text}) for doc, text in documents.items())
    corpus.write_text("".join(f"{row}\n" for row in rows))
    questions.write_text("".join(f"{json.dumps(item)}\n" for item in items))
    return corpus, questions


def test_workers_find_the_same(tmp_path: Path) -> None:
    texts = [f"w{n % 7} w{n % 11} w{n % 13} w{n % 3} common words here {n}" for n in range(600)]
    documents = {f"d{n}": text for n, text in enumerate(texts)}
    items = [
        {"id": n, "question": text, "answer": f"w{n % 5}"} for n, text in enumerate(texts[:40])
    ]
    corpus, questions = write(tmp_path, documents, items)
    one = leakage(corpus, questions, ignore_common="50%")
    assert one.leaks
    for workers in (2, 3):
        assert leakage(corpus, questions, ignore_common="50%", workers=workers) == one


def test_a_title_is_part_of_the_text_and_of_its_places(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"id": "d", "title": "On trains", "text": "that run at night"}\n')
    found = leakage(corpus, [{"id": 1, "text": "trains that run"}])
    [leak] = found.leaks
    assert (leak.passage, leak.start, leak.end) == ("trains\nthat run", 3, 18)
    assert found.scores.facts["documents"] == 1


def test_the_claims_of_scifact(shared: Path) -> None:
    folder = shared / "data" / "scifact"
    found = leakage(folder / "corpus.jsonl.gz", folder / "queries.jsonl")
    assert (found.scores.facts["items"], found.scores.facts["documents"]) == (1109, 5183)
    assert found.leaking_items == 18
    assert sum(value == 1.0 for value in found.scores["containment"].values) == 2
