"""Queries and documents in JSON lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import FormatError, InputError
from ragstone.formats import Source, read_queries, stream_documents, stream_queries
from ragstone.formats.texts import in_folder

Make = Callable[..., Source]
Write = Callable[..., str]


def rows(*objects: object) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in objects).encode()


def test_queries_under_beirs_names_and_plain_ones(source_of: Make) -> None:
    found = read_queries(
        source_of(
            rows(
                {"_id": "2", "text": "a b", "metadata": {}},
                {"id": 1, "query": " c "},
                {"id": "x", "_id": "x", "question": "질문 \U0001f600"},
                {"id": "y", "text": None, "query": "d", "relevant_ids": ["z"]},
                {"id": "z", "text": "first", "query": "second"},
            )
        )
    )
    assert list(found.items()) == [
        ("2", "a b"),
        ("1", " c "),
        ("x", "질문 \U0001f600"),
        ("y", "d"),
        ("z", "first"),
    ]


def test_the_field_of_the_text_can_be_named(source_of: Make) -> None:
    source = source_of(rows({"id": "q", "text": "a", "title": "b"}))
    assert read_queries(source, "title") == {"q": "b"}
    with pytest.raises(FormatError) as caught:
        read_queries(source, "body")
    assert str(caught.value) == "f:1: query 'q' has no text in 'body'"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (rows({"id": "q", "text": "a"}, {"id": "q", "text": "a"}), "f:2: query 'q' has two rows"),
        (b'\n# x\n{"id":"q"}\n', "f:3: query 'q' has no text in 'text', 'query' or 'question'"),
        (rows({"id": "q", "text": " \n "}), "f:1: query 'q' has no text in"),
        (rows({"text": "a"}), "f:1: a query without an id; 'id' or '_id' was expected"),
        (rows({"id": None, "text": "a"}), "f:1: a query without an id"),
        (rows({"id": ["q"], "text": "a"}), "f:1: query '' has an array as a query id; an id is"),
        (rows({"id": "q", "_id": "r", "text": "a"}), "f:1: query '' has an 'id' 'q' and an '_id'"),
        (rows({"id": "q", "text": 7}), "f:1: query 'q' has 7 as its 'text'; a string was"),
        (rows({"id": "q", "text": ["a"]}), "f:1: query 'q' has an array as its 'text'"),
        (b'{"id":"q","text":"\\ud800"}', "f:1: query 'q' has half of a surrogate pair in its"),
        (b'{"id":"q","text":"a","text":"b"}', "f:1: the key 'text' stands twice"),
        (b"query-id\tcorpus-id\tscore\n", "f:1: not JSON"),
        (b'[{"id":"q"}]', "f:1: JSON array; expected one object per line"),
        (b"", "f: the file has no query; one JSON object a line was expected"),
    ],
)
def test_queries_that_cannot_be(source_of: Make, data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_queries(source_of(data))
    assert str(caught.value).startswith(message)


def test_a_stream_of_queries_keeps_what_reading_refuses(source_of: Make) -> None:
    source = source_of(rows({"id": "q", "text": ""}, {"id": "q"}, {"id": "r", "text": "a"}))
    assert list(stream_queries(source)) == [(1, "q", ""), (2, "q", ""), (3, "r", "a")]


def test_documents_in_the_order_of_the_file(source_of: Make) -> None:
    data = rows({"_id": "b", "title": "T", "text": "x"}, {"id": 7, "text": "y"}, {"id": "b"})
    wanted = [(1, "b", "T", "x"), (2, "7", "", "y"), (3, "b", "", "")]
    assert list(stream_documents(source_of(data))) == wanted
    assert list(stream_documents(source_of(gzip.compress(data), "f.gz"))) == wanted


def test_documents_are_read_one_by_one(source_of: Make) -> None:
    stream = stream_documents(source_of(rows({"id": "a", "text": "x"}) + b"no json\n"))
    assert next(stream).text == "x"
    with pytest.raises(FormatError, match=r"^f:2: not JSON"):
        next(stream)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "x"}, "f:1: a document without an id"),
        ({"id": "d", "title": 3}, "f:1: document 'd' has 3 as its 'title'; a string was expected"),
        ({"id": "d\t", "text": "x"}, "f:1: document '' has 'd\\t' as a document id; an id has no"),
    ],
)
def test_documents_that_cannot_be(source_of: Make, row: object, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(stream_documents(source_of(rows(row))))
    assert str(caught.value).startswith(message)


def test_a_folder_stands_for_the_file_in_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no corpus\.jsonl in it; a file or a BEIR folder"):
        in_folder(str(tmp_path), "corpus.jsonl")
    packed = tmp_path / "corpus.jsonl.gz"
    packed.write_bytes(gzip.compress(rows({"id": "d", "text": "x"})))
    assert in_folder(str(tmp_path), "corpus.jsonl") == str(packed)
    plain = tmp_path / "corpus.jsonl"
    plain.write_bytes(rows({"id": "d", "text": "x"}))
    assert in_folder(str(tmp_path), "corpus.jsonl") == str(plain)
    assert in_folder(str(plain), "corpus.jsonl") == str(plain)
    assert in_folder("-", "corpus.jsonl") == "-"


ids = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1)
texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(ids, texts.filter(str.strip), min_size=1), st.booleans())
def test_what_is_written_is_read(source_of: Make, queries: dict[str, str], ascii_: bool) -> None:
    lines = [json.dumps({"_id": k, "text": v}, ensure_ascii=ascii_) for k, v in queries.items()]
    source = source_of("\n".join(lines).encode())
    assert read_queries(source) == queries
    assert [each[1:] for each in stream_documents(source)] == [
        (k, "", v) for k, v in queries.items()
    ]
