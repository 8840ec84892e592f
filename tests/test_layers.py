"""The layers hold, every package says which it is in, and the contract can fail."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sources import PACKAGE, ROOT, parse

PACKAGES = sorted(path.parent for path in PACKAGE.rglob("*/__init__.py"))
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
LINES = [line.replace("(", "").replace(")", "") for line in CONTRACTS[0]["layers"]]


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter over the package in a folder that looks like this repository."""
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as lint; lint()",
            *("--no-cache", "--no-logo"),
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{os.environ['PYTHONPATH']}"},
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its contract, to break."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "src" / "ragstone", ignore=ignore)
    return tmp_path


def test_the_contract_is_kept() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("errors.py", "def f() -> None:\n    import ragstone.model\n"),
        ("measures/__init__.py", "import ragstone.formats\n"),
        ("unheard_of.py", ""),
    ],
    ids=["upwards", "sideways", "in no layer"],
)
def test_a_forbidden_import_breaks_it(module: str, code: str, copy: Path) -> None:
    with (copy / "src" / "ragstone" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{code}")
    done = lint(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert module.partition(".")[0].partition("/")[0] in done.stdout


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_packages_docstring_says_its_layer(package: Path) -> None:
    docstring = ast.get_docstring(parse(package / "__init__.py")) or ""
    top = package.relative_to(PACKAGE).parts[0]
    [line] = [line for line in LINES if top in line.split(" | ")]
    assert f"Layer: {line}" in docstring.replace("`", "")


def test_the_guide_for_contributors_shows_the_same_lines() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = guide.partition("```text\n")[2].partition("```")[0]
    assert [line.partition("  ")[0] for line in drawn.splitlines()] == LINES
