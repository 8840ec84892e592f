"""All deterministic measures of 10,000 samples, and how fast a judge is asked.

Beside ours runs a plain loop of the libraries that give nine of the 25 measures: no other tool was
found that computes them all without a model, and these are what a script of one's own would use.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from process import Comparison

RAGSTONE = str(Path(sys.executable).parent / "ragstone")
PLAIN = [sys.executable, str(Path(__file__).parent / "peers" / "answers_plain.py")]
SAMPLES, GOAL_CPU, GOAL_MIB = 10_000, 60, 300
UNWANTED = ("damn", "very bad phrase", "바보", "ばか")


def answers(folder: Path) -> Iterator[str]:
    """Measure whole processes, then calls of a judge."""
    pair = compared(folder)
    mine, other = pair.medians("cpu")
    peaks = pair.medians("peak")
    said = f"evaluate, {SAMPLES:,} samples, all {len(names())} deterministic measures"
    yield (
        f"| {said} | 9 of them by sacrebleu, rouge-score, SQuAD | cpu s | {mine:.1f} | {other:.1f} "
        f"| {pair.ratio('cpu'):.2f} | {GOAL_CPU} s | {peaks[0]:.0f} / {peaks[1]:.0f}, goal "
        f"{GOAL_MIB} |"
    )

    import throughput  # noqa: PLC0415 - behind the others: what is held counts as their memory

    yield from throughput.rows()


def compared(folder: Path) -> Comparison:
    """Run the two in turn over the same samples; what both compute has to be the same."""
    path, report, means = (folder / name for name in ("s.jsonl", "report.json", "means.json"))
    with ProcessPoolExecutor(1) as pool:
        pool.submit(write, path).result()
    ours = command(path, report)
    found = Comparison.of(ours, [*PLAIN, str(path), str(means)], 3)
    summary = json.loads(report.read_bytes())["predicate"]["summary"]
    theirs = json.loads(means.read_bytes())
    if not all(math.isclose(summary[name], theirs[name]) for name in ("chrF", "BLEU")):
        raise SystemExit("ragstone and sacrebleu do not find the same")
    return found


def command(samples: Path, report: Path) -> list[str]:
    """Return the command that evaluates samples by every deterministic measure."""
    listed = samples.with_suffix(".txt")
    listed.write_text("\n".join(UNWANTED), encoding="utf-8")
    measures = [flag for name in names() for flag in ("--measure", name)]
    return [RAGSTONE, "evaluate", "--samples", str(samples), "--out", str(report), "--quiet",
            "--profanity", str(listed), *measures]  # fmt: skip


def write(path: Path) -> None:
    """Write the samples; in a process of its own, since what is held counts as memory of others."""
    import made_samples  # noqa: PLC0415

    made_samples.write(path, SAMPLES)


@cache
def names() -> list[str]:
    """Return the measures, as a process of its own names them."""
    code = "from ragstone.measures import DETERMINISTIC; print(*DETERMINISTIC)"
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
