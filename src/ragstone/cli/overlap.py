"""`ragstone overlap`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ragstone.cli.engine import Engine, engine_options, opened
from ragstone.cli.log import log
from ragstone.cli.options import (
    corpus_to_write,
    flag_of,
    format_option,
    given,
    global_options,
    max_records_option,
    out_option,
    printed,
    refuse_two_inputs_from_stdin,
    seed_option,
    top_option,
    workers_option,
)
from ragstone.cli.output import Inputs, deliver, error_report, print_report, write_data
from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.corpus.overlap.result import Overlap
    from ragstone.corpus.spark import SparkCorpus
    from ragstone.formats.corpus import Corpus
    from ragstone.gate import Allowance
    from ragstone.reports import Report
    from ragstone.reports.renderers.page import Page

EXAMPLES = """\
\b
Examples:
  ragstone overlap --a train.jsonl --b test.jsonl
  ragstone overlap --a 'crawl/*.jsonl.gz' --b test.jsonl --method jaccard \\
    --threshold 0.8 --max-overlap 0 --out overlap.json
  ragstone overlap --within corpus.jsonl --method jaccard \\
    --write-deduplicated clean.jsonl
"""
WITHIN = "*"  # what --within is without a file
MOST_PERMUTATIONS = 65_536  # half a megabyte a document; more would only look like a hang
OF_SIMILAR, OF_MINHASH = ("threshold", "shingle", "char_shingle"), ("permutations", "seed")
WITHOUT_MEANING = {"exact": (*OF_SIMILAR, *OF_MINHASH), "jaccard": OF_MINHASH, "minhash": ()}
"""For each method the options that it does not look at."""


@click.command(epilog=EXAMPLES)
@click.option(
    "--a",
    "a_paths",
    multiple=True,
    metavar="FILE",
    help="A corpus: JSON lines with id (or _id), title and text, .gz or .zst; Parquet; a folder "
    "of text files; a BEIR folder; a pattern in quotes; - for standard input. Repeatable.",
)
@click.option(
    "--b",
    "b_paths",
    multiple=True,
    metavar="FILE",
    help="The corpus whose documents are looked for in a. Repeatable.",
)
@click.option(
    "--within",
    is_flag=False,
    flag_value=WITHIN,
    metavar="[FILE]",
    help="Compare one corpus with itself: this one, or the one of --a.",
)
@click.option(
    "--method",
    type=click.Choice(["exact", "jaccard", "minhash"]),
    default="exact",
    show_default=True,
    help="exact: the same words. jaccard: similar ones, and none is missed. minhash: the same with "
    "an eighth of the memory; a pair at the threshold is found with probability 0.995 or more.",
)
@click.option(
    "--threshold",
    type=float,
    default=0.8,
    show_default=True,
    metavar="T",
    help="Least Jaccard similarity of a pair, above 0 and up to 1; of jaccard and minhash.",
)
@click.option(
    "--shingle",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Words in a row that are compared.",
)
@click.option(
    "--char-shingle",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Letters in a row, in Chinese, Japanese, Korean, Thai and other scripts without spaces.",
)
@click.option(
    "--num-perm",
    "permutations",
    type=click.IntRange(1, MOST_PERMUTATIONS),
    default=128,
    show_default=True,
    metavar="N",
    help="Length of a signature of minhash.",
)
@seed_option("Of minhash.", 1)
@click.option(
    "--max-overlap",
    metavar="LIMIT",
    help="Fail (exit 4) when more documents of b stand in a, or, within one corpus, repeat "
    "another: a count or a percentage, as in 0 or 1%. By default nothing fails.",
)
@max_records_option("Read only the first N documents of each corpus. By default all.")
@click.option(
    "--write-deduplicated",
    "deduplicated",
    metavar="FILE",
    callback=corpus_to_write,
    help="Write b, or the one corpus, without the documents that were found; .gz, .zst and "
    ".parquet as the name says, else JSON lines.",
)
@workers_option("Processes that read; the result is the same.")
@top_option("How many clusters and pairs the table lists. The report has all.")
@engine_options
@out_option
@format_option("table", "json", "markdown")
@global_options()
def overlap(
    *,
    a_paths: Sequence[str],
    b_paths: Sequence[str],
    within: str | None,
    out: str | None,
    format_: str | None,
    top: int,
    deduplicated: str | None,
    engine: str,
    master: str | None,
    remote: str | None,
    **options: Any,
) -> int:
    """Find documents that stand in two corpora, or twice in one.

    Case, punctuation and white space do not count. Documents that are identical are one cluster,
    however many there are. Exit code 0: done; 4: more overlap than --max-overlap allows; 2: a
    corpus that cannot be read, or an id that stands twice in it.
    """
    _tell_what_does_nothing(options["method"], options["threshold"])
    paths = _roles(a_paths, b_paths, within)
    refuse_two_inputs_from_stdin(*(path for each in paths.values() for path in each))
    inputs = Inputs(**paths)
    one = {"a": "--a or --within" if a_paths else "--within"}
    flags = {} if within in (None, WITHIN) else one
    inputs.refuse_to_replace(flags, out=out, write_deduplicated=deduplicated)
    with error_report("overlap", out, inputs):
        chosen = Engine(engine, master, remote)
        report = _overlap(inputs, paths, engine=chosen, deduplicated=deduplicated, **options)
        deliver(report, out)
    print_report(report, printed(format_, out), lambda: _page(report, top))
    return report.exit_code


def _tell_what_does_nothing(method: str, threshold: float) -> None:
    """Raise UsageError for an option of another method where none is named; else say so.

    A threshold of 1 is what exact means; one that cannot be is refused where it is checked.
    """
    for name in filter(given, WITHOUT_MEANING[method]):
        if name == "threshold" and not 0 < threshold < 1:
            continue
        flag = flag_of(name)
        others = [each for each, ignored in WITHOUT_MEANING.items() if name not in ignored]
        said = f"{flag} does nothing with --method {method}; it is of " + " and ".join(others)
        if not given("method"):
            raise UsageError(f"{said}: name one, or leave {flag} out")
        log.note(said)


def _roles(
    a_paths: Sequence[str], b_paths: Sequence[str], within: str | None
) -> dict[str, Sequence[str]]:
    """Return the paths of each corpus: of a and b, or of a alone."""
    if within is None:
        if not a_paths or not b_paths:
            raise UsageError("give --a and --b, or one corpus and --within")
        return {"a": a_paths, "b": b_paths}
    if b_paths:
        raise UsageError("--within compares one corpus with itself; leave out --b")
    named = [*a_paths] if within == WITHIN else [*a_paths, within]
    if not named:
        raise UsageError("--within has no corpus; name it behind --within or with --a")
    return {"a": named}


def _overlap(
    inputs: Inputs,
    paths: dict[str, Sequence[str]],
    *,
    engine: Engine,
    max_overlap: str | None,
    max_records: int | None,
    deduplicated: str | None,
    workers: int,
    **settings: Any,
) -> Report:
    from ragstone.cli.progress import byte_progress
    from ragstone.corpus.overlap import OverlapSettings, find_overlap
    from ragstone.reports.overlap import build_overlap

    allowed = None if max_overlap is None else _allowance(max_overlap)
    asked = OverlapSettings(**settings)
    asked.banding()  # refuses what cannot be before a long reading
    with opened(inputs, paths, engine, max_records=max_records, workers=workers) as corpora:
        found = find_overlap(
            corpora[0],
            corpora[1] if len(corpora) > 1 else None,
            asked,
            workers=workers,
            progress=byte_progress("corpus"),
        )
        report = build_overlap(found, inputs.described(), max_overlap=allowed)
        if deduplicated:
            _write(corpora[-1], found, deduplicated)
    return report


def _allowance(limit: str) -> Allowance:
    from ragstone.gate import Allowance

    return Allowance.of(limit, "--max-overlap")


def _write(corpus: Corpus | SparkCorpus, found: Overlap, path: str) -> None:
    from ragstone.formats.corpus import Corpus, without

    if isinstance(corpus, Corpus):
        write_data(without(corpus, found.redundant, path), path)
    else:
        from ragstone.corpus.spark.writing import write_without

        write_without(corpus, found.redundant, path)


def _page(report: Report, top: int) -> Page:
    from ragstone.reports.renderers.overlap import page

    return page(report, top)
