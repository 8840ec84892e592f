"""`ragstone compare` in CI: the JUnit file, annotations, and what is said of errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

QRELS = "".join(f"q{n} 0 d{n} 1\n" for n in range(8))
BASELINE = "".join(f"q{n} Q0 d{n} 1 1.0 x\n" for n in range(8))
CANDIDATE = "".join(f"q{n} Q0 {'d' if n < 4 else 'e'}{n} 1 1.0 x\n" for n in range(8))
Done = subprocess.CompletedProcess[str]


def ragstone(*arguments: str, folder: Path, **env: str) -> Done:
    """Run the command in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "ragstone", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **env},
    )


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the reports of a run and of one that lost half its documents."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "qrels.txt").write_text(QRELS)
    for name, run in (("baseline", BASELINE), ("candidate", CANDIDATE)):
        (folder / f"{name}.run").write_text(run)
        done = ragstone(
            *("score", "--qrels", "qrels.txt", "--run", f"{name}.run", "--k", "10"),
            *("--out", f"{name}.json"),
            folder=folder,
        )
        assert done.returncode == 0, done.stderr
    return folder


def compare(folder: Path, *more: str, candidate: str = "candidate.json", **env: str) -> Done:
    """Compare the two reports."""
    return ragstone(
        *("compare", "--baseline", "baseline.json", "--candidate", candidate, *more),
        folder=folder,
        **env,
    )


def test_junit_goes_to_its_file_and_the_report_to_standard_output(
    reports: Path, tmp_path: Path
) -> None:
    done = compare(reports, "--junit", str(tmp_path / "new" / "x.xml"))
    assert done.returncode == 4
    assert json.loads(done.stdout)["predicate"]["verdict"] == "fail"
    root = ET.parse(tmp_path / "new" / "x.xml").getroot()
    assert (root.attrib["tests"], root.attrib["failures"]) == ("6", "6")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["x.xml"]


def test_annotations_follow_the_ci_system(reports: Path, tmp_path: Path) -> None:
    assert "::" not in compare(reports).stderr
    github = compare(reports, GITHUB_ACTIONS="true")
    assert github.stderr.count("\n::error title=ragstone%3A ") == 5
    assert "::" not in github.stdout
    assert compare(reports, "--annotations", "none", GITHUB_ACTIONS="true").stderr == ""


def test_gitlab_gets_a_file_with_its_usual_name(reports: Path, tmp_path: Path) -> None:
    paths = {name: os.path.relpath(reports / f"{name}.json", tmp_path) for name in
             ("baseline", "candidate")}  # fmt: skip
    done = ragstone(
        *("compare", "--baseline", paths["baseline"], "--candidate", paths["candidate"]),
        folder=tmp_path,
        GITLAB_CI="true",
    )
    assert done.stderr == "note: annotations for gitlab are in gl-code-quality-report.json\n"
    found = json.loads((tmp_path / "gl-code-quality-report.json").read_text())
    assert {each["location"]["path"] for each in found} == {paths["candidate"]}


def test_annotations_may_go_to_a_file(reports: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "commands")
    done = compare(reports, "--annotations", "github", "--annotations-file", path, "--quiet")
    assert done.stderr == ""
    assert Path(path).read_text().startswith("::error title=ragstone%3A ")


def test_a_file_of_annotations_for_nobody_is_refused(reports: Path) -> None:
    done = compare(reports, "--annotations", "none", "--annotations-file", "x")
    assert done.returncode == 2
    assert "--annotations-file goes with --annotations github or gitlab" in done.stderr


def test_an_error_is_told_too(reports: Path, tmp_path: Path) -> None:
    done = compare(
        reports,
        *("--junit", str(tmp_path / "x.xml"), "--annotations", "github"),
        candidate="no\n::error::such%file",
    )
    assert done.returncode == 2
    assert (
        "::error title=ragstone%3A no comparison::no\\n::error::such%25file: no such file\n"
    ) in done.stderr
    [error] = ET.parse(tmp_path / "x.xml").getroot().iter("error")
    assert error.attrib["type"] == "InputError"


def test_the_first_error_is_what_is_heard(reports: Path, tmp_path: Path) -> None:
    done = compare(reports, "--junit", str(tmp_path), candidate="missing.json")
    assert done.returncode == 2
    assert done.stderr.startswith("warning: the CI system was not told: ")
    assert done.stderr.endswith("error: missing.json: no such file\n")


def test_a_path_that_cannot_be_written_fails(reports: Path, tmp_path: Path) -> None:
    done = compare(reports, "--junit", str(tmp_path))
    assert done.returncode == 2
    assert "it is a folder; name a file" in done.stderr


def test_annotations_that_nobody_hears_are_no_failure(reports: Path) -> None:
    command = '"$@" 2>&-'
    compare = ["compare", "--baseline", "baseline.json", "--candidate", "candidate.json"]
    done = subprocess.run(
        ["bash", "-c", command, "bash", sys.executable, "-m", "ragstone", *compare],
        cwd=reports,
        capture_output=True,
        env={**os.environ, "GITHUB_ACTIONS": "true"},
        check=False,
    )
    assert done.returncode == 4
    assert json.loads(done.stdout)["predicate"]["verdict"] == "fail"
