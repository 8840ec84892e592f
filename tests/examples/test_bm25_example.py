"""examples/bm25.py as a reader runs it: a process, a BEIR folder, two files."""

import gzip
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "bm25.py"
SCIFACT = ROOT.parent / "shared" / "data" / "scifact"

CORPUS: list[dict[str, Any]] = [
    {"_id": "d1", "title": "Refunds", "text": "Money goes back to the card."},
    {"_id": "d2", "title": "Cards", "text": "A card can be replaced."},
    {"_id": "d3", "text": "An article that has no title."},
]
QUERIES: list[dict[str, Any]] = [
    {"_id": "q2", "text": "card", "metadata": {}},
    {"_id": "q1", "text": "refunds"},
    {"_id": "unjudged", "text": "article"},
]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t2\nq2\td1\t0\n"


def jsonl(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_bytes(jsonl(CORPUS))
    (folder / "queries.jsonl").write_bytes(jsonl(QUERIES))
    (folder / "qrels" / "test.tsv").write_text(QRELS)
    return folder


def run(*args: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "BEIR_FOLDER"}
    if folder is not None:
        environment["BEIR_FOLDER"] = str(folder)
    return subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT), *map(str, args)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


def ranking(path: Path) -> list[tuple[str, str, str, str]]:
    """Return query, document, rank and tag of every line."""
    fields = [line.split(" ") for line in path.read_text().splitlines()]
    assert all(f[1] == "Q0" and float(f[4]) > 0 and repr(float(f[4])) == f[4] for f in fields)
    return [(f[0], f[2], f[3], f[5]) for f in fields]


BASELINE = [
    ("q1", "d1", "1", "baseline"),
    ("q2", "d2", "1", "baseline"),
    ("q2", "d1", "2", "baseline"),
]
CANDIDATE = [("q2", "d2", "1", "candidate"), ("q2", "d1", "2", "candidate")]


def test_it_writes_both_runs_into_the_folder(beir: Path) -> None:
    done = run(beir)
    assert (done.returncode, done.stderr) == (0, "")
    assert ranking(beir / "baseline.trec") == BASELINE
    assert ranking(beir / "candidate.trec") == CANDIDATE
    assert str(beir / "candidate.trec") in done.stdout


def test_compressed_files_and_the_environment_variable(beir: Path, tmp_path: Path) -> None:
    for name in ("corpus.jsonl", "queries.jsonl"):
        plain = beir / name
        plain.with_name(f"{name}.gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    out = tmp_path / "new" / "runs"
    assert run("--out", out, folder=beir).returncode == 0
    assert ranking(out / "baseline.trec") == BASELINE
    assert not (beir / "baseline.trec").exists()


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path / "nowhere")
    assert done.returncode == 2
    assert "nowhere: no such folder; give one with a BEIR data set" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_file_that_is_missing(name: str, beir: Path) -> None:
    (beir / name).unlink()
    done = run(beir)
    assert done.returncode == 2
    assert f"has no {name}" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(beir.glob("*.trec"))


def test_a_judged_query_without_a_text(beir: Path) -> None:
    with (beir / "qrels" / "test.tsv").open("a") as qrels:
        qrels.write("q9\td1\t1\n")
    done = run(beir)
    assert done.returncode == 2
    assert "qrels/test.tsv judges 'q9'" in done.stderr


@pytest.mark.parametrize("line", ["{", "7", '{"_id": "d9"}'])
def test_a_line_that_is_not_a_document(line: str, beir: Path) -> None:
    with (beir / "corpus.jsonl").open("a") as corpus:
        corpus.write(f"{line}\n")
    done = run(beir)
    assert done.returncode == 2
    assert f"corpus.jsonl:4: expected JSON with _id and text, found {line!r}" in done.stderr


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bm25_example", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_factories_need_no_arguments(beir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEIR_FOLDER", str(beir))
    example = load()
    assert [doc for doc, _ in example.baseline()("refunds card")] == ["d1", "d2"]
    assert example.candidate()("refunds") == []


def ndcg(run_file: Path, qrels: dict[str, dict[str, int]]) -> "np.ndarray[Any, Any]":
    found: dict[str, dict[str, float]] = {}
    for line in run_file.read_text().splitlines():
        query, _, document, _, score, _ = line.split(" ")
        found.setdefault(query, {})[document] = float(score)
    rows = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(found)
    return np.array([rows.get(query, {}).get("ndcg_cut_10", 0.0) for query in sorted(qrels)])


@pytest.mark.slow
@pytest.mark.skipif(not SCIFACT.is_dir(), reason="needs BEIR SciFact in ../shared/data/scifact")
def test_scifact_loses_by_dropping_titles(tmp_path: Path) -> None:
    assert run(SCIFACT, "--out", tmp_path).returncode == 0
    qrels: dict[str, dict[str, int]] = {}
    for row in (SCIFACT / "qrels" / "test.tsv").read_text().splitlines()[1:]:
        query, document, grade = row.split("\t")
        qrels.setdefault(query, {})[document] = int(grade)
    baseline, candidate = (ndcg(tmp_path / f"{n}.trec", qrels) for n in ("baseline", "candidate"))
    assert len(baseline) == 300
    assert 0.655 < baseline.mean() < 0.670
    assert 1 - candidate.mean() / baseline.mean() > 0.02
    test = stats.permutation_test(
        (baseline, candidate),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=9999,
        rng=np.random.default_rng(0),
    )
    assert test.pvalue < 0.05
