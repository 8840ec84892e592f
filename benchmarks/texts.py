"""Matching texts beside Krag, and ROUGE-L beside rouge-score: `make bench-text`.

Krag is installed apart, in an environment of its own, since it needs an older Kiwi than ragstone.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import passages
from process import Comparison

PROGRAM = str(Path(__file__).parent / "peers" / "match_krag.py")
KRAG = str(Path(sys.prefix).parent / "krag" / "bin" / "python")
CUTOFFS = ("1", "3", "5", "10")


def text(folder: Path) -> Iterator[str]:
    """All seven measures at four cutoffs by ROUGE-1, and ROUGE-L of pairs of texts."""
    words = passages.write(folder, "words", 120, 3, 10, words=80)
    pair = compared(words, "whitespace", 1)
    yield row("krag: 120 x 3 x 10 texts of 80 words, white space", "Krag 0.0.32", pair, "0.05")
    korean = passages.write(folder, "korean", 20, 2, 10, words=80, korean=True)
    one = passages.write(folder, "one", 1, 1, 1, words=1, korean=True)
    whole, start = compared(korean, "kiwi", 3), compared(one, "kiwi", 3)
    yield row("krag: 20 x 2 x 10 texts of 80 words, Kiwi", "Krag 0.0.32", whole, "0.35")
    ours, theirs = (a - b for a, b in zip(whole.medians("cpu"), start.medians("cpu"), strict=True))
    yield (
        "| the same without import and loading Kiwi | Krag 0.0.32 | cpu s | "
        f"{ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} | 0.15 | - |"
    )
    yield rouge(words)


def compared(path: Path, tokenizer: str, pairs: int) -> Comparison:
    """Run the same program with both packages."""
    arguments = [str(path), "rouge1", tokenizer, *CUTOFFS]
    ours = [sys.executable, PROGRAM, "ragstone", *arguments]
    return Comparison.of(ours, [KRAG, PROGRAM, "krag", *arguments], pairs)


def row(what: str, peer: str, pair: Comparison, goal: str) -> str:
    """Return a line of the table; ratios are small, and get a digit more."""
    mine, other = pair.medians("cpu")
    peaks = " / ".join(f"{peak:.0f}" for peak in pair.medians("peak"))
    return (
        f"| {what} | {peer} | cpu s | {mine:.3f} | {other:.3f} | {pair.ratio('cpu'):.3f} | "
        f"{goal} | {peaks} |"
    )


def rouge(path: Path) -> str:
    """Compare each gold with each retrieved text of its query, in this process."""
    from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415 - not there for the others

    from ragstone.text.rouge import rouge_variant  # noqa: PLC0415

    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = [(gold, found) for row in rows for gold in row["gold"] for found in row["retrieved"]]

    def ours() -> list[float]:
        variant = rouge_variant("rougeL")
        ready = {text: variant.prepare(text) for pair in pairs for text in pair}
        return [variant.compare(ready[gold], ready[found]).f for gold, found in pairs]

    def theirs() -> list[float]:
        scorer = RougeScorer(["rougeL"])
        return [scorer.score(gold, found)["rougeL"].fmeasure for gold, found in pairs]

    assert all(abs(a - b) < 1e-12 for a, b in zip(ours(), theirs(), strict=True))
    mine, other = (len(pairs) / seconds(work) for work in (ours, theirs))
    return (
        f"| ROUGE-L, {len(pairs):,} pairs of 80 words | rouge-score 0.1.2 | pairs a cpu s | "
        f"{mine:,.0f} | {other:,.0f} | {mine / other:.1f} | 20 or more | - |"
    )


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the median CPU time of some rounds."""
    spent = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return statistics.median(spent)
