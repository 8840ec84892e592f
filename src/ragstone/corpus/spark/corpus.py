"""Corpora that Spark reads: JSON lines and Parquet, wherever it can; classic or Spark Connect."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ragstone.corpus.spark.rows import Decode, Rows, decode_lines, decode_records, finding
from ragstone.corpus.spark.session import Frame, explained, functions
from ragstone.corpus.spark.stream import stream_spark
from ragstone.errors import (
    FormatError,
    InputError,
    UsageError,
    readable,
)
from ragstone.formats.corpus import Named
from ragstone.formats.corpus.opening import open_paths
from ragstone.formats.corpus.text_files import is_spark_part
from ragstone.formats.jsonl import ID_NAMES

if TYPE_CHECKING:
    from ragstone.corpus.job import Job
    from ragstone.formats.corpus import Census

S = TypeVar("S")

ROWS_IN_MEMORY = 1000  # of a record batch that a Python worker gets
LINES = re.compile(r"\.jsonl(\.gz)?$")
PARQUET = re.compile(r"\.parquet$")
BEIR = re.compile(r"/corpus\.jsonl(\.gz)?$")
INTEGERS = {"tinyint", "smallint", "int", "bigint"}


class SparkCorpus:
    """The documents of files, folders and patterns, as Spark reads them.

    A path is whatever Spark can open: `s3a://bucket/crawl/*.jsonl.gz`, `hdfs:///corpus.parquet`,
    a local file or folder. In a folder, `corpus.jsonl` is read where there is one (BEIR), else
    every .jsonl, .jsonl.gz and .parquet file, and the parts that Spark writes.
    """

    def __init__(self, session: Any, paths: str | Path | Sequence[str | Path]) -> None:
        """Find the files; raises InputError for what is not there or cannot be read by Spark."""
        self.session = session
        given = [paths] if isinstance(paths, str | Path) else paths
        self.paths = [_absolute(str(path)) for path in given]
        self.name = self.paths[0] + (" and others" if len(self.paths) > 1 else "")
        session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(ROWS_IN_MEMORY))
        files = [self._files(path) for path in self.paths]
        self.size = sum(size for found in files for _, size in found)
        self._lines = [path for found in files for path, _ in found if not PARQUET.search(path)]
        tables = ([path for path, _ in found if PARQUET.search(path)] for found in files)
        self._tables = [found for found in tables if found]
        self.content = 0  # set by who reads it, where it is not local
        self._inputs = self._on_this_machine()

    def run(self, job: Job[S]) -> tuple[S, Census]:
        """Run a job over all documents, as `streaming.stream` does."""
        found = stream_spark(job, self)
        return found.state, found.census()

    @property
    def is_local(self) -> bool:
        """Whether the files are on this machine too, which can then make a digest of them."""
        return bool(self._inputs)

    @property
    def inputs(self) -> list[Named]:
        """What a report names as the inputs."""
        return self._inputs or [_Remote(self, path) for path in self.paths]

    def _on_this_machine(self) -> list[Named]:
        try:
            return open_paths(self.paths).inputs
        except InputError:
            return []

    def mapped(self, work: Callable[[Decode], Rows], schema: str, *, paths: bool = False) -> Frame:
        """Return a DataFrame of what is made of the documents of each partition.

        work: gets how record batches are decoded, and returns a function from an iterator of them
        to one of record batches with `schema`. paths: whether they have a column `path` too.
        """
        frames = [self._tables_frame(found, paths=paths) for found in self._tables]
        mapped = [frame.mapInArrow(work(decode_records), schema) for frame in frames]
        if self._lines:
            lines = self._lines_frame(paths=paths)
            mapped.append(lines.mapInArrow(work(decode_lines), schema))
        whole = mapped[0]
        for frame in mapped[1:]:
            whole = whole.unionAll(frame)
        return whole

    def is_all(self, *, parquet: bool) -> bool:
        """Tell whether all files are Parquet, or all are not."""
        return not self._lines if parquet else not self._tables

    def tables(self) -> Frame:
        """Return all rows and columns of the Parquet files."""
        whole = self.session.read.parquet(*self._tables[0])
        for files in self._tables[1:]:
            whole = whole.unionByName(self.session.read.parquet(*files), allowMissingColumns=True)
        return whole

    def refuse_repeated(self, doc: str) -> None:
        """Raise FormatError for a document that stands twice, with the files that have it."""
        found = self.mapped(lambda decode: finding(decode, doc), "path string", paths=True)
        first, *others = sorted(row.path for row in found.collect())
        raise FormatError(
            f"document {doc!r} has two rows, the first in {first}; a document has one row",
            where=others[0],
        )

    def _files(self, path: str) -> list[tuple[str, int]]:
        """List what a path stands for, without reading it: names and bytes."""
        if path == "-":
            raise UsageError("Spark cannot read standard input; name a file")
        listing = self.session.read.format("binaryFile").option("recursiveFileLookup", "true")
        try:
            with explained():
                rows = listing.load(path).select("path", "length").collect()
        except InputError as error:
            if "PATH_NOT_FOUND" in str(error):
                raise InputError(f"{path}: no such file, for Spark") from None
            raise
        files = sorted((row.path, row.length) for row in rows)
        beir = [file for file in files if BEIR.search(file[0])]
        if len(files) == 1 or len(beir) == 1:
            return beir or files
        known = [file for file in files if _is_known(file[0])]
        if not known:
            raise InputError(
                f"{path}: has no .jsonl, .jsonl.gz or .parquet file that Spark can read"
            )
        return known

    def _lines_frame(self, *, paths: bool) -> Frame:
        """Read lines as bytes: as text, Spark would put another character for a bad byte."""
        lines = self.session.read.option("lineSep", "\n").text(self._lines)
        value = functions().col("value").cast("binary").alias("value")
        return lines.select(value, *_path_column(paths=paths))

    def _tables_frame(self, files: list[str], *, paths: bool) -> Frame:
        table = self.session.read.parquet(*files)
        kinds = dict(table.dtypes)
        ids = [name for name in ID_NAMES if name in kinds]
        if not ids or "text" not in kinds:
            missing = "'text'" if ids else "'id' or '_id'"
            found = ", ".join(map(repr, kinds))
            raise FormatError(f"has no column {missing}; its columns are {found}", where=files[0])
        names = [*ids, *(name for name in ("title", "text") if name in kinds)]
        for name in names:
            wanted = {"string", "void", *(INTEGERS if name in ids else ())}
            if kinds[name] not in wanted:
                raise FormatError(
                    f"has {kinds[name]} in the column {name!r}; "
                    f"{'strings or integers' if name in ids else 'strings'} were expected",
                    where=files[0],
                )
        return table.select(*names, *_path_column(paths=paths))


class _Remote(NamedTuple):
    """A path that only Spark can read: its digest is that of the documents of the whole corpus."""

    corpus: SparkCorpus
    path: str

    @property
    def base_name(self) -> str:
        """The last part of the path."""
        return readable(self.path.rstrip("/").rsplit("/", 1)[-1])

    def digest(self) -> str:
        """Return the sum, modulo 2 to the 256, of the sha256 of each `id LF text`, in hex."""
        return f"{self.corpus.content:064x}"


def _absolute(path: str) -> str:
    """Return the whole path of what is on this machine: Spark may run in another folder."""
    is_here = path != "-" and (os.path.lexists(path) or glob.glob(path))  # noqa: PTH207
    return os.path.abspath(path) if is_here else path  # noqa: PTH100


def _is_known(path: str) -> bool:
    return bool(LINES.search(path) or PARQUET.search(path)) or is_spark_part(path)


def _path_column(*, paths: bool) -> list[Any]:
    return [functions().col("_metadata.file_path").alias("path")] if paths else []
