"""What a person sees of a search for paraphrases."""

from __future__ import annotations

from ragstone.errors import count
from ragstone.reports.leakage import ParaphraseDetails
from ragstone.reports.renderers.leaks import leak_page
from ragstone.reports.renderers.page import Page
from ragstone.reports.report import Report


def page(report: Report, top: int = 20) -> Page:
    """Draw the fields, the worst leaks with their best document, and what was not looked for."""
    return leak_page(report, top, "cosine", [_settings(report)])


def _settings(report: Report) -> str:
    details: ParaphraseDetails = report.details
    told = details.settings
    scores = report.statement.predicate.scores
    passages = scores.facts.get("passages", 0) if scores else 0
    return (
        f"{details.encoder}; {count(passages, 'passage')} of up to {told.window:,} "
        f"characters; a text leaks at a cosine of {told.threshold:g}"
    )
