"""Leakage and overlap by Spark on this machine: the results are those of the local engine."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sparks
from commands import child, ragstone
from corpora import documents, json_lines
from planted import Planted, plant
from ragstone.corpus.leakage.check import leakage
from ragstone.corpus.overlap import OverlapSettings, find_overlap
from ragstone.corpus.spark import SparkCorpus, spark_session
from ragstone.corpus.spark.writing import write_without
from ragstone.errors import FormatError, InputError, UsageError
from ragstone.formats.corpus import Corpus

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sparks.has_java, reason="java is not installed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of py4j
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session of two cores, with partitions so small that there are many."""
    told = sparks.variables(
        tmp_path_factory.mktemp("spark"), {"spark.sql.files.maxPartitionBytes": "20000"}
    )
    with mock.patch.dict(os.environ, told), spark_session("local[2]") as opened:
        yield opened


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """The corpora and items."""
    return plant(tmp_path_factory.mktemp("planted"))


# ---- leakage -------------------------------------------------------------------------------------


@pytest.mark.parametrize("told", [{}, {"ignore_common": "2%", "documents": 1, "threshold": 0.3}])
@pytest.mark.parametrize("form", ["shards", "table"])
def test_leakage_is_that_of_the_local_engine(
    session: Any, planted: Planted, form: str, told: dict[str, Any]
) -> None:
    path = getattr(planted, form)
    here = leakage(path, planted.items, **told)
    there = leakage(SparkCorpus(session, path), planted.items, **told)
    assert len(here.leaks) > 20
    assert msgspec.json.encode(there.leaks) == msgspec.json.encode(here.leaks)
    assert (there.scores, there.scores.facts) == (here.scores, here.scores.facts)
    assert (there.fields, there.not_checked) == (here.fields, here.not_checked)


def test_the_reports_of_the_command_are_the_same(session: Any, planted: Planted) -> None:
    folder = planted.shards.parent
    told = ["leakage", "--corpus", "shards", "--items", "items", "--max-leaks", "100%"]
    here = ragstone(*told, cwd=folder)
    there = ragstone(*told, "--engine", "spark", cwd=folder)
    assert there.code == here.code == 0
    assert there.out == here.out


# ---- overlap -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["exact", "minhash"])
@pytest.mark.parametrize("pair", [("shards", "others"), ("others", "table"), ("others",)])
def test_overlap_is_that_of_the_local_engine(
    session: Any, planted: Planted, method: Any, pair: tuple[str, ...]
) -> None:
    paths: list[Path] = [getattr(planted, name) for name in pair]
    told = OverlapSettings(method=method, threshold=0.6)
    a, b = paths[0], paths[1] if len(paths) > 1 else None
    here = find_overlap(Corpus(a), Corpus(b) if b else None, told)
    there = find_overlap(SparkCorpus(session, a), SparkCorpus(session, b) if b else None, told)
    assert len(here.pairs) > 20
    assert there == here
    assert msgspec.json.encode(there.pairs) == msgspec.json.encode(here.pairs)


def test_the_report_of_the_command_is_the_same(session: Any, planted: Planted) -> None:
    told = ["overlap", "--a", "shards", "--b", "b.jsonl", "--method", "minhash"]
    here = ragstone(*told, cwd=planted.shards.parent)
    there = ragstone(*told, "--engine", "spark", cwd=planted.shards.parent)
    assert (there.code, there.out) == (here.code, here.out) == (0, here.out)


def test_what_stays_local(session: Any, planted: Planted) -> None:
    corpus = SparkCorpus(session, planted.others)
    with pytest.raises(UsageError, match="jaccard is not there for Spark; exact and minhash are"):
        find_overlap(corpus, settings=OverlapSettings(method="jaccard"))
    with pytest.raises(UsageError, match="one corpus is read by Spark and the other is not"):
        find_overlap(corpus, Corpus(planted.others))


# ---- faults --------------------------------------------------------------------------------------


def refused(session: Any, *paths: Path) -> str:
    with pytest.raises(InputError) as caught:
        find_overlap(SparkCorpus(session, paths))
    return str(caught.value)


def test_a_row_that_is_wrong(session: Any, tmp_path: Path) -> None:
    rows = [{"id": number, "text": "a" * 99} for number in range(900)]
    path = tmp_path / "f.jsonl"
    path.write_bytes(json_lines(rows) + b'{"id": "x", "text": "\xb0\xa1"}\n')
    assert refused(session, path) == (
        f'{path}: a row that begins \'{{"id": "x", "text": "\\xb0\\xa1"}}\': '
        "not UTF-8: byte 0xb0; save the file as UTF-8"
    )
    items = [{"id": "q", "question": "one two three four"}]
    with pytest.raises(FormatError, match="not UTF-8: byte 0xb0"):
        leakage(SparkCorpus(session, path), items)


def test_an_id_twice_names_both_files(session: Any, tmp_path: Path) -> None:
    rows = [{"id": number, "text": "a b c"} for number in range(500)]
    (tmp_path / "a.jsonl").write_bytes(json_lines(rows))
    (tmp_path / "b.jsonl").write_bytes(b"# note\n" + json_lines([{"_id": "77", "text": "d"}]))
    assert refused(session, tmp_path) == (
        f"file:{tmp_path}/b.jsonl: document '77' has two rows, the first in "
        f"file:{tmp_path}/a.jsonl; a document has one row"
    )


def test_a_corpus_without_a_text(session: Any, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(json_lines([{"id": 1, "contents": "a"}, {"id": 2, "contents": "b"}]))
    assert "none of its 2 documents has a text" in refused(session, path)
    path.write_bytes(b"\n")
    assert refused(session, path) == f"{path}: has no document in it"


def test_columns_that_are_wrong(session: Any, tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    pq.write_table(pa.table({"id": ["a"], "body": ["b"]}), path)
    assert "has no column 'text'; its columns are 'id', 'body'" in refused(session, path)
    pq.write_table(pa.table({"id": ["a"], "text": [1.5]}), path)
    assert "has double in the column 'text'; strings were expected" in refused(session, path)
    pq.write_table(pa.table({"id": ["a", None], "text": ["b", "c"]}), path)
    assert "a document without an id; 'id' or '_id' was expected" in refused(session, path)


def test_paths_that_are_wrong(session: Any, tmp_path: Path) -> None:
    assert refused(session, tmp_path / "none.jsonl") == (
        f"{tmp_path}/none.jsonl: no such file, for Spark"
    )
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    assert "has no .jsonl, .jsonl.gz or .parquet file" in refused(session, tmp_path)
    with pytest.raises(UsageError, match="Spark cannot read standard input"):
        SparkCorpus(session, "-")


def test_damaged_files(session: Any, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl.gz"
    path.write_bytes(gzip.compress(json_lines([{"id": n, "text": "a"} for n in range(999)]))[:-20])
    assert refused(session, path).startswith("Spark: ")
    table = tmp_path / "f.parquet"
    pq.write_table(pa.table({"id": ["a"], "text": ["b"]}), table)
    table.write_bytes(table.read_bytes()[:-9])
    assert refused(session, table).startswith("Spark: ")


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (["--engine", "spark", "--workers", "2"], "--workers goes with --engine local"),
        (["--engine", "spark", "--max-records", "2"], "--max-records goes with --engine local"),
        (["--engine", "spark", "--master", "yarn", "--remote", "sc://h"], "two ways to the same"),
        (["--master", "yarn"], "--master yarn goes with --engine spark"),
        (["--remote", "sc://h"], "--remote sc://h goes with --engine spark"),
    ],
)
def test_options_that_do_not_go_together(planted: Planted, told: list[str], message: str) -> None:
    done = ragstone("overlap", "--within", "b.jsonl", *told, cwd=planted.shards.parent)
    assert done.code == 2
    assert message in done.message


# ---- what only Spark can read --------------------------------------------------------------------


def test_a_corpus_that_is_not_on_this_machine(session: Any, planted: Planted) -> None:
    """A URI is nothing that this machine opens: the digest is that of the documents."""
    uris = [f"file:{planted.shards}", f"file:{planted.table}"]
    corpora = [SparkCorpus(session, uri) for uri in uris]
    for corpus in corpora:
        assert not corpus.is_local
        leakage(corpus, planted.items)
        find_overlap(corpus)
    shards, table = (corpus.inputs[0] for corpus in corpora)
    assert (shards.base_name, table.base_name) == ("shards", "t.parquet")
    assert shards.digest() == table.digest()
    assert len(shards.digest()) == 64


# ---- writing -------------------------------------------------------------------------------------


def lines_of(folder: Path) -> list[bytes]:
    paths = sorted(folder.glob("part-*"))
    data = [gzip.decompress(p.read_bytes()) if p.suffix == ".gz" else p.read_bytes() for p in paths]
    return b"".join(data).splitlines(keepends=True)


@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_lines_are_written_as_they_are(
    session: Any, planted: Planted, tmp_path: Path, name: str
) -> None:
    removed = frozenset(f"d{number}" for number in range(0, 600, 3))
    out = tmp_path / name
    write_without(SparkCorpus(session, planted.shards), removed, str(out))
    one, two = planted.shards / "one.jsonl", planted.shards / "two.jsonl.gz"
    rows = (one.read_bytes() + gzip.decompress(two.read_bytes())).splitlines(keepends=True)
    kept = [row for row in rows if json.loads(row)["_id"] not in removed]
    assert sorted(lines_of(out)) == sorted(kept)
    assert sorted(documents(Corpus(out))) == sorted(
        each for each in documents(Corpus(planted.shards)) if each[0] not in removed
    )
    assert (
        leakage(out, planted.items).leaks == leakage(SparkCorpus(session, out), planted.items).leaks
    )
    with pytest.raises(InputError, match="is there already; Spark writes a new folder"):
        write_without(SparkCorpus(session, planted.shards), removed, str(out))


def test_parquet_is_written_with_all_columns(session: Any, tmp_path: Path) -> None:
    table = pa.table({"id": [1, 2, 3], "text": ["a", "b", "c"], "extra": [[1.5], [], None]})
    pq.write_table(table, tmp_path / "f.parquet")
    out = tmp_path / "out.parquet"
    write_without(SparkCorpus(session, tmp_path / "f.parquet"), frozenset(["2"]), str(out))
    found = pq.read_table(out).sort_by("id").to_pylist()
    assert found == [row for row in table.to_pylist() if row["id"] != 2]
    with pytest.raises(UsageError, match="not all of this corpus is JSON lines"):
        write_without(
            SparkCorpus(session, tmp_path / "f.parquet"), frozenset(), str(tmp_path / "x")
        )


# ---- without Spark -------------------------------------------------------------------------------


def test_a_master_that_is_not_there(planted: Planted, tmp_path: Path) -> None:
    told = ["overlap", "--within", "b.jsonl", "--engine", "spark", "--master", "nonsense"]
    done = child(*told, cwd=planted.shards.parent, **sparks.variables(tmp_path))
    assert done.code == 2
    assert "error: Spark: " in done.err
    assert "Traceback" not in done.err
    assert shutil.which("java")
