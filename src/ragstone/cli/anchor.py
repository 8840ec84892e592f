"""`ragstone anchor`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from ragstone.cli.log import log
from ragstone.cli.options import (
    global_options,
    not_empty,
    qrels_format_option,
    refuse_given,
    refuse_two_inputs_from_stdin,
)
from ragstone.cli.output import Inputs, write_data
from ragstone.errors import UsageError, shortened

if TYPE_CHECKING:
    from ragstone.formats.gold import Passage
    from ragstone.matching.anchoring import Anchored

EXAMPLES = """\
\b
Examples:
  ragstone anchor --gold gold.jsonl --corpus documents.jsonl \\
    --out places.jsonl
  ragstone anchor --qrels qrels.tsv --corpus 'docs/**/*.md' > places.jsonl
"""
FEW = 3


@click.command(epilog=EXAMPLES)
@click.option(
    "--gold",
    metavar="FILE",
    help='Gold texts, JSON lines: {"id": "q1", "gold": ["a text", {"id": "g2", "text": "..."}]}.',
)
@click.option(
    "--qrels",
    metavar="FILE",
    help="Judgments instead: each relevant document is a place as a whole.",
)
@click.option(
    "--corpus",
    "paths",
    multiple=True,
    required=True,
    metavar="FILE",
    help="The source documents: JSON lines, Parquet, a folder, a pattern in quotes. Repeatable.",
)
@click.option(
    "--out",
    default="-",
    metavar="FILE",
    callback=not_empty,
    help="Where to; a name in .gz or .zst is packed.  [default: -]",
)
@qrels_format_option
@global_options()
def anchor(
    *, gold: str | None, qrels: str | None, paths: Sequence[str], out: str, qrels_format: str
) -> int:
    """Make places of labels: which characters of which document each gold text is.

    Labels that are places hold for every chunking: `ragstone match --method spans` scores chunks
    against them, and tells a passage that was edited or deleted from one that was not found. Each
    place has the sha256 of its document. Gold texts that no document has are left out and listed.
    """
    if (gold is None) == (qrels is None):
        raise UsageError("give --gold or --qrels, one of them")
    if gold is not None:
        refuse_given(["qrels_format"], "with --gold")
    _refuse_parquet(out)
    labels = {"gold": gold} if gold is not None else {"qrels": str(qrels)}
    refuse_two_inputs_from_stdin(*labels.values(), *paths)
    inputs = Inputs(**labels, corpus=paths)
    inputs.refuse_to_replace(out=None if out == "-" else out)
    found = _anchor(inputs, gold, qrels, paths, qrels_format)
    write_data(_rows(found), out)
    _say(found)
    return 0


def _refuse_parquet(out: str) -> None:
    if out.endswith(".parquet"):
        raise UsageError(f"--out {out}: places are JSON lines; name a .jsonl, .jsonl.gz or .zst")


def _anchor(
    inputs: Inputs, gold: str | None, qrels: str | None, paths: Sequence[str], format_: str
) -> Anchored:
    from ragstone.cli.progress import byte_progress
    from ragstone.matching.anchoring import anchor as make_places

    passages = _labels(inputs, gold, qrels, format_)
    return make_places(passages, inputs.open_corpus("corpus", paths), byte_progress("corpus"))


def _labels(
    inputs: Inputs, gold: str | None, qrels: str | None, format_: str
) -> dict[str, Sequence[Passage]]:
    from ragstone.formats import read_qrels
    from ragstone.formats.gold import Passage, read_texts

    if gold is not None:
        return dict(read_texts(inputs.open("gold", gold), "gold").passages)
    judged = read_qrels(inputs.open("qrels", str(qrels)), format_)
    return {
        query: [Passage("", doc) for doc, grade in grades.items() if grade > 0]
        for query, grades in judged.items()
    }


def _rows(found: Anchored) -> Iterator[bytes]:
    """Write one row a query, as `match --gold` reads it."""
    import msgspec

    for query, passages in found.gold.items():
        golds = []
        for each in passages:
            assert each.place is not None
            row = {"doc": each.place.doc, "start": each.place.start, "end": each.place.end,
                   "sha256": each.place.digest, "text": each.text, "id": each.id}  # fmt: skip
            golds.append({name: value for name, value in row.items() if value not in {None, ""}})
        yield msgspec.json.encode({"id": query, "gold": golds}) + b"\n"


def _say(found: Anchored) -> None:
    placed = sum(map(len, found.gold.values()))
    lost = [(query, each) for query, passages in found.lost.items() for each in passages]
    log.note(f"{placed:,} of {placed + len(lost):,} golds have a place")
    for number, said in (
        (found.cleaned, "differ from their document in spaces, punctuation, case or more"),
        (found.ambiguous, "stand in several documents; the first by its id was taken"),
    ):
        if number:
            log.note(f"{number:,} {said}")
    for query, each in lost[:FEW]:
        named = repr(each.id) if each.id and not each.text else repr(shortened(each.text, 60))
        log.warning(f"query {query!r}: no document has the gold {named}")
    if len(lost) > FEW:
        log.warning(f"and {len(lost) - FEW:,} more golds that no document has")
