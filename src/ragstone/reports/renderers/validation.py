"""What a person sees of a report that was checked."""

from __future__ import annotations

from ragstone.errors import count
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten
from ragstone.reports.validate import Validation


def page(validation: Validation, name: str) -> Page:
    """Draw whether a report is valid, and each problem with its place."""
    kind = validation.kind or "unknown kind"
    if validation.ok:
        return Page(Text(f"VALID: {name} ({kind})", Tone.GOOD))
    problems = count(len(validation.errors), "problem")
    rows = [(shorten(problem.path, 80), problem.message) for problem in validation.errors]
    table = Table.of(("where", "what is wrong"), rows, left=["what is wrong"])
    return Page(Text(f"NOT VALID: {name} ({kind}): {problems}", Tone.BAD), (table,))
