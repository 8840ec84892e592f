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
        at_least_one("the relevance level", self.relevance_level)
        if self.trec_eval not in {9, 10}:
            raise UsageError(f"trec_eval is 9 or 10, got {self.trec_eval!r}")


def at_least_one(what: str, value: int) -> int:
    """Return a whole number of at least 1 as an int; raises UsageError for anything else."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < 1:
        raise UsageError(f"{what} is a whole number of at least 1, got {value!r}")
    return int(value)


def _never(ranking: Ranking, level: int) -> bool:  # noqa: ARG001
    return False


def _no_results(ranking: Ranking, level: int) -> bool:  # noqa: ARG001
    return not ranking.retrieved


def _no_results_or_relevant(ranking: Ranking, level: int) -> bool:
    return not (ranking.retrieved and ranking.number_relevant(level))


EMPTY = {
    Empty.NEVER: _never,
    Empty.NO_RESULTS: _no_results,
    Empty.NO_RESULTS_OR_RELEVANT: _no_results_or_relevant,
}


class Bound(Struct, frozen=True):
    """A measure ready to be computed for one ranking."""

    measure: Measure
    kernel: Callable[[Ranking], float]
    denominator: Callable[[Ranking], float] | None
    empty: Callable[[Ranking, int], bool]
    level: int

    def cell(self, ranking: Ranking) -> Cell:
        """Compute one query's value."""
        status = Status.DEFAULT if self.empty(ranking, self.level) else Status.SCORED
        weight = self.denominator(ranking) if self.denominator else 0.0
        return Cell(self.kernel(ranking), status, weight)


def _level(measure: Measure, rules: Rules) -> int:
    if measure.declaration.parameter("rel") is None:  # any gain counts, as in nDCG
        return 1
    return int(dict(measure.parameters).get("rel", rules.relevance_level))


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
                    EMPTY[measure.declaration.empty],
                    _level(measure, rules),
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
                ranking.number_judged,
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
