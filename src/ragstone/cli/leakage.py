"""`ragstone leakage`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ragstone.cli.encoder_options import encoder_options
from ragstone.cli.engine import Engine, engine_options, opened
from ragstone.cli.log import log
from ragstone.cli.options import (
    format_option,
    global_options,
    max_records_option,
    out_option,
    printed,
    refuse_two_inputs_from_stdin,
    rows_option,
    top_option,
    workers_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_report, users_code
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.formats.items import Items
    from ragstone.reports import Report
    from ragstone.reports.renderers.page import Page

EXAMPLES = """\
\b
Examples:
  ragstone leakage --corpus corpus.jsonl --items questions.jsonl
  ragstone leakage --corpus 'crawl/*.jsonl.gz' --items eval.jsonl \\
    --field question --field answer --min-words 4 \\
    --out leakage.json --format markdown
  ragstone leakage --corpus docs/ --items eval.jsonl --max-leaks 1% \\
    --ignore-common 1% --workers 4
  ragstone leakage --corpus docs/ --items eval.jsonl --method embedding \\
    --encoder st:intfloat/multilingual-e5-small --threshold 0.9 \\
    --cache vectors.db
"""

OF_CONTAINMENT = (
    *("unit", "shingle", "char_shingle", "documents"),
    *("min_words", "ignore_common", "workers"),
)


@click.command(epilog=EXAMPLES)
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    required=True,
    metavar="FILE",
    help="Documents: JSON lines with id (or _id), title and text, .gz or .zst; Parquet; a folder "
    "of text files; a BEIR folder; a pattern in quotes; - for standard input. Repeatable.",
)
@click.option(
    "--items",
    required=True,
    metavar="FILE",
    help="Eval items: JSON lines with id (or _id) and the fields to look for, .gz or .zst; "
    "- for standard input.",
)
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="NAME",
    help="A field whose text, or texts, are looked for. Repeatable.  [default: query, question, "
    "answer, text and reference, as far as there are any]",
)
@click.option(
    "--method",
    type=click.Choice(["containment", "embedding"]),
    default="containment",
    show_default=True,
    help="containment: shared n-grams. embedding: paraphrases, by the cosine of vectors.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="T",
    help="A text leaks when a document has this share of its n-grams, or a passage this cosine.  "
    "[default: 0.6; embedding 0.8]",
)
@click.option(
    "--unit",
    type=click.Choice(["auto", "word", "char", "morpheme"]),
    default="auto",
    show_default=True,
    help="What n-grams consist of. auto: words; letters in scripts without spaces (Chinese, "
    "Japanese, Thai ...); both in Korean. morpheme: Korean, by kiwipiepy (extra korean).",
)
@click.option(
    "--shingle",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Words, or morphemes, in an n-gram. A text with fewer is looked for as a phrase.",
)
@click.option(
    "--char-shingle",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    metavar="N",
    help="Letters in an n-gram; spaces and punctuation are left out.",
)
@click.option(
    "--min-words",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    show_default=True,
    help="Do not look for texts of fewer words; they are counted as not checked.",
)
@click.option(
    "--ignore-common",
    metavar="LIMIT",
    help="Leave out n-grams that stand in more documents than this: a count or a percentage, as "
    "in 100 or 1%. The corpus is then read twice. By default all count.",
)
@click.option(
    "--window",
    type=click.IntRange(min=16),
    default=400,
    metavar="N",
    show_default=True,
    help="embedding: characters of the passages, which overlap by half, into which longer "
    "documents are cut.",
)
@encoder_options
@click.option(
    "--documents",
    type=click.IntRange(min=1),
    default=3,
    metavar="N",
    show_default=True,
    help="How many documents the report lists for a text that leaks, the best.",
)
@click.option(
    "--max-leaks",
    default="0",
    metavar="LIMIT",
    show_default=True,
    help="Fail (exit 4) when more items leak: a count, or a percentage of those checked.",
)
@max_records_option("Read only the first N documents. By default all.")
@workers_option("Processes that read the corpus; the result is the same.")
@top_option("How many leaks the table lists. The report has all.", 20)
@engine_options
@out_option
@rows_option
@format_option("table", "json", "markdown")
@global_options()
def leakage(
    *,
    corpora: Sequence[str],
    items: str,
    out: str | None,
    format_: str | None,
    top: int,
    engine: str,
    master: str | None,
    remote: str | None,
    **options: Any,
) -> int:
    """Find eval items whose texts stand in a corpus.

    Each text is cut into n-grams, without regard to case, punctuation and line breaks; its
    containment is the share of them that one document has. Nothing is missed and nothing is
    estimated, and memory depends on the items alone. Exit code 0: passed; 4: more items leak than
    --max-leaks; 2: a file that cannot be read, or nothing that could be looked for. `ragstone
    compare` takes two of these reports, for two versions of a corpus.

    With --method embedding texts are found in other words too: those near a passage of a document
    by the vectors of --encoder.
    """
    refuse_two_inputs_from_stdin(items, *corpora)
    inputs = Inputs(items=items, corpus=corpora)
    inputs.refuse_to_replace(out=out)
    with error_report("leakage", out, inputs):
        chosen = Engine(engine, master, remote)
        report = _leakage(inputs, corpora, items, engine=chosen, **options)
        deliver(report, out)
    print_report(report, printed(format_, out), lambda: _page(report, top))
    return report.exit_code


def _leakage(
    inputs: Inputs,
    corpora: Sequence[str],
    items: str,
    *,
    method: str,
    engine: Engine,
    fields: Sequence[str],
    **options: Any,
) -> Report:
    from ragstone.cli.paraphrases import check_method, paraphrase_report
    from ragstone.formats.items import read_items

    check_method(method)
    if method == "embedding" and engine.name != "local":
        raise UsageError("--method embedding goes with --engine local")
    read = read_items(inputs.open("items", items), fields)
    if method == "embedding":
        with users_code():
            return paraphrase_report(inputs, corpora, read, options)
    return _ngram_report(inputs, corpora, read, engine, options)


def _ngram_report(
    inputs: Inputs,
    corpora: Sequence[str],
    items: Items,
    engine: Engine,
    options: Mapping[str, Any],
) -> Report:
    from ragstone.cli.progress import byte_progress
    from ragstone.corpus.leakage.check import leakage as find
    from ragstone.gate import Allowance
    from ragstone.reports.leakage import build_leakage

    allowed = Allowance.of(options["max_leaks"], "--max-leaks")
    told = {name: options[name] for name in OF_CONTAINMENT}
    if options["threshold"] is not None:
        told["threshold"] = options["threshold"]
    limits = {name: options[name] for name in ("max_records", "workers")}
    with opened(inputs, {"corpus": corpora}, engine, **limits) as (corpus,):
        found = find(corpus, items, progress=byte_progress("corpus"), **told)
        described = inputs.described()
    report = build_leakage(found, described, max_leaks=allowed, rows=options["rows"])
    for line in report.details.warnings:
        log.warning(line)
    return report


def _page(report: Report, top: int) -> Page:
    from ragstone.reports.renderers import leakage as containment
    from ragstone.reports.renderers import paraphrases

    embedding = report.kind == "ragstone.paraphrases"
    return paraphrases.page(report, top) if embedding else containment.page(report, top)
