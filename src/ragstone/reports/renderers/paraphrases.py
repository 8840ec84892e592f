"""What a person sees of a search for paraphrases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ragstone.corpus.paraphrases.result import Paraphrase
from ragstone.reports import numbers
from ragstone.reports.paraphrases import ParaphraseDetails
from ragstone.reports.renderers.leakage import PASSAGE, fields_table, headline
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten
from ragstone.reports.report import Report


def page(report: Report, top: int = 20) -> Page:
    """Draw the fields, the worst leaks with their best document, and what was not looked for."""
    details: ParaphraseDetails = report.details
    blocks: list[Text | Table] = [fields_table(details)]
    best = [next(group) for _, group in groupby(details.leaks, _field_of)]
    if best and top:
        blocks.append(_leaks(best, top))
    blocks += _remarks(report, details)
    return Page(headline(report, details), tuple(blocks))


def _field_of(leak: Paraphrase) -> tuple[str, str]:
    return leak.item_id, leak.field


def _leaks(best: list[Paraphrase], top: int) -> Table:
    worst = sorted(best, key=lambda leak: (-leak.similarity, _field_of(leak)))[:top]
    rows = [
        (
            shorten(leak.item_id),
            shorten(leak.field),
            f"{leak.similarity:.4f}",
            shorten(leak.doc_id),
            f"{leak.documents_at_threshold:,}",
            shorten(" ".join(leak.passage.split()), PASSAGE),
        )
        for leak in worst
    ]
    few = f"{len(rows):,} of {len(best):,}" if len(rows) < len(best) else f"{len(best):,}"
    heads = ("item", "field", "cosine", "best document", "documents", "passage")
    left = ["field", "best document", "passage"]
    return Table.of(heads, rows, f"Texts that leak: {few}", left=left)


def _remarks(report: Report, details: ParaphraseDetails) -> Iterator[Text]:
    yield from (Text(f"warning: {warning}", Tone.WARNING) for warning in details.warnings)
    told = details.settings
    scores = report.statement.predicate.scores
    passages = scores.facts.get("passages", 0) if scores else 0
    yield Text(
        f"{details.encoder}; {numbers.count(passages, 'passage')} of up to {told.window:,} "
        f"characters; a text leaks at a cosine of {told.threshold:g}",
        Tone.QUIET,
    )
