"""Qrels and runs of a given size, the same in every run."""

from __future__ import annotations

import random
from pathlib import Path

CORPUS = 8_000_000


def write(folder: Path, name: str, queries: int, docs: int, judged: int) -> tuple[Path, Path]:
    """Write TREC qrels and a TREC run; half of the judged documents are retrieved.

    Scores fall by random steps, as those of BM25 do, and are printed with six decimals.
    """
    qrels, run = folder / f"{name}.qrels", folder / f"{name}.trec"
    rng = random.Random(f"{name} {queries} {docs}")
    with qrels.open("w") as judgments, run.open("w") as results:
        for query in range(1_000_000, 1_000_000 + queries):
            ranking = rng.sample(range(CORPUS), docs)
            score, lines = 30.0, []
            for rank, doc in enumerate(ranking, 1):
                score -= rng.random() * 0.02
                lines.append(f"{query} Q0 {doc} {rank} {score:.6f} bench\n")
            results.write("".join(lines))
            found = rng.sample(ranking, judged // 2)
            missed = rng.sample(range(CORPUS), judged - judged // 2)
            for doc in dict.fromkeys([*found, *missed]):
                judgments.write(f"{query} 0 {doc} {rng.choice([0, 0, 1, 1, 2])}\n")
    return qrels, run
