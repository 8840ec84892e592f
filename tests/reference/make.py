"""Make the reference set: seeded qrels and runs, and what pytrec_eval-terrier says of them.

    python make.py [FOLDER]

writes the files that lie beside this one, byte for byte. See README.md.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

Judgments = dict[str, dict[str, int]]
Rankings = dict[str, dict[str, str]]

CUTOFFS = "1,3,5,10"
MEASURES = {"map", "ndcg", "recip_rank", "Rprec", "bpref", "infAP", "iprec_at_recall"}
MEASURES |= {"set_P", "set_recall", "set_F", "num_ret", "num_rel", "num_rel_ret"}
MEASURES |= {f"{name}.{CUTOFFS}" for name in ("P", "recall", "map_cut", "ndcg_cut", "success")}
LEVELS = (1, 2)

DOCS = [f"d{n}" for n in range(1, 41)] + ["D7", "é1", "문서1", "d07"]


def tied(rng: random.Random) -> str:
    """Few different scores: most documents tie, and the order is that of their ids."""
    return str(rng.randint(0, 3))


def spread(rng: random.Random) -> str:
    """Scores as a ranker writes them, some below zero."""
    return f"{rng.gauss(5, 4):.6f}"


def near(rng: random.Random) -> str:
    """Scores that are different doubles and often the same float."""
    return rng.choice(["16777216", "16777217", "16777219", "0.87654321985", "0.87654321987"])


# name: how a score is drawn, the grades with their weights, documents per query
SETS: dict[str, tuple[Callable[[random.Random], str], dict[int, int], int]] = {
    "ties": (tied, {0: 3, 1: 2}, 25),
    "graded": (spread, {-1: 2, 0: 4, 1: 3, 2: 2, 3: 1}, 30),
    "float32": (near, {-1: 1, 0: 3, 1: 2, 2: 2}, 12),
}


def make(name: str) -> tuple[Judgments, Rankings]:
    """Draw a set: queries missing from the run, unjudged ones, short lists, nothing relevant."""
    score, grades, depth = SETS[name]
    rng = random.Random(name)
    qrels: Judgments = {}
    run: Rankings = {}
    for number in range(1, 15):
        query = f"q{number}"
        judged = rng.sample(DOCS, rng.randint(2, 18))
        if number != 13:  # in the run alone
            drawn = rng.choices(list(grades), list(grades.values()), k=len(judged))
            qrels[query] = dict(zip(judged, drawn, strict=True))
            qrels[query][judged[0]] = 0 if number == 12 else max(drawn[0], 0)
        if number == 12:  # nothing is relevant
            qrels[query] = {doc: min(grade, 0) for doc, grade in qrels[query].items()}
        if number != 14:  # judged alone
            length = rng.choice([1, 2, depth // 2, depth])
            run[query] = {doc: score(rng) for doc in rng.sample(DOCS, length)}
    return qrels, run


def values(qrels: Judgments, run: Rankings, level: int) -> dict[str, dict[str, float]]:
    """Ask pytrec_eval-terrier."""
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=level)
    scored = {q: {doc: float(score) for doc, score in docs.items()} for q, docs in run.items()}
    found: dict[str, dict[str, float]] = evaluator.evaluate(scored)
    return found


def write(folder: Path) -> None:
    """Write three files a set."""
    for name in SETS:
        qrels, run = make(name)
        (folder / f"{name}.qrels").write_text(
            "".join(
                f"{q} 0 {doc} {grade}\n" for q, docs in qrels.items() for doc, grade in docs.items()
            ),
            "utf-8",
        )
        (folder / f"{name}.run").write_text(
            "".join(
                f"{q} Q0 {doc} 0 {score} own\n"
                for q, docs in run.items()
                for doc, score in docs.items()
            ),
            "utf-8",
        )
        found = {str(level): values(qrels, run, level) for level in LEVELS}
        text = json.dumps(found, indent=0, sort_keys=True)
        (folder / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent)
