"""`make bench-size`: what a fresh install takes, and what it costs to start, beside its peers.

Every package gets an environment of its own, made anew with what its registry has today. CPU and
memory are those of a whole process, the start of Python included, as medians after a warm-up.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from process import Cost, run
from run import machine, update

HERE = Path(__file__).parent.resolve()
INSTALLED, FIRST_SCORE = str(HERE / "installed.py"), str(HERE / "peers" / "first_score.py")
RUNS = 11
HEAD = (
    "| installed | version | packages | MB | import, cpu s | peak MiB | first score, cpu s "
    "| peak MiB | asked for |\n"
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
)
OPT_OUT = {"RAGAS_DO_NOT_TRACK": "true", "DEEPEVAL_TELEMETRY_OPT_OUT": "1"}
"""While CPU is measured: no peer is charged for a network that it cannot reach."""


@dataclass(frozen=True)
class Install:
    """What is installed together, and the package of it that is measured."""

    what: str
    package: str
    requirements: tuple[str, ...]


def installs(wheel: Path) -> list[Install]:
    """Return what is measured; peers by the version that the page names, the rest as it comes."""
    ours, community = wheel.resolve().as_uri(), "langchain-community<0.4.2"
    return [
        Install("ragstone", "ragstone", (f"ragstone @ {ours}",)),
        Install("ragstone[judge]", "ragstone", (f"ragstone[judge] @ {ours}",)),
        Install("ragas", "ragas", ("ragas==0.4.3",)),
        Install(f"ragas, {community}", "ragas", ("ragas==0.4.3", community)),
        Install("deepeval", "deepeval", ("deepeval==4.3.1",)),
    ]


def make(install: Install, folder: Path) -> str:
    """Install into a new environment; return its Python."""
    python = str(folder / "bin" / "python")
    if not folder.exists():
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([*pip, *install.requirements], check=True)
    return python


def row(install: Install, python: str) -> str:
    """Measure an environment; return its line of the table."""
    told = json.loads(output([python, "-I", INSTALLED, install.package]))
    start = [f"{install.what}", told["version"], told["packages"], f"{told['bytes'] / 1e6:.1f}"]
    failed = failure([python, "-I", "-c", f"import {install.package}"])
    if failed:
        return line([*start, f"fails: {failed}", "-", "-", "-", "-"])
    score = [python, "-I", FIRST_SCORE, install.package]
    asked = output([*score, "--refuse"], network=True).partition("asked for:\n")[2].split()
    return line([
        *start,
        *costs([python, "-I", "-c", f"import {install.package}"]),
        *costs(score),
        ", ".join(asked) or "nothing",
    ])  # fmt: skip


def output(command: Sequence[str], *, network: bool = False) -> str:
    """Return what a command prints; with network, peers may try what they do by default."""
    return subprocess.run(
        command,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={k: v for k, v in os.environ.items() if not network or k not in OPT_OUT},
    ).stdout


def failure(command: Sequence[str]) -> str:
    """Return the last line of what a command that fails says, or nothing."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.stderr.strip().rpartition("\n")[2] if done.returncode else ""


def costs(command: Sequence[str]) -> list[str]:
    """Return median CPU and memory of a command, after one run to warm the file cache."""
    run(command)
    found: list[Cost] = [run(command) for _ in range(RUNS)]
    cpu, peak = (statistics.median(getattr(c, field) for c in found) for field in ("cpu", "peak"))
    return [f"{cpu:.3f}", f"{peak:.0f}"]


def line(cells: Sequence[object]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def measure(wheel: Path, folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    bare = costs([sys.executable, "-I", "-c", "pass"])
    yield line(["Python alone", sys.version.split()[0], 0, 0, *bare, "-", "-", "-"])
    for number, install in enumerate(installs(wheel)):
        yield row(install, make(install, folder / str(number)))


def main() -> None:
    """Measure, print, and write the page where it is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path, help="the wheel of ragstone to install")
    parser.add_argument("--update", type=Path, help="a page to put the figures into")
    parser.add_argument("--environments", type=Path, help="a folder to keep and use again")
    options = parser.parse_args()
    page = options.update and options.update.resolve()
    lines = [f"Measured on {machine()}.", "", HEAD]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        kept = (options.environments or Path(scratch, "environments")).resolve()
        wheel = options.wheel.resolve()
        os.environ.update(OPT_OUT, HOME=scratch)  # what peers write goes away again
        os.chdir(scratch)
        for each in measure(wheel, kept):
            lines.append(each)
            print(each, flush=True)
    if page:
        update(page, "\n".join(lines), "size")


if __name__ == "__main__":
    main()
