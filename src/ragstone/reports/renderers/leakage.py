"""What a person sees of a leakage check."""

from __future__ import annotations

from collections.abc import Iterator

from ragstone.reports.leakage import LeakageDetails
from ragstone.reports.renderers.leaks import best_of, leak_page
from ragstone.reports.renderers.page import Page
from ragstone.reports.report import Report

STOCK = 10  # documents; what stands in so many is rather a stock phrase than a leak


def page(report: Report, top: int = 20) -> Page:
    """Draw the fields, the worst leaks with their best document, and what was not looked for."""
    return leak_page(report, top, "containment", _remarks(report.details))


def _remarks(details: LeakageDetails) -> Iterator[str]:
    stock = sum(leak.documents_at_threshold >= STOCK for leak in best_of(details))
    if stock:
        those = "1 of these texts stands" if stock == 1 else f"{stock:,} of these texts stand"
        yield (
            f"{those} in {STOCK} documents or more: rather a stock phrase than a leak; "
            "see --min-words and --ignore-common"
        )
    yield _settings(details)


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
