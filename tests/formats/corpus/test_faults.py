"""What is wrong with a corpus is said with its file and its line."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from corpora import documents, json_lines
from ragstone.errors import ExitCode, FormatError, InputError, MissingExtraError
from ragstone.formats import Source, stream_documents
from ragstone.formats.corpus import Corpus

Write = Callable[..., str]

GOOD = b'{"_id":"d0","text":"a"}\n'


def message(*paths: str | Path) -> str:
    with pytest.raises(InputError) as caught:
        documents(Corpus(paths))
    assert caught.value.exit_code is ExitCode.INPUT
    return str(caught.value)


# ---- lines ---------------------------------------------------------------------------------------

PACKS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
}
LINES: dict[bytes, str] = {
    b'{"_id":"d1","te': "JSON that does not end on its line; one object a line was expected",
    b'{"_id":"d1",\n"text":"a"}': "JSON that does not end on its line; one object a line was",
    b'{"_id":"d1"} {"_id":"d2"}': "not JSON (Extra data): ",
    b'["d1"]': "JSON array; expected one object per line (JSON lines)",
    b"7": "JSON 7; expected one object per line",
    b"d1 text": "not JSON (Expecting value): 'd1 text'",
    b'{"text":"a"}': "a document without an id; 'id' or '_id' was expected",
    b'{"id":null,"text":"a"}': "a document without an id; 'id' or '_id' was expected",
    b'{"id":"","text":"a"}': "document '' has '' as a document id; an id is a string or an integer",
    b'{"id":true,"text":"a"}': "document '' has true as a document id; an id is a string or an",
    b'{"id":1.0,"text":"a"}': "document '' has 1.0 as a document id; an id is a string or an",
    b'{"id":["d1"],"text":"a"}': "document '' has an array as a document id; an id is a string",
    b'{"id":"a\\tb","text":"a"}': "document '' has 'a\\tb' as a document id; an id has no tab",
    b'{"id":"\\ud800","text":"a"}': "document '' has '\\ud800' as a document id; an id has no",
    b'{"id":"d1","_id":"d2","text":"a"}': "document '' has an 'id' 'd1' and an '_id' 'd2'; use one",
    b'{"id":"d1","text":7}': "document 'd1' has 7 as its 'text'; a string was expected",
    b'{"id":"d1","text":["a"]}': "document 'd1' has an array as its 'text'; a string was expected",
    b'{"id":"d1","title":{},"text":"a"}': "document 'd1' has an object as its 'title'; a string",
    b'{"id":"d1","text":"\\udc00"}': "document 'd1' has half of a surrogate pair in its 'text'",
    b'{"id":"d1","title":"\\ud83d","text":"a"}': "document 'd1' has half of a surrogate pair in",
    b'{"id":"d1","text":"a","text":"b"}': "the key 'text' stands twice in one JSON object",
    b'{"id":"d1","id":"d2","text":"a"}': "the key 'id' stands twice in one JSON object",
    b'{"_id":"d1","title":"a","title" : "b"}': "the key 'title' stands twice in one JSON object",
    b'{"id":"d1","text":"a","x":NaN}': "NaN is not JSON and not a finite number",
    b'{"id":"d1","text":"\xed\x95"}': "not UTF-8: byte 0xed; save the file as UTF-8",
    b'{"id":"d1","text":"a","skipped":"\xb0\xa1"}': "not UTF-8: byte 0xb0; save the file as UTF-8",
    b'{"id":"d1","text":"\xed\xa0\x80"}': "not UTF-8: byte 0xed; save the file as UTF-8",
    b'{"id":"d1","x":' + b"[" * 5000 + b"]" * 5000 + b"}": "JSON that is nested too deep to read",
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:30].decode("ascii", "replace"))
@pytest.mark.parametrize("packing", PACKS)
def test_a_line_that_is_wrong(write: Write, line: bytes, packing: str) -> None:
    data = GOOD + b"\n# a comment\n" + line + b"\n" + GOOD
    pack: Callable[[bytes], bytes] = PACKS[packing]
    said = message(write(pack(data), "f.jsonl"))
    assert said.startswith(f"f.jsonl:4: {LINES[line]}")


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:30].decode("ascii", "replace"))
def test_the_line_is_right_in_a_part_too(write: Write, line: bytes) -> None:
    rows = json_lines([{"id": f"r{number}", "text": "a" * 40} for number in range(60)])
    corpus = Corpus(write(rows + line + b"\n", "f.jsonl"))
    parts = corpus.parts(4)
    assert len(parts) > 1
    with pytest.raises(FormatError) as caught:
        documents(corpus, parts[-1])
    assert str(caught.value).startswith(f"f.jsonl:61: {LINES[line]}")


def test_a_corpus_cut_in_the_middle_of_its_last_line(write: Write) -> None:
    data = json_lines([{"id": number, "text": "word " * 9} for number in range(9)])
    for cut in range(len(data) - 40, len(data) - 2):
        said = message(write(data[:cut], "f.jsonl"))
        assert said == (
            "f.jsonl:9: JSON that does not end on its line; one object a line was expected"
        )
    assert len(documents(Corpus(write(data[:-1], "f.jsonl")))) == 9


SCRAPS = [b'"', b"{", b"}", b",", b":", b"\n", b" ", b"\\", b"\xff", b"\xc3", b"1", b'"id"', b"\r"]
ROW = b'{"_id": "d1", "title": "T\\u00e9", "text": "caf\xc3\xa9", "m": {"text": [1, null]}}\n'


@given(
    cuts=st.lists(st.tuples(st.integers(0, 170), st.sampled_from(SCRAPS)), max_size=3),
    drop=st.integers(0, 4),
)
def test_damaged_rows_are_read_as_the_strict_reader_reads_them(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[tuple[int, bytes]], drop: int
) -> None:
    data = ROW + ROW.replace(b"d1", b"d2")
    for place, scrap in cuts:
        data = data[:place] + scrap + data[place + drop :]
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    path.write_bytes(data)

    source = Source(path)

    def strict() -> list[tuple[str, str]]:
        return [
            (doc, f"{title}\n{text}" if title else text)
            for _, doc, title, text in stream_documents(source)
        ]

    def outcome(read: Callable[[], list[tuple[str, str]]]) -> list[tuple[str, str]] | str:
        try:
            return read()
        except FormatError as error:
            return str(error)

    def utf8() -> list[tuple[str, str]]:  # counts wherever it stands, also where nobody reads
        for block in source.blocks():
            block.data.decode()
        return []

    wanted = outcome(strict)
    errors = [each for each in (wanted, outcome(utf8)) if isinstance(each, str)]
    found = outcome(lambda: documents(Corpus(path)))
    if errors:
        assert found in errors  # which of two faults is said first is not fixed
    elif isinstance(found, str):  # what only a whole corpus can have
        assert "has two rows" in found or "has no document" in found or "has no text" in found
    else:
        assert found == wanted


# ---- packed data ---------------------------------------------------------------------------------

ROWS = json_lines([{"id": number, "text": f"text {number}"} for number in range(40)])


@pytest.mark.parametrize("name", ["gzip", "Zstandard"])
def test_packed_data_that_is_cut_off(write: Write, name: str) -> None:
    pack = gzip.compress if name == "gzip" else zstandard.compress
    packed = pack(ROWS)
    for data in (packed, packed + packed):
        for cut in (*range(len(packed) - 40, len(packed)), *range(5, 20)):
            whole = data[: len(data) - len(packed) + cut]
            said = message(write(whole, "f.jsonl"))
            assert said.startswith(f"f.jsonl: the {name} data is damaged or cut off (")
            assert said.endswith("); make the file again")


@pytest.mark.parametrize("name", ["gzip", "Zstandard"])
def test_packed_data_that_is_damaged(write: Write, name: str) -> None:
    pack = (
        gzip.compress if name == "gzip" else zstandard.ZstdCompressor(write_checksum=True).compress
    )
    body = bytearray(pack(ROWS))
    body[len(body) // 2] ^= 0xFF
    said = message(write(bytes(body), "f.jsonl"))
    assert said.startswith(f"f.jsonl: the {name} data is damaged or cut off (")
    assert "damaged" in message(write(pack(ROWS) + b"garbage", "f.jsonl"))


def test_an_error_within_packed_data_has_its_line(write: Write) -> None:
    data = ROWS + b"{}\n"
    for packed in (
        gzip.compress(data),
        zstandard.compress(data[:99]) + zstandard.compress(data[99:]),
    ):
        assert message(write(packed, "f")).startswith("f:41: a document without an id; ")


# ---- paths ---------------------------------------------------------------------------------------


def test_paths_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "image.png").write_bytes(b"\x89PNG")
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "a.jsonl").write_bytes(GOOD)
    (tmp_path / "both" / "b.md").write_bytes(b"text")
    (tmp_path / "one.jsonl").write_bytes(GOOD)
    assert message("missing.jsonl") == "missing.jsonl: no such file"
    assert message("missing/*.jsonl") == "missing/*.jsonl: no file matches this pattern"
    assert message("em*") == "em*: no file matches this pattern"  # a folder is no file
    assert message("a\0b") == "a\0b: no such file"
    assert message("a\0*") == "a\0*: no such file"
    assert message("").startswith("the name of an input file is empty")
    assert message() == "a corpus without a path; a file, a folder or a pattern was expected"
    assert message("empty") == (
        "empty: has no corpus.jsonl in it, no other .jsonl or .parquet file, "
        "and no .txt or .md file"
    )
    assert message("both") == (
        "both: has data files (a.jsonl) and text files (b.md) in it; "
        "name the ones to read by a pattern, as 'both/**/*.jsonl'"
    )
    said = message("one.jsonl", "./one.jsonl")
    assert said == "./one.jsonl: is given twice, also as one.jsonl; give it once"


def test_a_name_with_a_wildcard_that_is_there_is_a_file(write: Write) -> None:
    assert documents(Corpus(write(GOOD, "a[1].jsonl"))) == [("d0", "a")]


# ---- text files ----------------------------------------------------------------------------------


def test_text_files(tmp_path: Path) -> None:
    files = {
        "b.txt": b"\xef\xbb\xbfone\r\ntwo\n",
        "B.TXT": b"upper",
        "a/z.md": b"# zed",
        "a.txt": b"a",
        "a/.hidden.md": b"no",
        ".git/x.txt": b"no",
        "a/picture.png": b"\xff",
        "empty.txt": b"",
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    wanted = [
        ("B.TXT", "upper"),
        ("a.txt", "a"),
        ("a/z.md", "# zed"),
        ("b.txt", "one\ntwo\n"),
        ("empty.txt", ""),
    ]
    assert documents(Corpus(tmp_path)) == wanted
    assert documents(Corpus(f"{tmp_path}/**/*.md")) == [wanted[2]]
    assert documents(Corpus(f"{tmp_path}/a*")) == [wanted[1]]
    assert documents(Corpus(tmp_path / "b.txt")) == [(str(tmp_path / "b.txt"), "one\ntwo\n")]


def test_a_folder_that_spark_wrote(tmp_path: Path) -> None:
    name = "part-0000{}-ab3d5a7e-1b2c-4000-8000-00000000000{}-c000"
    (tmp_path / f"{name.format(0, 1)}.txt").write_bytes(GOOD)
    (tmp_path / f"{name.format(1, 1)}.txt.gz").write_bytes(gzip.compress(GOOD.replace(b"0", b"1")))
    (tmp_path / "_SUCCESS").write_bytes(b"")
    (tmp_path / "._SUCCESS.crc").write_bytes(b"crc")
    assert documents(Corpus(tmp_path)) == [("d0", "a"), ("d1", "a")]
    assert documents(Corpus(f"{tmp_path}/*.txt")) == [("d0", "a")]


def test_text_files_that_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_bytes(b"good\nline \xff\n")
    assert message("docs") == "docs/a.txt:2: not UTF-8: byte 0xff; save the file as UTF-8"
    (tmp_path / "docs" / "a.txt").unlink()
    (tmp_path / "docs" / "b.txt").symlink_to("nowhere")
    assert message("docs") == "docs/b.txt: no such file"
    (tmp_path / "docs" / "b.txt").unlink()
    (tmp_path / "docs" / "a\tb.txt").write_bytes(b"a")
    assert message("docs").startswith(
        "'docs/a\\tb.txt': a text file's path is its id, and this one"
    )


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    def refuse(path: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "a.txt").write_bytes(b"a")
    monkeypatch.setattr(os, "scandir", refuse)
    assert message(tmp_path) == f"{tmp_path}: cannot be read (Permission denied)"


# ---- Parquet -------------------------------------------------------------------------------------


def parquet(path: str, **columns: Any) -> str:
    pq.write_table(pa.table(columns), path)
    return path


def test_columns_of_other_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = documents(
        Corpus(
            parquet(
                "f.parquet",
                id=pa.array([3, 4, 5]),
                text=pa.array(["a", None, "a"]).dictionary_encode(),
                title=pa.array([None, "T", ""], pa.large_string()),
                extra=[1.5, None, 2.0],
            )
        )
    )
    assert found == [("3", "a"), ("4", "T\n"), ("5", "a")]
    both = parquet("g.parquet", id=["a", None], _id=["a", "b"], text=["x", "y"])
    assert documents(Corpus(both)) == [("a", "x"), ("b", "y")]


def test_columns_that_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = ["a", "b", "c"]
    faults: list[tuple[dict[str, Any], str]] = [
        ({"id": texts, "body": texts}, "f: has no column 'text'; its columns are 'id', 'body'"),
        ({"doc": texts, "text": texts}, "f: has no column 'id' or '_id'; its columns are 'doc', "),
        ({"id": texts, "text": [1, 2, 3]}, "f: has int64 in the column 'text'; strings were exp"),
        ({"id": [0.5] * 3, "text": texts}, "f: has double in the column 'id'; strings or integ"),
        (
            {"id": texts, "text": texts, "title": [["a"]] * 3},
            "f: has list<element: string> in the column 'title'; strings were expected",
        ),
        ({"id": ["a", None, "c"], "text": texts}, "f:2: a document without an id; 'id' or '_id'"),
        ({"id": ["a", "b", ""], "text": texts}, "f:3: document '' has '' as a document id; an"),
        (
            {"id": ["a", "b", "a"], "text": texts},
            "f:3: document 'a' has two rows, the first at f:1",
        ),
        ({"id": texts, "_id": ["a", "x", "c"], "text": texts}, "f:2: document '' has an 'id' 'b'"),
        ({"id": texts, "text": [None, " ", ""]}, "f: none of its 3 documents has a text; 'title'"),
        ({"id": [], "text": pa.array([], pa.string())}, "f: has "),
    ]
    for columns, said in faults:
        assert message(parquet("f", **columns)).startswith(said)


def test_the_row_of_parquet_is_right_in_a_part_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = pa.table({"id": ["a", "b", "c", "d", None, "f"], "text": ["x"] * 6})
    pq.write_table(table, "f.parquet", row_group_size=2)
    corpus = Corpus("f.parquet")
    parts = corpus.parts(3)
    assert len(parts) == 3
    with pytest.raises(FormatError, match=r"^f\.parquet:5: a document without an id"):
        documents(corpus, parts[-1])


def test_parquet_text_that_is_not_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bad = pa.array([b"good", b"\xff\xfe", b"good"]).cast(pa.string(), safe=False)
    path = parquet("f.parquet", id=["a", "b", "c"], text=bad)
    assert message(path) == "f.parquet:2: the column 'text' is not UTF-8"


def test_parquet_that_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parquet("f", id=[str(n) for n in range(500)], text=[f"text {n}" for n in range(500)])
    data = Path("f").read_bytes()
    broken = data[: len(data) // 4] + b"\x00\xff" * 40 + data[len(data) // 4 + 80 :]
    for changed in (data[:-1], data[:100], data[:4], broken):
        Path("f").write_bytes(changed)
        said = message("f")
        assert said.startswith("f: the Parquet data is damaged or cut off (")
        assert said.endswith("); make the file again")
        assert "\n" not in said


# ---- extras --------------------------------------------------------------------------------------


def test_what_is_not_installed_is_named(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packed = write(zstandard.compress(GOOD), "f.zst")
    columns = parquet("f.parquet", id=["a"], text=["b"])
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'pip install "ragstone\[zstd\]"'):
        documents(Corpus(packed))
    with pytest.raises(MissingExtraError, match=r'pip install "ragstone\[parquet\]"'):
        documents(Corpus(columns))
    assert json.loads(GOOD)["text"] == "a"
