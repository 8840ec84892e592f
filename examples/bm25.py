"""Two BM25 retrievers over a BEIR folder, and their runs.

    python examples/bm25.py [FOLDER] [--out DIR]

FOLDER has corpus.jsonl, queries.jsonl (each may end in .gz) and qrels/test.tsv. It is `scifact/`
unless the environment variable BEIR_FOLDER or the command line names another. The script writes
baseline.trec (title and text are indexed) and candidate.trec (titles are dropped) into it, or into
DIR: the 100 best documents of every judged query.

`baseline` and `candidate` are also what `ragstone run-retriever` takes: called without arguments,
each returns a function from the text of a query to its `(document id, score)` pairs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from ragstone.demo.bm25 import BM25

DEPTH = 100

Retriever = Callable[[str], list[tuple[str, float]]]


def baseline(folder: Path | None = None) -> Retriever:
    """Return a search over title and text."""
    rows = read_jsonl(folder or default_folder(), "corpus.jsonl")
    index = BM25((row["_id"], f"{row['title']}\n{row['text']}") for row in rows)
    return partial(index.search, k=DEPTH)


def candidate(folder: Path | None = None) -> Retriever:
    """Return a search over the text alone: the change that we want judged."""
    rows = read_jsonl(folder or default_folder(), "corpus.jsonl")
    index = BM25((row["_id"], row["text"]) for row in rows)
    return partial(index.search, k=DEPTH)


def default_folder() -> Path:
    return Path(os.environ.get("BEIR_FOLDER") or "scifact")


def read_jsonl(folder: Path, name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of `name` or `name.gz`, whichever the folder has."""
    path = existing(folder, name, f"{name}.gz")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield parse(line, f"{path}:{number}")


def parse(line: str, where: str) -> dict[str, str]:
    """Return `_id`, `title` (which BEIR allows to be missing) and `text`."""
    try:
        row = json.loads(line)
        return {"_id": str(row["_id"]), "title": row.get("title") or "", "text": row["text"]}
    except (ValueError, KeyError, TypeError) as error:
        found = line.strip()[:60]
        raise ValueError(f"{where}: expected JSON with _id and text, found {found!r}") from error


def existing(folder: Path, *names: str) -> Path:
    """Return the first of the files that is there."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no such folder; give one with a BEIR data set")
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"{folder}: has no {' or '.join(names)}; a BEIR data set has one")


def judged_queries(folder: Path) -> dict[str, str]:
    """Return id -> text of the queries in qrels/test.tsv, in the order of that file."""
    with existing(folder, "qrels/test.tsv").open(encoding="utf-8") as lines:
        judged = dict.fromkeys(line.split("\t")[0] for line in lines if line.strip())
    judged.pop("query-id", None)
    texts = {row["_id"]: row["text"] for row in read_jsonl(folder, "queries.jsonl")}
    missing = [query for query in judged if query not in texts]
    if missing:
        raise ValueError(f"{folder}: qrels/test.tsv judges {missing[0]!r}, which queries lack")
    return {query: texts[query] for query in judged}


def run_lines(search: Retriever, queries: dict[str, str], tag: str) -> Iterator[str]:
    """Yield the lines of a TREC run. repr() keeps every digit, so that no ties appear."""
    for query, text in queries.items():
        for rank, (document, score) in enumerate(search(text), start=1):
            yield f"{query} Q0 {document} {rank} {score!r} {tag}\n"


def write_run(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
    print(f"wrote {path}")


def write_runs(folder: Path, out: Path) -> None:
    """Write baseline.trec and candidate.trec."""
    queries = judged_queries(folder)
    for retriever in (baseline, candidate):
        tag = retriever.__name__
        lines = run_lines(retriever(folder), queries, tag)
        out.mkdir(parents=True, exist_ok=True)
        write_run(out / f"{tag}.trec", lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write two BM25 runs over a BEIR folder.")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=default_folder(), help="BEIR data set (%(default)s)"
    )
    parser.add_argument("--out", type=Path, help="where the runs go (default: FOLDER)")
    args = parser.parse_args()
    try:
        write_runs(args.folder, args.out or args.folder)
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
