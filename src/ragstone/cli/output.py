"""Where results go: the report to a file, what a person reads to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ragstone.cli.log import log
from ragstone.errors import InputError, RagstoneError

if TYPE_CHECKING:
    from ragstone.formats import Source
    from ragstone.reports import Input, Report
    from ragstone.reports.renderers.page import Page


class Inputs:
    """The files a command has opened so far, by their role."""

    def __init__(self) -> None:
        """Start with none."""
        self.sources: list[tuple[str, Source]] = []

    def open(self, role: str, path: str) -> Source:
        """Open an input and remember it for the report."""
        from ragstone.formats import Source

        source = Source(path)
        self.sources.append((role, source))
        return source

    def report(self, role: str, path: str) -> Report:
        """Open and read a report."""
        from ragstone.reports import parse_report, read_bytes

        source = self.open(role, path)
        return parse_report(read_bytes(source.path), path)

    def described(self) -> list[Input]:
        """Return what a report says of them, in the order they were opened."""
        from ragstone.reports import describe

        return [describe(role, source) for role, source in self.sources]


@contextmanager
def error_report(command: str, out: str | None, inputs: Inputs) -> Iterator[None]:
    """Write an error report to `out` when the command fails after an input could be read."""
    try:
        yield
    except RagstoneError as error:
        if out and inputs.sources:
            _write_error(command, out, inputs, error)
        raise


def _write_error(command: str, out: str, inputs: Inputs, error: RagstoneError) -> None:
    from ragstone.reports import build_error, write_report

    try:
        write_report(build_error(command, error, inputs.described()), out)
    except InputError as second:  # the first error is what the user must hear of
        log.warning(f"no error report was written: {second}")


def deliver(report: Report, out: str | None) -> None:
    """Write the report where a file was named."""
    from ragstone.reports import write_report

    if out:
        write_report(report, out)


def print_bytes(data: bytes) -> None:
    """Write bytes to standard output as they are, whatever the locale."""
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(data.decode())
    else:
        stream.write(data)
        stream.flush()


def print_page(page: Page, format_: str) -> None:
    """Print a page as a table, with colours on a terminal, or as Markdown."""
    from ragstone.reports.renderers import markdown, text

    plain: dict[str, Callable[[Page], str]] = {"table": text.render, "markdown": markdown.render}
    if format_ == "table" and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from ragstone.reports.renderers import terminal

        terminal.show(page)
    else:
        print_bytes(plain[format_](page).encode("utf-8", "backslashreplace"))
