"""What is to be computed, worked out once for all queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.measures import Aggregate, Empty, Measure, Ranking
from ragstone.model import Cell, Qrels, ScoresBuilder, Signature, Status

COUNTS = ("relevant", "judged", "retrieved", "hits")


class Rules(Struct, frozen=True):
    """How retrieval is scored: the least relevant grade, and whose version of trec_eval."""

    relevance_level: int = 1
    trec_eval: int = 10

    def __post_init__(self) -> None:
        """Refuse what trec_eval does not know."""
        if self.relevance_level < 1:
            raise UsageError(f"the relevance level is at least 1, got {self.relevance_level}")
        if self.trec_eval not in {9, 10}:
            raise UsageError(f"trec_eval is 9 or 10, got {self.trec_eval}")


class Bound(Struct, frozen=True):
    """A measure ready to be computed for one ranking."""

    measure: Measure
    kernel: Callable[[Ranking], float]
    denominator: Callable[[Ranking], float] | None
    empty: Empty
    level: int

    def cell(self, ranking: Ranking) -> Cell:
        """Compute one query's value."""
        weight = self.denominator(ranking) if self.denominator else 0.0
        return Cell(self.kernel(ranking), self._status(ranking), weight)

    def _status(self, ranking: Ranking) -> Status:
        if self.empty is Empty.NEVER:
            return Status.SCORED
        nothing = not ranking.retrieved or (
            self.empty is Empty.NO_RESULTS_OR_RELEVANT and not ranking.number_relevant(self.level)
        )
        return Status.DEFAULT if nothing else Status.SCORED


class Plan(Struct, frozen=True):
    """The measures of one scoring, bound to its rules and judgments."""

    aggregates: tuple[Aggregate, ...]
    rules: Rules
    bound: tuple[Bound, ...]

    @classmethod
    def of(cls, aggregates: Sequence[Aggregate], rules: Rules, qrels: Qrels) -> Plan:
        """Bind each measure once; a measure is weighted where an aggregate asks for micro."""
        top = max((grade for judged in qrels.values() for grade in judged.values()), default=1)
        values = {"rel": rules.relevance_level, "trec_eval": rules.trec_eval, "max": max(top, 1)}
        weighted = {each.measure for each in aggregates if each.how == "micro"}
        measures = dict.fromkeys(each.measure for each in aggregates)
        return cls(
            tuple(aggregates),
            rules,
            tuple(
                Bound(
                    measure,
                    measure.bound(values),
                    measure.bound_denominator(values) if measure in weighted else None,
                    measure.declaration.empty,
                    int(dict(measure.parameters).get("rel", rules.relevance_level)),
                )
                for measure in measures
            ),
        )

    def builder(self) -> ScoresBuilder:
        """Return an empty builder with this plan's columns."""
        return ScoresBuilder(
            [str(each.measure) for each in self.bound],
            COUNTS,
            [str(each.measure) for each in self.bound if each.denominator],
        )

    def add(self, builder: ScoresBuilder, query: str, ranking: Ranking) -> None:
        """Compute a query's row."""
        level = self.rules.relevance_level
        builder.add(
            query,
            [each.cell(ranking) for each in self.bound],
            [
                ranking.number_relevant(level),
                sum(grade >= 0 for grade in ranking.judgments),
                ranking.retrieved,
                ranking.hits(level, None),
            ],
        )

    def signature(self, qrels: Qrels) -> Signature:
        """Return what all columns share."""
        return Signature.of(
            judgments=qrels.digest(),
            relevance_level=self.rules.relevance_level,
            trec_eval=self.rules.trec_eval,
        )

    def column_signatures(self) -> dict[str, Signature]:
        """Return what is each column's own."""
        return {
            str(each.measure): Signature.of(measure_version=each.measure.declaration.version)
            for each in self.bound
        }
