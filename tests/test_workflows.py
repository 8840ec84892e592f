"""The action and the workflows: valid, audited, pinned, and with no right that they do not need."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from fenced import blocks
from sources import ROOT

BIN = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = [ROOT / "action.yml", *WORKFLOWS]
PINNED = re.compile(r"uses: [\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

# Only where the tools are: they are of the lint group, the tests of the test group.
needs_tools = pytest.mark.skipif(
    not (BIN / "zizmor").exists() or not (BIN / "check-jsonschema").exists(),
    reason="check-jsonschema and zizmor are not installed",
)


def done(*command: object, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), check=False, capture_output=True, text=True, cwd=folder
    )


def read(path: Path) -> dict[str, Any]:
    """Read a workflow; YAML 1.1 reads the key `on` as true."""
    found: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return {"on" if key is True else key: value for key, value in found.items()}


def lint_lines() -> list[str]:
    """Return what `make lint` runs of the two tools."""
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    found = [line.strip().replace("$(BIN)", str(BIN)) for line in lines]
    return [line for line in found if "check-jsonschema" in line or "zizmor" in line][-4:]


@needs_tools
@pytest.mark.parametrize("line", lint_lines(), ids=lambda line: Path(line.split()[0]).name)
def test_what_make_lint_says_of_them(line: str) -> None:
    found = done("bash", "-c", line)
    assert found.returncode == 0, found.stdout + found.stderr


@needs_tools
@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('run: bash "$GITHUB_ACTION_PATH/.github/action/verdict.sh"',
         "run: echo ${{ inputs.report }}", "template-injection"),
        ("@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0", "@v7", "unpinned-uses"),
    ],
)  # fmt: skip
def test_the_audit_can_fail(old: str, new: str, rule: str, tmp_path: Path) -> None:
    text = (ROOT / "action.yml").read_text("utf-8")
    assert old in text
    (tmp_path / "action.yml").write_text(text.replace(old, new), "utf-8")
    found = done(BIN / "zizmor", "--offline", "--pedantic", "action.yml", folder=tmp_path)
    assert found.returncode != 0
    assert rule in found.stdout


@needs_tools
def test_the_schema_can_fail(tmp_path: Path) -> None:
    text = (ROOT / "action.yml").read_text("utf-8").replace("using: composite", "using: compost")
    (tmp_path / "action.yml").write_text(text, "utf-8")
    found = done(
        BIN / "check-jsonschema",
        *("--builtin-schema", "vendor.github-actions", "action.yml"),
        folder=tmp_path,
    )
    assert found.returncode != 0


@pytest.mark.parametrize("path", ACTIONS, ids=lambda path: path.name)
def test_every_action_is_pinned_with_its_version(path: Path) -> None:
    uses = [line.strip("- ") for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    assert uses
    strange = [line for line in uses if not PINNED.fullmatch(line) and line != "uses: ./"]
    assert strange == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_rights_are_given_job_by_job(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {}
    assert "concurrency" in workflow
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), step
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def rights(name: str) -> dict[str, dict[str, str]]:
    jobs = read(ROOT / ".github" / "workflows" / name)["jobs"]
    return {job: content["permissions"] for job, content in jobs.items()}


def test_only_publishing_may_sign_and_only_the_release_may_write() -> None:
    assert rights("release.yml") == {
        "build": {"contents": "read"},
        "pypi": {"id-token": "write", "attestations": "write"},
        "github": {"contents": "write"},
    }
    assert all(each == {"contents": "read"} for each in rights("ci.yml").values())


def test_nothing_is_published_before_it_is_tested_and_checked() -> None:
    release = read(ROOT / ".github" / "workflows" / "release.yml")
    jobs = release["jobs"]
    assert release["on"] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}
    assert (jobs["pypi"]["needs"], jobs["github"]["needs"]) == ("build", "pypi")
    assert jobs["pypi"]["environment"] == "pypi"
    runs = [step.get("run", "") for step in jobs["build"]["steps"]]
    expected = [".ci/release.py check", ".ci/run", "python -m build", "twine check --strict"]
    places = [next(n for n, run in enumerate(runs) if each in run) for each in expected]
    assert places == sorted(places)


def test_ci_runs_everything_and_the_action_end_to_end() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
    assert any(step.get("run") == ".ci/run" for step in jobs["check"]["steps"])
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    declared = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    used = [step["with"] for step in jobs["action"]["steps"] if step.get("uses") == "./"]
    assert len(used) == 5
    assert all(each.keys() <= declared.keys() for each in used)


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "action").iterdir()))
def test_scripts_are_sound_bash(path: Path) -> None:
    assert done("bash", "-n", path).returncode == 0
    text = path.read_text("utf-8")
    assert re.search(r"^set -e?uo pipefail$", text, re.MULTILINE)
    assert not re.search(r"\beval\b|\$\{\{", text)
    if shutil.which("shellcheck"):
        assert done("shellcheck", path).returncode == 0


# ---- the examples in the documentation ---------------------------------------------------------


def examples() -> list[str]:
    """Return the YAML blocks of docs/ci.md."""
    text = (ROOT / "docs" / "ci.md").read_text("utf-8")
    return [block.text for block in blocks(text, "docs/ci.md") if block.language == "yaml"]


def test_the_job_for_gitlab_is_shown_as_it_is() -> None:
    assert (ROOT / "ci" / "gitlab.yml").read_text("utf-8") in examples()


@needs_tools
def test_the_workflow_that_is_shown_is_sound(tmp_path: Path) -> None:
    whole, steps = [text for text in examples() if "OWNER/ragstone@COMMIT" in text]
    before, _, _ = whole.partition("      - name: Compare\n")
    declared = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    for name, text in (("whole", whole), ("steps", before + steps)):
        path = tmp_path / ".github" / "workflows" / f"{name}.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("COMMIT", "0" * 40), "utf-8")
        schema = "vendor.github-workflows"
        found = done(BIN / "check-jsonschema", "--builtin-schema", schema, path)
        assert found.returncode == 0, found.stdout
        [job] = read(path)["jobs"].values()
        [used] = [step for step in job["steps"] if "OWNER" in step.get("uses", "")]
        assert used["with"].keys() <= declared.keys()
    found = done(BIN / "zizmor", "--offline", "--pedantic", ".", folder=tmp_path)
    assert found.returncode == 0, found.stdout
