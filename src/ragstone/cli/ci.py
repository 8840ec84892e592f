"""What `compare` tells a CI system beside its report: a JUnit file, and annotations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragstone.cli.log import log
from ragstone.cli.options import file_to_write
from ragstone.errors import InputError, RagstoneError, UsageError

if TYPE_CHECKING:
    from ragstone.gate import Comparison
    from ragstone.reports.renderers.annotations import Annotation

F = TypeVar("F", bound=Callable[..., Any])

CODE_QUALITY = "gl-code-quality-report.json"
_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    (
        "--annotations-file",
        {
            "metavar": "FILE",
            "callback": file_to_write,
            "help": "Where annotations go. By default to stderr for github, and to "
            f"{CODE_QUALITY} for gitlab.",
        },
    ),
    (
        "--annotations",
        {
            "type": click.Choice(["auto", "github", "gitlab", "none"]),
            "default": "auto",
            "show_default": True,
            "help": "Say on the pull or merge request what got worse: github prints workflow "
            "commands, gitlab writes a Code Quality report. auto asks GITHUB_ACTIONS and "
            "GITLAB_CI.",
        },
    ),
    (
        "--junit",
        {
            "metavar": "FILE",
            "callback": file_to_write,
            "help": "Write JUnit XML to FILE, one test case a measure, as most CI systems read it.",
        },
    ),
]


def ci_options(command: F) -> F:
    """Add --junit, --annotations and --annotations-file."""
    for name, options in _OPTIONS:
        command = click.option(name, **options)(command)
    return command


class Told:
    """What a CI system is told of one comparison; candidate is the path that it is about."""

    def __init__(
        self, candidate: str, junit: str | None, annotations: str, annotations_file: str | None
    ) -> None:
        """Decide who is told; raises UsageError for a file without anybody to read it."""
        self.candidate, self.junit = candidate, junit
        self.system = detected(os.environ) if annotations == "auto" else annotations
        self.file, self.named = annotations_file, bool(annotations_file)
        if annotations_file and annotations == "none":
            raise UsageError("--annotations-file goes with --annotations github or gitlab")
        if not self.file and self.system == "gitlab":
            self.file = CODE_QUALITY

    @contextmanager
    def of_errors(self) -> Iterator[None]:
        """Tell of an error that ends the comparison, too: a red build should say why."""
        try:
            yield
        except RagstoneError as error:
            try:
                self._of_error(error)
            except InputError as second:  # the first error is what the user must hear of
                log.warning(f"the CI system was not told: {second}")
            raise

    def of(self, comparison: Comparison) -> None:
        """Write the JUnit file and the annotations of a comparison."""
        if self.junit:
            from ragstone.reports.renderers import junit

            self._write(self.junit, junit.render(comparison))
        if self.system != "none":
            from ragstone.reports.renderers.annotations import annotate

            self._annotate(annotate(comparison))

    def _of_error(self, error: RagstoneError) -> None:
        if self.junit:
            from ragstone.reports.renderers import junit

            self._write(self.junit, junit.render_error(type(error).__name__, str(error)))
        if self.system != "none":
            from ragstone.reports.renderers.annotations import of_error

            self._annotate(of_error(str(error)))

    def _annotate(self, found: list[Annotation]) -> None:
        from ragstone.reports.renderers.annotations import WRITERS

        written = WRITERS[self.system](found, self.candidate)
        if self.file:
            self._write(self.file, written)
            if not self.named:
                log.note(f"annotations for {self.system} are in {self.file}")
        else:
            log.plain(written)

    def _write(self, path: str, text: str) -> None:
        from ragstone.store import write_atomic

        write_atomic(path, text.encode("utf-8", "backslashreplace"))


def detected(environment: Mapping[str, str]) -> str:
    """Return whose annotations are understood here.

    >>> detected({"GITHUB_ACTIONS": "true"}), detected({"GITLAB_CI": "true"}), detected({})
    ('github', 'gitlab', 'none')
    """
    known = {"GITHUB_ACTIONS": "github", "GITLAB_CI": "gitlab"}
    return next((name for key, name in known.items() if environment.get(key) == "true"), "none")
