"""The demo's files, and the commands that are shown on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragstone.demo.helpdesk import documents, queries, read
from ragstone.demo.retrievers import Retriever, baseline, candidate
from ragstone.formats import RUN_WRITERS, read_qrels
from ragstone.model import Qrels, Results
from ragstone.store import write_atomic

QRELS = Path("qrels", "test.tsv")
FILES = {
    "corpus.jsonl": Path("corpus.jsonl"),
    "queries.jsonl": Path("queries.jsonl"),
    "qrels.tsv": QRELS,
}
RETRIEVERS = {"baseline": baseline, "candidate": candidate}


@dataclass(frozen=True, slots=True)
class Step:
    """A command of ragstone, and what it is for."""

    said: str
    args: tuple[str, ...]


def prepare(folder: Path) -> str:
    """Write the collection as a BEIR folder and each retriever's run; return what was made.

    Raises InputError where the folder cannot be written.
    """
    for name, place in FILES.items():
        write_atomic(folder / place, read(name).encode())
    qrels = read_qrels(folder / QRELS)
    for name, retriever in RETRIEVERS.items():
        run = RUN_WRITERS["trec"](_search(retriever(), qrels), name)
        write_atomic(folder / f"{name}.trec", run)
    return f"{len(documents())} documents, {len(queries())} questions"


def steps(folder: Path) -> list[Step]:
    """Return the commands: score both runs, then compare them."""
    scored = [
        Step(
            f"Score the {name}: {said}.",
            (
                "score", "--qrels", str(folder / QRELS), "--run", str(folder / f"{name}.trec"),
                "--out", str(folder / f"{name}.json"),
            ),
        )
        for name, said in {
            "baseline": "BM25 over title and text",
            "candidate": "the same, but titles were dropped",
        }.items()
    ]  # fmt: skip
    compared = Step(
        "Compare them: a measure fails if it is over its budget (2%) and the drop is significant.",
        (
            "compare", "--baseline", str(folder / "baseline.json"),
            "--candidate", str(folder / "candidate.json"),
            "--alpha", "0.05", "--top", "5", "--out", str(folder / "compare.json"),
        ),
    )  # fmt: skip
    return [*scored, compared]


def _search(search: Retriever, qrels: Qrels) -> Iterator[Results]:
    texts = queries()
    for query in qrels:
        found = search(texts[query])
        yield Results(query, [doc.encode() for doc, _ in found], [score for _, score in found])
