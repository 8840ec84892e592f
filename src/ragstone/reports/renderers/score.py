"""What a person sees of a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragstone.errors import count
from ragstone.measures import Aggregate
from ragstone.model import Scores, Status
from ragstone.reports import numbers
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
from ragstone.reports.score import Floor

if TYPE_CHECKING:
    from ragstone.gate import FloorResult


def page(
    report: Report, scores: Scores, aggregates: Sequence[Aggregate], per_query: bool = False
) -> Page:
    """Draw the measures, the floors, what deserves a warning, and the signature."""
    blocks: list[Text | Table] = [_measures(scores, aggregates)]
    if per_query:
        blocks.append(items_table(scores, aggregates))
    blocks += [floor_line(each) for each in report.details.floors]
    blocks += warning_lines(report.details.warnings)
    blocks.append(Text(f"signature: {signature_line(scores)}", Tone.QUIET))
    return Page(headline(report, len(scores)), tuple(blocks))


def headline(report: Report, queries: int) -> Text:
    """Say what was scored, and the verdict where there is one."""
    run = next((file.name for file in report.inputs if file.role == "run"), "run")
    said = f"{shorten(run)}: {count(queries, 'query')}"
    return verdict_line(report, said)


def floor_line(floor: Floor | FloorResult) -> Text:
    """Say whether a floor held."""
    said = f"{floor.name} {numbers.value(floor.value)}, {floor.bound} {floor.floor:g} was asked for"
    if floor.waived:
        why = "" if floor.advisory else "too_few_items: "
        return Text(f"floor not held against it: {said}; {why}{floor.waived}", Tone.WARNING)
    lower = floor.bound == "at most"
    held, missed = (
        ("ceiling held", "above its ceiling") if lower else ("floor held", "below its floor")
    )
    return Text(
        f"{held if floor.passed else missed}: {said}", Tone.GOOD if floor.passed else Tone.BAD
    )


def signature_line(scores: Scores) -> str:
    """Return what must be equal for these numbers to be compared, in one line.

    >>> from ragstone.model import Scores, Signature
    >>> signature_line(Scores((), {}, Signature.of(trec_eval=10, judgments="3fa2c1aa")))
    'te10|q:3fa2c1|n0'
    """
    signature = scores.signature
    parts = [f"{short}{signature[name]}" for name, short in _SHORT.items() if name in signature]
    if "judgments" in signature:
        parts.append(f"q:{str(signature['judgments'])[:6]}")
    known = {*_SHORT, "judgments"}
    parts += [f"{name}:{value}" for name, value in signature.items() if name not in known]
    return "|".join([*parts, f"n{len(scores)}"])


_SHORT = {"trec_eval": "te", "relevance_level": "rel"}


def _measures(scores: Scores, aggregates: Sequence[Aggregate]) -> Table:
    rows = []
    for each in aggregates:
        column = scores[str(each.measure)]
        tally = column.tally()
        value = numbers.value(each.of(column), each.measure.declaration.unit)
        counted = tally[Status.SCORED] + tally[Status.DEFAULT]
        rows.append((str(each), value, each.how, f"{counted:,}", f"{tally[Status.DEFAULT]:,}"))
    return Table.of(
        ("measure", "value", "aggregate", "queries", "by default"), rows, left=["aggregate"]
    )


def items_table(scores: Scores, aggregates: Sequence[Aggregate], noun: str = "query") -> Table:
    """Draw every item; noun: what an item is called."""
    units: Mapping[str, str] = {
        str(each.measure): each.measure.declaration.unit for each in aggregates
    }
    rows = [
        (
            shorten(item),
            *(numbers.value(scores[name].value(i), unit) for name, unit in units.items()),
        )
        for i, item in enumerate(scores.items)
    ]
    return Table.of((noun, *units), rows)
