"""What `make` lists, and what it says where no Python can be used."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sources import ROOT

PYTHONS = {
    "old": '[ "$1" = -V ] && echo Python 3.9.2; case "$2" in *version_info*) exit 1;; esac',
    "bare": 'case "$2" in *ensurepip*) exit 1;; esac',
    "broken": "exit 127",
    "good": '[ "$1" = -V ] && echo Python 3.11.0; [ "$1" = -m ] && echo "called with $*"; exit 0',
}


@pytest.fixture
def pythons(tmp_path: Path) -> Path:
    """A folder of interpreters that only pretend."""
    for name, script in PYTHONS.items():
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return tmp_path


def make_venv(pythons: Path, *names: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / ".ci" / "venv", "folder", *(str(pythons / name) for name in names)],
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_first_python_that_can_makes_the_environment(pythons: Path) -> None:
    done = make_venv(pythons, "missing", "broken", "old", "bare", "good", "missing")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Making folder with Python 3.11.0",
        "called with -m venv --clear folder",
    ]


def test_where_none_can_each_reason_is_told(pythons: Path) -> None:
    done = make_venv(pythons, "missing", "broken", "old", "bare")
    assert done.returncode == 1
    assert [line.strip().removeprefix(f"{pythons}/") for line in done.stderr.splitlines()] == [
        "No Python here can run ragstone:",
        "missing: not found",
        "broken: not found",
        "old: is Python 3.9.2, and ragstone needs Python 3.11 or newer",
        "bare: cannot make a venv (on Debian and Ubuntu: apt install python3-venv)",
        "Name one: make PYTHON=/path/to/python",
    ]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_alone_lists_what_there_is() -> None:
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    listed = subprocess.run(
        ["make"], cwd=ROOT, env=alone, check=True, capture_output=True, text=True
    ).stdout
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [phony] = re.findall(r"^\.PHONY: (.*)", makefile, re.MULTILINE)
    assert re.findall(r"make (\S+)", listed) == [x for x in phony.split() if x != "schema-check"]


def test_ci_runs_the_checks_and_all_tests() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "set -euo pipefail" in script
    assert script.endswith("make check test-all\n")
