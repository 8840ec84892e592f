"""A corpus that Spark writes without some documents: a folder, in as many files as it has parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragstone.corpus.spark.corpus import SparkCorpus
from ragstone.corpus.spark.rows import Decode, Rows, ids_of_rows, table
from ragstone.corpus.spark.session import explained
from ragstone.errors import InputError, UsageError
from ragstone.formats.source import BOM


def write_without(corpus: SparkCorpus, removed: frozenset[str], path: str) -> None:
    """Write the documents whose id is not in `removed`, with all that their rows have.

    path: of a folder that is not there yet, wherever Spark can write. Lines of JSON stay as they
    are, byte for byte, in the order they have in each file; a path in `.gz` packs them. Parquet is
    written as Parquet. Raises UsageError where the corpus is both, or is not what the path says.
    """
    as_parquet = path.endswith(".parquet")
    if not corpus.is_all(parquet=as_parquet):
        kind = "Parquet" if as_parquet else "JSON lines"
        raise UsageError(
            f"{path}: Spark writes rows as they are, and not all of this corpus is {kind}; "
            "name a folder in .parquet for Parquet and any other for JSON lines"
        )
    try:
        with explained():
            if as_parquet:
                _write_tables(corpus, removed, path)
            else:
                _write_lines(corpus, removed, path)
    except InputError as error:
        if "PATH_ALREADY_EXISTS" in str(error):
            raise InputError(f"{path}: is there already; Spark writes a new folder") from None
        raise


def _write_lines(corpus: SparkCorpus, removed: frozenset[str], path: str) -> None:
    kept = corpus.mapped(lambda decode: _keeping(decode, removed), "line string")
    packing = "gzip" if path.endswith(".gz") else "none"
    kept.write.option("compression", packing).text(path)


def _write_tables(corpus: SparkCorpus, removed: frozenset[str], path: str) -> None:
    whole = corpus.tables()
    names = [name for name in ("id", "_id") if name in whole.columns]
    first = f"coalesce({', '.join(f'cast(`{name}` as string)' for name in names)})"
    ids = corpus.session.createDataFrame([(doc,) for doc in sorted(removed)], "doc string")
    rows = whole.selectExpr("*", f"{first} as doc_")
    kept = rows.join(ids, rows["doc_"] == ids["doc"], "left_anti").drop("doc_")
    kept.write.parquet(path)


def _keeping(decode: Decode, removed: frozenset[str]) -> Rows:
    """Return what keeps the lines of documents that stay; blank ones and comments go."""

    def rows(records: Iterator[Any]) -> Iterator[Any]:
        for each in records:
            lines = each.column("value").to_pylist()
            ids = ids_of_rows(each, decode)
            kept = [
                line.removeprefix(BOM).decode()
                for line, doc in zip(lines, ids, strict=True)
                if doc is not None and doc not in removed
            ]
            if kept:
                yield table(line=kept)

    return rows
