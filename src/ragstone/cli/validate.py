"""`ragstone validate-report`."""

from __future__ import annotations

from pathlib import Path

import click

from ragstone.cli.options import global_options, refuse_two_inputs_from_stdin
from ragstone.cli.output import print_bytes, print_page
from ragstone.errors import ExitCode

EXAMPLES = """\
\b
Examples:
  ragstone validate-report score.json
  ragstone validate-report baselines/*.json
  ragstone validate-report compare.json --inputs reports/ --format json
"""


@click.command("validate-report", epilog=EXAMPLES)
@click.argument("reports", metavar="REPORT...", nargs=-1, required=True)
@click.option(
    "--inputs",
    metavar="DIR",
    help="Check the digests of the inputs that the report names against the files in DIR.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
    help="What is printed.",
)
@global_options()
def validate(reports: tuple[str, ...], inputs: str | None, format_: str) -> int:
    """Check that REPORT holds what it says: form, schema, aggregates, and digests.

    `-` is standard input.

    Exit code 0: valid; 4: one is not valid; 2: a file cannot be read at all. With --format json
    each report is one line.
    """
    refuse_two_inputs_from_stdin(*reports)
    valid = [_valid(report, inputs, format_) for report in reports]
    return ExitCode.OK if all(valid) else ExitCode.FAILED


def _valid(report: str, inputs: str | None, format_: str) -> bool:
    from ragstone.formats import Source
    from ragstone.reports import encode, read_bytes, validate_report
    from ragstone.reports.renderers.validation import page

    source = Source(report) if report == "-" else None  # is there as long as this name is
    data = read_bytes(source.path if source else report)
    validation = validate_report(data, report, None if inputs is None else Path(inputs))
    if format_ == "json":
        print_bytes(encode(validation))
    else:
        print_page(page(validation, report), format_)
    return validation.ok
