"""`ragstone init`: what is written, what is refused, and that the starter works as it says."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from ragstone import __version__
from ragstone.cli.init import STARTER
from ragstone.cli.main import run
from ragstone.errors import InputError
from ragstone.reports import read_report
from sources import ROOT

WORKFLOW = ".github/workflows/rag-quality.yml"
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    """A folder with the starter in it."""
    folder = tmp_path / "a new" / "starter"
    assert run(["init", str(folder)]) == 0
    return folder


def evaluate(folder: Path, *args: str) -> Done:
    """Run the script with this interpreter's ragstone first in the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", f"{folder}/evaluate.sh", *args],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder.parent,
        env={**os.environ, "PATH": path},
    )


def contents(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_what_is_written_and_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["init", str(tmp_path)]) == 0
    assert set(contents(tmp_path)) == set(STARTER)
    out = capfd.readouterr().out
    assert out.startswith(f"8 files in {tmp_path}:\n  README.md\n")
    assert out.endswith(f"Next: cd {tmp_path} && bash evaluate.sh\n")


def test_the_current_folder_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("kept")
    assert run(["init"]) == 0
    assert set(contents(tmp_path)) == {*STARTER, "mine.txt"}
    assert capfd.readouterr().out.endswith("Next: bash evaluate.sh\n")


def test_every_template_is_used() -> None:
    folder = files("ragstone.cli").joinpath("starter")
    found = {each.name for each in folder.iterdir() if each.is_file()}
    assert found == set(STARTER.values())


@pytest.mark.parametrize("name", ["qrels.tsv", WORKFLOW])
def test_nothing_is_overwritten(
    tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    assert run(["init", str(tmp_path)]) == 2
    assert contents(tmp_path) == {name: b"mine"}
    message = f"error: {tmp_path}: has {name} already; nothing was written: name a new folder\n"
    assert capfd.readouterr().err == message


def test_a_link_to_nowhere_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "qrels.tsv").symlink_to(tmp_path / "elsewhere")
    assert run(["init", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == [tmp_path / "qrels.tsv"]


def test_a_file_is_no_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("mine")
    assert run(["init", str(tmp_path / "x")]) == 2
    assert "x: is a file; the name of a folder was expected" in capfd.readouterr().err


def test_an_empty_name_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", ""]) == 2
    assert "the name is empty; a path was expected" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ragstone.store import write_atomic

    def failing(path: Path, data: bytes) -> None:
        if path.name == "rag-quality.yml":
            raise InputError("the disk is full")
        write_atomic(path, data)

    (tmp_path / "mine.txt").write_text("kept")
    monkeypatch.setattr("ragstone.store.write_atomic", failing)
    assert run(["init", str(tmp_path / "new" / "folder")]) == 2
    assert run(["init", str(tmp_path)]) == 2
    assert list(tmp_path.rglob("*")) == [tmp_path / "mine.txt"]


def test_a_file_in_the_way_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / ".github").write_text("mine")
    assert run(["init", str(tmp_path)]) == 2
    assert contents(tmp_path) == {".github": b"mine"}


@pytest.mark.parametrize("action", ["", "x", "a/b", "a/b@v1\n  run: evil", "a/b@v1 #"])
def test_an_action_that_is_none(
    tmp_path: Path, action: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", str(tmp_path), "--action", action]) == 2
    assert "owner/repository@version was expected" in capfd.readouterr().err
    assert contents(tmp_path) == {}


@pytest.mark.slow
def test_the_script_from_the_first_run_to_a_regression(starter: Path) -> None:
    first = evaluate(starter)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("PASS: 0 errors, 0 warnings in ")
    assert first.stdout.endswith("baseline.json is this run now; commit it.\n")
    assert 0.5 < (read_report(starter / "baseline.json").summary["nDCG@3"] or 0) < 1

    second = evaluate(starter)
    assert second.returncode == 0, second.stderr
    assert "PASS: 6 gated measures within budget" in second.stdout

    retriever = starter / "retriever.py"
    code = retriever.read_text(encoding="utf-8")
    retriever.write_text(code.replace("\nWITH_TITLES = True", "\nWITH_TITLES = False"))
    worse = evaluate(starter)
    assert worse.returncode == 4, worse.stdout
    assert "got worse beyond what is allowed" in worse.stdout
    assert read_report(starter / "out" / "compare.json").verdict == "fail"

    before = (starter / "baseline.json").read_bytes()
    assert evaluate(starter, "--measure").returncode == 0
    assert (starter / "baseline.json").read_bytes() == before
    assert evaluate(starter, "--accept").returncode == 0
    assert evaluate(starter).returncode == 0


def test_the_workflow_measures_and_compares(starter: Path) -> None:
    text = (starter / WORKFLOW).read_text(encoding="utf-8")
    assert "@VERSION@" not in text
    assert "@ACTION@" not in text
    steps: list[dict[str, Any]] = yaml.safe_load(text)["jobs"]["retrieval"]["steps"]
    by_name = {step.get("name"): step for step in steps}
    assert f'"ragstone=={__version__}"' in by_name["Install"]["run"]
    assert by_name["Measure"]["run"] == "bash evaluate.sh --measure"
    compare = by_name["Compare"]
    assert compare["uses"].endswith(f"@v{__version__}")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert set(compare["with"]) <= set(action["inputs"])
    assert evaluate(starter).returncode == 0
    for name in ("baseline", "candidate"):
        assert (starter / compare["with"][name]).is_file()


def test_the_workflow_is_one(starter: Path) -> None:
    pytest.importorskip("check_jsonschema")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "check_jsonschema"),
            *("--builtin-schema", "vendor.github-workflows", starter / WORKFLOW),
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_takes_the_actions_of_our_own() -> None:
    ours = [ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")]
    known = "".join(path.read_text(encoding="utf-8") for path in ours)
    template = files("ragstone.cli").joinpath("starter", "rag-quality.yml").read_text("utf-8")
    used = [line.partition("uses: ")[2] for line in template.splitlines() if "uses: " in line]
    assert [each for each in used if each not in known] == ["@ACTION@"]


def test_another_action(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path), "--action", "team/ragstone@v9"]) == 0
    assert "uses: team/ragstone@v9\n" in (tmp_path / WORKFLOW).read_text(encoding="utf-8")


def test_the_config_is_read_and_the_readme_names_every_file(starter: Path) -> None:
    table = tomllib.loads((starter / "ragstone.toml").read_text(encoding="utf-8"))["retriever"]
    assert (starter / table["queries"]).is_file()
    readme = (starter / "README.md").read_text(encoding="utf-8")
    assert set(STARTER) - {"README.md"} <= {part for part in readme.split("`") if part} | {
        "evaluate.sh"
    }
    assert len(readme.splitlines()) <= 12
