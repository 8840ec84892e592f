"""Runs a retriever over queries, and makes one run of what it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ragstone.errors import InputError, RetrieverError
from ragstone.measures import quantile
from ragstone.model import Run
from ragstone.pipelines.hits import NotResultsError, has_made_up_ids
from ragstone.pipelines.ranking import Ranker, Ranking
from ragstone.pipelines.record import Record, packed, unpacked
from ragstone.pipelines.retrievers import bound_retriever
from ragstone.pipelines.runner import Runner, checked
from ragstone.pipelines.schedule import Outcome
from ragstone.pipelines.settings import Settings


class RetrieverRun(Run):
    """A run, and what is known beside it.

    records: one a query, in the order of the queries: ids, scores as the retriever gave them,
    texts, latencies in milliseconds, errors. framework: how the retriever was called.
    """

    __slots__ = ("framework", "records", "settings")

    def __init__(
        self, records: Iterable[Record], framework: str = "", settings: Settings | None = None
    ) -> None:
        """Make the run of the records."""
        self.records = tuple(records)
        self.framework, self.settings = framework, settings or Settings()
        removed = sum(record.facts.get("duplicates_removed", 0) for record in self.records)
        super().__init__(
            {record.query: record.ranking() for record in self.records},
            {"duplicates_removed": removed},
        )

    @property
    def counts(self) -> Counter[str]:
        """What was counted over all queries: results, duplicates_removed, folded, ..."""
        total: Counter[str] = Counter()
        for record in self.records:
            total.update(record.facts)
        return total

    @property
    def failed(self) -> list[Record]:
        """The queries whose calls failed, kept without results."""
        return [record for record in self.records if record.error is not None]

    def latency_ms(self, query: str) -> float | None:
        """Return the median latency of a query; None where it failed."""
        return next(record.latency_ms for record in self.records if record.query == query)

    def warnings(self, judged: Collection[str] = ()) -> list[str]:
        """Return a line for each thing that its reader should know.

        judged: the document ids of the judgments, where there are some.
        """
        from ragstone.pipelines.warnings import of_run

        return of_run(self.records, self.counts, self.settings.k, judged)


class RetrieverRunner(Runner[Record, RetrieverRun]):
    """A retriever on its way over queries."""

    system, failure, without = "retriever", RetrieverError, "results"

    def __init__(self, retriever: Any, queries: Mapping[str, str], settings: Settings) -> None:
        """Find how the retriever is called."""
        checked(queries)
        self.settings = settings
        self.framework, search = bound_retriever(retriever, settings)
        super().__init__(search, queries, settings)
        self._unstable_checked = settings.id_key is not None
        self._ranker = Ranker(
            settings.k,
            id_key=settings.id_key,
            fold_to_parent=settings.fold_to_parent,
            keep_text=settings.keep_text,
            columns=settings.columns,
        )

    def again(self, outcome: Outcome) -> bool:
        """Ask for another call: a repetition, or one to see whether made-up ids stay."""
        if super().again(outcome):
            return True
        if self._unstable_checked or len(outcome.calls) > 1 or not outcome.calls[0].results:
            return False
        self._unstable_checked = True
        try:
            return has_made_up_ids(outcome.calls[0].results)
        except NotResultsError:  # said with query and rank when it is ranked
            return False

    def record(self, query: str, outcome: Outcome) -> Record:
        """Rank what the calls gave; it has to be the same each time."""
        rankings = [self._ranker.rank(query, call.results) for call in outcome.calls]
        first = rankings[0]
        for other in rankings[1:]:
            _same_ids(query, first, other)
        calls = outcome.calls[: self.settings.repeat]
        return Record(
            query,
            first.docs,
            first.scores,
            first.falls,
            first.texts,
            [round(call.seconds * 1000, 3) for call in calls],
            facts=first.facts,
        )

    def failed(self, query: str, error: str) -> Record:
        """Keep a query without results."""
        return Record(query, error=error)

    def packed(self, record: Record) -> str:
        """Return a record as one text."""
        return packed(record)

    def unpacked(self, kept: str) -> Record:
        """Read a record."""
        return unpacked(kept)

    def whole(self, records: Sequence[Record]) -> RetrieverRun:
        """Return the run."""
        return RetrieverRun(records, self.framework, self.settings)


def _same_ids(query: str, first: Ranking, other: Ranking) -> None:
    if first.docs == other.docs:
        return
    pairs = enumerate(zip_longest(first.docs, other.docs), 1)
    rank, (one, two) = next((rank, pair) for rank, pair in pairs if pair[0] != pair[1])
    made_up = (
        "; the ids are node ids, which LlamaIndex makes anew at each build: name a metadata key "
        "with --id-key, or give the nodes a source document"
        if "unstable_ids" in first.facts
        else "; a run of a retriever that does not repeat itself cannot be compared"
    )
    found = f"{_or_nothing(one)} and {_or_nothing(two)}"
    raise InputError(
        f"query {query!r}: two calls gave different ids, {found} at rank {rank}{made_up}"
    )


def _or_nothing(doc: str | None) -> str:
    return "nothing" if doc is None else repr(doc)


def latency(records: Iterable[Record], share: float = 0.5) -> float | None:
    """Return a percentile of the latencies per query, in milliseconds; None without any."""
    known = [each.latency_ms for each in records if each.latency_ms is not None]
    return quantile(known, share) if known else None
