"""The reports of `leakage`, one kind for each method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from ragstone.corpus.leakage.result import Leak, Leakage
from ragstone.corpus.leakage.settings import LeakageSettings
from ragstone.corpus.leaks import FieldCounts, Leaks, NotChecked
from ragstone.corpus.paraphrases.result import Paraphrase, Paraphrases
from ragstone.corpus.paraphrases.settings import ParaphraseSettings
from ragstone.errors import count
from ragstone.gate import Allowance
from ragstone.measures import summary
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


class ParaphraseDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The leaks, by item, field, similarity and document, and what was not looked for.

    encoder: as it was named. leaking_items: how many items leak by any field. max_leaks: how many
    may, a count or a percent of the items that were checked.
    """

    settings: ParaphraseSettings
    encoder: str
    max_leaks: str
    leaking_items: int
    fields: list[FieldCounts]
    leaks: list[Paraphrase]
    not_checked: list[NotChecked] = []
    warnings: list[str] = []


AnyDetails: TypeAlias = LeakageDetails | ParaphraseDetails
AnyLeak: TypeAlias = Leak | Paraphrase


def leaks_of(details: AnyDetails) -> Sequence[AnyLeak]:
    """Return the leaks, of either method."""
    return details.leaks


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
    details = {"warnings": list(_warnings(result))}
    return _build("ragstone.leakage", LeakageDetails, details, result, inputs, max_leaks, rows)


def build_paraphrases(
    result: Paraphrases,
    inputs: Iterable[Input],
    *,
    max_leaks: Allowance | None = None,
    rows: str | None = None,
    notes: Iterable[str] = (),
) -> Report:
    """Make the report of a search for paraphrases, as build_leakage does.

    notes: what is to be said of the encoder.
    """
    details = {"encoder": result.encoder, "warnings": [*notes, *_warnings(result)]}
    return _build(
        "ragstone.paraphrases", ParaphraseDetails, details, result, inputs, max_leaks, rows
    )


def _build(  # noqa: PLR0917
    kind: str,
    details: Callable[..., AnyDetails],
    own: dict[str, Any],
    result: Leaks[Any, Any],
    inputs: Iterable[Input],
    max_leaks: Allowance | None,
    rows: str | None,
) -> Report:
    """Make a report with details of a type; own: those that the methods do not have in common."""
    allowed = max_leaks or Allowance()
    policy = parse_rows(rows, len(result.scores))
    facts = result.scores.facts
    checked = facts["items"] - facts["items_not_checked"]
    failed = not allowed.allows(result.leaking_items, checked)
    statement = build(
        kind,
        details(
            settings=result.settings,
            max_leaks=str(allowed),
            leaking_items=result.leaking_items,
            fields=result.fields,
            leaks=result.leaks,
            not_checked=result.not_checked,
            **own,
        ),
        inputs,
        verdict="fail" if failed else "pass",
        exit_code=4 if failed else 0,
        summary=summary(result.scores),
        signature=result.scores.signature,
        scores=keep(result.scores, policy),
    )
    return Report(statement, kept=result.scores)


def _warnings(result: Leaks[Any, Any]) -> Iterator[str]:
    """Go through what a reader should know of what was not looked at."""
    facts = result.scores.facts
    if facts.get("truncated"):
        yield f"only the first {facts['documents']:,} documents of the corpus were read"
    if empty := facts["empty_documents"]:
        has, there = ("has", "it") if empty == 1 else ("have", "them")
        yield f"{count(empty, 'document')} {has} no word; nothing can stand in {there}"
    for each in result.not_checked:
        few = ", ".join(each.examples[:3]) + (", ..." if len(each.examples) > 3 else "")
        yield f"{count(each.texts, 'text')} not looked for: {each.reason} (items {few})"
    if skipped := facts["items_not_checked"]:
        has = "has" if skipped == 1 else "have"
        yield f"{count(skipped, 'item')} {has} no text that could be looked for, and no value"
