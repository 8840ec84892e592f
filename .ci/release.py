"""What a release has to hold, checked before anything is published.

python .ci/release.py check vX.Y.Z   the tag is the version, and the changelog has a dated section
python .ci/release.py notes vX.Y.Z   print that section
python .ci/release.py dist FOLDER    one wheel and one source archive, with what must be in them
"""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from email import message_from_bytes
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TAG = re.compile(r"v\d+\.\d+\.\d+")
WHEEL_HAS = (
    "ragstone/py.typed",
    "ragstone/pytest_plugin.py",
    "ragstone/demo/collection/corpus.jsonl",
    "ragstone/demo/collection/queries.jsonl",
    "ragstone/demo/collection/qrels.tsv",
)
SDIST_HAS = (
    "action.yml",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "schemas/report.v1.json",
    "tests/conftest.py",
)


class ReleaseError(Exception):
    """Why this cannot be released."""


def version() -> str:
    """Return the version of the package in this checkout."""
    source = (ROOT / "src" / "ragstone" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if not found:
        raise ReleaseError("src/ragstone/__init__.py has no __version__")
    return found[1]


def check(tag: str) -> None:
    """Hold the tag against the version, and find its section of the changelog."""
    if not TAG.fullmatch(tag):
        raise ReleaseError(f"{tag!r} is not a tag of a release; vX.Y.Z was expected")
    if tag != f"v{version()}":
        raise ReleaseError(f"the tag is {tag}, the version is {version()}; they must be equal")
    heading, _ = section(tag)
    if not re.fullmatch(r"## \d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", heading):
        raise ReleaseError(f"CHANGELOG.md has {heading!r}; give it the date of the release")


def section(tag: str) -> tuple[str, str]:
    """Return the heading and the text of a version in the changelog."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for part in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        heading, _, body = part.partition("\n")
        if heading.startswith(f"## {tag.removeprefix('v')} "):
            return heading, body.strip()
    raise ReleaseError(f"CHANGELOG.md has no section of {tag.removeprefix('v')}")


def notes(tag: str) -> None:
    """Print what the changelog says of a version."""
    print(section(tag)[1])


def dist(folder: str) -> None:
    """Check that there is one wheel and one source archive, and what is in them."""
    built = sorted(path.name for path in Path(folder).iterdir())
    expected = [f"ragstone-{version()}-py3-none-any.whl", f"ragstone-{version()}.tar.gz"]
    if built != expected:
        raise ReleaseError(f"{folder} has {', '.join(built)}; {', '.join(expected)} was expected")
    _check_wheel(Path(folder) / expected[0])
    _check_sdist(Path(folder) / expected[1])


def _check_wheel(path: Path) -> None:
    info = f"ragstone-{version()}.dist-info"
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        _need(path, names, [*WHEEL_HAS, f"{info}/licenses/LICENSE", f"{info}/licenses/NOTICE"])
        strange = [
            name
            for name in names
            if not name.startswith(("ragstone/", f"{info}/")) or "__pycache__" in name
        ]
        if strange:
            raise ReleaseError(f"{path.name} has {', '.join(strange)}, which do not belong there")
        metadata = message_from_bytes(wheel.read(f"{info}/METADATA"))
        points = wheel.read(f"{info}/entry_points.txt").decode()
    if metadata["Version"] != version():
        raise ReleaseError(f"{path.name} says it is {metadata['Version']}")
    for line in ("ragstone = ragstone.cli:main", "ragstone = ragstone.pytest_plugin"):
        if line not in points.splitlines():
            raise ReleaseError(f"{path.name} has no entry point {line!r}")


def _check_sdist(path: Path) -> None:
    top = f"ragstone-{version()}/"
    with tarfile.open(path) as archive:
        names = [name.removeprefix(top) for name in archive.getnames()]
    _need(path, names, SDIST_HAS)


def _need(path: Path, names: Sequence[str], needed: Sequence[str]) -> None:
    if missing := sorted(set(needed) - set(names)):
        raise ReleaseError(f"{path.name} has no {', '.join(missing)}")


COMMANDS: dict[str, Callable[[str], None]] = {"check": check, "notes": notes, "dist": dist}


def main(arguments: Sequence[str]) -> int:
    """Run one command; 1 where the release may not go on."""
    match list(arguments):
        case [name, argument] if name in COMMANDS:
            try:
                COMMANDS[name](argument)
            except ReleaseError as error:
                print(f"error: {error}", file=sys.stderr)
                return 1
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
