"""A corpus written out without some of its documents, as chunks of a file's bytes."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

from ragstone.errors import UsageError
from ragstone.formats.corpus.corpus import Corpus
from ragstone.formats.texts import PACKED

OTHERS = (".csv", ".tsv", ".xlsx", ".json", ".arrow", ".feather")
"""Formats that some expect of a name, and that none is written in."""


def without(corpus: Corpus, removed: Container[str], name: str | Path) -> Iterator[bytes]:
    """Return the bytes of a file with the documents whose id is not in `removed`, in order.

    name: of the file; `.parquet` is Parquet, everything else JSON lines, which the caller packs.
    Rows of JSON lines go to JSON lines as they are, byte for byte, and rows of Parquet to Parquet
    with all their columns. From one to the other go the id, the title and the text; a text file
    becomes a row with its path and its text. Raises UsageError for the name of another format, and
    for a corpus of which only the first documents are read.
    """
    check_name(name)
    if corpus.max_records is not None:
        raise UsageError(
            f"only the first {corpus.max_records:,} documents are read; without the others no "
            "corpus is written: leave out the limit"
        )
    return _chunks(corpus, removed, is_parquet(name))


def check_name(name: str | Path) -> None:
    """Raise UsageError for a name that promises what no corpus is written as.

    >>> check_name("clean.csv.gz")
    Traceback (most recent call last):
    ragstone.errors.UsageError: clean.csv.gz: a corpus is written as JSON lines or Parquet, not \
as .csv.gz; name a .jsonl, .jsonl.gz, .jsonl.zst or .parquet
    """
    path = Path(str(name).lower())
    packed = path.suffix if path.suffix in PACKED else ""
    kind = path.with_suffix("").suffix if packed else path.suffix
    if kind in OTHERS or (packed and kind == ".parquet"):
        raise UsageError(
            f"{name}: a corpus is written as JSON lines or Parquet, not as {kind}{packed}; name a "
            ".jsonl, .jsonl.gz, .jsonl.zst or .parquet"
        )


def is_parquet(name: str | Path) -> bool:
    """Tell from its name whether a file to be written is Parquet.

    >>> is_parquet("a.parquet"), is_parquet("a.jsonl.gz")
    (True, False)
    """
    return Path(name).suffix == ".parquet"


def _chunks(corpus: Corpus, removed: Container[str], as_parquet: bool) -> Iterator[bytes]:
    if as_parquet:
        from ragstone.formats.corpus.parquet import write_parquet

        yield from write_parquet(corpus.members, removed)
        return
    for member in corpus.members:
        yield from member.json_lines(removed)
