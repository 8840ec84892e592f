"""`ragstone convert`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from ragstone.cli.log import log
from ragstone.cli.options import global_options, not_empty
from ragstone.cli.output import write_data
from ragstone.errors import InputError, UsageError

TAG = "ragstone"
EXAMPLES = """\
\b
Examples:
  ragstone convert qrels --in qrels/test.tsv --to jsonl --out qrels.jsonl
  ragstone convert run --in run.jsonl.gz --to trec --tag bm25 \\
    --out run.trec.gz
  zcat qrels.trec.gz | ragstone convert qrels --in - --to beir > qrels.tsv
"""


@click.command(epilog=EXAMPLES)
@click.argument("kind", type=click.Choice(["qrels", "run"]))
@click.option(
    "--in", "in_", required=True, metavar="FILE", help="What to convert; `-` is standard input."
)
@click.option(
    "--from",
    "from_",
    type=click.Choice(["auto", "trec", "beir", "jsonl"]),
    default="auto",
    show_default=True,
    help="Its format; auto tells it from the first line.",
)
@click.option(
    "--to", required=True, type=click.Choice(["jsonl", "trec", "beir"]), help="The format to write."
)
@click.option(
    "--out",
    default="-",
    metavar="FILE",
    callback=not_empty,
    help="Where to; a name in .gz is packed.  [default: -]",
)
@click.option("--tag", metavar="WORD", help=f"The tag of a TREC run, one word.  [default: {TAG}]")
@global_options()
def convert(*, kind: str, in_: str, from_: str, to: str, out: str, tag: str | None) -> int:
    """Convert relevance judgments (qrels) or a run from one format to another.

    A JSONL run keeps scores where the source has them. Ranks alone become the scores
    n - rank + 1 in a TREC run.
    """
    if tag is not None and (kind, to) != ("run", "trec"):
        raise UsageError("--tag is for a run that is written as trec; leave it out")
    if kind == "run" and "beir" in (from_, to):
        raise UsageError("beir is a format of qrels; a run is trec or jsonl")
    facts: Counter[str] = Counter()
    chunks = (
        _qrels(in_, from_, to, facts)
        if kind == "qrels"
        else _run(in_, from_, to, TAG if tag is None else tag, facts)
    )
    write_data(chunks, out)
    for name, number in sorted(facts.items()):
        if number:
            log.note(f"{name}: {number:,}")
    return 0


def _qrels(in_: str, from_: str, to: str, facts: Counter[str]) -> Iterator[bytes]:
    from ragstone.formats import QRELS_WRITERS, read_qrels

    qrels = read_qrels(in_, from_)
    if not qrels and to != "jsonl":
        raise InputError(f"{in_}: judges no query; there is nothing to write as {to}")
    facts.update(qrels.facts)
    if to != "jsonl":
        facts["unjudged_queries"] += len(qrels.unjudged)
    return QRELS_WRITERS[to](qrels)


def _run(in_: str, from_: str, to: str, tag: str, facts: Counter[str]) -> Iterator[bytes]:
    from ragstone.formats import RUN_WRITERS, open_run

    return RUN_WRITERS[to](open_run(in_, from_).collected(facts), tag)
