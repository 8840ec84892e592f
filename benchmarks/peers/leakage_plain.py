"""Leakage in plain Python: the n-grams of the items in a dict, the corpus streamed past it."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

corpus_path, items_path, out_path = sys.argv[1:]
THRESHOLD, SIZE = 0.6, 3
WORD = re.compile(r"[^\W_]+")


def grams(text: str) -> set[tuple[str, ...]]:
    """Return the different runs of three words of a text."""
    words = WORD.findall(unicodedata.normalize("NFKC", text).lower())
    return set(zip(*(words[i:] for i in range(min(SIZE, len(words)))), strict=False))


owners: dict[tuple[str, ...], list[str]] = defaultdict(list)
sizes: dict[str, int] = {}
with Path(items_path).open(encoding="utf-8") as file:
    for line in file:
        row = json.loads(line)
        found = grams(row["question"])
        sizes[row["id"]] = len(found)
        for gram in found:
            owners[gram].append(row["id"])
best: dict[str, tuple[float, str]] = {}
with Path(corpus_path).open(encoding="utf-8") as file:
    for line in file:
        row = json.loads(line)
        text = f"{row['title']}\n{row['text']}" if row["title"] else row["text"]
        shared = Counter(item for gram in grams(text) & owners.keys() for item in owners[gram])
        for item, count in shared.items():
            share = count / sizes[item]
            if share > best.get(item, (0.0, ""))[0]:
                best[item] = share, row["_id"]
leaks = {item: found for item, found in best.items() if found[0] >= THRESHOLD}
Path(out_path).write_text(json.dumps({"leaks": leaks, "best": best}, sort_keys=True))
