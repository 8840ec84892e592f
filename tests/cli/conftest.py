"""Small files to score, and the demo's files and reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import ragstone
from ragstone.demo.tour import prepare, steps

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 c 1\nq3 0 d 1\nq3 0 e 1\n"
RUN = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 x 1 2 t\nq2 Q0 c 2 1 t\nq3 Q0 d 1 1 t\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return a folder with three judged queries and a run, in two formats."""
    (tmp_path / "qrels.trec").write_text(QRELS)
    (tmp_path / "run.trec").write_text(RUN)
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}, "q3": {"d": 1, "e": 1}}
    run = {"q1": ["a", "b"], "q2": ["x", "c"], "q3": ["d"]}
    for name, key, rows in (
        ("qrels.jsonl", "relevance", qrels),
        ("run.jsonl", "retrieved_ids", run),
    ):
        lines = (json.dumps({"id": query, key: value}) + "\n" for query, value in rows.items())
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished demo; nobody writes into it."""
    folder = tmp_path_factory.mktemp("demo")
    prepare(folder / "demo")
    for step in steps(Path("demo")):
        ragstone(*step.args, cwd=folder)
    return folder / "demo"
