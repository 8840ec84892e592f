"""What a person sees of matched texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ragstone.errors import count
from ragstone.matching import NotFound, QueryMatches, SweepPoint
from ragstone.measures import Aggregate
from ragstone.model import Scores
from ragstone.reports import numbers
from ragstone.reports.match import MatchDetails
from ragstone.reports.renderers import score
from ragstone.reports.renderers.page import Page, Table, Text, Tone, shorten, verdict_line
from ragstone.reports.report import Report

STEPS = "▁▂▃▄▅▆▇█"
TEXT_WIDTH = 60
WIDEST = 7
ROLES = ("retrieved", "texts")
SIMILAR = "the highest similarity of a retrieved text"
COVERED = "the share of it that retrieved chunks cover"
TAKEN = "nearest at the threshold or above: that text counts for another gold text, or stands twice"


def page(
    report: Report,
    scores: Scores,
    aggregates: Sequence[Aggregate],
    per_query: bool = False,
    top: int = 10,
) -> Page:
    """Draw the measures, the sweep, and the golds that are farthest from being found.

    top: how many golds that were not found are listed.
    """
    details: MatchDetails = report.details
    drawn = score.page(report, scores, aggregates, per_query)
    blocks: list[Text | Table] = [*drawn.blocks[:1], *_sweep(details.sweep), *drawn.blocks[1:-1]]
    blocks += _not_found(details.queries, top, scores)
    return Page(headline(report, scores), (*blocks, drawn.blocks[-1]))


def headline(report: Report, scores: Scores) -> Text:
    """Say what was matched, how many golds are found, and the verdict where there is one."""
    name = next((file.name for file in report.inputs if file.role in ROLES), "texts")
    said = f"{shorten(name)}: {count(len(scores), 'query')}, {_how(scores)}"
    if "golds" in scores.facts:
        golds = count(scores.facts["golds"], "gold text")
        said += f": {scores.facts['found_golds']:,} of {golds} found"
    return verdict_line(report, said)


def _how(scores: Scores) -> str:
    signature: Mapping[str, object] = scores.signature
    at = f" at {signature['threshold']:g}" if "threshold" in signature else ""
    return f"matched by {signature['matcher']}{at}"


# ---- the golds that are not found ----------------------------------------------------------------


def _threshold(scores: Scores) -> float:
    found = scores.signature.get("threshold", 1.0)
    return float(found) if isinstance(found, int | float) else 1.0


def _not_found(queries: Sequence[QueryMatches], top: int, scores: Scores) -> Iterator[Text | Table]:
    missing = [(each, query.id) for query in queries for each in query.not_found]
    missing.sort(key=lambda pair: -pair[0].similarity)
    if not missing or not top:
        return
    rows = [_missing_row(query, each) for each, query in missing[:top]]
    heads = ("query", "gold", "nearest", "at rank", "text of the gold")
    spans = scores.signature.get("matcher") == "spans"
    title = f"Gold texts not found (nearest: {COVERED if spans else SIMILAR})"
    yield Table.of(heads, rows, title, left=["gold", "text of the gold"])
    if missing[0][0].similarity >= _threshold(scores):
        yield Text(TAKEN, Tone.QUIET)
    if len(missing) > top:
        yield Text(f"and {len(missing) - top:,} more", Tone.QUIET)


def _missing_row(query: str, missing: NotFound) -> list[str]:
    gold = missing.gold
    name = gold.id if isinstance(gold.id, str) else str(gold.place)
    rank = str(missing.rank) if isinstance(missing.rank, int) else "-"
    text = " ".join(gold.text.split())
    return [
        shorten(query),
        shorten(name),
        numbers.value(missing.similarity),
        rank,
        shorten(text, TEXT_WIDTH),
    ]


# ---- the sweep -----------------------------------------------------------------------------------


def _sweep(points: Sequence[SweepPoint]) -> Iterator[Table]:
    if not points:
        return
    for names in _by_cutoff(points[0].summary):
        yield _thresholds(points, names)
    yield _curves(points)


def _by_cutoff(names: Mapping[str, object]) -> list[list[str]]:
    """Put the measures of one cutoff side by side, so that each table fits a terminal."""
    if len(names) <= WIDEST:
        return [list(names)]
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.partition(":")[0].rpartition("@")[2], []).append(name)
    return list(groups.values())


def _thresholds(points: Sequence[SweepPoint], names: Sequence[str]) -> Table:
    rows = [
        [
            f"{point.threshold:g}",
            f"{point.found:,}",
            *(numbers.value(point.summary[name]) for name in names),
        ]
        for point in points
    ]
    return Table.of(("threshold", "found", *names), rows, "Over thresholds")


def _curves(points: Sequence[SweepPoint]) -> Table:
    first, last = points[0].threshold, points[-1].threshold
    rows = []
    for name in points[0].summary:
        values = [point.summary[name] or 0.0 for point in points]
        rows.append((name, sparkline(values), numbers.value(max(values))))
    title = f"From threshold {first:g} on the left to {last:g} on the right; full height is 1"
    return Table.of(("measure", "curve", "highest"), rows, title, left=["curve"])


def sparkline(values: Sequence[float]) -> str:
    """Draw numbers from 0 to 1 as a line of bars.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    last = len(STEPS) - 1
    return "".join(STEPS[min(last, max(0, round(value * last)))] for value in values)
