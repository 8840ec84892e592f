"""`make bench-corpus`: checks of corpora beside their peers, whole processes, in one run.

Figures are ratios of medians over pairs; absolute times mean little on a shared machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import overlaps
import planted_corpora as corpora
from process import Comparison, run
from run import RAGSTONE, TOOLKIT, machine, update

PLAIN = [sys.executable, str(Path(__file__).parent / "peers" / "leakage_plain.py")]
HEAD = (
    "| what | peer | figure | ragstone | peer | ratio | goal |\n"
    "| --- | --- | --- | ---: | ---: | ---: | ---: |"
)


def leakage(folder: Path) -> Iterator[str]:
    """2,000 items against 20,000 documents beside toolkit-rag-quality."""
    made = written(folder, "small", 20_000)
    ours = ours_on(made, folder)
    theirs = [TOOLKIT, "leakage", "--corpus", str(made.corpus), "--items", str(made.items),
              "--field", "question", "--out", str(folder / "toolkit.json")]  # fmt: skip
    pair = Comparison.of(ours, theirs, 5)
    what = f"leakage, 2,000 items x 20,000 documents, {size(made.corpus)}"
    yield row(what, "toolkit-rag-quality", pair, "cpu", "0.10")
    yield row(what, "toolkit-rag-quality", pair, "peak", "0.15")


def leakage_large(folder: Path) -> Iterator[str]:
    """200,000 documents beside plain Python, and their peak beside that of 20,000."""
    made = written(folder, "large", 200_000)
    plain = [*PLAIN, str(made.corpus), str(made.items), str(folder / "plain.json")]
    pair = Comparison.of(ours_on(made, folder), plain, 3)
    what = f"leakage, 2,000 items x 200,000 documents, {size(made.corpus)}"
    yield row(what, "plain Python", pair, "cpu", "0.22")
    check_same(folder / "small-or-large.json", folder / "plain.json")
    small = written(folder, "small", 20_000)
    peaks = Comparison.of(ours_on(made, folder), ours_on(small, folder), 1)
    yield row("the same, its peak", "20,000 documents", peaks, "peak", "1.10")
    two = Comparison.of([*ours_on(made, folder), "--workers", "2"], ours_on(made, folder), 3)
    yield row("the same with two workers", "one worker", two, "wall", "-")


def leakage_million(folder: Path) -> Iterator[str]:
    """1,000,000 documents of 150 words: peak, and CPU a byte beside 200,000 of them."""
    small = written(folder, "fifth", 200_000, words=(150, 150))
    large = written(folder, "million", 1_000_000, words=(150, 150))
    pair = Comparison.of(ours_on(large, folder), ours_on(small, folder), 1)
    what = f"leakage, 2,000 items x 1,000,000 documents, {size(large.corpus)}"
    peak = max(cost.peak for cost in pair.ours)
    yield f"| {what} | - | peak MiB | {peak:.0f} | - | - | 160 |"
    bytes_ratio = large.corpus.stat().st_size / small.corpus.stat().st_size
    mine, other = pair.medians("cpu")
    each = pair.ratio("cpu") / bytes_ratio
    said = f"| the same, a byte | 200,000 documents | cpu s | {mine:.1f} | {other:.1f} | {each:.2f}"
    yield f"{said} | 1.15 |"


def overlap(folder: Path) -> Iterator[str]:
    """20,000 documents against 2,000 at Jaccard 0.8 beside two libraries of MinHash."""
    goals = {"rensa": "0.60", "datasketch": "0.15"}
    for peer, costs, theirs, ours in overlaps.measure(folder):
        what = f"overlap, 20,000 x 2,000, {ours} pairs (the peer finds {theirs})"
        yield row(what, peer, costs, "cpu", goals[peer])
        yield row("the same", peer, costs, "peak", "-")


def recall(folder: Path) -> Iterator[str]:
    """Recall of planted copies, by language and kind of change."""
    yield ""
    yield "| planted | " + " | ".join(corpora.KINDS) + " | not planted |"
    yield "| --- |" + " ---: |" * (len(corpora.KINDS) + 1)
    for language in corpora.LANGUAGES:
        made = written(folder, language, 5_000, 1_600, language=language)
        run(ours_on(made, folder))
        details = json.loads((folder / "small-or-large.json").read_bytes())["predicate"]["details"]
        found = {(leak["item_id"], leak["doc_id"]) for leak in details["leaks"]}
        planted = Counter(kind for kind, _ in made.truth.values())
        hit = Counter(k for item, (k, doc) in made.truth.items() if (item, doc) in found)
        false = len({item for item, _ in found} - made.truth.keys())
        shares = [f"{hit[kind] / planted[kind]:.0%}" for kind in corpora.KINDS]
        yield f"| {language} | " + " | ".join([*shares, f"{false} of 800"]) + " |"


def written(folder: Path, *args: Any, **options: Any) -> corpora.Written:
    """Write a corpus in a process of its own: what ours holds counts as memory of its children."""
    with ProcessPoolExecutor(1) as pool:
        return pool.submit(corpora.write, folder, *args, **options).result()


def ours_on(made: corpora.Written, folder: Path) -> list[str]:
    """Return the command that checks a corpus."""
    return [RAGSTONE, "leakage", "--corpus", str(made.corpus), "--items", str(made.items),
            "--quiet", "--out", str(folder / "small-or-large.json")]  # fmt: skip


def check_same(ours: Path, plain: Path) -> None:
    """End where the two do not find the same containment of every item."""
    table = json.loads(ours.read_bytes())["predicate"]["scores"]
    values = table["columns"]["containment"]["values"]
    found = dict(zip(table["items"], values, strict=True))
    best = json.loads(plain.read_bytes())["best"]
    if found != {item: best.get(item, [0.0])[0] for item in found}:
        raise SystemExit("ragstone and plain Python do not find the same")


def size(path: Path) -> str:
    """Return how large a file is."""
    return f"{path.stat().st_size / 1e6:.0f} MB"


def row(what: str, peer: str, pair: Comparison, field: str, goal: str) -> str:
    """Return a line of the table; field: cpu, wall (seconds) or peak (MiB)."""
    mine, other = pair.medians(field)
    unit = "MiB" if field == "peak" else "s"
    return (
        f"| {what} | {peer} | {field} {unit} | {mine:.2f} | {other:.2f} | "
        f"{pair.ratio(field):.2f} | {goal} |"
    )


SCENARIOS: dict[str, Callable[[Path], Iterator[str]]] = {
    "leakage": leakage,
    "leakage-large": leakage_large,
    "leakage-million": leakage_million,
    "overlap": overlap,
    "recall": recall,
}


def main() -> None:
    """Measure, print, and write the page where it is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SCENARIOS, action="append", help="one part alone")
    parser.add_argument("--update", type=Path, help="a page to put the figures into")
    options = parser.parse_args()
    lines = [f"Measured on {machine()}.", "", HEAD]
    print("\n".join(lines), flush=True)
    for name in options.only or SCENARIOS:
        with tempfile.TemporaryDirectory() as folder:
            for line in SCENARIOS[name](Path(folder)):
                lines.append(line)
                print(line, flush=True)
    if options.update:
        update(options.update, "\n".join(lines), "corpus")


if __name__ == "__main__":
    main()
