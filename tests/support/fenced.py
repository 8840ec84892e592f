"""Runs the examples of a Markdown file; CONTRIBUTING.md describes how they are written."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

FENCE = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)")
HEREDOC = re.compile(r"(?<!<)<<(?!<)-?\s*(['\"]?)(\w+)\1")
RUN = {"console", "python"}
# Names under which a block would look like an example and never be run.
MISNAMED = {"bash", "doctest", "py", "pycon", "python3", "sh", "shell", "shell-session", "zsh"}
TIMEOUT = 120


class ExampleError(AssertionError):
    """An example that is written wrongly, or does not do what the text says."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced code block: its file and line, the language, the options behind it, its text."""

    file: str
    line: int
    language: str
    options: dict[str, str]
    text: str

    @property
    def place(self) -> str:
        """Return `file:line`."""
        return f"{self.file}:{self.line}"

    @property
    def skipped(self) -> str:
        """Return why the block is not run, or nothing."""
        return self.options.get("skip-because", "")

    @property
    def runs(self) -> bool:
        """Tell whether this block is an example to run."""
        return self.language in RUN and not self.skipped


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a console block, and the lines that the text shows after it."""

    line: int
    script: str
    shown: str


@dataclass(slots=True)
class Page:
    """A file whose examples are run in order, in one folder and one namespace."""

    folder: Path
    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__example__"})

    def run(self, block: Block) -> None:
        """Run one block; raises ExampleError where it does not do what the text says."""
        check_options(block)
        if block.runs:
            (self._console if block.language == "console" else self._python)(block)

    def _console(self, block: Block) -> None:
        found = list(commands(block))
        for command in found:
            last = command is found[-1]
            code, output = shell(command.script, self.folder)
            expected = int(block.options.get("exit", "0")) if last else 0
            place = f"{block.file}:{command.line}"
            if code != expected:
                raise ExampleError(
                    f"{place}: exit code {code}, expected {expected}: {command.script}\n{output}"
                )
            if "output" in block.options:
                compare(place, command.shown, output)

    def _python(self, block: Block) -> None:
        with chdir(self.folder):
            if ">>> " in block.text:
                self._session(block)
            else:
                self._script(block)

    def _session(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.text, self.namespace, block.place, block.file, block.line
        )
        told = StringIO()
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        result = runner.run(test, out=told.write, clear_globs=False)
        self.namespace.update(test.globs)
        if result.failed:
            raise ExampleError(told.getvalue())

    def _script(self, block: Block) -> None:
        try:
            code = compile("\n" * block.line + block.text, block.file, "exec")
            with redirect_stdout(StringIO()):
                exec(code, self.namespace)
        except Exception as error:
            raise ExampleError(f"{block.place}: {type(error).__name__}: {error}") from error


def blocks(text: str, file: str) -> Iterator[Block]:
    """Find the fenced code blocks of a Markdown text."""
    fence: re.Match[str] | None = None
    start, inside = 0, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if fence is None:
            if fence := FENCE.fullmatch(line.rstrip()):
                start, inside = number, []
        elif line.strip() == fence["marks"]:
            yield Block(file, start, *info(fence["info"]), "".join(inside))
            fence = None
        else:
            inside.append(line.removeprefix(fence["indent"]) + "\n")
    if fence is not None:
        raise ExampleError(f"{file}:{start}: the block is not closed")


def info(text: str) -> tuple[str, dict[str, str]]:
    """Split what stands behind a fence into language and options.

    >>> info('console exit=4 skip-because="needs a download"')
    ('console', {'exit': '4', 'skip-because': 'needs a download'})
    """
    language, *words = shlex.split(text) or [""]
    pairs = (word.partition("=") for word in words)
    return language, {name: value for name, _, value in pairs}


def check_options(block: Block) -> None:
    """Refuse a block that would not be checked as its author thinks."""
    known = {"console": {"exit", "output", "skip-because"}, "python": {"skip-because"}}
    unnamed = block.language == "" and block.text.startswith(("$ ", ">>> "))
    if unnamed or block.language in MISNAMED:
        raise ExampleError(f"{block.place}: write console or python, not {block.language!r}")
    strange = block.options.keys() - known.get(block.language, set())
    if strange and block.language in RUN:
        raise ExampleError(f"{block.place}: unknown: {', '.join(sorted(strange))}")
    if not block.options.get("exit", "0").isdigit():
        raise ExampleError(f"{block.place}: exit is a number")
    if "skip-because" in block.options and not block.skipped:
        raise ExampleError(f"{block.place}: say why it is skipped")
    if block.language == "console" and not list(commands(block)):
        raise ExampleError(f"{block.place}: no line starts with `$ `")


def commands(block: Block) -> Iterator[Command]:
    """Split a console block into commands and what is shown after each.

    A command goes on after a backslash, on lines that start with `> `, and to the end of its
    here-document.
    """
    lines = block.text.removesuffix("\n").split("\n")
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ExampleError(f"{block.file}:{block.line + 1 + at}: output before any command")
        start, script = at, [lines[at][2:]]
        at += 1
        while at < len(lines) and goes_on(script, lines[at]):
            script.append(lines[at].removeprefix("> "))
            at += 1
        shown = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        yield Command(
            block.line + 1 + start, "\n".join(script), "".join(f"{x}\n" for x in lines[shown:at])
        )


def goes_on(script: list[str], line: str) -> bool:
    """Tell whether a line belongs to the command begun before it."""
    heredoc = HEREDOC.search(script[0])
    inside = heredoc is not None and heredoc[2] not in script[1:]
    return inside or script[-1].endswith("\\") or line.startswith("> ")


def shell(script: str, folder: Path) -> tuple[int, str]:
    """Run a command as a reader would; return its exit code and all that it printed."""
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        cwd=folder,
        env=environment(folder),
        timeout=TIMEOUT,
    )
    return done.returncode, done.stdout


def environment(folder: Path) -> dict[str, str]:
    """Return the caller's environment, with this Python's programs first and an empty home."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "HOME": str(folder), "COLUMNS": "100", "LC_ALL": "C.UTF-8"}


def compare(place: str, expected: str, output: str) -> None:
    """Compare as doctest does: `...` stands for anything, in a line and as a line."""
    want, got = (
        "".join(f"{line.rstrip()}\n" for line in text.splitlines()) for text in (expected, output)
    )
    checker = doctest.OutputChecker()
    if not checker.check_output(want, got, doctest.ELLIPSIS):
        example = doctest.Example("", want)
        told = checker.output_difference(example, got, doctest.ELLIPSIS | doctest.REPORT_NDIFF)
        raise ExampleError(f"{place}: the output differs\n{told}")
