"""The root command: global flags, and how an error becomes a message and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from ragstone import __version__
from ragstone.cli.group import Commands
from ragstone.cli.log import log
from ragstone.cli.options import global_options
from ragstone.errors import ExitCode, RagstoneError

EPILOG = """\
Exit codes: 0 done, or passed; 2 bad input or usage; 3 unexpected failure or interrupted;
4 failed (regression, floor, not comparable, invalid report); 5 not decided.
"""


@click.group(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="ragstone")
@global_options(hidden=False)
def root() -> None:
    """Measure a RAG system and tell, with evidence, whether a change made it worse.

    Start with `ragstone demo`. `ragstone COMMAND --help` explains a command by an example.
    """


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its code."""
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run the command; every error becomes a message on standard error and a code."""
    try:
        result = root(args=None if args is None else list(args))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone; say nothing more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERNAL
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last resort
        return _failed(error)
    return int(result or 0)


def _failed(error: BaseException) -> int:
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if log.verbose:
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    message, code = _explained(error)
    log.error(message)
    return int(code)


def _explained(error: BaseException) -> tuple[str, ExitCode]:
    if isinstance(error, RagstoneError):
        return str(error), error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return "interrupted", ExitCode.INTERNAL
    if isinstance(error, click.ClickException):
        return _usage(error), ExitCode.INPUT
    if isinstance(error, OSError):
        return f"{error.filename or 'system'}: {error.strerror or error}", ExitCode.INPUT
    return (
        f"unexpected failure of ragstone itself: {type(error).__name__}: {error}; "
        "please report it with the output of --verbose",
        ExitCode.INTERNAL,
    )


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    hint = f"; see {context.command_path} --help" if context else ""
    return error.format_message().rstrip(".") + hint
