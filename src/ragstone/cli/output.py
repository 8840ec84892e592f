"""Where results go: the report to a file, what a person reads to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TYPE_CHECKING

import click

from ragstone.cli.log import is_terminal, log
from ragstone.errors import InputError, UsageError

if TYPE_CHECKING:
    from ragstone.formats import Source
    from ragstone.formats.corpus import Corpus, Named
    from ragstone.reports import Input, Report
    from ragstone.reports.renderers.page import Page


_PLAIN_LISTS = {"calibration", "judge", "rubric"}  # roles with several files that are no corpus


class Inputs:
    """The files a command reads, by their role.

    What is expected is known from the command line before it is opened: after an error the others
    are still opened, so that its report names every input that could be read.
    """

    def __init__(self, **expected: str | Sequence[str]) -> None:
        """Start with none opened; expected: the path of each role, in the order of the report.

        A corpus may have several paths: a sequence of them.
        """
        self.expected = expected
        self.sources: list[tuple[str, Named]] = []

    def open(self, role: str, path: str) -> Source:
        """Open an input and remember it for the report."""
        from ragstone.formats import Source

        self.expected.pop(role, None)
        source = Source(path)
        self.sources.append((role, source))
        return source

    def open_several(self, role: str, paths: Sequence[str]) -> list[Source]:
        """Open the files of a role that may have several, and remember them for the report."""
        return [self.open(role, path) for path in paths]

    def open_corpus(
        self, role: str, paths: Sequence[str], max_records: int | None = None
    ) -> Corpus:
        """Open the files of a corpus and remember them for the report."""
        from ragstone.formats.corpus import Corpus

        self.expected.pop(role, None)
        corpus = Corpus(paths, max_records=max_records)
        self.sources.extend((role, each) for each in corpus.inputs)
        return corpus

    def open_others(self) -> None:
        """Open what is expected and was not reached; not standard input, which may never end."""
        for role, path in dict(self.expected).items():
            with suppress(InputError):
                if role in _PLAIN_LISTS:
                    self.open_several(role, [each for each in path if each != "-"])
                elif not isinstance(path, str):
                    if "-" not in path:
                        self.open_corpus(role, path)
                elif path != "-":
                    self.open(role, path)

    def add(self, role: str, named: Sequence[Named]) -> None:
        """Remember what was opened elsewhere, as files that Spark reads."""
        self.expected.pop(role, None)
        self.sources.extend((role, each) for each in named)

    def report(self, role: str, path: str) -> Report:
        """Open and read a report."""
        from ragstone.reports import parse_report, read_bytes

        source = self.open(role, path)
        return parse_report(read_bytes(source.path), path)

    def described(self) -> list[Input]:
        """Return what a report says of them, in the order they were opened."""
        from ragstone.reports import describe

        return [describe(role, source) for role, source in self.sources]

    def refuse_to_replace(
        self, flags: Mapping[str, str] | None = None, **outputs: str | None
    ) -> None:
        """Raise UsageError where an output would take the place of an input, or of another.

        flags: which flag names a role, where it is another than the role's name.
        """
        written: dict[str, str] = {}
        for name, path in outputs.items():
            if path is None:
                continue
            flag = f"--{name.replace('_', '-')}"
            for role, others in self.expected.items():
                if any(_is_same(path, each) for each in _as_list(others)):
                    reader = (flags or {}).get(role) or f"--{role.replace('_', '-')}"
                    raise UsageError(f"{flag} {path} is what {reader} reads; name another file")
            if path in written:
                raise UsageError(f"{flag} {path} is what {written[path]} writes; name another file")
            written[path] = flag


@contextmanager
def error_report(command: str, out: str | None, inputs: Inputs) -> Iterator[None]:
    """Write an error report to `out` when the command fails after an input could be read."""
    try:
        yield
    except (BrokenPipeError, click.exceptions.Exit):
        raise
    except Exception as error:
        if out:
            _write_error(command, out, inputs, error)
        raise


def _write_error(command: str, out: str, inputs: Inputs, error: Exception) -> None:
    from ragstone.reports import build_error, write_report

    try:
        inputs.open_others()
        if inputs.sources:
            write_report(build_error(command, error, inputs.described()), out)
    except InputError as second:  # the first error is what the user must hear of
        if str(second) != str(error):
            log.warning(f"no error report was written: {second}")


def _as_list(paths: str | Sequence[str]) -> Sequence[str]:
    return [paths] if isinstance(paths, str) else paths


def _is_same(out: str, path: str) -> bool:
    try:
        return os.path.isfile(out) and os.path.samefile(out, path)  # noqa: PTH113, PTH121
    except (OSError, ValueError):
        return False


@contextmanager
def users_code() -> Iterator[None]:
    """Send what code of the user prints to stderr: stdout is for reports and data alone.

    It holds for the whole process, so nothing of ours may be printed inside.
    """
    with redirect_stdout(sys.stderr):
        yield


def deliver(report: Report, out: str | None) -> None:
    """Write the report where a file was named."""
    from ragstone.reports import write_report

    if out:
        write_report(report, out)


def write_data(chunks: Iterable[bytes], out: str) -> None:
    """Write a data file whole or not at all; .gz and .zst are packed, `-` is standard output."""
    from ragstone.formats import packed_as
    from ragstone.store import write_atomic

    whole = packed_as(out, chunks)
    if out == "-":
        print_bytes(whole)
    else:
        write_atomic(out, whole)


def print_bytes(data: bytes | Iterable[bytes]) -> None:
    """Write bytes to standard output as they are, whatever the locale; all of them or none.

    Raises InputError where it is closed or cannot be written, and BrokenPipeError.
    """
    from ragstone.store import write_stream

    write_stream(sys.stdout, data, "standard output")


def print_report(report: Report, shown: str, page: Callable[[], Page]) -> None:
    """Print a report: as JSON, or the page that is made of it."""
    from ragstone.reports import encode_report

    if shown == "json":
        print_bytes(encode_report(report))
    else:
        print_page(page(), shown)


def print_page(page: Page, format_: str) -> None:
    """Print a page as a table, with colours on a terminal, or as Markdown."""
    from ragstone.reports.renderers import markdown, text

    plain: dict[str, Callable[[Page], str]] = {"table": text.render, "markdown": markdown.render}
    if format_ == "table" and is_terminal(sys.stdout):
        from ragstone.reports.renderers import terminal

        print_bytes(terminal.render(page).encode("utf-8", "backslashreplace"))
    else:
        print_bytes(plain[format_](page).encode("utf-8", "backslashreplace"))
