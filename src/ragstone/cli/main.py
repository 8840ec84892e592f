"""The root command: global flags, and how an error becomes a message and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn, TextIO

import click

from ragstone import __version__
from ragstone.cli.group import Commands
from ragstone.cli.log import log
from ragstone.cli.options import global_options, heed_global_options
from ragstone.errors import ExitCode, RagstoneError

NAME = "ragstone"
COMPLETION = "_RAGSTONE_COMPLETE"  # what a shell sets that asks click what could be typed next
EPILOG = """\
Exit codes: 0 done, or passed; 2 bad input or usage; 3 unexpected failure or interrupted;
4 failed (regression, floor, not comparable, leak, overlap, invalid report); 5 not decided.
"""


@click.group(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name=NAME)
@global_options(hidden=False)
def root() -> None:
    """Measure a RAG system and tell, with evidence, whether a change made it worse.

    Start with `ragstone demo`. `ragstone COMMAND --help` explains a command by an example.
    """


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its code."""
    if COMPLETION in os.environ:
        root.main(prog_name=NAME)
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run the command; every error becomes a message on standard error and a code."""
    log.reset()
    try:
        return _run(sys.argv[1:] if args is None else list(args))
    finally:
        for stream in (sys.stdout, sys.stderr):
            _settle(stream)


def _run(args: Sequence[str]) -> int:
    try:
        code = call(args)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone; say nothing more
        return ExitCode.INTERNAL
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last resort
        return _failed(error, args)
    return code


def call(args: Sequence[str]) -> int:
    """Run the command and return its code; what it raises is for the caller.

    Not by click's own main, which answers a broken pipe and Ctrl-C in its own way.
    """
    with root.make_context(NAME, list(args)) as context:
        return int(root.invoke(context) or 0)


def _settle(stream: TextIO | None) -> None:
    """Give up what cannot be written: the interpreter would try again as it ends, and exit 120."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _failed(error: BaseException, args: Sequence[str]) -> int:
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        log.plain(f"{error.format_message()}\n")
        return ExitCode.INPUT
    if isinstance(error, click.UsageError):
        heed_global_options(args)
    message, code = _explained(error)
    log.error(message, error)
    return int(code)


def _explained(error: BaseException) -> tuple[str, ExitCode]:
    if isinstance(error, RagstoneError):
        return str(error), error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return "interrupted", ExitCode.INTERNAL
    if isinstance(error, click.ClickException):
        return _usage(error), ExitCode.INPUT
    if isinstance(error, OSError):
        place = error.filename or "input or output failed"
        return f"{place}: {error.strerror or error}", ExitCode.INPUT
    return (
        f"unexpected failure of ragstone itself: {type(error).__name__}: {error}; "
        "please report it with the output of --verbose",
        ExitCode.INTERNAL,
    )


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    hint = f"; see {context.command_path} --help" if context else ""
    return " ".join(error.format_message().split()).rstrip(".") + hint
