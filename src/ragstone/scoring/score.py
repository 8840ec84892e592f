"""Qrels and a run to Scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ragstone.errors import InputError, UsageError, some_ids
from ragstone.formats import NotGroupedError, RunFile
from ragstone.measures import Aggregate, Measure, default_measures, parse_aggregate
from ragstone.model import Qrels, QrelsLike, RunLike, Scores, parallel
from ragstone.scoring.loop import Loop
from ragstone.scoring.plan import Plan, Rules, at_least_one

MeasuresLike: TypeAlias = str | Measure | Aggregate | Iterable[str | Measure | Aggregate]
FACTS = (
    "queries",
    "unjudged_queries",
    "queries_without_results",
    "queries_without_relevant",
    "unscored_run_queries",
    "skipped_query_rows",
    "skipped_retrieved_rows",
    "duplicates_removed",
    "repeated_judgments",
    "self_retrieved_queries",
    "ids_differing_by_unicode_form",
    "order_differs_between_versions",
)


def score(
    qrels: QrelsLike,
    run: RunLike | RunFile,
    measures: MeasuresLike | None = None,
    *,
    k: int = 5,
    relevance_level: int = 1,
    trec_eval: int = 10,
    workers: int = 1,
) -> Scores:
    """Score a run against judgments, as trec_eval with `-c` does.

    qrels: Qrels, `{query: {document: grade}}`, `{query: relevant ids}`, or a list of relevant
    ids per query. run: Run, a RunFile, `{query: {document: score}}`, `{query: ranked ids}`, or
    a list of ranked ids per query, parallel to the list of qrels. measures: names or measures;
    by default the six measures at k. relevance_level: the least grade that counts as relevant;
    nDCG and ERR use the grades themselves. trec_eval: whose order and cutoffs, 10 or 9. workers:
    processes to read a RunFile with.

    Raises InputError where nothing can be scored: no judged query, an empty run, or two sides
    that share no query.

    >>> scores = score({"q1": {"a": 2, "b": 1}}, {"q1": ["b", "x", "a"]}, ["nDCG@3", "RR"])
    >>> scores["RR"].values[0]
    1.0
    """
    level = at_least_one("the relevance level", relevance_level)
    rules = Rules(level, at_least_one("trec_eval", trec_eval))
    aggregates = as_aggregates(measures, k)
    at_least_one("the number of workers", workers)
    if isinstance(run, RunFile):
        return _score_file(Qrels.of(qrels), run, aggregates, rules, workers)
    judged, ranked = parallel(qrels, run)
    _need_judged(judged)
    loop = Loop(Plan.of(aggregates, rules, judged), judged)
    loop.run(ranked.results())
    return _finish(loop, Counter(ranked.facts))


def as_aggregates(measures: MeasuresLike | None, k: int = 5) -> list[Aggregate]:
    """Read what to compute from names and measures; by default the six measures at k."""
    k = at_least_one("k", k)
    if measures is None:
        measures = default_measures(k)
    if isinstance(measures, str | Measure | Aggregate):
        measures = [measures]
    if not isinstance(measures, Iterable):
        raise UsageError(f"measures is {measures!r:.80}; names were expected, as in 'nDCG@10'")
    aggregates = [_as_aggregate(measure, k) for measure in measures]
    if not aggregates:
        raise UsageError("no measure was named")
    return list(dict.fromkeys(aggregates))


def _as_aggregate(measure: str | Measure | Aggregate, k: int) -> Aggregate:
    if isinstance(measure, Aggregate):
        return measure
    return parse_aggregate(str(measure), k=k)


def _score_file(
    qrels: Qrels, run: RunFile, aggregates: Sequence[Aggregate], rules: Rules, workers: int
) -> Scores:
    _need_judged(qrels)
    plan = Plan.of(aggregates, rules, qrels)
    facts: Counter[str] = Counter()
    try:
        loop = _streamed(plan, qrels, run, facts, workers)
    except NotGroupedError:
        facts, loop = Counter(), Loop(plan, qrels)
        loop.run(run.collected(facts))
    return _finish(loop, facts)


def _streamed(plan: Plan, qrels: Qrels, run: RunFile, facts: Counter[str], workers: int) -> Loop:
    if workers > 1:
        from ragstone.scoring.workers import run_parts

        return run_parts(plan, qrels, run, facts, workers)
    loop = Loop(plan, qrels)
    loop.run(run.results(facts))
    return loop


def _need_judged(qrels: Qrels) -> None:
    if not qrels:
        listed = (
            f"; queries listed without a judgment: {len(qrels.unjudged)}" if qrels.unjudged else ""
        )
        raise InputError(f"the qrels judge no query{listed}; nothing can be scored")


def _finish(loop: Loop, run_facts: Counter[str]) -> Scores:
    qrels, plan = loop.qrels, loop.plan
    _need_shared(loop)
    loop.add_missing()
    level = plan.rules.relevance_level
    facts = {
        **dict.fromkeys(FACTS, 0),
        **qrels.facts,
        **run_facts,
        **loop.outcome.facts,
        "queries": len(qrels),
        "unjudged_queries": len(qrels.unjudged),
        "unscored_run_queries": len(loop.outcome.unscored),
        "queries_without_relevant": sum(
            all(grade < level for grade in judged.values()) for judged in qrels.values()
        ),
    }
    return loop.outcome.builder.build(plan.signature(qrels), plan.column_signatures(), facts)


def _need_shared(loop: Loop) -> None:
    if len(loop.outcome.builder) > loop.outcome.facts["queries_without_results"]:
        return
    if not loop.outcome.unscored:
        raise InputError("the run is empty: it has no result; nothing can be scored")
    alike = ", and some differ only by Unicode form (NFC, NFD)" if loop.unmatched_forms() else ""
    raise InputError(
        "no judged query has a result: the qrels have "
        f"{some_ids(loop.qrels)}, the run has {some_ids(loop.outcome.unscored)}; "
        f"the query ids of the two must be the same text{alike}"
    )
