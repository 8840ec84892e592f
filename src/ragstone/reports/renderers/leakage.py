"""What a person sees of a leakage check."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ragstone.corpus.leakage.result import Leak
from ragstone.reports import numbers
from ragstone.reports.leakage import LeakageDetails
from ragstone.reports.paraphrases import ParaphraseDetails
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten
from ragstone.reports.report import Report
from ragstone.reports.statement import Predicate

STOCK = 10  # documents; what stands in so many is rather a stock phrase than a leak
PASSAGE = 60


def page(report: Report, top: int = 20) -> Page:
    """Draw the fields, the worst leaks with their best document, and what was not looked for."""
    details: LeakageDetails = report.details
    blocks: list[Text | Table] = [fields_table(details)]
    best = [next(group) for _, group in groupby(details.leaks, _field_of)]
    if best and top:
        blocks.append(_leaks(best, top))
    blocks += _remarks(details, best)
    return Page(headline(report, details), tuple(blocks))


def _field_of(leak: Leak) -> tuple[str, str]:
    return leak.item_id, leak.field


def headline(report: Report, details: LeakageDetails | ParaphraseDetails) -> Text:
    """Say how many items leak, and what that means."""
    facts = _facts(report.statement.predicate)
    failed = report.verdict == "fail"
    items = facts["items"] - facts["items_not_checked"]
    verb = "leaks" if details.leaking_items == 1 else "leak"
    said = f"{details.leaking_items:,} of {numbers.count(items, 'item')} {verb}"
    allowed = f"{details.max_leaks} allowed"
    documents = numbers.count(facts["documents"], "document")
    verdict = "FAIL" if failed else "PASS"
    return Text(
        f"{verdict}: {said} ({allowed}); {documents} read", Tone.BAD if failed else Tone.GOOD
    )


def _facts(predicate: Predicate) -> dict[str, int]:
    assert predicate.scores
    return predicate.scores.facts


def fields_table(details: LeakageDetails | ParaphraseDetails) -> Table:
    """List the fields: what was looked for, and what leaks."""
    rows = [
        (shorten(each.name), f"{each.texts:,}", f"{each.not_checked:,}", f"{each.leaking:,}")
        for each in details.fields
    ]
    return Table.of(("field", "texts", "not looked for", "items that leak"), rows)


def _leaks(best: list[Leak], top: int) -> Table:
    worst = sorted(best, key=lambda leak: (-leak.containment, _field_of(leak)))[:top]
    rows = [
        (
            shorten(leak.item_id),
            shorten(leak.field),
            f"{leak.containment:.4f}",
            shorten(leak.doc_id),
            f"{leak.documents_at_threshold:,}",
            shorten(" ".join(leak.passage.split()), PASSAGE),
        )
        for leak in worst
    ]
    few = f"{len(rows):,} of {len(best):,}" if len(rows) < len(best) else f"{len(best):,}"
    heads = ("item", "field", "containment", "best document", "documents", "passage")
    left = ["field", "best document", "passage"]
    return Table.of(heads, rows, f"Texts that leak: {few}", left=left)


def _remarks(details: LeakageDetails, best: list[Leak]) -> Iterator[Text]:
    yield from (Text(f"warning: {warning}", Tone.WARNING) for warning in details.warnings)
    stock = sum(leak.documents_at_threshold >= STOCK for leak in best)
    if stock:
        those = "1 of these texts stands" if stock == 1 else f"{stock:,} of these texts stand"
        yield Text(
            f"{those} in {STOCK} documents or more: rather a stock phrase than a leak; "
            "see --min-words and --ignore-common",
            Tone.QUIET,
        )
    yield Text(_settings(details), Tone.QUIET)


def _settings(details: LeakageDetails) -> str:
    told = details.settings
    rows = {
        "word": f"{told.shingle} words",
        "char": f"{told.char_shingle} letters",
        "morpheme": f"{told.shingle} morphemes",
        "auto": f"{told.shingle} words or {told.char_shingle} letters, as the script asks for",
    }
    said = f"n-grams of {rows[told.unit]}; a text leaks at a containment of {told.threshold:g}"
    if told.ignore_common:
        noun = "of the documents" if told.ignore_common.endswith("%") else "documents"
        said += f"; n-grams in more than {told.ignore_common} {noun} do not count"
    return said
