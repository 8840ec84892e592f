"""A small corpus with items, copies and near copies planted in it; the same in every run."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from corpora import json_lines

KOREAN = "검색 품질을 재는 시험 문항이 말뭉치에 그대로 들어 있는지 확인하는 방법"


class Planted(NamedTuple):
    """Paths: documents in shards of JSON lines and as Parquet, others like them, and items."""

    shards: Path
    table: Path
    others: Path
    items: Path


def plant(folder: Path, documents: int = 600) -> Planted:
    """Write the files."""
    draw = random.Random(7)
    words = [f"word{number}" for number in range(900)] + ["naïve", "ﬁne", "검색"]
    rows: list[dict[str, Any]] = [
        {
            "_id": f"d{number}",
            "title": f"Title {number}" if number % 2 else "",
            "text": " ".join(draw.choices(words, k=draw.randint(20, 60))),
        }
        for number in range(documents)
    ]
    rows[5]["text"] += f" {KOREAN}."
    rows[6]["text"], rows[7]["text"], rows[8]["text"] = "same words", "Same words!", ""
    planted = Planted(folder / "shards", folder / "t.parquet", folder / "b.jsonl", folder / "items")
    planted.shards.mkdir()
    half = documents // 2
    (planted.shards / "one.jsonl").write_bytes(json_lines(rows[:half], ensure_ascii=False))
    (planted.shards / "two.jsonl.gz").write_bytes(gzip.compress(json_lines(rows[half:])))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    pq.write_table(pa.table(columns), planted.table, row_group_size=documents // 4)
    planted.others.write_bytes(json_lines(list(_others(rows, draw))))
    planted.items.write_bytes(json_lines(list(_items(rows, draw))))
    return planted


def _others(rows: list[dict[str, Any]], draw: random.Random) -> Any:
    """Copies of every fourth document: as they are, twice, changed, shuffled."""
    for number, row in enumerate(rows[::4]):
        words = f"{row['title']} {row['text']}".split()
        if number % 4 == 1:
            words[len(words) // 2 :][:1] = ["changed"]
        if number % 4 == 2:
            draw.shuffle(words)
        yield {"id": f"o{number}", "text": " ".join(words).upper()}
        if number % 4 == 3:
            yield {"id": f"p{number}", "text": " , ".join(words)}


def _items(rows: list[dict[str, Any]], draw: random.Random) -> Any:
    yield {"id": "ko", "question": KOREAN}
    yield {"id": "empty", "question": "?!"}
    yield {"id": "short", "question": "same words"}
    for number in range(60):
        words = draw.choice(rows)["text"].split()[3:16] or ["nothing"]
        if number % 3 == 1:
            words[len(words) // 2] = "other"
        if number % 3 == 2:
            words = [f"new{place}" for place in range(12)]
        yield {"id": f"q{number}", "question": " ".join(words), "answer": ["word1", "word2 word3"]}
