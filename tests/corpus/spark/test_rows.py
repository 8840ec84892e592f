"""What runs in Spark's Python workers, run here."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.corpus.spark.rows import (
    MODULO,
    Payload,
    counted,
    decode_lines,
    decode_records,
    finding,
    ids_of_rows,
    merged,
    merging,
    reading,
    table,
)
from ragstone.errors import FormatError
from ragstone.formats.corpus import Batch

GOOD = [b'{"id": "a", "text": "one two"}', b'{"id": 2, "title": "T", "text": "three"}']


class Words:
    """A job: counts each word."""

    def start(self) -> dict[str, int]:
        return {}

    def read(self, state: dict[str, int], batch: Batch) -> None:
        for text in batch.texts:
            for word in text.split():
                state[word] = state.get(word, 0) + 1

    def merge(self, state: dict[str, int], other: dict[str, int]) -> None:
        for word, number in other.items():
            state[word] = state.get(word, 0) + number


def lines(*values: bytes | None, **more: Sequence[str]) -> Any:
    columns = {"value": pa.array(values, pa.binary()), **more}
    return pa.RecordBatch.from_pydict(columns)


def payload_of(rows: Iterator[Any]) -> tuple[list[str], Payload]:
    batches = list(rows)
    ids = [doc for batch in batches for doc in batch.column("id").to_pylist() if doc is not None]
    *others, last = [data for batch in batches for data in batch.column("payload").to_pylist()]
    assert others == [None] * len(ids)
    return ids, pickle.loads(last)


def test_a_partition_is_read_to_ids_and_a_payload() -> None:
    rows = reading(Words(), decode_lines, with_content=False)
    ids, found = payload_of(rows(iter([lines(*GOOD), lines(b'{"id":"c","text":""}')])))
    assert ids == ["a", "2", "c"]
    assert found == Payload(3, 1, 0, 0, {"one": 1, "two": 1, "T": 1, "three": 1})
    assert found.census().facts["documents"] == 3


def test_an_empty_partition_has_a_payload() -> None:
    rows = reading(Words(), decode_lines, with_content=True)
    assert payload_of(rows(iter([]))) == ([], Payload(state={}))


def test_lines_that_are_no_rows_are_left_out() -> None:
    records = lines(b"\xef\xbb\xbf" + GOOD[0] + b"\r", b"", b"  ", b"# note", GOOD[1], None)
    assert decode_lines(records).ids == ["a", "2"]
    assert ids_of_rows(records, decode_lines) == ["a", None, None, None, "2", None]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": "x", "text": 7}', "document 'x' has 7 as its 'text'; a string was expected"),
        (b'{"text": "a"}', "a document without an id; 'id' or '_id' was expected"),
        (b'{"id": "x", "text": "a', "JSON that does not end on its line"),
        (b'{"id": "x", "text": "\xff"}', "not UTF-8: byte 0xff; save the file as UTF-8"),
        (b'{"id": "x", "skipped": "\xff"}', "not UTF-8: byte 0xff; save the file as UTF-8"),
        (b'{"id": "x", "id": "y", "text": ""}', "the key 'id' stands twice in one JSON object"),
    ],
)
def test_a_fault_is_a_payload_that_shows_the_row(line: bytes, message: str) -> None:
    rows = reading(Words(), decode_lines, with_content=False)
    _, found = payload_of(rows(iter([lines(*GOOD), lines(line)])))
    assert isinstance(found.fault, FormatError)
    assert str(found.fault).startswith(f"a row that begins {repr(line)[1:]}: {message}")


def test_faults_of_partitions_are_told_in_one_order() -> None:
    faults = [Payload(fault=FormatError(text)) for text in ("b", "a", "c")]
    payloads = [pickle.dumps(each) for each in (Payload(state={}), *faults)]
    for order in (payloads, payloads[::-1]):
        assert str(merged(order, Words()).fault) == "a"


def test_columns_of_parquet() -> None:
    records = pa.RecordBatch.from_pydict(
        {"_id": [1, 2], "title": ["T", None], "text": ["a", None], "path": ["p", "q"]}
    )
    assert decode_records(records) == (["1", "2"], ["T", ""], ["a", ""])
    with pytest.raises(FormatError, match="a row: a document without an id"):
        decode_records(pa.RecordBatch.from_pydict({"id": ["a", None], "text": ["b", "c"]}))


@given(
    texts=st.lists(st.text("ab ", max_size=6), min_size=1, max_size=12),
    cuts=st.lists(st.integers(0, 12), max_size=4),
    few=st.integers(1, 3),
)
def test_partitions_come_together_to_the_whole(texts: list[str], cuts: list[int], few: int) -> None:
    documents = Batch([str(number) for number in range(len(texts))], texts, [])
    rows = [
        f'{{"id":"{doc}","text":"{text}"}}'.encode()
        for doc, text in zip(*documents[:2], strict=True)
    ]
    edges = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    payloads = []
    for start, end in pairwise(edges):
        read = reading(Words(), decode_lines, with_content=True)
        *_, last = read(iter([lines(*rows[start:end])]))
        payloads.append(last)
    merge = merging(Words())
    halfway = [row for place in range(few) for row in merge(iter(payloads[place::few]))]
    found = merged([row.column("payload")[0].as_py() for row in halfway], Words())
    wanted: dict[str, int] = {}
    Words().read(wanted, documents)
    whole = counted(Payload(), documents, with_content=True)
    assert found.state == wanted
    assert (found.documents, found.content) == (len(texts), whole.content)
    assert 0 < found.content < MODULO


def test_the_files_of_an_id() -> None:
    records = lines(*GOOD, b"# note", GOOD[0], path=["p", "q", "r", "s"])
    found = [
        batch.column("path").to_pylist() for batch in finding(decode_lines, "a")(iter([records]))
    ]
    assert found == [["p", "s"]]


def test_the_types_of_a_table() -> None:
    batch = table(digest=[b"a", None], bands=[[1, -2], None], short=[True, None], id=["x", None])
    kinds = {field.name: str(field.type) for field in batch.schema}
    assert kinds == {
        "digest": "binary",
        "bands": "list<item: int64>",
        "short": "bool",
        "id": "string",
    }
