"""All queries: their matrices, which texts match, and the Scores that follow."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from ragstone.errors import UsageError
from ragstone.matching.assignment import Assignment
from ragstone.matching.matrix import Gold, MatchMatrix
from ragstone.matching.names import as_aggregates
from ragstone.matching.rules import Rules
from ragstone.measures import Aggregate, Measure
from ragstone.model import Qrels, Run, Scores
from ragstone.scoring import score_rankings

NO_FACTS: Mapping[str, int] = MappingProxyType({})


class SweepPoint(Struct, frozen=True):
    """What comes out at one threshold: how many golds are found, and every aggregate."""

    threshold: float
    found: int
    summary: dict[str, float | None]


class Matches(Struct, frozen=True):
    """The matrices of the queries that have a gold, ascending, and how they are read.

    Another threshold, assignment or gain needs no new comparison of texts: see `at`.
    """

    matrices: Mapping[str, MatchMatrix]
    rules: Rules
    facts: Mapping[str, int] = NO_FACTS

    def at(
        self,
        threshold: float | None = None,
        assignment: str | None = None,
        gain: str | None = None,
    ) -> Matches:
        """Return the same similarities under other rules."""
        kept = None if self.rules.method.threshold is None else self.rules.threshold
        rules = Rules.of(
            self.rules.method,
            kept if threshold is None else threshold,
            assignment or self.rules.assignment,
            gain or self.rules.gain,
        )
        return replace(self, rules=rules)

    def assignments(self) -> dict[str, Assignment]:
        """Decide for each query which pairs count."""
        rules = self.rules
        return {
            query: matrix.assign(rules.threshold, rules.assignment)
            for query, matrix in self.matrices.items()
        }

    def scores(
        self,
        measures: Iterable[str | Measure | Aggregate] | None = None,
        k: int | Sequence[int] = 5,
        *,
        assignments: Mapping[str, Assignment] | None = None,
    ) -> Scores:
        """Compute measures, by default the seven at k; k may be several.

        assignments: what `assignments` returned, where that is at hand already.
        """
        ks = [k] if isinstance(k, int) else list(k)
        found = self.assignments() if assignments is None else assignments
        return score_rankings(
            ((query, each.ranking(self.rules.gain)) for query, each in found.items()),
            as_aggregates(measures, ks),
            self.rules.signature(self.qrels().digest()),
            self.rules.fields,
            {
                **self.facts,
                "golds": sum(each.golds for each in found.values()),
                "found_golds": sum(each.found for each in found.values()),
            },
        )

    def sweep(
        self, thresholds: Iterable[float], measures: Iterable[str | Measure | Aggregate]
    ) -> list[SweepPoint]:
        """Compute aggregates at several thresholds, from the similarities that there are."""
        if self.rules.method.threshold is None:
            name = self.rules.method.signature["matcher"]
            raise UsageError(f"{name} has no threshold to sweep: two texts match, or they do not")
        aggregates = as_aggregates(measures)
        return [self._point(threshold, aggregates) for threshold in thresholds]

    def _point(self, threshold: float, aggregates: Sequence[Aggregate]) -> SweepPoint:
        at = self.at(threshold)
        found = at.assignments()
        scores = at.scores(aggregates, assignments=found)
        return SweepPoint(
            threshold,
            sum(each.found for each in found.values()),
            {str(each): each.of(scores[str(each.measure)]) for each in aggregates},
        )

    def qrels(self) -> Qrels:
        """Return the golds as judgments; a gold's id is the sha256 of its normalised text."""
        return Qrels(
            {
                query: {_digest(gold): 1 for gold in matrix.golds}
                for query, matrix in self.matrices.items()
            }
        )

    def run(self) -> Run:
        """Return the retrieved texts as a run against `qrels`.

        A text that counts for a gold has the gold's id, any other one of its own. Scored by these
        alone the rank measures are the same; recall too, but for a text that holds several golds.
        Raises UsageError for the assignment free, which gives a gold to many texts.
        """
        if self.rules.assignment == "free":
            raise UsageError("texts that were matched freely are no run: a gold has many of them")
        return Run(
            {
                query: _ranking(self.matrices[query], each)
                for query, each in self.assignments().items()
            }
        )


def _digest(gold: Gold) -> str:
    return hashlib.sha256(gold.form.encode()).hexdigest()


def _ranking(matrix: MatchMatrix, found: Assignment) -> dict[str, float]:
    counts = {pair.rank: _digest(matrix.golds[pair.gold]) for pair in found.pairs if not pair.extra}
    number = len(matrix.retrieved)
    return {
        counts.get(rank, f"text:{rank}"): float(number - rank + 1) for rank in range(1, number + 1)
    }
