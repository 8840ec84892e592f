"""Runs a retriever over queries: every query is kept as it is done, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import zip_longest
from typing import Any, Protocol

from ragstone.errors import EndpointError, InputError, RagstoneError, RetrieverError
from ragstone.measures import quantile
from ragstone.model import Run, is_id
from ragstone.pipelines.adapters import ADAPTERS, adapter_of
from ragstone.pipelines.endpoint import Endpoint
from ragstone.pipelines.hits import NotResultsError, has_made_up_ids
from ragstone.pipelines.loading import is_address, load_retriever
from ragstone.pipelines.place import said
from ragstone.pipelines.ranking import Ranker, Ranking
from ragstone.pipelines.record import Record, packed, unpacked
from ragstone.pipelines.schedule import Outcome, outcomes
from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import Settings
from ragstone.pipelines.workers import workers
from ragstone.progress import Progress, Silent


class Kept(Protocol):
    """Where finished queries are kept, so that a run can be continued: `store.Journal`."""

    @property
    def done(self) -> Mapping[str, Any]:
        """What was kept before, by query."""

    def append(self, key: str, record: Any) -> None:
        """Keep a query."""


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
        from ragstone.pipelines.warnings import warnings

        return warnings(self.records, self.settings.k, judged)


class Runner:
    """One run on its way."""

    def __init__(self, retriever: Any, queries: Mapping[str, str], settings: Settings) -> None:
        """Find how the retriever is called."""
        self.settings, self.queries = settings, checked(queries)
        self._kept: Kept | None = None
        self.framework, self.search = bound(retriever, settings)
        self._ids = list(queries)
        self._unstable_checked = settings.id_key is not None
        self._ranker = Ranker(
            settings.k,
            id_key=settings.id_key,
            fold_to_parent=settings.fold_to_parent,
            keep_text=settings.keep_text,
            columns=settings.columns,
        )
        self.records: dict[str, Record] = {}

    def keep_in(self, kept: Kept) -> None:
        """Keep finished queries there, and take those it has; what failed is tried again."""
        self._kept = kept
        records = {query: unpacked(kept.done[query]) for query in self._ids if query in kept.done}
        self.records = {query: each for query, each in records.items() if each.error is None}

    def run(self, progress: Progress | None = None) -> RetrieverRun:
        """Call for every query that is not done, and return the whole run in query order."""
        todo = [(n, self.queries[query]) for n, query in enumerate(self._ids) if self._open(query)]
        settings = self.settings
        retries = 0 if self.search.keeps_trying else settings.retries or 0
        pool = workers(self.search, settings.concurrency, settings.timeout)
        progress = progress or Silent()
        progress.start(len(todo))
        try:
            for outcome in outcomes(pool, todo, self._again, retries):
                self._keep(self._record(outcome))
                progress.advance()
        finally:
            pool.stop()
            progress.finish()
        records = [self.records[query] for query in self._ids]
        _need_one_answer(records)
        return RetrieverRun(records, self.framework, settings)

    def _open(self, query: str) -> bool:
        return query not in self.records

    def _keep(self, record: Record) -> None:
        self.records[record.query] = record
        if self._kept is not None:
            self._kept.append(record.query, packed(record))

    def _again(self, outcome: Outcome) -> bool:
        """Ask for another call: a repetition, or one to see whether made-up ids stay."""
        if len(outcome.calls) < self.settings.repeat:
            return True
        if self._unstable_checked or len(outcome.calls) > 1 or not outcome.calls[0].results:
            return False
        self._unstable_checked = True
        try:
            return has_made_up_ids(outcome.calls[0].results)
        except NotResultsError:  # said with query and rank when it is ranked
            return False

    def _record(self, outcome: Outcome) -> Record:
        query = self._ids[outcome.position]
        if outcome.error is not None:
            return self._failed(query, outcome.error)
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

    def _failed(self, query: str, error: BaseException) -> Record:
        if isinstance(error, InputError) and not isinstance(error, EndpointError):
            raise InputError(f"query {query!r}: {error}") from error
        if self.settings.on_error == "record":
            return Record(query, error=said(error))
        if isinstance(error, NotResultsError):
            raise InputError(f"query {query!r}: {error}") from None
        raise RetrieverError(
            f"query {query!r}: the retriever failed: {said(error)}; with --on-error record such "
            "a query is kept without results"
        ) from error


def bound(retriever: Any, settings: Settings) -> tuple[str, Search]:
    """Return the name of the adapter and what it calls."""
    if isinstance(retriever, str):
        retriever = Endpoint(retriever) if is_address(retriever) else load_retriever(retriever)
    try:
        name = adapter_of(retriever, settings.framework)
        return name, ADAPTERS[name].bind(retriever, settings)
    except RagstoneError:
        raise
    except Exception as error:
        raise InputError(f"the retriever could not be made ready: {said(error)}") from error


def checked(queries: Mapping[str, str]) -> Mapping[str, str]:
    """Refuse queries that are none; returns them."""
    if not queries:
        raise InputError("there is no query to run")
    for query, text in queries.items():
        if not isinstance(query, str) or not is_id(query) or not isinstance(text, str):
            raise InputError(f"queries is a dict of ids and texts; found {query!r}: {text!r:.80}")
    return queries


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


def _need_one_answer(records: list[Record]) -> None:
    if all(record.error is not None for record in records):
        raise RetrieverError(
            f"every query failed; the first, {records[0].query!r}: {records[0].error}"
        )


def latency(records: Iterable[Record], share: float = 0.5) -> float | None:
    """Return a percentile of the latencies per query, in milliseconds; None without any."""
    known = [each.latency_ms for each in records if each.latency_ms is not None]
    return quantile(known, share) if known else None
