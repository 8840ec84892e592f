"""Retrieval from samples: contexts with ids against judgments, as `ragstone score` scores a run."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ragstone.answers.kernels import MISSING, SYSTEM_FAILED
from ragstone.answers.view import nothing
from ragstone.errors import InputError, some_ids
from ragstone.measures import Aggregate
from ragstone.model import Cell, Qrels, Run, Scores, Signature, Status
from ragstone.model.samples import Sample, qrels_of, run_of
from ragstone.scoring.loop import Loop
from ragstone.scoring.plan import Plan, Rules

UNJUDGED = "unjudged"
IDS_MISSING = "context_ids_not_recorded"


class Retrieval(Struct, frozen=True):
    """The scores of the samples that are judged and have context ids.

    judged: the queries that have judgments, sampled or not.
    """

    scores: Scores
    places: dict[str, int]
    judged: frozenset[str]

    def cell(self, sample: Sample, name: str) -> Cell:
        """Return a sample's value under a measure, or why there is none."""
        place = self.places.get(sample.id)
        if place is None:
            return self._none(sample)
        column = self.scores[name]
        weight = 0.0 if column.weights is None else column.weights[place]
        return Cell(column.values[place], Status(column.status[place]), weight)

    def _none(self, sample: Sample) -> Cell:
        if sample.error is not None:
            return nothing(SYSTEM_FAILED, Status.FAILED)
        if sample.id not in self.judged:
            return nothing(UNJUDGED)
        return nothing(MISSING["contexts"] if sample.contexts is None else IDS_MISSING)

    def signature(self, name: str) -> Signature:
        """Return what makes a column comparable, with the judgments that all of them share."""
        return self.scores.signature_of(name)

    @property
    def weighted(self) -> list[str]:
        """The columns that keep their weights."""
        return [name for name, each in self.scores.columns.items() if each.weights is not None]


def score_retrieval(
    samples: Sequence[Sample],
    qrels: Qrels | None,
    aggregates: Sequence[Aggregate],
    *,
    relevance_level: int = 1,
    trec_eval: int = 10,
) -> Retrieval | None:
    """Score the contexts of samples; None where no sample is both judged and has ids.

    qrels: by default the reference contexts that have ids, with grade 1. A sample whose system
    failed has no ranking. Items are samples, so judged queries without one are counted and not
    scored.

    Raises InputError where judgments are given and fit no sample.
    """
    judged = qrels_of(samples) if qrels is None else qrels
    run = run_of(each for each in samples if each.error is None)
    both = Run({query: run[query] for query in run if query in judged}, run.facts)
    if not both:
        if qrels is not None:
            raise _no_match(samples, judged, run)
        return None
    plan = Plan.of(aggregates, Rules(relevance_level, trec_eval), judged)
    loop = Loop(plan, judged)
    loop.run(both.results())
    facts = {**_facts(samples, judged), **run.facts, **loop.outcome.facts}
    scores = loop.outcome.builder.build(plan.signature(judged), plan.column_signatures(), facts)
    places = {item: place for place, item in enumerate(scores.items)}
    return Retrieval(scores, places, frozenset(judged))


def _facts(samples: Sequence[Sample], judged: Qrels) -> dict[str, int]:
    ids = {each.id for each in samples}
    return {
        "judged_queries_without_sample": sum(query not in ids for query in judged),
        "unjudged_samples": sum(item not in judged for item in ids),
    }


def _no_match(samples: Sequence[Sample], judged: Qrels, run: Run) -> InputError:
    if not judged:
        return InputError(
            "the qrels have no judgments: none of their rows has relevant_ids or relevance"
        )
    if not run:
        return InputError(
            "--qrels judges retrieval, but no sample has contexts with ids; write an id in each "
            "context, or leave --qrels out"
        )
    return InputError(
        f"no sample with context ids is judged: the qrels have {some_ids(judged)}, the samples "
        f"have {some_ids(each.id for each in samples)}; the ids of the two must be the same text"
    )
