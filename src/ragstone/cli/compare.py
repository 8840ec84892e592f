"""`ragstone compare`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ragstone.cli.calibrations import calibration_options, fitting, read_calibrations
from ragstone.cli.ci import Told, ci_options
from ragstone.cli.options import (
    chart_option,
    finite,
    floor_option,
    format_option,
    global_options,
    max_failed_option,
    max_not_applicable_option,
    out_option,
    printed,
    refuse_two_inputs_from_stdin,
    resamples_option,
    seed_option,
    top_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_bytes, print_page

if TYPE_CHECKING:
    from ragstone.reports import Report

EXAMPLES = """\
\b
Examples:
  ragstone compare --baseline main.json --candidate branch.json
  ragstone compare --baseline main.json --candidate branch.json \\
    --budget ndcg=1 --alpha 0.05 --format table
  ragstone compare --baseline main.json --candidate branch.json \\
    --budget recall=off --floor nDCG@10=0.6 --out compare.json \\
    --format markdown
  ragstone compare --baseline main.json --candidate branch.json \\
    --max-item-drop nDCG@10=0.9 --max-failed 1%
  ragstone compare --baseline main.json --candidate branch.json \\
    --calibration calibration.json --min-kappa 0.7
  ragstone compare --baseline main.json --candidate branch.json \\
    --junit compare.xml
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--baseline",
    required=True,
    metavar="FILE",
    help="The report to hold the candidate against; `-` is standard input.",
)
@click.option(
    "--candidate", required=True, metavar="FILE", help="The report to judge; `-` is standard input."
)
@click.option(
    "--max-recall-regression-pct",
    type=click.FloatRange(min=0),
    callback=finite,
    metavar="PERCENT",
    default=2.0,
    show_default=True,
    help="How much worse recall may get, in percent of the baseline.",
)
@click.option(
    "--max-regression-pct",
    type=click.FloatRange(min=0),
    callback=finite,
    metavar="PERCENT",
    help="How much worse the other quality measures may get. By default as much as recall.",
)
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="MEASURE=LIMIT",
    help="The budget of a measure or a family: percent (nDCG@10=2), absolute "
    "(latency_ms:p95=50abs), or off (recall=off). Repeatable; the most exact name wins.",
)
@floor_option
@click.option(
    "--max-item-drop",
    "max_item_drops",
    multiple=True,
    metavar="MEASURE=AMOUNT",
    help="Fail where a single query gets worse by more than this, in units of the measure, as in "
    "faithfulness=0.5 or latency_ms=2000. Repeatable.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    callback=finite,
    metavar="LEVEL",
    help="Fail a measure that is over budget only where its drop is significant at this level, "
    "as in 0.05. By default the budget decides alone.",
)
@click.option(
    "--test",
    type=click.Choice(["permutation", "t-test"]),
    default="permutation",
    show_default=True,
    help="The paired test behind the p-value. Where values are 0 or 1, permutation is McNemar's "
    "exact test; quantiles (p50, p95, p99) have a paired bootstrap.",
)
@click.option(
    "--permutations",
    type=click.IntRange(1, 10_000_000),
    default=10_000,
    metavar="N",
    show_default=True,
    help="Random sign flips, where more than 20 queries changed; fewer are enumerated.",
)
@resamples_option("Resamples of the bootstrap, where a quantile is compared.")
@seed_option("Seed of the sign flips and of the bootstrap.")
@click.option(
    "--primary-measure",
    metavar="NAME",
    help="The measure whose most regressed queries are listed. By default one that failed, else "
    "one that is gated; of several the first nDCG.",
)
@click.option("--primary-metric", hidden=True)
@top_option("How many regressed queries are listed.")
@max_failed_option(
    "How many items of the candidate may have failed to be measured; beyond, exit code 5."
)
@max_not_applicable_option(
    "How many items may be without a value: those that a measure newly does not apply to, "
    "and those of which latency, tokens or cost are not known."
)
@calibration_options
@out_option
@chart_option
@ci_options
@format_option("table", "json", "markdown")
@global_options()
def compare(
    *,
    baseline: str,
    candidate: str,
    calibrations: Sequence[str],
    out: str | None,
    chart: str | None,
    junit: str | None,
    annotations: str,
    annotations_file: str | None,
    format_: str | None,
    **options: object,
) -> int:
    """Compare two reports and judge whether the candidate is worse.

    Exit code 0: passed; 4: a measure is over its budget or below its floor, or the two cannot
    be compared; 5: not decided, or too little was measured. Reports of toolkit-rag-quality 1.0 are
    read too.
    """
    refuse_two_inputs_from_stdin(baseline, candidate, *calibrations)
    inputs = Inputs(baseline=baseline, candidate=candidate, calibration=calibrations)
    inputs.refuse_to_replace(out=out, chart=chart, junit=junit, annotations_file=annotations_file)
    told = Told(candidate, junit, annotations, annotations_file)
    with told.of_errors():
        with error_report("compare", out, inputs):
            report = _compare(
                inputs,
                baseline,
                candidate,
                calibrations,
                **options,  # type: ignore[arg-type]
            )
            deliver(report, out)
        told.of(report.details)
    if chart:
        _draw(report, chart)
    _print(report, printed(format_, out))
    return report.exit_code


def _compare(
    inputs: Inputs,
    baseline: str,
    candidate: str,
    calibrations: Sequence[str],
    *,
    primary_measure: str | None,
    primary_metric: str | None,
    **options: object,
) -> Report:
    from ragstone.gate import compare as compare_scores
    from ragstone.reports import build_compare

    before = inputs.report("baseline", baseline)
    after = inputs.report("candidate", candidate)
    read = read_calibrations(inputs, calibrations)
    comparison = compare_scores(
        before.scores,
        after.scores,
        aggregates=[*before.aggregates, *after.aggregates],
        primary_measure=primary_measure or primary_metric,
        calibrations=fitting(read, before.scores, after.scores),
        **options,  # type: ignore[arg-type]
    )
    return build_compare(comparison, inputs.described(), signature=after.scores.signature)


def _draw(report: Report, path: str) -> None:
    from ragstone.reports.charts import chart_of_comparison, save

    names = {file.role: file.name for file in report.inputs}
    save(chart_of_comparison(report.details, names["baseline"], names["candidate"]), path)


def _print(report: Report, shown: str) -> None:
    from ragstone.reports import encode_report
    from ragstone.reports.renderers.compare import page

    if shown == "json":
        print_bytes(encode_report(report))
    elif shown == "markdown":
        from ragstone.reports.renderers import markdown

        summary = markdown.render_within(page(report.details))
        print_bytes(summary.encode("utf-8", "backslashreplace"))
    else:
        print_page(page(report.details), shown)
