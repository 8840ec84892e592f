"""`make bench`: an installed ragstone beside its peers, whole processes, in one run.

Figures are ratios of medians over pairs; absolute times mean little on a shared machine.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import data
from answer_measures import answers
from process import Comparison, run
from retriever import retriever
from texts import text

BIN = Path(sys.executable).parent
RAGSTONE = str(BIN / "ragstone")
TOOLKIT = str(BIN / "toolkit-rag")
PYTREC_EVAL = [sys.executable, str(Path(__file__).parent / "peers" / "score_pytrec_eval.py")]
FIVE = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank", "P@10": "P_10",
        "R@100": "recall_100"}  # fmt: skip
SIX = ("ndcg_cut_10", "map_cut_10", "recip_rank", "P_10", "recall_10", "success_10")
MARKS = ("<!-- {}figures -->", "<!-- end of {}figures -->")


def big(folder: Path) -> Iterator[str]:
    """7,000 queries x 1,000 documents, five measures: CPU and memory; wall with two workers."""
    qrels, trec = data.write(folder, "big", 7_000, 1_000, 20)
    measures = [flag for name in FIVE for flag in ("--measure", name)]
    ours = [RAGSTONE, "score", "--qrels", str(qrels), "--run", str(trec), *measures,
            "--out", str(folder / "big.json")]  # fmt: skip
    theirs = [*PYTREC_EVAL, str(qrels), str(trec), *FIVE.values()]
    size = f"7,000 x 1,000, {trec.stat().st_size / 1e6:.0f} MB, five measures"
    yield row(f"score, {size}", "pytrec_eval", Comparison.of(ours, theirs, 5), "cpu", 0.5)
    two = Comparison.of([*ours, "--workers", "2"], theirs, 5)
    yield row("the same with two workers", "pytrec_eval", two, "wall", 0.35)


def small(folder: Path) -> Iterator[str]:
    """300 queries x 100 documents, six measures, and the start of the command."""
    qrels, trec = data.write(folder, "small", 300, 100, 10)
    ours = [RAGSTONE, "score", "--qrels", str(qrels), "--run", str(trec), "--k", "10",
            "--out", str(folder / "small.json")]  # fmt: skip
    theirs = [*PYTREC_EVAL, str(qrels), str(trec), *SIX]
    pair = Comparison.of(ours, theirs, 21)
    yield row("score --out, 300 x 100, six measures", "pytrec_eval", pair, "cpu", 0.5)
    start = Comparison.of([RAGSTONE, "--help"], [sys.executable, "-c", "import click"], 21)
    yield row("--help", "python -c 'import click'", start, "cpu", 1.5)


def compare(folder: Path) -> Iterator[str]:
    """7,000 queries, six measures, 10,000 permutations."""
    qrels, before = data.write(folder, "before", 7_000, 20, 10)
    _, after = data.write(folder, "after", 7_000, 20, 10)
    ours, theirs = [RAGSTONE, "compare"], [TOOLKIT, "compare"]
    for side, trec in (("--baseline", before), ("--candidate", after)):
        mine, other = (str(folder / f"{tool}-{trec.stem}.json") for tool in ("ragstone", "toolkit"))
        run([RAGSTONE, "score", "--qrels", str(qrels), "--run", str(trec), "--out", mine])
        run([TOOLKIT, "score", "--queries", str(qrels), "--retrieved", str(trec), "--out", other])
        ours += [side, mine]
        theirs += [side, other]
    ours += ["--out", str(folder / "compare.json")]
    theirs += ["--out", str(folder / "toolkit-compare.json")]
    pair = Comparison.of(ours, theirs, 3)
    yield row("compare, 7,000 queries, six measures", "toolkit-rag-quality", pair, "cpu", 0.1)


SCENARIOS: dict[str, Callable[[Path], Iterator[str]]] = {
    "big": big,
    "small": small,
    "compare": compare,
    "retriever": retriever,
}
ON_REQUEST: dict[str, Callable[[Path], Iterator[str]]] = {"text": text, "answers": answers}
"""Parts with targets of their own."""
HEAD = (
    "| what | peer | figure | ragstone | peer | ratio | goal | peak MiB, ragstone / peer |\n"
    "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
)


def row(what: str, peer: str, pair: Comparison, field: str, goal: float) -> str:
    """Return a line of the table."""
    mine, other = pair.medians(field)
    peaks = " / ".join(f"{peak:.0f}" for peak in pair.medians("peak"))
    return (
        f"| {what} | {peer} | {field} s | {mine:.3f} | {other:.3f} | "
        f"{pair.ratio(field):.2f} | {goal} | {peaks} |"
    )


def machine() -> str:
    """Return what the figures were measured on."""
    today = dt.datetime.now(dt.UTC).date()
    return (
        f"{today}, {os.cpu_count()} cores of {processor()}, "
        f"{platform.system()}, Python {platform.python_version()}"
    )


def processor() -> str:
    """Return the processor's name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def update(page: Path, figures: str, part: str = "") -> None:
    """Put the figures between the marks of a page, those of a part on request between its own."""
    start, end = (mark.format(part and f"{part} ") for mark in MARKS)
    before, found, rest = page.read_text(encoding="utf-8").partition(start)
    after = rest.partition(end)[2]
    if not found:
        raise SystemExit(f"{page} has no line {start}")
    page.write_text(f"{before}{start}\n{figures}\n{end}{after}", encoding="utf-8")


def main() -> None:
    """Measure, print, and write the page where it is named."""
    parts = SCENARIOS | ON_REQUEST
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=parts, action="append", help="one part alone")
    parser.add_argument("--update", type=Path, help="a page to put the figures into")
    options = parser.parse_args()
    lines = [f"Measured on {machine()}.", "", HEAD]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only or SCENARIOS:
            for line in parts[name](Path(folder)):
                lines.append(line)
                print(line, flush=True)
    if options.update:
        asked = ",".join(name for name in options.only or () if name in ON_REQUEST)
        update(options.update, "\n".join(lines), asked)


if __name__ == "__main__":
    main()
