"""Charts of results: of a score, of a comparison, and of several runs side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ragstone.errors import NotComparableError, count
from ragstone.measures import Aggregate, parse_aggregate, summary
from ragstone.model import Scores
from ragstone.reports import numbers
from ragstone.reports.charts.bar import Bar
from ragstone.reports.charts.draw import bars
from ragstone.reports.charts.write import Chart
from ragstone.reports.report import Report

if TYPE_CHECKING:
    from ragstone.gate import Comparison, MeasureComparison

WORST = "the worst value that its budget and floor allow"
UNDECIDED = {"not_significant": ", not significant", "inconclusive": ", inconclusive"}
"""What is said of a measure that is over its budget and did not fail."""


def chart_of_score(
    report: Report, scores: Scores, aggregates: Iterable[Aggregate] | None = None
) -> Chart:
    """Draw the measures of one run, with the floors they were held against.

    scores: those of all items. aggregates: what to draw, by default each column's usual one.
    """
    from ragstone.reports.renderers.score import headline

    run = next((file.name for file in report.inputs if file.role == "run"), "run")
    floors = {floor.name: floor for floor in report.details.floors}
    drawn = []
    for name, value in summary(scores, aggregates).items():
        floor = floors.get(name)
        drawn.append(
            Bar(
                measure=name,
                run=run,
                value=value,
                unit=_unit(name),
                limit=floor.floor if floor else None,
                failed=bool(floor and not floor.passed),
            )
        )
    return bars(drawn, title=str(headline(report, len(scores))), limit="its floor")


def chart_of_comparison(comparison: Comparison, baseline: str = "", candidate: str = "") -> Chart:
    """Draw baseline beside candidate, with the worst value allowed, and what failed marked.

    baseline and candidate: what the two are called beside being the baseline and the candidate.
    Raises UsageError where the two have no measure in common.
    """
    from ragstone.reports.renderers.compare import headline

    names = [f"{side} ({name})" if name else side
             for side, name in (("baseline", baseline), ("candidate", candidate))]  # fmt: skip
    drawn = [bar for each in comparison.measures for bar in _pair(each, names)]
    return bars(drawn, title=str(headline(comparison)), limit=WORST)


def chart_of_runs(
    runs: Mapping[str, Scores | Report],
    measures: Sequence[str] | None = None,
    *,
    title: str = "",
) -> Chart:
    """Draw two or more runs side by side, by measure.

    measures: which ones, under any of their names; by default all, in the order in which the runs
    have them. A run without a measure has no bar there. Raises NotComparableError where two runs
    were not scored on the same items, or a measure's signature differs.
    """
    sides = {name: run.scores if isinstance(run, Report) else run for name, run in runs.items()}
    wanted = [str(parse_aggregate(name)) for name in measures] if measures else None
    _refuse_unlike(sides, wanted)
    values = {name: _values(run, sides[name], wanted) for name, run in runs.items()}
    shown = wanted or list(dict.fromkeys(each for found in values.values() for each in found))
    return bars(
        [
            Bar(measure=name, run=run, value=found.get(name), unit=_unit(name))
            for name in shown
            for run, found in values.items()
        ],
        title=title
        or f"{' and '.join(runs) if len(runs) < 3 else f'{len(runs)} runs'}: " + _items(sides),
    )


def _items(sides: Mapping[str, Scores]) -> str:
    number = max((len(scores) for scores in sides.values()), default=0)
    return count(number, "query")


def _values(
    run: Scores | Report, scores: Scores, wanted: Sequence[str] | None
) -> Mapping[str, float | None]:
    if wanted is not None:
        parsed = [parse_aggregate(name) for name in wanted]
        return summary(scores, [each for each in parsed if str(each.measure) in scores.columns])
    if isinstance(run, Report):
        return run.summary
    return summary(scores)


def _refuse_unlike(sides: Mapping[str, Scores], wanted: Sequence[str] | None) -> None:
    """Raise NotComparableError for what would look like a difference of the runs and is none."""
    columns = None if wanted is None else {str(parse_aggregate(name).measure) for name in wanted}
    named = list(sides.items())
    for name, scores in named[1:]:
        first, reference = named[0]
        if scores.items != reference.items:
            raise NotComparableError(
                f"{first} and {name} were not measured on the same items, so their measures "
                "cannot stand side by side; score both on the same queries"
            )
        for column in scores.columns:
            if column not in reference.columns or (columns is not None and column not in columns):
                continue
            differing, _ = reference.signature_of(column).differences(scores.signature_of(column))
            if differing:
                raise NotComparableError(
                    f"{column} of {first} and of {name} cannot stand side by side: "
                    f"{' and '.join(differing)} differ; measure both in the same way"
                )


def _pair(each: MeasureComparison, names: Sequence[str]) -> Iterator[Bar]:
    baseline, candidate = names
    yield Bar(measure=each.name, run=baseline, value=each.baseline, unit=each.unit)
    yield Bar(
        measure=each.name,
        run=candidate,
        value=each.candidate,
        unit=each.unit,
        limit=_worst_allowed(each),
        failed=each.result == "fail",
        note=_note(each),
    )


def _worst_allowed(each: MeasureComparison) -> float | None:
    """Return the value that budget and floor together allow at worst, None where neither does."""
    sign = 1.0 if each.direction == "higher" else -1.0
    allowed = [] if each.floor is None else [sign * each.floor]
    if each.margin is not None and each.gated and each.comparable and each.baseline is not None:
        allowed.append(sign * each.baseline - each.margin)
    return sign * max(allowed) if allowed else None


def _note(each: MeasureComparison) -> str:
    if not each.comparable:
        return "not comparable"
    change = numbers.percent(each.change_pct)
    if each.change_pct is None:
        change = numbers.change(each.change, each.unit)
    return f"{change}{UNDECIDED.get(each.result, '')}"


def _unit(name: str) -> str:
    return parse_aggregate(name).measure.declaration.unit
