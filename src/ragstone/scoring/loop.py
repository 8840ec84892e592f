"""The loop over queries: rank, look up, compute, count."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import compress

from msgspec import Struct, field

from ragstone.measures import Ranking
from ragstone.model import Qrels, Results, ScoresBuilder
from ragstone.scoring.order import rank
from ragstone.scoring.plan import Plan


class Outcome(Struct):
    """What scoring a stream gave: rows, counters, and the queries that are not judged."""

    builder: ScoresBuilder
    facts: Counter[str] = field(default_factory=Counter)
    unscored: list[str] = field(default_factory=list)

    def merge(self, other: Outcome) -> None:
        """Take over what was scored elsewhere."""
        self.builder.merge(other.builder)
        self.facts.update(other.facts)
        self.unscored += other.unscored


class Loop:
    """Scores the queries of streams."""

    def __init__(self, plan: Plan, qrels: Qrels) -> None:
        """Start with no query scored."""
        self.plan, self.qrels = plan, qrels
        self.outcome = Outcome(plan.builder())

    def run(self, stream: Iterable[Results]) -> None:
        """Score every judged query of a stream."""
        for results in stream:
            grades = self.qrels.grades.get(results.query)
            if grades is None:
                self.outcome.unscored.append(results.query)
            else:
                self._score(results, grades)

    def add_missing(self) -> None:
        """Give every judged query that had no results its row."""
        self.outcome.facts["ids_differing_by_unicode_form"] += self.unmatched_forms()
        for query in self.qrels:
            if query not in self.outcome.builder:
                ranking = Ranking(0, [], [], list(self.qrels[query].values()))
                self.plan.add(self.outcome.builder, query, ranking)
                self.outcome.facts["queries_without_results"] += 1

    def unmatched_forms(self) -> int:
        """Count queries of the run that are judged only in another Unicode form."""
        missing = {q.encode(): 0 for q in self.qrels if q not in self.outcome.builder}
        return _near_misses(map(str.encode, self.outcome.unscored), missing)

    def _score(self, results: Results, grades: Mapping[str, int]) -> None:
        docs, differs = rank(results.docs, results.scores, self.plan.rules.trec_eval)
        judged = {doc.encode(): grade for doc, grade in grades.items()}
        own = results.query.encode()
        looked_for = {own, *judged}
        ranks = list(compress(range(1, len(docs) + 1), map(looked_for.__contains__, docs)))
        found = [(place, docs[place - 1]) for place in ranks]
        places = [(place, judged[doc]) for place, doc in found if doc in judged]
        ranking = Ranking(
            len(docs), [p for p, _ in places], [g for _, g in places], list(grades.values())
        )
        self.plan.add(self.outcome.builder, results.query, ranking)
        facts = self.outcome.facts
        facts["order_differs_between_versions"] += differs
        facts["queries_without_results"] += not docs
        facts["self_retrieved_queries"] += any(doc == own for _, doc in found)
        facts["ids_differing_by_unicode_form"] += _near_misses(docs, judged)


def _near_misses(docs: Iterable[bytes], judged: Mapping[bytes, int]) -> int:
    """Count retrieved ids that are no judged id, but are one in another Unicode form."""
    forms = {_composed(doc) for doc in judged if not doc.isascii()}
    if not forms:
        return 0
    return sum(not doc.isascii() and doc not in judged and _composed(doc) in forms for doc in docs)


def _composed(doc: bytes) -> str:
    return unicodedata.normalize("NFC", doc.decode())
