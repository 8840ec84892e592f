"""The report of `match`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import field

from ragstone.matching import Assignment, Matches, QueryMatches, SweepPoint, listing
from ragstone.measures import Aggregate, summary
from ragstone.model import Scores
from ragstone.reports.report import Report, build
from ragstone.reports.rows import keep, parse_rows
from ragstone.reports.score import ScoreDetails, outcome, written
from ragstone.reports.statement import Input

if TYPE_CHECKING:
    from ragstone.gate import FloorResult


class MatchDetails(ScoreDetails, frozen=True, kw_only=True, omit_defaults=True):
    """What was noticed, the floors, the pairs of each query that is kept, and the sweep."""

    queries: list[QueryMatches] = field(default_factory=list)
    sweep: list[SweepPoint] = field(default_factory=list)


def build_match(
    matches: Matches,
    scores: Scores,
    inputs: Iterable[Input],
    *,
    assignments: Mapping[str, Assignment] | None = None,
    aggregates: Iterable[Aggregate] | None = None,
    warnings: Iterable[str] = (),
    floors: Iterable[FloorResult] = (),
    rows: str | None = None,
    sweep: Sequence[SweepPoint] = (),
) -> Report:
    """Make the report of matched texts and their Scores.

    assignments: what `matches.assignments` gave. The other arguments are those of build_score;
    `rows` decides which queries are listed, too.

    >>> from ragstone.matching import match_texts
    >>> found = match_texts([["a b"]], [["x", "a b"]], "exact")
    >>> build_match(found, found.scores(["RR"]), []).summary
    {'RR': 0.5}
    """
    checked = written(floors)
    table = keep(scores, parse_rows(rows, len(scores)))
    found = matches.assignments() if assignments is None else assignments
    verdict, exit_code = outcome(checked)
    kept = {query: matches.matrices[query] for query in table.items}
    statement = build(
        "ragstone.match",
        MatchDetails(
            warnings=list(warnings),
            floors=checked,
            queries=list(listing(kept, found)),
            sweep=list(sweep),
        ),
        inputs,
        verdict=verdict,
        exit_code=exit_code,
        summary=summary(scores, aggregates),
        signature=scores.signature,
        scores=table,
    )
    return Report(statement, kept=scores)
