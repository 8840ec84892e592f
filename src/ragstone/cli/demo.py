"""`ragstone demo`."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ragstone.cli.options import global_options, not_empty
from ragstone.cli.output import print_bytes
from ragstone.errors import readable

EXAMPLES = """\
\b
Examples:
  ragstone demo
  ragstone demo --folder first-look
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--folder",
    default="ragstone-demo",
    show_default=True,
    metavar="DIR",
    callback=not_empty,
    help="Where its files go: the collection, two runs and three reports.",
)
@global_options()
def demo(folder: str) -> int:
    """Score and compare two retrievers on a built-in help-desk collection.

    The baseline searches titles and texts, the candidate texts alone. Each step is shown as
    the command that it stands for. That the gate fails is the result; the demo itself succeeds.
    """
    from ragstone.demo.tour import prepare, steps

    made = prepare(Path(folder))
    _say(f"A help desk: {made}, and the results of two retrievers, in {folder}/")
    for step in steps(Path(folder)):
        _say(f"\n{step.said}\n$ ragstone {shlex.join(step.args)}\n")
        _say(f"[exit code {_run(step.args)}]")
    _say(
        f"\nThe gate failed the candidate with exit code 4: that is what turns a build red.\n"
        f"All files are in {folder}/ ; run any of the commands above again, or change them."
    )
    return 0


def _run(args: tuple[str, ...]) -> int:
    from ragstone.cli.main import call

    return call(args)


def _say(text: str) -> None:
    print_bytes(f"{readable(text)}\n".encode())
