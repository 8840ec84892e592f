"""The report of `leakage`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ragstone.corpus.leakage.result import FieldCounts, Leak, Leakage, NotChecked
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.paraphrases.result import Paraphrases
from ragstone.gate import Allowance
from ragstone.measures import summary
from ragstone.reports.numbers import count
from ragstone.reports.report import Report, build
from ragstone.reports.rows import keep, parse_rows
from ragstone.reports.statement import Input


class LeakageDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The leaks, by item, field, containment and document, and what was not looked for.

    leaking_items: how many items leak by any field. max_leaks: how many may, a count or a percent
    of the items that were checked.
    """

    settings: LeakageSettings
    max_leaks: str
    leaking_items: int
    fields: list[FieldCounts]
    leaks: list[Leak]
    not_checked: list[NotChecked] = []
    warnings: list[str] = []


def build_leakage(
    result: Leakage,
    inputs: Iterable[Input],
    *,
    max_leaks: Allowance | None = None,
    rows: str | None = None,
) -> Report:
    """Make the report of a check; it fails when more items leak than may, by default none.

    rows: which items are kept (see parse_rows); the leaks are all there.
    """
    allowed = max_leaks or Allowance()
    policy = parse_rows(rows, len(result.scores))
    failed = not allowed.allows(result.leaking_items, checked_items(result))
    details = LeakageDetails(
        settings=result.settings,
        max_leaks=str(allowed),
        leaking_items=result.leaking_items,
        fields=result.fields,
        leaks=result.leaks,
        not_checked=result.not_checked,
        warnings=list(warnings(result)),
    )
    statement = build(
        "ragstone.leakage",
        details,
        inputs,
        verdict="fail" if failed else "pass",
        exit_code=4 if failed else 0,
        summary=summary(result.scores),
        signature=result.scores.signature,
        scores=keep(result.scores, policy),
    )
    return Report(statement, kept=result.scores)


def checked_items(result: Leakage | Paraphrases) -> int:
    """Return how many items had a text that could be looked for."""
    return result.scores.facts["items"] - result.scores.facts["items_not_checked"]


def warnings(result: Leakage | Paraphrases) -> Iterator[str]:
    """Go through what a reader should know of what was not looked at."""
    facts = result.scores.facts
    if facts.get("truncated"):
        yield f"only the first {facts['documents']:,} documents of the corpus were read"
    if facts["empty_documents"]:
        documents = count(facts["empty_documents"], "document has", "documents have")
        there = "it" if facts["empty_documents"] == 1 else "them"
        yield f"{documents} no word; nothing can stand in {there}"
    for each in result.not_checked:
        few = ", ".join(each.examples[:3]) + (", ..." if len(each.examples) > 3 else "")
        yield f"{count(each.texts, 'text')} not looked for: {each.reason} (items {few})"
    if facts["items_not_checked"]:
        items = count(facts["items_not_checked"], "item has", "items have")
        yield f"{items} no text that could be looked for, and no value"
