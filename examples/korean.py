"""Korean: a search by BM25 over morphemes, and gold texts instead of ids.

    python examples/korean.py FOLDER --out DIR [--words N]

FOLDER has qa.parquet and corpus.parquet, as AutoRAG writes them. The script writes into DIR:

    queries.jsonl     each question and its id
    gold.jsonl        the gold texts of each question
    retrieved.jsonl   the ten best chunks of each question, with their texts
    qrels.jsonl       the gold ids, where the chunks are those that were judged

--words N cuts the corpus anew, into chunks of N words. Then the gold ids say nothing any more, and
the gold texts still do:

    ragstone match --gold DIR/gold.jsonl --retrieved DIR/retrieved.jsonl --tokenizer kiwi

`search` is also what `ragstone run-retriever` takes: 'examples.korean:search()' returns a function
from the text of a question to its `(id, score, text)`, over the corpus that CORPUS names, JSON
lines with id and text. Needs the extras `korean` and, for AutoRAG's files, `parquet`.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from ragstone.demo.bm25 import BM25
from ragstone.text.tokenizers import parse_tokenizer

DEPTH = 10

Search = Callable[[str], list[tuple[str, float, str]]]


def search(corpus: dict[str, str] | None = None) -> Search:
    """Return a search over texts by id: BM25 of their morphemes."""
    if corpus is None:
        corpus = read_corpus(Path(os.environ.get("CORPUS", "corpus.jsonl")))
    texts = corpus
    split = parse_tokenizer("kiwi")
    index = BM25((name, " ".join(split(text))) for name, text in texts.items())

    def find(question: str) -> list[tuple[str, float, str]]:
        found = index.search(" ".join(split(question)), k=DEPTH)
        return [(name, score, texts[name]) for name, score in found]

    return find


def read_corpus(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="\n") as lines:
        rows = (json.loads(line) for line in lines if line.strip())
        return {str(row["id"]): row["text"] for row in rows}


def read_parquet(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet  # noqa: PLC0415 - the search itself does without

    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def pieces(corpus: dict[str, str], size: int) -> Iterator[tuple[str, str]]:
    """Cut each text into runs of words."""
    for name, text in corpus.items():
        words = text.split()
        for start in range(0, len(words), size):
            yield f"{name}#{start // size}", " ".join(words[start : start + size])


def prepare(folder: Path, out: Path, words: int | None) -> None:
    corpus = {row["doc_id"]: row["contents"] for row in read_parquet(folder / "corpus.parquet")}
    questions = read_parquet(folder / "qa.parquet")
    if words:
        corpus = dict(pieces(corpus, words))
    find = search(corpus)
    out.mkdir(parents=True, exist_ok=True)
    write(out / "queries.jsonl", ({"id": q["qid"], "text": q["query"]} for q in questions))
    write(
        out / "gold.jsonl",
        ({"id": q["qid"], "gold": flat(q["retrieval_gt_contents"])} for q in questions),
    )
    write(
        out / "retrieved.jsonl",
        (
            {"id": q["qid"], "retrieved": [{"id": name, "text": text} for name, _, text in found]}
            for q in questions
            for found in [find(q["query"])]
        ),
    )
    if not words:
        judged = ({"id": q["qid"], "relevant_ids": flat(q["retrieval_gt"])} for q in questions)
        write(out / "qrels.jsonl", judged)


def flat(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(chain.from_iterable(lists))


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    print(f"wrote {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Search a Korean AutoRAG data set.")
    parser.add_argument("folder", type=Path, help="has qa.parquet and corpus.parquet")
    parser.add_argument("--out", type=Path, required=True, help="where the files go")
    parser.add_argument("--words", type=int, help="cut the corpus anew, into chunks of N words")
    args = parser.parse_args()
    try:
        prepare(args.folder, args.out, args.words)
    except (OSError, ValueError, ImportError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
