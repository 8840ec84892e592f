"""A format is told from the first line of data; what is told wrong is said in a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragstone.errors import FormatError, UnknownNameError
from ragstone.formats import QRELS_FORMATS, RUN_FORMATS, Source, open_run, read_qrels, read_run
from ragstone.formats.detection import detect_qrels, detect_run

Make = Callable[..., Source]
Write = Callable[..., str]

QRELS = [
    (b"q1 0 a 1\n", "trec"),
    (b"q1\t0\ta\t1\n", "trec"),
    (b"1200 0 \tb\t1", "trec"),  # two tabs, four columns: a real file
    (b"  3   0  c   1", "trec"),
    (b"q1\ta\t1\n", "beir"),
    (b"query-id\tcorpus-id\tscore\n", "beir"),
    (b"Query_ID\tcorpus-id\tscore\r\n", "beir"),
    (b'{"id": "q1", "relevant_ids": ["a"]}', "jsonl"),
    (b'  {"_id": 1, "relevance": {"a": 1}}', "jsonl"),
    (b"\xef\xbb\xbf# note\n\n \t\nq1 0 a 1\n", "trec"),
    (b"[q] 0 a 1\n", "trec"),
    (b"{q 0 {a} 1\n", "trec"),
    (b"{q}\ta\t1\n", "beir"),
    (b'{"id":\t"q1",\t"relevant_ids": []}', "jsonl"),
    (b"{q: 1}", "jsonl"),  # neither is it
    (b"{'id': 'q1', 'relevant_ids': ['a']}", "jsonl"),
    (b"{}", "jsonl"),
]
RUNS = [
    (b"q1 Q0 a 1 0.5 t\n", "trec"),
    (b"q1\tQ0\ta\t1\t0.5\tt\n", "trec"),
    (b'{"id": "q1", "retrieved_ids": ["a"]}', "jsonl"),
    (b"# note\r\n\r\n[q] Q0 a 1 0.5 t", "trec"),
    (b"{q} Q0 a 1 0.5 t", "trec"),
    (b"{'id': 'q1', 'retrieved_ids': ['a', 'b']}", "jsonl"),  # six columns, but a key
    (b"{", "jsonl"),
]


@pytest.mark.parametrize(("data", "name"), QRELS)
def test_qrels_formats(source_of: Make, data: bytes, name: str) -> None:
    assert detect_qrels(source_of(data)) == name


@pytest.mark.parametrize(("data", "name"), RUNS)
def test_run_formats(source_of: Make, data: bytes, name: str) -> None:
    assert detect_run(source_of(data)) == name


ARRAY = "f:1: JSON array; expected one object per line (JSON lines)"
RUN_EXPECTED = (
    "; expected TREC (6 columns: query Q0 document rank score tag) "
    "or JSON lines, or name the format"
)
EXPECTED = (
    "; expected TREC (4 columns: query 0 document grade), BEIR (3 columns between tabs) "
    "or JSON lines, or name the format"
)
A_RUN, NOT_QRELS = "cannot tell the format of a run from ", "; this looks like a run, not qrels"
SOME_QRELS, NOT_RUN = "cannot tell the format of qrels from ", "; this looks like qrels, not a run"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[\n", ARRAY),
        (b"[]", ARRAY),
        (b'[{"id": "q1", "relevant_ids": ["a"]},\n', ARRAY),  # four columns, as TREC qrels have
        (b'[{"id": "q1", "retrieved_ids": ["a", "b", "c"]}]', ARRAY),  # six, as a run has
        (b'[ "a", "b" ]', ARRAY),
        (b"[[1]]", ARRAY),
    ],
)
def test_an_array_is_named_as_such(source_of: Make, data: bytes, message: str) -> None:
    for detect in (detect_qrels, detect_run):
        with pytest.raises(FormatError) as caught:
            detect(source_of(data))
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"q1 Q0 a 1 0.5 t\n", f"f:1: {SOME_QRELS}'q1 Q0 a 1 0.5 t'{EXPECTED}{NOT_QRELS}"),
        (b"q1 a 1\n", f"f:1: {SOME_QRELS}'q1 a 1'{EXPECTED}"),
        (b"\n#c\nquery-id,corpus-id,score\n", f"f:3: {SOME_QRELS}'query-id,corpus-id,score'"),
        (b"", "f: the file is empty: it has no line of data"),
        (b"#\n", "f: the file is empty: it has no line of data"),
    ],
)
def test_what_is_no_qrels_file(write: Write, data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_qrels(write(data))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"q1 0 a 1\n", f"f:1: {A_RUN}'q1 0 a 1'{RUN_EXPECTED}{NOT_RUN}"),
        (b"q1\ta\t1\n", f"f:1: {A_RUN}'q1\\ta\\t1'{RUN_EXPECTED}{NOT_RUN}"),
        (b"query-id\tcorpus-id\tscore\n", f"f:1: {A_RUN}'query-id\\tcorpus-id\\tscore'"),
        (b"q1 a\n", f"f:1: {A_RUN}'q1 a'{RUN_EXPECTED}"),
        (b"q1\n" + b"x" * 999, f"f:1: {A_RUN}'q1'{RUN_EXPECTED}"),
        (b"x" * 999, f"f:1: {A_RUN}'{'x' * 80}'{RUN_EXPECTED}"),
        (b" \n", "f: the file is empty: it has no line of data"),
    ],
)
def test_what_is_no_run(write: Write, data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        open_run(write(data))
    assert str(caught.value).startswith(message)


SWAPPED = [
    ("trec", b"q1 Q0 a 1 0.5 t\n", b"q1 0 a 1\n"),
    ("jsonl", b'{"id": "q", "retrieved_ids": ["a"]}', b'{"id": "q", "relevant_ids": ["a"]}'),
    ("jsonl", b'{"id": "q", "results": []}', b'{"id": "q", "relevance": {"a": 1}}'),
]


@pytest.mark.parametrize("named", [True, False], ids=["named", "auto"])
@pytest.mark.parametrize(("format_name", "run", "qrels"), SWAPPED)
def test_swapped_files_say_so(
    write: Write, named: bool, format_name: str, run: bytes, qrels: bytes
) -> None:
    """Whether the format was detected or named."""
    with pytest.raises(FormatError, match=r"^f:1: .*; this looks like a run, not qrels$"):
        read_qrels(write(run), format_name if named else "auto")
    with pytest.raises(FormatError, match=r"^f:1: .*; this looks like qrels, not a run$"):
        read_run(write(qrels), format_name if named else "auto")


def test_a_name_that_is_no_format_is_answered_with_the_nearest(write: Write) -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown qrels format .tree.; did you mean trec\?$"
    ):
        read_qrels(write(b"q1 0 a 1\n"), "tree")
    with pytest.raises(UnknownNameError, match="unknown run format 'beir'"):
        open_run(write(b"q1 Q0 a 1 0.5 t\n"), "beir")
    assert list(QRELS_FORMATS) == ["trec", "beir", "jsonl"]
    assert list(RUN_FORMATS) == ["trec", "jsonl"]


def test_a_named_format_is_not_guessed(write: Write) -> None:
    """A TREC query whose name begins like an object can be read by naming the format."""
    assert read_qrels(write(b"{q} 0 a 1\n"), "trec").grades == {"{q}": {"a": 1}}
    assert read_qrels(write(b"q 1\ta b\t1\n"), "beir").grades == {"q 1": {"a b": 1}}
