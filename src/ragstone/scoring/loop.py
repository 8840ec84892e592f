"""The loop over queries: rank, look up, compute, count."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import compress

from ragstone.measures import Ranking
from ragstone.model import Qrels, Results, ScoresBuilder
from ragstone.scoring.order import rank
from ragstone.scoring.plan import Plan


class Loop:
    """Scores the queries of one stream; several can be merged."""

    def __init__(self, plan: Plan, qrels: Qrels) -> None:
        """Start with no query scored."""
        self.plan, self.qrels = plan, qrels
        self.builder: ScoresBuilder = plan.builder()
        self.facts: Counter[str] = Counter()
        self.unscored: list[str] = []

    def run(self, stream: Iterable[Results]) -> None:
        """Score every judged query of a stream."""
        for results in stream:
            grades = self.qrels.grades.get(results.query)
            if grades is None:
                self.unscored.append(results.query)
            else:
                self._score(results, grades)

    def merge(self, other: Loop) -> None:
        """Take over what another loop scored."""
        self.builder.merge(other.builder)
        self.facts.update(other.facts)
        self.unscored += other.unscored

    def add_missing(self) -> int:
        """Give every judged query that had no results its row; return how many."""
        missing = [query for query in self.qrels if query not in self.builder]
        for query in missing:
            ranking = Ranking(0, [], [], list(self.qrels[query].values()))
            self.plan.add(self.builder, query, ranking)
        return len(missing)

    def _score(self, results: Results, grades: Mapping[str, int]) -> None:
        docs, differs = rank(results.docs, results.scores, self.plan.rules.trec_eval)
        judged = {doc.encode(): grade for doc, grade in grades.items()}
        ranks = list(compress(range(1, len(docs) + 1), map(judged.__contains__, docs)))
        found = [judged[docs[place - 1]] for place in ranks]
        ranking = Ranking(len(docs), ranks, found, list(grades.values()))
        self.plan.add(self.builder, results.query, ranking)
        self.facts["order_differs_between_versions"] += differs
        self.facts["queries_without_results"] += not docs
        self.facts["self_retrieved_queries"] += results.query.encode() in docs
        self.facts["ids_differing_by_unicode_form"] += _near_misses(docs, judged)


def _near_misses(docs: Iterable[bytes], judged: Mapping[bytes, int]) -> int:
    """Count retrieved ids that are no judged id, but are one in another Unicode form."""
    forms = {_composed(doc) for doc in judged if not doc.isascii()}
    if not forms:
        return 0
    return sum(not doc.isascii() and doc not in judged and _composed(doc) in forms for doc in docs)


def _composed(doc: bytes) -> str:
    return unicodedata.normalize("NFC", doc.decode())
