"""What a person sees of leaks, by whichever method they were found."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ragstone.errors import count
from ragstone.reports.leakage import AnyDetails, AnyLeak, leaks_of
from ragstone.reports.renderers.page import (
    Page,
    Table,
    Text,
    Tone,
    shorten,
    verdict_line,
    warning_lines,
)
from ragstone.reports.report import Report

PASSAGE = 60


def leak_page(report: Report, top: int, value: str, remarks: Iterable[str]) -> Page:
    """Draw the fields, the worst leaks with their best document, and what was not looked for.

    value: what the value of a leak is called. remarks: what else is said in the end.
    """
    details: AnyDetails = report.details
    blocks: list[Text | Table] = [_fields(details)]
    best = best_of(details)
    if best and top:
        blocks.append(_leaks(best, top, value))
    blocks += warning_lines(details.warnings)
    blocks += (Text(remark, Tone.QUIET) for remark in remarks)
    return Page(_headline(report, details), tuple(blocks))


def best_of(details: AnyDetails) -> list[AnyLeak]:
    """Return the best document of each field of an item."""
    return [next(group) for _, group in groupby(leaks_of(details), _field_of)]


def _field_of(leak: AnyLeak) -> tuple[str, str]:
    return leak.item_id, leak.field


def _headline(report: Report, details: AnyDetails) -> Text:
    """Say how many items leak, and whether so many may."""
    scores = report.statement.predicate.scores
    assert scores
    facts = scores.facts
    verb = "leaks" if details.leaking_items == 1 else "leak"
    items = count(facts["items"] - facts["items_not_checked"], "item")
    documents = count(facts["documents"], "document")
    said = f"{details.leaking_items:,} of {items} {verb} ({details.max_leaks} allowed)"
    return verdict_line(report, f"{said}; {documents} read")


def _fields(details: AnyDetails) -> Table:
    """List the fields: what was looked for, and what leaks."""
    rows = [
        (shorten(each.name), f"{each.texts:,}", f"{each.not_checked:,}", f"{each.leaking:,}")
        for each in details.fields
    ]
    return Table.of(("field", "texts", "not looked for", "items that leak"), rows)


def _leaks(best: list[AnyLeak], top: int, value: str) -> Table:
    worst = sorted(best, key=lambda leak: (-leak.value, _field_of(leak)))[:top]
    rows = [
        (
            shorten(leak.item_id),
            shorten(leak.field),
            f"{leak.value:.4f}",
            shorten(leak.doc_id),
            f"{leak.documents_at_threshold:,}",
            shorten(" ".join(leak.passage.split()), PASSAGE),
        )
        for leak in worst
    ]
    few = f"{len(rows):,} of {len(best):,}" if len(rows) < len(best) else f"{len(best):,}"
    heads = ("item", "field", value, "best document", "documents", "passage")
    left = ["field", "best document", "passage"]
    return Table.of(heads, rows, f"Texts that leak: {few}", left=left)
