"""`ragstone convert`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ragstone.cli.log import log
from ragstone.cli.options import SAMPLES_FORMATS, global_options, not_empty
from ragstone.cli.output import write_data
from ragstone.errors import InputError, UsageError, listed

if TYPE_CHECKING:
    from ragstone.model import Qrels, Run

TAG = "ragstone"
EXAMPLES = """\
\b
Examples:
  ragstone convert qrels --in qrels/test.tsv --to jsonl --out qrels.jsonl
  ragstone convert run --in run.jsonl.gz --to trec --tag bm25 \\
    --out run.trec.gz
  zcat qrels.trec.gz | ragstone convert qrels --in - --to beir > qrels.tsv
  ragstone convert samples --in traces.jsonl --to jsonl --out samples.jsonl
  ragstone convert run --in traces.jsonl --from samples --to trec \\
    --out run.trec
"""
OWN = ["trec", "beir", "jsonl"]
SAMPLES = [name for name in SAMPLES_FORMATS if name not in OWN]


@click.command(epilog=EXAMPLES)
@click.argument("kind", type=click.Choice(["qrels", "run", "samples"]))
@click.option(
    "--in", "in_", required=True, metavar="FILE", help="What to convert; `-` is standard input."
)
@click.option(
    "--from",
    "from_",
    type=click.Choice(["auto", *OWN, "samples", *SAMPLES]),
    default="auto",
    show_default=True,
    metavar="FORMAT",
    help=f"Its format; auto tells it from the first lines. {', '.join(OWN)}; for samples jsonl, "
    f"{', '.join(SAMPLES)}. samples: take the run or the judgments out of a file of samples.",
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
    """Convert relevance judgments (qrels), a run or samples from one format to another.

    A JSONL run keeps scores where the source has them. Ranks alone become the scores
    n - rank + 1 in a TREC run. Samples are read from ragas, deepeval, RAGChecker, promptfoo,
    LangSmith and OTLP traces, and written as JSON lines; the contexts in them that have ids are a
    run, their reference contexts are judgments.
    """
    if tag is not None and (kind, to) != ("run", "trec"):
        raise UsageError("--tag is for a run that is written as trec; leave it out")
    check_formats(kind, from_, to)
    facts: Counter[str] = Counter()
    if kind == "samples":
        _convert_samples(in_, from_, out, facts)
    elif kind == "qrels":
        write_data(_qrels(in_, from_, to, facts), out)
    else:
        write_data(_run(in_, from_, to, TAG if tag is None else tag, facts), out)
    for name, number in sorted(facts.items()):
        if number:
            log.note(f"{name}: {number:,}")
    return 0


def check_formats(kind: str, from_: str, to: str) -> None:
    """Raise UsageError for a format that is none of this kind."""
    if kind == "run" and "beir" in (from_, to):
        raise UsageError("beir is a format of qrels; a run is trec or jsonl")
    if kind != "samples" and from_ in SAMPLES:
        raise UsageError(
            f"{from_} is a format of samples; --from samples takes a run or judgments out of them"
        )
    if kind == "samples" and (to != "jsonl" or from_ in ("trec", "beir", "samples")):
        raise UsageError(
            "samples are written as jsonl, and read from jsonl and the formats of other tools: "
            f"{', '.join(SAMPLES)}"
        )


def _convert_samples(in_: str, from_: str, out: str, facts: Counter[str]) -> None:
    from ragstone.formats.samples import open_samples, write_samples

    file = open_samples(in_, from_)
    write_data(write_samples(file), out)
    for line in file.notes():
        log.warning(line)
    said = ("samples", "unknown_fields")  # every one of the first, and by name below
    facts.update({name: n for name, n in file.facts.items() if name not in said})
    if unknown := [f"{name} ({number:,})" for name, number in file.unknown.most_common()]:
        log.note(f"fields that ragstone has no name for, kept as they are: {listed(unknown, 5)}")


def _qrels(in_: str, from_: str, to: str, facts: Counter[str]) -> Iterator[bytes]:
    from ragstone.formats import QRELS_WRITERS, read_qrels

    qrels = _judged_in(in_) if from_ == "samples" else read_qrels(in_, from_)
    if not qrels and to != "jsonl":
        raise InputError(f"{in_}: judges no query; there is nothing to write as {to}")
    facts.update(qrels.facts)
    if to != "jsonl":
        facts["unjudged_queries"] += len(qrels.unjudged)
    return QRELS_WRITERS[to](qrels)


def _run(in_: str, from_: str, to: str, tag: str, facts: Counter[str]) -> Iterator[bytes]:
    from ragstone.formats import RUN_WRITERS, open_run

    if from_ != "samples":
        return RUN_WRITERS[to](open_run(in_, from_).collected(facts), tag)
    run = _retrieved_in(in_)
    facts.update(run.facts)
    return RUN_WRITERS[to](run.results(), tag)


def _judged_in(path: str) -> Qrels:
    from ragstone.formats.samples import open_samples
    from ragstone.model.samples import qrels_of

    qrels = qrels_of(open_samples(path))
    if not qrels and not qrels.unjudged:
        raise InputError(f"{path}: no sample has reference contexts with ids, which are judgments")
    return qrels


def _retrieved_in(path: str) -> Run:
    from ragstone.formats.samples import open_samples
    from ragstone.model.samples import run_of

    run = run_of(open_samples(path))
    if not run:
        raise InputError(f"{path}: no sample has contexts with ids, which would be a run")
    return run
