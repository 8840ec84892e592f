"""What a person sees of an evaluation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ragstone.errors import count
from ragstone.measures import Aggregate, Area, Direction
from ragstone.model import Scores, Status
from ragstone.reports import numbers
from ragstone.reports.evaluate import EvaluateDetails
from ragstone.reports.renderers import judging, score
from ragstone.reports.renderers.page import (
    Page,
    Table,
    Text,
    Tone,
    not_applied,
    shorten,
    verdict_line,
    warning_lines,
)
from ragstone.reports.report import Report
from ragstone.reports.score import Floor

TITLES = {Area.RETRIEVAL: "Retrieval", Area.ANSWERS: "Answers", Area.OPERATIONS: "Operations"}
HEADS = ("measure", "value", "aggregate", "scored", "by default", "not applicable", "failed")
SUPPORT = ("Answers with the least support (span, share, sentence)", "least supported sentences")
NOTED = {
    "faithfulness": ("Least faithful answers, by the judge", "what the contexts do not support"),
    "nli_support": SUPPORT,
    "support": SUPPORT,
}
"""Measures whose notes are listed, with title and head; of two with one title, the first."""
NOTE_WIDTH = 100
LISTED = 6


def page(
    report: Report,
    scores: Scores,
    aggregates: Sequence[Aggregate],
    per_item: bool = False,
    top: int = 5,
) -> Page:
    """Draw retrieval, answers and operations, why values are missing, and what decided.

    top: how many of the least supported answers are listed.
    """
    details: EvaluateDetails = report.details
    blocks: list[Text | Table] = [*_measures(scores, aggregates), *_reasons(scores)]
    if per_item:
        blocks.append(score.items_table(scores, aggregates, "item"))
    blocks += judging.blocks(details.judging)
    blocks += _least_supported(scores, top)
    blocks += [score.floor_line(each) for each in details.floors]
    blocks += [Text(f"not measured: {each.message}", Tone.BAD) for each in details.not_measured]
    blocks += warning_lines(details.warnings)
    blocks += _left_out(details)
    return Page(headline(report, len(scores)), tuple(blocks))


def headline(report: Report, samples: int) -> Text:
    """Say what was evaluated, and the verdict where there is one."""
    name = next((file.name for file in report.inputs if file.role == "samples"), "samples")
    said = f"{shorten(name)}: {count(samples, 'sample')}"
    advisory: list[Floor] = [each for each in report.details.floors if each.advisory]
    but = not_applied(
        (each.name, each.advisory, [f"--floor {each.name}={each.floor:g}"]) for each in advisory
    )
    return verdict_line(report, said, but)


def _measures(scores: Scores, aggregates: Sequence[Aggregate]) -> Iterator[Table]:
    for area, title in TITLES.items():
        found = [each for each in aggregates if each.measure.declaration.area is area]
        if found:
            rows = [_row(scores, each) for each in found]
            yield Table.of(HEADS, rows, title, left=["aggregate"])


def _row(scores: Scores, aggregate: Aggregate) -> list[Text | str]:
    column, declared = scores[str(aggregate.measure)], aggregate.measure.declaration
    tally = column.tally()
    value = numbers.value(aggregate.of(column), declared.unit)
    failed = tally[Status.FAILED]
    lower = " (lower is better)" if _prefers_less(aggregate) else ""
    return [
        f"{aggregate}{lower}",
        value,
        aggregate.how,
        f"{tally[Status.SCORED]:,}",
        f"{tally[Status.DEFAULT]:,}",
        f"{tally[Status.NOT_APPLICABLE]:,}",
        Text(f"{failed:,}", Tone.BAD if failed else Tone.PLAIN),
    ]


def _prefers_less(aggregate: Aggregate) -> bool:
    declared = aggregate.measure.declaration
    lower = declared.direction is Direction.LOWER
    return lower and declared.quality and declared.area is Area.ANSWERS


def _reasons(scores: Scores) -> Iterator[Table]:
    """Say why values are missing or stated; measures with the same reasons share a line."""
    alike: dict[tuple[str, str, int], list[str]] = defaultdict(list)
    for name, column in scores.columns.items():
        found = Counter((Status(column.status[i]), said) for i, said in column.reasons.items())
        for (status, reason), number in sorted(found.items()):
            alike[STATES[status], reason, number].append(name)
    rows = [
        (reason, state, f"{number:,}", _listed(names))
        for (state, reason, number), names in sorted(alike.items())
    ]
    if rows:
        heads = ("reason", "the value is", "items", "measures")
        yield Table.of(heads, rows, "Values that were not measured", left=[heads[1], heads[3]])


STATES = {
    Status.SCORED: "scored",
    Status.DEFAULT: "by default 0",
    Status.NOT_APPLICABLE: "not applicable",
    Status.FAILED: "failed",
}


def _listed(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _least_supported(scores: Scores, top: int) -> Iterator[Table]:
    """List the worst answers, by a judge and by the first of the others that there is."""
    titles: dict[str, tuple[str, str]] = {}
    for name, (title, noted) in NOTED.items():
        if name in scores.columns:
            titles.setdefault(title, (name, noted))
    for title, (name, noted) in titles.items():
        if rows := _worst(scores, name, top):
            yield Table.of(("item", name, noted), rows, title, left=[noted])


def _worst(scores: Scores, name: str, top: int) -> list[tuple[str, str, str]]:
    column = scores[name]
    places = [i for i in column.counted() if column.values[i] < 1 and i in column.notes]
    places.sort(key=lambda i: (column.values[i], i))
    return [
        (
            shorten(scores.items[i]),
            numbers.value(column.values[i]),
            shorten(column.notes[i], NOTE_WIDTH),
        )
        for i in places[:top]
    ]


def _left_out(details: EvaluateDetails) -> list[Text | Table]:
    alike: dict[str, list[str]] = defaultdict(list)
    for each in details.left_out:
        alike[each.why].append(each.measure)
    return [
        Text(f"left out: {', '.join(names)}: {why}", Tone.QUIET) for why, names in alike.items()
    ]
