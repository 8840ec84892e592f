"""The same documents in every format that a corpus may have, and how a test reads them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from ragstone.formats.corpus import Census, Corpus, Part

ROWS: list[dict[str, Any]] = [
    {
        "_id": str(number),
        "title": f"Title {number}" if number % 3 else "",
        "text": f"text {number} é 한국어 \U0001f600 " * (number % 7 + 1),
        "metadata": {"title": "x", "n": [1, 2]} if number % 10 == 0 else None,
    }
    for number in range(100)
]
WANTED = [
    (row["_id"], f"{row['title']}\n{row['text']}" if row["title"] else row["text"]) for row in ROWS
]


def json_lines(rows: Sequence[object], **options: Any) -> bytes:
    return "".join(json.dumps(row, **options) + "\n" for row in rows).encode()


def table(rows: Sequence[dict[str, Any]]) -> Any:
    return pa.table({name: [row[name] for row in rows] for name in ("_id", "title", "text")})


def write_all(folder: Path) -> None:
    """Write a plain, packed, columnar, BEIR and sharded form of the rows."""
    data = json_lines(ROWS, ensure_ascii=False)
    half = data.index(b"\n", len(data) // 2) + 1
    (folder / "plain.jsonl").write_bytes(data)
    (folder / "escaped.jsonl").write_bytes(json_lines(ROWS).replace(b"\n", b"\r\n"))
    (folder / "packed.jsonl.gz").write_bytes(
        gzip.compress(data[:half]) + gzip.compress(data[half:])
    )
    (folder / "packed.jsonl.zst").write_bytes(
        zstandard.compress(data[:half]) + zstandard.compress(data[half:])
    )
    pq.write_table(table(ROWS), folder / "columns.parquet", row_group_size=30)
    for name in ("beir", "beir-packed", "shards"):
        (folder / name).mkdir()
    (folder / "beir" / "corpus.jsonl").write_bytes(data)
    (folder / "beir" / "queries.jsonl").write_bytes(b"{}\n")
    (folder / "beir-packed" / "corpus.jsonl.gz").write_bytes(gzip.compress(data))
    (folder / "shards" / "part-0.jsonl").write_bytes(data[:half])
    pq.write_table(table(ROWS[data[:half].count(b"\n") :]), folder / "shards" / "part-1.parquet")
    (folder / "shards" / "_SUCCESS").write_bytes(b"")


FORMS = [
    "plain.jsonl",
    "escaped.jsonl",
    "packed.jsonl.gz",
    "packed.jsonl.zst",
    "columns.parquet",
    "beir",
    "beir-packed",
    "shards",
    "shards/*",
    "sh*/**/*.*",
]


def documents(
    corpus: Corpus, part: Part | None = None, *, characters: int = 1 << 17
) -> list[tuple[str, str]]:
    """Read all documents of a part, or of the whole."""
    census = Census(portable=True)
    batches = list(corpus.batches(part, characters=characters, census=census))
    found = [pair for batch in batches for pair in zip(batch.ids, batch.texts, strict=True)]
    assert census.documents == len(found)
    return found
