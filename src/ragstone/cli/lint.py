"""`ragstone lint`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ragstone.cli.options import (
    format_option,
    global_options,
    out_option,
    printed,
    qrels_format_option,
    refuse_two_inputs_from_stdin,
    run_format_option,
    top_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_report

if TYPE_CHECKING:
    from ragstone.formats import Source
    from ragstone.reports import Report
    from ragstone.reports.renderers.page import Page

EXAMPLES = """\
\b
Examples:
  ragstone lint --queries queries.jsonl --qrels qrels.tsv \\
    --corpus corpus.jsonl
  ragstone lint --qrels qrels.tsv --grades 0..3 --format table
  ragstone lint --queries scifact --qrels scifact/qrels/test.tsv \\
    --corpus scifact --run run.trec --strict --ignore self-retrieval \\
    --out lint.json
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--queries",
    metavar="FILE",
    help="Query texts: JSON lines with id (or _id) and text; or a BEIR folder with queries.jsonl.",
)
@click.option("--qrels", metavar="FILE", help="Relevance judgments: TREC, BEIR or JSONL.")
@click.option(
    "--corpus",
    metavar="FILE",
    help="Documents: JSON lines with id (or _id), title and text; or a BEIR folder with "
    "corpus.jsonl. It is streamed; only ids are kept.",
)
@click.option("--run", "run_path", metavar="FILE", help="Ranked results: TREC or JSONL.")
@click.option(
    "--query-field",
    "field",
    metavar="NAME",
    help="Where the text of a query is.  [default: text, else query, else question]",
)
@click.option(
    "--grades",
    "scale",
    metavar="SCALE",
    help="The grades that there may be, as in 0,1,2 or 0..3. By default any.",
)
@click.option(
    "--near",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    metavar="SHARE",
    help="Share of their words (Jaccard) from which two queries are near-duplicates.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="KIND",
    help="A kind of finding not to look for, as in self-retrieval. Repeatable.",
)
@click.option("--strict", is_flag=True, help="Fail for warnings too.")
@top_option("How many examples of each kind are listed.")
@qrels_format_option
@run_format_option
@out_option
@format_option("table", "json", "markdown")
@global_options()
def lint(
    *,
    queries: str | None,
    qrels: str | None,
    corpus: str | None,
    run_path: str | None,
    out: str | None,
    format_: str | None,
    **options: object,
) -> int:
    """Check queries, judgments and documents before they are used.

    Each file is optional: what can be checked with those given is checked, and the rest is
    listed. Exit code 0: no error; 4: at least one, or under --strict a warning; 2: a file that
    cannot be read at all. Nothing is repaired, and there is no --fix: which of two ids or texts
    is right is for a person to say.
    """
    paths = {"queries": queries, "qrels": qrels, "corpus": corpus, "run": run_path}
    given = {role: path for role, path in paths.items() if path is not None}
    refuse_two_inputs_from_stdin(*given.values())
    inputs = Inputs(**given)
    inputs.refuse_to_replace(out=out)
    with error_report("lint", out, inputs):
        report = _lint(inputs, given, **options)  # type: ignore[arg-type]
        deliver(report, out)
    print_report(report, printed(format_, out), lambda: _page(report))
    return report.exit_code


def _lint(
    inputs: Inputs,
    paths: dict[str, str],
    *,
    scale: str | None,
    ignore: Sequence[str],
    **options: object,
) -> Report:
    from ragstone.lint import lint as check_set
    from ragstone.lint import parse_scale
    from ragstone.reports import build_lint

    grades = None if scale is None else parse_scale(scale)
    sources = {role: _opened(inputs, role, path) for role, path in paths.items()}
    result = check_set(sources, grades=grades, ignore=ignore, **options)  # type: ignore[arg-type]
    return build_lint(result, inputs.described())


def _opened(inputs: Inputs, role: str, path: str) -> Source:
    from ragstone.formats import in_folder

    names = {"queries": "queries.jsonl", "corpus": "corpus.jsonl"}
    return inputs.open(role, in_folder(path, names[role]) if role in names else path)


def _page(report: Report) -> Page:
    from ragstone.reports.renderers.lint import page

    return page(report)
