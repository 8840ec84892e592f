"""Gold and retrieved texts as many tools write them, and what cannot be one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import FormatError
from ragstone.formats.gold import Passage, Texts, read_texts
from ragstone.pipelines.record import Record


def read(tmp_path: Path, role: str, *rows: Any) -> Texts:
    path = tmp_path / f"{role}.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return read_texts(path, role)


GOLD = [Passage("one"), Passage("two", "g2")]


@pytest.mark.parametrize(
    "row",
    [
        {"id": "q", "gold": ["one", {"id": "g2", "text": "two"}]},
        {"_id": "q", "golds": ["one", {"_id": "g2", "content": "two", "title": "t"}]},
        {"id": "q", "user_input": "?", "reference_contexts": ["one", {"id": "g2", "text": "two"}]},
        {
            "query_id": "q",
            "actual_docs": [
                {"page_content": "one", "metadata": {"source": "x"}, "type": "Document"},
                {"id": "g2", "page_content": "two", "metadata": {}},
            ],
        },
        {"qid": "q", "actual": ["one", {"doc_id": "g2", "contents": "two"}]},
    ],
    ids=["ours", "other names", "ragas", "Krag", "AutoRAG"],
)
def test_gold_texts(tmp_path: Path, row: Any) -> None:
    assert read(tmp_path, "gold", row).passages == {"q": GOLD}


@pytest.mark.parametrize(
    "name", ["retrieved", "retrieved_contexts", "predicted_docs", "predicted", "contexts"]
)
def test_retrieved_texts(tmp_path: Path, name: str) -> None:
    row = {"id": "q", "gold": ["x"], name: ["one", {"id": "g2", "text": "two"}]}
    assert read(tmp_path, "retrieved", row).passages == {"q": GOLD}


def test_rows_of_run_retriever(tmp_path: Path) -> None:
    """With scores, with ranks alone, and with a text that the retriever did not give."""
    rows = [
        Record("q1", ["a", "b"], [2.0, 1.0], texts=["one", None]).line().decode().strip(),
        Record("q2", ["a"], texts=["one"], latencies_ms=[1.5]).line().decode().strip(),
        Record("q3", [], texts=[], error="timeout").line().decode().strip(),
    ]
    assert read(tmp_path, "retrieved", *rows).passages == {
        "q1": [Passage("one", "a"), Passage("", "b")],
        "q2": [Passage("one", "a")],
        "q3": [],
    }


def test_a_run_without_texts_says_how_to_keep_them(tmp_path: Path) -> None:
    row = Record("q1", ["a"], [2.0]).line().decode().strip()
    with pytest.raises(FormatError) as raised:
        read(tmp_path, "retrieved", row)
    assert str(raised.value) == (
        f"{tmp_path}/retrieved.jsonl:1: query 'q1' has no 'retrieved'; retrieved texts are "
        '{"id": "q1", "retrieved": ["the best", ...]}, which ragstone run-retriever --keep-text '
        "writes"
    )


def test_rows_without_ids_are_known_by_their_place(tmp_path: Path) -> None:
    """As in files of ragas."""
    rows = [{"user_input": "?", "reference_contexts": [str(place)]} for place in range(11)]
    found = read(tmp_path, "gold", *rows)
    assert list(found.passages)[:2] == ["00", "01"]
    assert found.passages["10"] == [Passage("10")]
    assert dict(found.facts) == {}


def test_a_row_without_an_id_among_others_is_skipped_and_counted(tmp_path: Path) -> None:
    rows = [{"id": "q", "gold": ["a"]}, {"gold": ["b"]}, {"id": None, "gold": ["c"]}]
    found = read(tmp_path, "gold", *rows)
    assert (found.passages, dict(found.facts)) == (
        {"q": [Passage("a")]},
        {"skipped_query_rows": 2},
    )
    rows = [{"id": "q", "retrieved": ["a"]}, {"retrieved": ["b"]}]
    assert dict(read(tmp_path, "retrieved", *rows).facts) == {"skipped_retrieved_rows": 1}


@pytest.mark.parametrize(
    ("scores", "rising"),
    [([0.9, 0.1], 0), ([1, 1], 0), ([0.1, 0.9], 1), ([3, None, 4], 1), ([None, None], 0)],
)
def test_scores_that_rise_down_the_list_are_counted(
    tmp_path: Path, scores: list[float | None], rising: int
) -> None:
    """The list is the ranking; whoever listed distances, or did not sort, is told."""
    texts = [{"text": f"t{place}", "score": score} for place, score in enumerate(scores)]
    found = read(tmp_path, "retrieved", {"id": "q", "retrieved": [*texts, "no score"]})
    assert [each.text for each in found.passages["q"]] == [each["text"] for each in texts] + [
        "no score"
    ]
    assert found.facts.get("queries_with_rising_scores", 0) == rising


def test_integer_ids_and_empty_lists(tmp_path: Path) -> None:
    rows = [{"id": 7, "gold": []}, {"id": "8", "gold": None}, {"id": 9, "gold": [{"text": None}]}]
    assert read(tmp_path, "gold", *rows).passages == {"7": [], "8": [], "9": [Passage("")]}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "q"}, "query 'q' has no 'gold'; gold texts are "),
        ({"text": "x"}, "the row has no 'gold'; gold texts are "),
        ({"id": "q", "gold": "a text"}, "has 'a text' as 'gold'; a list of texts was expected"),
        ({"id": "q", "gold": {"a": 1}}, "has an object as 'gold'; a list of texts was expected"),
        ({"id": "q", "gold": ["a", 7]}, r"has 7 as gold\[2\]; a text or an object with 'text'"),
        ({"id": "q", "gold": [["a"]]}, r"has an array as gold\[1\]"),
        ({"id": "q", "gold": [{"id": "a"}]}, r"has no text in gold\[1\]; one of 'text', 'page_c"),
        ({"id": "q", "gold": [{"text": 1}]}, r"has 1 as the text of gold\[1\]; a string was exp"),
        ({"id": "q", "gold": [{"text": "a", "id": 1.5}]}, r"has 1.5 as the id of gold\[1\]"),
        ({"id": "q", "gold": ["\ud800"]}, r"has half of a surrogate pair in gold\[1\]"),
        (
            {"id": "q", "gold": ["a"], "reference_contexts": ["b"]},
            "has both 'gold' and 'reference_contexts'; use one of them",
        ),
        ({"query_id": 1.5, "gold": ["a"]}, "has 1.5 as a query id"),
        ("[]", "one object per line"),
        ('{"id": "q", "gold": ["a"], "gold": ["b"]}', "the key 'gold' stands twice"),
    ],
)
def test_what_cannot_be(tmp_path: Path, row: Any, message: str) -> None:
    line = row if isinstance(row, str) else json.dumps(row)
    with pytest.raises(FormatError, match=message) as raised:
        read(tmp_path, "gold", line)
    assert str(raised.value).startswith(f"{tmp_path}/gold.jsonl:1: ")


def test_a_query_twice(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r":2: query 'q' has two rows, the first at line 1"):
        read(tmp_path, "gold", {"id": "q", "gold": ["a"]}, {"id": "q", "gold": ["b"]})


def test_a_file_without_a_row(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="the file has no row; one JSON object a query was exp"):
        read(tmp_path, "gold", "# a comment")
