"""Overlap of two corpora beside rensa and datasketch; every pair of theirs has to be ours too."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import planted_corpora as corpora
from process import Comparison

RAGSTONE = str(Path(sys.executable).parent / "ragstone")
PEER = [sys.executable, str(Path(__file__).parent / "peers" / "overlap_lsh.py")]
THRESHOLD = 0.8


def write(folder: Path, documents: int, others: int) -> tuple[Path, Path]:
    """Write a corpus, and a smaller one of which a third are copies with 0 to 8 words changed."""
    rng = random.Random(7)
    maker = corpora.Maker(corpora.english(rng), rng)
    texts = list(maker.documents(documents, (80, 220)))
    copies = []
    for place in rng.sample(range(documents), others // 3):
        copy = list(texts[place])
        for _ in range(rng.randint(0, 8)):
            copy[rng.randrange(len(copy))] = rng.choice(maker.language.words)
        copies.append(copy)
    copies += list(maker.documents(others - len(copies), (80, 220)))
    rng.shuffle(copies)
    paths = folder / "a.jsonl", folder / "b.jsonl"
    for path, rows in zip(paths, (texts, copies), strict=True):
        with path.open("w", encoding="utf-8") as file:
            for number, words in enumerate(rows):
                row = {"_id": f"{path.stem}{number}", "text": maker.language.join(words)}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return paths


def measure(folder: Path) -> Iterator[tuple[str, Comparison, int, int]]:
    """Yield for each peer its name, the costs, and how many pairs it and we found."""
    a, b = map(str, write(folder, 20_000, 2_000))
    report = folder / "overlap.json"
    ours = [RAGSTONE, "overlap", "--a", a, "--b", b, "--method", "jaccard",
            "--threshold", str(THRESHOLD), "--out", str(report), "--quiet"]  # fmt: skip
    for peer in ("rensa", "datasketch"):
        theirs = [*PEER, peer, a, b, str(THRESHOLD)]
        costs = Comparison.of(ours, theirs, 3)
        pairs = json.loads(report.read_bytes())["predicate"]["details"]["pairs"]
        found = {f"{pair['a_id']} {pair['b_id']}" for pair in pairs}
        said = subprocess.run(theirs, check=True, capture_output=True, text=True).stdout
        if missed := set(said.splitlines()) - found:
            raise SystemExit(f"{peer} found pairs that we did not: {sorted(missed)[:3]}")
        yield peer, costs, len(said.splitlines()), len(found)
