"""The report of `leakage --method embedding`."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ragstone.corpus.leakage.result import FieldCounts, NotChecked
from ragstone.corpus.paraphrases.result import Paraphrase, Paraphrases, ParaphraseSettings
from ragstone.gate import Allowance
from ragstone.measures import summary
from ragstone.reports.leakage import checked_items, warnings
from ragstone.reports.report import Report, build
from ragstone.reports.rows import keep, parse_rows
from ragstone.reports.statement import Input


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


def build_paraphrases(
    result: Paraphrases,
    inputs: Iterable[Input],
    *,
    max_leaks: Allowance | None = None,
    rows: str | None = None,
    notes: Iterable[str] = (),
) -> Report:
    """Make the report of a search; it fails when more items leak than may, by default none.

    rows: which items are kept (see parse_rows); the leaks are all there. notes: what is to be said
    of the encoder.
    """
    allowed = max_leaks or Allowance()
    policy = parse_rows(rows, len(result.scores))
    failed = not allowed.allows(result.leaking_items, checked_items(result))
    details = ParaphraseDetails(
        settings=result.settings,
        encoder=result.encoder,
        max_leaks=str(allowed),
        leaking_items=result.leaking_items,
        fields=result.fields,
        leaks=result.leaks,
        not_checked=result.not_checked,
        warnings=[*notes, *warnings(result)],
    )
    statement = build(
        "ragstone.paraphrases",
        details,
        inputs,
        verdict="fail" if failed else "pass",
        exit_code=4 if failed else 0,
        summary=summary(result.scores),
        signature=result.scores.signature,
        scores=keep(result.scores, policy),
    )
    return Report(statement, kept=result.scores)
