"""A corpus written without some documents: bytes as they are, whole or not at all."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from corpora import FORMS, ROWS, WANTED, documents, json_lines
from ragstone.cli.output import write_data
from ragstone.errors import InputError, UsageError
from ragstone.formats.corpus import Corpus, check_name, parquet, without
from ragstone.formats.corpus.writing import OTHERS

REMOVED = {str(number) for number in range(100) if number % 4 == 0}
KEPT = [pair for pair in WANTED if pair[0] not in REMOVED]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.parquet"])
def test_every_form_to_every_form(forms: Path, form: str, name: str, tmp_path: Path) -> None:
    out = str(tmp_path / name)
    for _ in range(2):
        write_data(without(Corpus(f"{forms}/{form}"), REMOVED, out), out)
    assert documents(Corpus(out)) == KEPT


def test_rows_stay_as_they_are_byte_for_byte(tmp_path: Path) -> None:
    lines = [
        b'{"_id" : "1",  "text":"caf\\u00e9", "x": 1.50}\n',
        b"# a comment\n",
        b'{"id": 2, "text": "b"}\r\n',
        b"\n",
        b'  {"text": "c", "id": "3", "big": 123456789012345678901234567890}\n',
        b'{"id": "4", "text": "d"}',
    ]
    (tmp_path / "f.jsonl").write_bytes(b"\xef\xbb\xbf" + b"".join(lines))
    found = b"".join(without(Corpus(tmp_path / "f.jsonl"), {"2"}, "out.jsonl"))
    assert found == lines[0] + lines[4] + lines[5] + b"\n"
    found = b"".join(without(Corpus(tmp_path / "f.jsonl"), set(), "out.jsonl"))
    assert found == lines[0] + lines[2] + lines[4] + lines[5] + b"\n"


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst", "a.parquet"])
def test_the_same_documents_give_the_same_bytes(forms: Path, tmp_path: Path, name: str) -> None:
    for folder in ("one", "two"):
        out = str(tmp_path / folder / name)
        write_data(without(Corpus(forms / "plain.jsonl"), REMOVED, out), out)
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_packed_as_the_name_says(forms: Path, tmp_path: Path) -> None:
    kept = b"".join(without(Corpus(forms / "plain.jsonl"), REMOVED, "x"))
    for suffix in (".gz", ".zst"):
        out = str(tmp_path / f"a.jsonl{suffix}")
        write_data(without(Corpus(forms / "plain.jsonl"), REMOVED, out), out)
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == kept
    with zstandard.open(tmp_path / "a.jsonl.zst") as file:
        assert file.read() == kept


def test_parquet_keeps_every_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parquet, "ROW_GROUP", 4000)
    table = pa.table(
        {
            "score": [n / 7 for n in range(300)],
            "id": list(range(300)),
            "text": pa.array([f"text {n}" for n in range(300)]).dictionary_encode(),
            "tags": [["a"] * (n % 3) for n in range(300)],
        }
    ).replace_schema_metadata({"made": "by hand"})
    pq.write_table(table, "f.parquet", row_group_size=70)
    table = pq.read_table("f.parquet")
    write_data(without(Corpus("f.parquet"), {"3", "299"}, "out.parquet"), "out.parquet")
    found = pq.read_table("out.parquet")
    assert found.num_rows == 298
    assert found.schema.equals(table.schema, check_metadata=True)
    assert found.equals(table.filter(pa.array([n not in {3, 299} for n in range(300)])))
    assert pq.ParquetFile("out.parquet").num_row_groups > 1


def test_nothing_left_is_a_file_without_rows(forms: Path, tmp_path: Path) -> None:
    everything = {row["_id"] for row in ROWS}
    for name in ("a.jsonl", "a.parquet"):
        out = str(tmp_path / name)
        write_data(without(Corpus(forms / "columns.parquet"), everything, out), out)
    assert (tmp_path / "a.jsonl").read_bytes() == b""
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0


def test_text_files_become_rows(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_bytes(b"one\r\ntwo")
    (tmp_path / "docs" / "b.md").write_bytes("é".encode())
    (line,) = without(Corpus(tmp_path / "docs"), {"b.md"}, "out.jsonl")
    assert json.loads(line) == {"_id": "a.txt", "text": "one\ntwo"}


OTHER_NAMES = [f"{kind}{packed}" for kind in (*OTHERS, ".CSV") for packed in ("", ".gz", ".zst")]


@pytest.mark.parametrize("kind", [*OTHER_NAMES, ".parquet.gz"])
def test_a_name_of_another_format_is_refused(kind: str) -> None:
    with pytest.raises(UsageError, match=r"name a \.jsonl, \.jsonl\.gz, \.jsonl\.zst or"):
        check_name(f"out{kind}")


@pytest.mark.parametrize("name", ["out", "out.gz", "a.csv/out.jsonl", "out.parquet", "out.v1.0"])
def test_a_name_that_promises_nothing_else_is_taken(name: str) -> None:
    check_name(name)


def test_a_part_of_a_corpus_is_not_written(forms: Path) -> None:
    with pytest.raises(UsageError, match="only the first 5 documents are read"):
        without(Corpus(forms / "plain.jsonl", max_records=5), set(), "out.jsonl")


LIMITED = """
import resource, sys
from ragstone.cli.output import write_data
from ragstone.errors import InputError
from ragstone.formats.corpus import Corpus, without
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
out = sys.argv[2]
try:
    write_data(without(Corpus(sys.argv[1]), set(), out), out)
except InputError as error:
    print(error)
    sys.exit(error.exit_code)
"""


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.parquet"])
def test_a_disk_that_fills_up_leaves_nothing(tmp_path: Path, name: str) -> None:
    import random

    rows = [
        {"id": number, "text": random.Random(number).randbytes(600).hex()} for number in range(2000)
    ]
    (tmp_path / "f.jsonl").write_bytes(json_lines(rows))
    out = tmp_path / "new" / name
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / "f.jsonl"), str(out)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert done.stdout.startswith(f"{out}: cannot be written: File too large; ")
    assert [path.name for path in tmp_path.iterdir()] == ["f.jsonl"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 100_000


def test_a_fault_behind_rows_that_were_written_leaves_nothing(tmp_path: Path) -> None:
    good = json_lines([{"id": number, "text": "a" * 99} for number in range(3000)])
    (tmp_path / "f.jsonl").write_bytes(good + b"{}\n")
    out = str(tmp_path / "out.jsonl")
    with pytest.raises(InputError, match=r"f\.jsonl:3001: a document without an id"):
        write_data(without(Corpus(tmp_path / "f.jsonl"), set(), out), out)
    assert [path.name for path in tmp_path.iterdir()] == ["f.jsonl"]
