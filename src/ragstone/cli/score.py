"""`ragstone score`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ragstone.cli.floors import hold_floors
from ragstone.cli.log import log
from ragstone.cli.options import (
    chart_option,
    floor_option,
    format_option,
    given,
    global_options,
    out_option,
    printed,
    qrels_format_option,
    refuse_two_inputs_from_stdin,
    rows_option,
    run_format_option,
    workers_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_bytes, print_report
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.measures import Aggregate
    from ragstone.model import Scores
    from ragstone.reports import Report
    from ragstone.reports.renderers.page import Page

EXAMPLES = """\
\b
Examples:
  ragstone score --qrels qrels.tsv --run run.trec
  ragstone score --qrels qrels.tsv --run run.trec --k 10 --out score.json
  ragstone score --qrels qrels.tsv --run run.trec --measure nDCG@10 \\
    --measure R@100 --floor nDCG@10=0.6 --format table
  zcat run.trec.gz | ragstone score --qrels qrels.tsv --run - \\
    --measure map --measure P_5 --format trec_eval --per-query
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--qrels",
    metavar="FILE",
    help="Relevance judgments: TREC, BEIR or JSONL; `-` is standard input.",
)
@click.option("--queries", metavar="FILE", hidden=True)
@click.option(
    "--run",
    "run_path",
    metavar="FILE",
    help="Ranked results: TREC or JSONL; `-` is standard input.",
)
@click.option("--retrieved", metavar="FILE", hidden=True)
@click.option(
    "--k",
    type=click.IntRange(min=1),
    default=5,
    metavar="N",
    show_default=True,
    help="Cutoff of the six measures: recall, precision, nDCG, RR, AP and success.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure to compute instead of the six, as in nDCG@10, AP, 'P(rel=2)@5', R@5:micro. "
    "Names of trec_eval are understood. Repeatable.",
)
@click.option(
    "--relevance-level",
    type=click.IntRange(1, 10**9 - 1),
    default=1,
    metavar="GRADE",
    show_default=True,
    help="The least grade that counts as relevant; nDCG and ERR use the grades themselves.",
)
@click.option(
    "--trec-eval",
    type=click.Choice(["10", "9"]),
    default="10",
    show_default=True,
    help="Whose order and cutoffs: 10 compares scores as doubles, 9 as floats.",
)
@qrels_format_option
@run_format_option
@floor_option
@workers_option("Processes that read the run; the result is the same. A gzip run is read by one.")
@out_option
@rows_option
@chart_option
@format_option("table", "json", "markdown", "trec_eval")
@click.option(
    "--per-query", is_flag=True, help="Print each query too, with trec_eval, table or markdown."
)
@global_options()
def score(
    *,
    qrels: str | None,
    queries: str | None,
    run_path: str | None,
    retrieved: str | None,
    out: str | None,
    chart: str | None,
    format_: str | None,
    per_query: bool,
    **options: object,
) -> int:
    """Score a retrieval run against relevance judgments, exactly as trec_eval -c does.

    Every judged query counts: one without results scores 0. The report has every query's
    value, and is what `ragstone compare` reads.
    """
    judged, ranked = _one("--qrels", qrels, queries), _one("--run", run_path, retrieved)
    refuse_two_inputs_from_stdin(judged, ranked)
    shown, inputs = printed(format_, out), Inputs(qrels=judged, run=ranked)
    inputs.refuse_to_replace(out=out, chart=chart)
    with error_report("score", out, inputs):
        if per_query and shown == "json":
            raise UsageError("--per-query goes with --format trec_eval, table or markdown")
        report, scores, aggregates = _score(inputs, judged, ranked, **options)  # type: ignore[arg-type]
        deliver(report, out)
    if chart:
        from ragstone.reports.charts import chart_of_score, save

        save(chart_of_score(report, scores, aggregates), chart)
    _print(report, scores, aggregates, shown, per_query)
    return report.exit_code


def _one(flag: str, value: str | None, hidden: str | None) -> str:
    if value is not None and hidden is not None:
        raise UsageError(f"{flag} is given twice, under two names; give it once")
    path = hidden if value is None else value
    if path is None:
        raise UsageError(f"{flag} FILE is missing; see ragstone score --help")
    return path


def _score(
    inputs: Inputs,
    judged: str,
    ranked: str,
    *,
    k: int,
    measures: Sequence[str],
    relevance_level: int,
    trec_eval: str,
    qrels_format: str,
    run_format: str,
    floors: Sequence[str],
    workers: int,
    rows: str | None,
) -> tuple[Report, Scores, list[Aggregate]]:
    from ragstone.formats import open_run, read_qrels
    from ragstone.reports import build_score
    from ragstone.scoring import as_aggregates, warnings
    from ragstone.scoring import score as score_run

    aggregates = as_aggregates(measures or None, k)
    if _k_is_ignored(measures):
        log.warning(
            f"--k {k} does nothing here: a measure's cutoff stands in its name, as nDCG@{k}"
        )
    qrels = read_qrels(inputs.open("qrels", judged), qrels_format)
    run = open_run(inputs.open("run", ranked), run_format)
    scores = score_run(
        qrels,
        run,
        aggregates,
        k=k,
        relevance_level=relevance_level,
        trec_eval=int(trec_eval),
        workers=workers,
    )
    found = warnings(scores.facts)
    for line in found:
        log.warning(line)
    report = build_score(
        scores,
        inputs.described(),
        aggregates=aggregates,
        warnings=found,
        floors=hold_floors(scores, floors),
        rows=rows,
    )
    return report, scores, aggregates


def _k_is_ignored(measures: Sequence[str]) -> bool:
    """Tell whether --k was given beside measures none of which has its cutoff from it."""
    is_used = any(re.search(r"[@_.]k(:|$)", name.strip()) for name in measures)
    return bool(measures) and given("k") and not is_used


def _print(
    report: Report, scores: Scores, aggregates: Sequence[Aggregate], shown: str, per_query: bool
) -> None:
    if shown == "trec_eval":
        from ragstone.reports.renderers import trec_eval

        print_bytes(trec_eval.render(scores, aggregates, per_query).encode())
        return

    def drawn() -> Page:
        from ragstone.reports.renderers.score import page

        return page(report, scores, aggregates, per_query)

    print_report(report, shown, drawn)
