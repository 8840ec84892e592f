"""The chart of matched texts: measures over thresholds, or as bars."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.matching import NEVER, Matches
from ragstone.measures import Aggregate
from ragstone.model import Scores
from ragstone.reports.charts import Bar, bars, curves, histogram
from ragstone.reports.charts.palette import SERIES
from ragstone.reports.charts.write import Chart
from ragstone.reports.match import MatchDetails
from ragstone.reports.renderers.match import headline
from ragstone.reports.report import Report


def chart_of_match(report: Report, scores: Scores, aggregates: Sequence[Aggregate]) -> Chart:
    """Draw the sweep where there is one, a line a measure, else the measures with their floors.

    As many lines as there are colours: of more measures the first.
    """
    details: MatchDetails = report.details
    title = str(headline(report, scores))
    if not details.sweep:
        floors = {floor.name: floor for floor in details.floors}
        failed = {floor.name for floor in details.floors if not floor.passed}
        return bars(
            [
                Bar(
                    measure=str(each),
                    run="retrieved",
                    value=each.of(scores[str(each.measure)]),
                    limit=floors[str(each)].floor if str(each) in floors else None,
                    failed=str(each) in failed,
                )
                for each in aggregates
            ],
            title=title,
            limit="its floor",
        )
    names = list(details.sweep[0].summary)
    drawn = names[: len(SERIES)]
    return curves(
        [point.threshold for point in details.sweep],
        {name: [point.summary[name] for point in details.sweep] for name in drawn},
        title=title,
        subtitle="" if drawn == names else f"the first {len(drawn)} of {len(names)} measures",
        chosen=_threshold(scores),
    )


def histogram_of_match(report: Report, scores: Scores, matches: Matches) -> Chart:
    """Draw how similar the pairs are that match, and the others that could.

    A pair that its method rules out, as embedding+rouge does one of a low cosine, is not drawn.
    """
    kinds: dict[str, list[float]] = {"matched": [], "not matched": []}
    for query, assignment in matches.assignments().items():
        found = {(pair.gold, pair.rank) for pair in assignment.pairs}
        for gold, row in enumerate(matches.matrices[query].similarities.values):
            for rank, similarity in enumerate(row, 1):
                kind = "matched" if (gold, rank) in found else "not matched"
                if similarity != NEVER:
                    kinds[kind].append(similarity)
    title = str(headline(report, scores))
    return histogram(kinds, title=title, threshold=_threshold(scores))


def _threshold(scores: Scores) -> float | None:
    found = scores.signature.get("threshold")
    return found if isinstance(found, float) else None
