"""The pre-commit hooks that others use: their entries, run by hand as pre-commit runs them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from sources import ROOT

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
}
QUERIES = '{"_id": "q1", "text": "a question"}\n{"_id": "q2", "text": "another thing"}\n'
CORPUS = '{"_id": "d1", "title": "", "text": "words"}\n{"_id": "d2", "title": "", "text": "more"}\n'


def hook(name: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a hook's entry with its arguments, then the files, in the root of a repository."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [*shlex.split(HOOKS[name]["entry"]), *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with data and two baselines."""
    (tmp_path / "queries.jsonl").write_text(QUERIES)
    (tmp_path / "corpus.jsonl").write_text(CORPUS)
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 1.0 x\nq2 Q0 d2 1 1.0 x\n")
    for name in ("a", "b"):
        command = ["score", "--qrels", "qrels.tsv", "--run", "run.txt"]
        subprocess.run(
            [sys.executable, "-m", "ragstone", *command, "--out", f"baselines/{name}.json"],
            check=True,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
        )
    return tmp_path


def test_every_hook_has_what_pre_commit_asks_for() -> None:
    assert set(HOOKS) == {"ragstone-validate-report", "ragstone-lint"}
    for each in HOOKS.values():
        assert {"id", "name", "entry", "language", "files"} <= set(each)
        re.compile(each["files"])


def test_reports_are_checked_all_at_once(repository: Path) -> None:
    files = ["baselines/a.json", "baselines/b.json"]
    assert all(re.search(HOOKS["ragstone-validate-report"]["files"], name) for name in files)
    done = hook("ragstone-validate-report", *files, folder=repository)
    assert done.returncode == 0, done.stdout + done.stderr
    path = repository / "baselines" / "a.json"
    path.write_text(path.read_text().replace('"R@5":1', '"R@5":0.5'))
    done = hook("ragstone-validate-report", *files, folder=repository)
    assert done.returncode == 4
    assert "a.json" in done.stdout
    assert "b.json" in done.stdout


ARGS = ("--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--corpus", "corpus.jsonl")


def test_data_are_linted(repository: Path) -> None:
    assert not HOOKS["ragstone-lint"]["pass_filenames"]
    assert all(re.search(HOOKS["ragstone-lint"]["files"], name) for name in ARGS[1::2])
    done = hook("ragstone-lint", *ARGS, folder=repository)
    assert done.returncode == 0, done.stdout + done.stderr
    with (repository / "qrels.tsv").open("a") as file:
        file.write("q2\td3\t1\n")
    done = hook("ragstone-lint", *ARGS, folder=repository)
    assert done.returncode == 4
    assert "d3" in done.stdout
