"""No bytes end in a traceback: what is not read or scored is an InputError with a short message."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragstone.errors import InputError
from ragstone.formats import Source, open_run, read_qrels, read_run, source

Make = Callable[..., Source]

QRELS = [
    b"q1 0 a 1\nq1 0 b 0\n# note\nq2\t0\ta\t2.0\n",
    b"query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb c\t0\r\n",
    b'{"id": "q1", "relevant_ids": ["a", 7, null]}\n{"_id": 2, "relevance": {"a": 1, "b": -1}}\n',
]
RUNS = [
    b"q1 Q0 a 1 2.5 t\nq1 Q0 b 2 -1e-3 t\nq2 Q0 a 1 1 t\n",
    "q1\tQ0\t줄\t1\t2.5\tt\r\n# x\nq2\tQ0\ta\t1\t1\tt".encode(),
    b'{"id": "q1", "retrieved_ids": ["a", "b", "a"]}\n{"id": 2, "retrieved_ids": null}\n',
    b'{"id": "q1", "results": [{"id": "a", "score": 1}, {"_id": 3, "score": 0.5}]}\n',
]
ALL = ["P@5", "R", "F1", "nDCG", "AP", "RR", "Rprec", "Bpref", "infAP", "IPrec@0.5", "ERR", "RBP"]
SPLICES = [b"", b"\n", b"\r", b" ", b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"#"]
SPLICES += [b"nan", b"1e999", b"-", b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\ud800", b"\\"]
SPLICES += [b"NaN", b"true", b"null", b"9" * 5000, b"[" * 2000, b'{"a":' * 2000, b"\x1f\x8b", b"q1"]
SPLICES += ["\u2028".encode(), "\u0085".encode(), b"\x1c", b"\xed\xa0\x80", b"\xc0\x80", b"0,9"]


@st.composite
def damaged(draw: st.DrawFn, files: list[bytes]) -> bytes:
    """Take good bytes and cut, splice, double and pack them."""
    data = draw(st.sampled_from(files))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(data)))
        end = place + draw(st.integers(0, 8))
        data = data[:place] + draw(st.sampled_from(SPLICES)) + data[end:]
    if draw(st.booleans()):
        data += draw(st.sampled_from(files))
    if draw(st.integers(0, 5)) == 0:
        data = gzip.compress(data)
        data = data[: draw(st.integers(0, len(data)))]
    return data


def attempt(function: Callable[[], object]) -> None:
    try:
        function()
    except InputError as error:
        text = str(error)
        assert text
        assert len(text) < 600
        text.encode()  # no half of a surrogate pair, which could not be printed


def read_and_score(make: Make, qrels: bytes, run: bytes) -> None:
    from ragstone.scoring import score

    judged, results = make(qrels, "qrels"), make(run, "run")
    for name in ("auto", "trec", "beir", "jsonl"):
        attempt(lambda name=name: read_qrels(judged, name))  # type: ignore[misc]
    for name in ("auto", "trec", "jsonl"):
        attempt(lambda name=name: read_run(results, name))  # type: ignore[misc]
        attempt(lambda name=name: score(read_qrels(judged), open_run(results, name), ALL))  # type: ignore[misc]
        attempt(lambda name=name: score({"q1": ["a"]}, open_run(results, name), "AP"))  # type: ignore[misc]


def fuzz(make: Make, qrels: bytes, run: bytes, block: int) -> None:
    with mock.patch.object(source, "BLOCK", block):
        read_and_score(make, qrels, run)


blocks = st.sampled_from([16, 64, 2**18])
bytes_of_any_kind = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from(SPLICES), max_size=8).map(b"".join),
    st.text(max_size=30).map(str.encode),
)


@settings(max_examples=150)
@given(qrels=damaged([*QRELS, *RUNS]), run=damaged([*RUNS, *QRELS]), block=blocks)
@example(qrels=QRELS[0], run=b'{"id": "\\ud800", "retrieved_ids": ["\\udfff"]}', block=64)
@example(qrels=b'{"id": "q", "relevance": {"\\ud800": 1}}', run=RUNS[0], block=64)
@example(qrels=b'{"id": "q", "relevance": {"a": "' + b"9" * 9999 + b'"}}', run=RUNS[0], block=64)
@example(qrels=b"q1 0 a " + b"9" * 9999, run=b"q1 Q0 a 1 " + b"9" * 9999 + b"x t", block=64)
@example(qrels=b"q1 0 a 999999999", run=RUNS[0], block=64)
@example(qrels=b"a" * 9999 + b" 0 b 1\n" * 2, run=b"a" * 9999 + b" Q0 b 1 1 t\n" * 2, block=64)
def test_damaged_files(source_of: Make, qrels: bytes, run: bytes, block: int) -> None:
    fuzz(source_of, qrels, run, block)


@settings(max_examples=50)
@given(qrels=bytes_of_any_kind, run=bytes_of_any_kind, block=blocks)
def test_any_bytes(source_of: Make, qrels: bytes, run: bytes, block: int) -> None:
    fuzz(source_of, qrels, run, block)


@pytest.mark.slow
@settings(max_examples=1500)
@given(
    qrels=st.one_of(damaged([*QRELS, *RUNS]), bytes_of_any_kind),
    run=st.one_of(damaged([*RUNS, *QRELS]), bytes_of_any_kind),
    block=blocks,
)
def test_many(source_of: Make, qrels: bytes, run: bytes, block: int) -> None:
    fuzz(source_of, qrels, run, block)


def test_the_files_that_are_damaged_are_good(source_of: Make) -> None:
    for data in QRELS:
        assert read_qrels(source_of(data)).grades
    for data in RUNS:
        assert read_run(source_of(data)).rankings


@pytest.mark.parametrize(
    "text", ["9" * 300_000, "9" * 300_000 + "x", "0" * 300_000 + ",9", "." * 9]
)
def test_a_long_number_takes_no_longer_than_its_length(source_of: Make, text: str) -> None:
    """A pattern that tries every split of the digits would take an hour."""
    attempt(lambda: read_qrels(source_of(f"q1 0 a {text}\n".encode())))
    attempt(lambda: read_run(source_of(f"q1 Q0 a 1 {text} t\n".encode())))
    attempt(
        lambda: read_qrels(source_of(f'{{"id": "q", "relevance": {{"a": "{text}"}}}}'.encode()))
    )
    attempt(lambda: read_qrels(source_of(f'{{"id": "q", "relevance": {{"a": {text}}}}}'.encode())))
