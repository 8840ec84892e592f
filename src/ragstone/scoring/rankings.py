"""Rankings that were judged elsewhere, as matched texts are, to Scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from ragstone.measures import Aggregate, Measure, Ranking
from ragstone.model import Qrels, Scalar, Scores, Signature
from ragstone.scoring.plan import Plan, Rules

NO_FACTS: Mapping[str, int] = MappingProxyType({})


def score_rankings(
    rankings: Iterable[tuple[str, Ranking]],
    aggregates: Sequence[Aggregate],
    signature: Signature,
    fields: Callable[[Measure], Mapping[str, Scalar]],
    facts: Mapping[str, int] = NO_FACTS,
) -> Scores:
    """Compute each query's row from its ranking; grades are 0 and 1, and the level is 1.

    signature: what all columns share; fields: what a measure's column has beside its version.
    Raises InputError for a query that comes twice.

    >>> from ragstone.measures import RR
    >>> two = Ranking(3, [2], [1], [1])
    >>> columns = [Aggregate.default(RR)]
    >>> score_rankings([("q", two)], columns, Signature(), lambda _: {}).to_dict()["RR"]
    [0.5]
    """
    plan = Plan.of(aggregates, Rules(), Qrels({}))
    builder = plan.builder()
    for query, ranking in rankings:
        plan.add(builder, query, ranking)
    columns = {
        str(each.measure): Signature.of(
            fields(each.measure), measure_version=each.measure.declaration.version
        )
        for each in plan.bound
    }
    return builder.build(signature, columns, facts)
