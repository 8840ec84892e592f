"""Whether a report of leakage agrees with itself, by whichever method it was found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from msgspec import UNSET

from ragstone.corpus.leakage.result import Leak
from ragstone.errors import UsageError
from ragstone.gate import Allowance
from ragstone.reports.checks import differs, same
from ragstone.reports.leakage import (
    AnyDetails,
    AnyLeak,
    LeakageDetails,
    ParaphraseDetails,
    leaks_of,
)
from ragstone.reports.problem import DETAILS, Problem, shown
from ragstone.reports.row_checks import TABLE
from ragstone.reports.score_checks import summary_faults
from ragstone.reports.statement import Statement
from ragstone.reports.table import Table

LEAKS = "it follows from the leaks"


def leakage_faults(statement: Statement) -> Iterator[Problem]:
    """Check rows, aggregates, leaks, counts and verdict of a search for n-grams."""
    details: LeakageDetails = statement.predicate.details
    yield from _faults(statement, "containment")
    for place, leak in enumerate(details.leaks):
        yield from _leak_faults(leak, f"{DETAILS}.leaks[{place}]")


def paraphrase_faults(statement: Statement) -> Iterator[Problem]:
    """Check rows, aggregates, leaks, counts and verdict of a search for paraphrases."""
    details: ParaphraseDetails = statement.predicate.details
    yield from _faults(statement, "paraphrase_similarity")
    for place, leak in enumerate(details.leaks):
        path = f"{DETAILS}.leaks[{place}]"
        if not leak.similarity <= 1.0:
            yield Problem(f"{path}.similarity", f"is {leak.similarity}; a cosine is at most 1")
        if leak.documents_at_threshold < 1:
            message = f"is {leak.documents_at_threshold}; this document is one"
            yield Problem(f"{path}.documents_at_threshold", message)


def _faults(statement: Statement, name: str) -> Iterator[Problem]:
    """Check what both methods have. name: the column of values."""
    details: AnyDetails = statement.predicate.details
    of_rows = list(summary_faults(statement.predicate))
    yield from of_rows
    field = name.rpartition("_")[2]
    for place, leak in enumerate(leaks_of(details)):
        path = f"{DETAILS}.leaks[{place}]"
        if leak.value < details.settings.threshold:
            message = f"is {leak.value}, below the threshold of {details.settings.threshold}"
            yield Problem(f"{path}.{field}", message)
        yield from _passage_faults(leak, path)
    yield from _order_faults(details)
    yield from _count_faults(details)
    table = statement.predicate.scores
    if table is UNSET or any(each.path.startswith(TABLE) for each in of_rows):
        return  # what follows needs rows that can be read
    if missing := {name, "leaked"} - set(table.columns):
        yield Problem("$.predicate.scores.columns", f"has no {' and no '.join(sorted(missing))}")
        return
    yield from _value_faults(table, details, name)
    yield from _verdict_faults(statement, details, table)


def _passage_faults(leak: AnyLeak, path: str) -> Iterator[Problem]:
    if leak.end - leak.start != len(leak.passage):
        length = leak.end - leak.start
        message = f"has {len(leak.passage)} characters; from start to end there are {length}"
        yield Problem(f"{path}.passage", message)


def _leak_faults(leak: Leak, path: str) -> Iterator[Problem]:
    if not 0 < leak.shared <= leak.item_ngrams:
        yield Problem(f"{path}.shared", f"is {leak.shared} of {leak.item_ngrams} n-grams")
        return
    wanted = leak.shared / leak.item_ngrams
    if not same(leak.containment, wanted):
        yield differs(f"{path}.containment", leak.containment, wanted, "shared of item_ngrams")
    if not 1 <= leak.documents_at_threshold <= leak.documents_sharing:
        message = f"is {leak.documents_at_threshold}; {leak.documents_sharing} documents share any"
        yield Problem(f"{path}.documents_at_threshold", message)


def _order_faults(details: AnyDetails) -> Iterator[Problem]:
    places = [(each.item_id, each.field, -each.value, each.doc_id) for each in leaks_of(details)]
    if any(one >= other for one, other in pairwise(places)):
        message = "are not in the order of item, field, value and document, each once"
        yield Problem(f"{DETAILS}.leaks", message)
    known = {each.name for each in details.fields}
    for (item, field), group in groupby(leaks_of(details), lambda each: (each.item_id, each.field)):
        leaks = list(group)
        if field not in known:
            yield Problem(f"{DETAILS}.leaks", f"name the field {shown(field)}, which is no field")
        listed = min(leaks[0].documents_at_threshold, details.settings.documents)
        if len(leaks) != listed:
            message = f"has {len(leaks)} documents for {shown(item)}; {listed} were expected"
            yield Problem(f"{DETAILS}.leaks", message)


def _count_faults(details: AnyDetails) -> Iterator[Problem]:
    leaking = len({each.item_id for each in leaks_of(details)})
    if details.leaking_items != leaking:
        yield differs(f"{DETAILS}.leaking_items", details.leaking_items, leaking, LEAKS)
    for place, field in enumerate(details.fields):
        wanted = len({each.item_id for each in leaks_of(details) if each.field == field.name})
        if field.leaking != wanted:
            yield differs(f"{DETAILS}.fields[{place}].leaking", field.leaking, wanted, LEAKS)
    skipped = sum(each.not_checked for each in details.fields)
    told = sum(each.texts for each in details.not_checked)
    if skipped != told:
        yield differs(f"{DETAILS}.not_checked", told, skipped, "it follows from the fields")


def _value_faults(table: Table, details: AnyDetails, name: str) -> Iterator[Problem]:
    """Check that each item's row has the value of its best document, where that is listed."""
    best: dict[str, float] = {}
    for leak in leaks_of(details):
        best[leak.item_id] = max(best.get(leak.item_id, 0.0), leak.value)
    rows, flags = (table.columns[column].values for column in (name, "leaked"))
    for place, item in enumerate(table.items):
        value, flag = rows[place], flags[place]
        path = f"$.predicate.scores.columns.{name}.values[{place}]"
        if item in best and not same(value, best[item]):
            yield differs(path, value, best[item], LEAKS)
        if (flag == 1.0) != (item in best):
            yield differs(path.replace(name, "leaked"), flag, item in best, LEAKS)


def _verdict_faults(statement: Statement, details: AnyDetails, table: Table) -> Iterator[Problem]:
    try:
        allowed = Allowance.of(details.max_leaks, "max_leaks")
    except UsageError as error:
        yield Problem(f"{DETAILS}.max_leaks", f"is {shown(details.max_leaks)}: {error}")
        return
    items = table.facts.get("items", 0) - table.facts.get("items_not_checked", 0)
    wanted = "pass" if allowed.allows(details.leaking_items, items) else "fail"
    if statement.predicate.finding != wanted:
        because = "it follows from leaking_items and max_leaks"
        yield differs("$.predicate.verdict", statement.predicate.finding, wanted, because)
