"""The commands that run a live system, as a user calls them in a folder with a module `mine`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from commands import RAGSTONE, Done, ragstone


@dataclass(frozen=True, slots=True)
class Live:
    """run-NOUN, the system that it runs where none is named, and the file it then writes."""

    noun: str
    system: str
    out: str

    def arguments(self, *args: str, **options: str) -> list[str]:
        """Return its arguments; options: another system by its noun, another `out`."""
        named = {self.noun: self.system, "queries": "queries.jsonl", "out": self.out, **options}
        flags = [word for name, value in named.items() for word in (f"--{name}", value)]
        return [f"run-{self.noun}", *flags, *args]

    def run(self, folder: Path, *args: str, **options: str) -> Done:
        """Run it here, as a new process would: in the folder, with none of its modules."""
        paths = list(sys.path)
        try:
            return ragstone(*self.arguments(*args, **options), cwd=folder)
        finally:
            sys.path[:] = paths
            sys.modules.pop("mine", None)

    def ok(self, folder: Path, *args: str, **options: str) -> str:
        """Run it and return what it said."""
        done = self.run(folder, *args, **options)
        assert (done.code, done.out) == (0, b""), done.err
        return done.err

    def refused(self, folder: Path, *args: str, **options: str) -> str:
        """Run it, see it fail and write nothing, and return what it said."""
        done = self.run(folder, *args, **options)
        out = options.get("out", self.out)
        assert done.code == 2, done.err
        assert "Traceback" not in done.err
        assert out == "queries.jsonl" or not (folder / out).exists()
        return done.err

    @contextmanager
    def started(
        self, folder: Path, *args: str, pause: str, **options: str
    ) -> Iterator[subprocess.Popen[str]]:
        """Start it in a process of its own, with mine:marked, which writes down each call."""
        chosen = {self.noun: "mine:marked", **options}
        process = subprocess.Popen(
            [*RAGSTONE, *self.arguments(*args, **chosen)],
            cwd=folder,
            env={**os.environ, "PAUSE": pause},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate(timeout=20)


def wait_for(journal: Path, lines: int) -> None:
    """Wait until a journal has more than so many lines."""
    for _ in range(3000):
        if journal.exists() and journal.read_bytes().count(b"\n") > lines:
            return
        time.sleep(0.01)
    raise AssertionError("the journal does not grow")
