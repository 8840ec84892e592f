"""examples/korean.py: a Korean data set from its Parquet files to a report, by texts and by ids."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from commands import ragstone

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "korean.py"
NAMES = ["R@1", "R@3", "R@10", "P@3", "AP", "nDCG@10", "RR", "Success@3"]

CORPUS = {
    "d1": "서울은 대한민국의 수도이다. 인구는 약 940만 명이다.",
    "d2": "부산은 대한민국 제2의 도시이며 큰 항구가 있다.",
    "d3": "세종대왕은 1443년에 한글을 만들었다. 한글은 1446년에 반포되었다.",
    "d4": "제주도는 화산섬이다.",
}
QUESTIONS = {
    "q1": ("대한민국의 수도는 어디인가?", ["d1"]),
    "q2": ("한글을 만든 사람은 누구인가?", ["d3"]),
    "q3": ("항구 도시와 화산섬을 말하라.", ["d2", "d4"]),
}


@pytest.fixture
def autorag(tmp_path: Path) -> Path:
    """A folder as AutoRAG writes it."""
    folder = tmp_path / "autorag"
    folder.mkdir()
    corpus = [{"doc_id": name, "contents": text, "path": ""} for name, text in CORPUS.items()]
    questions = [
        {
            "qid": name,
            "query": question,
            "retrieval_gt": [gold],
            "retrieval_gt_contents": [[CORPUS[each] for each in gold]],
            "generation_gt": ["-"],
        }
        for name, (question, gold) in QUESTIONS.items()
    ]
    for name, rows in (("corpus", corpus), ("qa", questions)):
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet")
    return folder


def prepare(folder: Path, out: Path, *more: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT), str(folder), "--out", str(out), *more],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def predicate(*args: str, cwd: Path) -> dict[str, Any]:
    done = ragstone(*args, "-q", cwd=cwd)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)["predicate"]
    return found


def measures() -> list[str]:
    return [word for name in NAMES for word in ("--measure", name)]


def by_ids(folder: Path) -> dict[str, float]:
    rows = [json.loads(line) for line in (folder / "retrieved.jsonl").read_text().splitlines()]
    with (folder / "run.jsonl").open("w") as file:
        for row in rows:
            ids = [each["id"] for each in row["retrieved"]]
            file.write(json.dumps({"id": row["id"], "retrieved_ids": ids}) + "\n")
    pair = ("--qrels", "qrels.jsonl", "--run", "run.jsonl")
    found: dict[str, float] = predicate("score", *pair, *measures(), cwd=folder)["summary"]
    return found


TEXTS = ("--gold", "gold.jsonl", "--retrieved", "retrieved.jsonl")


@pytest.mark.slow
def test_texts_that_are_equal_score_as_ids(autorag: Path, tmp_path: Path) -> None:
    prepare(autorag, tmp_path / "out")
    found = predicate("match", *TEXTS, "--method", "exact", *measures(), cwd=tmp_path / "out")
    assert found["summary"] == by_ids(tmp_path / "out")
    assert found["summary"]["R@3"] == 1.0
    matched = found["details"]["queries"][0]["matches"][0]
    assert matched["gold"]["text"] == CORPUS["d1"]
    assert matched["retrieved"]["id"] == "d1"


@pytest.mark.slow
def test_the_autorag_sample_as_it_was_judged(shared: Path, tmp_path: Path) -> None:
    """20 questions, 55 chunks: by equality, and by morphemes, as the ids have it."""
    prepare(shared / "data" / "autorag-ko", tmp_path)
    ids = by_ids(tmp_path)
    assert ids["R@10"] == 0.85
    for more in (["--method", "exact"], ["--tokenizer", "kiwi", "--threshold", "0.9"]):
        found = predicate("match", *TEXTS, *more, *measures(), cwd=tmp_path)
        assert found["summary"] == ids


@pytest.mark.slow
def test_the_autorag_sample_cut_anew(shared: Path, tmp_path: Path) -> None:
    """Into chunks of 60 words, where no id holds: what is retrieved is a part of its gold."""
    prepare(shared / "data" / "autorag-ko", tmp_path, "--words", "60")
    assert not (tmp_path / "qrels.jsonl").exists()
    more = ["--tokenizer", "kiwi", "--rouge-score", "precision", "--sweep", "0.3:0.9:0.1"]
    found = predicate("match", *TEXTS, *more, "--measure", "R@10", cwd=tmp_path)
    assert found["summary"]["R@10"] == 0.85
    recalls = [point["summary"]["R@10"] for point in found["details"]["sweep"]]
    assert recalls == sorted(recalls, reverse=True)
    exact = predicate("match", *TEXTS, "--method", "exact", cwd=tmp_path)
    assert exact["summary"]["R@5"] < found["summary"]["R@10"]
