"""What is built from this checkout, and what a release checks before it publishes."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from installed import size
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ragstone import __version__
from sources import PACKAGE, ROOT

SCRIPT = ROOT / ".ci" / "release.py"
WHEEL = f"ragstone-{__version__}-py3-none-any.whl"
SDIST = f"ragstone-{__version__}.tar.gz"


def release(*arguments: object, script: Path = SCRIPT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both archives without the network."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return folder


def names(path: Path) -> set[str]:
    """Return the files in an archive."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return set(wheel.namelist())
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_the_release_script_is_content(built: Path) -> None:
    done = release("dist", built)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_wheel_has_the_package_and_nothing_else(built: Path) -> None:
    info = f"ragstone-{__version__}.dist-info"
    found = names(built / WHEEL)
    ours = {name for name in found if not name.startswith(f"{info}/")}
    package = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours <= package
    assert {name for name in package - ours if name.endswith((".py", ".typed"))} == set()
    assert {"ragstone/py.typed", "ragstone/demo/collection/corpus.jsonl"} <= ours
    assert {name.removeprefix(f"{info}/") for name in found - ours} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
        "licenses/NOTICE",
    }


def test_the_wheel_declares_command_and_plugin(built: Path) -> None:
    with zipfile.ZipFile(built / WHEEL) as wheel:
        points = wheel.read(f"ragstone-{__version__}.dist-info/entry_points.txt").decode()
    assert [line for line in points.splitlines() if line] == [
        "[console_scripts]",
        "ragstone = ragstone.cli:main",
        "[pytest11]",
        "ragstone = ragstone.pytest_plugin",
    ]


def test_the_source_archive_can_run_its_tests(built: Path) -> None:
    found = names(built / SDIST)
    assert {"action.yml", ".github/action/compare.sh", "CONTRIBUTING.md", ".ci/run"} <= found
    assert not any("__pycache__" in name or ".venv" in name for name in found)


def test_the_wheel_runs_from_where_it_is(built: Path, tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(built / WHEEL)!r}); import ragstone as r; " \
           "assert '.whl' in r.__file__; print(r.__version__)"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == __version__


# ---- what an extra brings along ----------------------------------------------------------------

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MOST = 30_000_000
"""Bytes that an extra for every day may add, the bytecode of what it brings included."""


def needs(name: str, extra: str) -> Iterator[Requirement]:
    """Yield what a package requires here: with no extra, or because of one."""
    for requirement in map(Requirement, distribution(name).requires or ()):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def brought(requirements: Iterable[str]) -> set[str]:
    """Return the packages that requirements bring along, those of their packages included."""
    found: set[tuple[str, str]] = set()
    wanted = [Requirement(each) for each in requirements]
    while wanted:
        one = wanted.pop()
        for extra in ("", *one.extras):
            if (key := (canonicalize_name(one.name), extra)) not in found:
                found.add(key)
                wanted += needs(*key)
    return {name for name, _ in found}


def added(extra: str) -> dict[str, int]:
    """Return the bytes of each package that an extra adds to what ragstone needs anyway."""
    more = brought(PROJECT["optional-dependencies"][extra]) - brought(PROJECT["dependencies"])
    return {name: size(distribution(name)) for name in sorted(more)}


def test_a_judge_adds_thirty_megabytes_at_most() -> None:
    sizes = added("judge")
    assert {"genai-prices", "httpx", "httpcore", "certifi"} <= sizes.keys()
    assert min(sizes.values()) > 0
    assert sum(sizes.values()) <= MOST, sizes


def test_an_extra_that_adds_more_is_seen() -> None:
    assert sum(added("parquet").values()) > MOST


def test_what_ragstone_needs_anyway_is_not_counted() -> None:
    assert "numpy" in brought(["kiwipiepy"])
    assert {"kiwipiepy", "numpy"} & added("korean").keys() == {"kiwipiepy"}


# ---- what the release script refuses -----------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the script reads, dated for a release."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    package = tmp_path / "src" / "ragstone"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.2.3 - 2026-02-03\n\nNew.\n\n## 1.2.2 - 2026-01-01\n\nOld.\n"
    )
    return tmp_path


def test_a_tag_that_is_the_version_may_go_on(checkout: Path) -> None:
    script = checkout / ".ci" / "release.py"
    assert release("check", "v1.2.3", script=script).returncode == 0
    assert release("notes", "v1.2.3", script=script).stdout == "New.\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "message"),
    [
        ("v1.2.4", None, "the tag is v1.2.4, the version is 1.2.3; they must be equal"),
        ("1.2.3", None, "'1.2.3' is not a tag of a release; vX.Y.Z was expected"),
        ("v1.2.3rc1", None, "vX.Y.Z was expected"),
        ("v1.2.3", "## 1.2.3 - unreleased\n", "give it the date of the release"),
        ("v1.2.3", "## 1.2.30 - 2026-01-01\n", "CHANGELOG.md has no section of 1.2.3"),
    ],
)
def test_another_may_not(tag: str, changelog: str | None, message: str, checkout: Path) -> None:
    if changelog is not None:
        (checkout / "CHANGELOG.md").write_text(changelog)
    done = release("check", tag, script=checkout / ".ci" / "release.py")
    assert done.returncode == 1
    assert message in done.stderr


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "x.whl").touch(), "was expected"),
        (lambda folder: (folder / SDIST).unlink(), "was expected"),
        (lambda folder: add(folder / WHEEL, "tests/test_x.py"), "do not belong there"),
        (lambda folder: add(folder / WHEEL, "ragstone/__pycache__/a.pyc"), "do not belong"),
    ],
    ids=["one more", "one less", "strange", "compiled"],
)
def test_what_was_built_wrongly_is_refused(
    spoil: object, message: str, built: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(built, tmp_path / "dist")
    assert callable(spoil)
    spoil(folder)
    done = release("dist", folder)
    assert done.returncode == 1
    assert message in done.stderr


def add(wheel: Path, name: str) -> None:
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(name, "")


def test_what_must_be_in_a_wheel_is_looked_for(built: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(built, tmp_path / "dist")
    with zipfile.ZipFile(built / WHEEL) as old, zipfile.ZipFile(folder / WHEEL, "w") as new:
        for name in old.namelist():
            if name != "ragstone/py.typed":
                new.writestr(name, old.read(name))
    assert "has no ragstone/py.typed" in release("dist", folder).stderr


def test_the_script_explains_itself() -> None:
    done = release("publish")
    assert done.returncode == 2
    assert "release.py check vX.Y.Z" in done.stderr
    assert runpy.run_path(str(SCRIPT))["version"]() == __version__
