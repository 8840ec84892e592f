"""Runs a live system over queries: every query is kept as it is done, in any order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from ragstone.errors import EndpointError, InputError
from ragstone.model import is_id
from ragstone.pipelines.hits import NotResultsError
from ragstone.pipelines.schedule import Outcome, outcomes
from ragstone.pipelines.search import Search
from ragstone.pipelines.settings import CallSettings
from ragstone.pipelines.workers import workers
from ragstone.progress import Progress, Silent
from ragstone.usercode import said


class Kept(Protocol):
    """Where finished queries are kept, so that a run can be continued: `store.Journal`."""

    @property
    def done(self) -> Mapping[str, Any]:
        """What was kept before, by query."""

    def append(self, key: str, record: Any) -> None:
        """Keep a query."""


class Recorded(Protocol):
    """What is kept of a query."""

    @property
    def error(self) -> str | None:
        """How it failed, where it did."""


T = TypeVar("T")
R = TypeVar("R", bound=Recorded)
W = TypeVar("W")


class Runner(ABC, Generic[R, W]):
    """One run on its way: R is what is kept of a query, W what the run gives as a whole.

    system, failure, without: the words for what is run, the error for a call of it that failed, and
    what a query that failed is kept without.
    """

    system: ClassVar[str]
    failure: ClassVar[type[InputError]]
    without: ClassVar[str]

    def __init__(self, search: Search, queries: Mapping[str, str], settings: CallSettings) -> None:
        """Keep what is called, with what, and how."""
        self.search, self.queries, self._options = search, checked(queries), settings
        self.records: dict[str, R] = {}
        self._ids = list(queries)
        self._kept: Kept | None = None
        self._first: int | None = None

    @abstractmethod
    def record(self, query: str, outcome: Outcome) -> R:
        """Return what is kept of a query whose calls have all succeeded."""

    @abstractmethod
    def failed(self, query: str, error: str) -> R:
        """Return what is kept of a query that failed."""

    @abstractmethod
    def packed(self, record: R) -> Any:
        """Return what the journal keeps."""

    @abstractmethod
    def unpacked(self, kept: Any) -> R:
        """Read back what the journal kept."""

    @abstractmethod
    def whole(self, records: Sequence[R]) -> W:
        """Return the result of the run."""

    def again(self, outcome: Outcome) -> bool:
        """Ask for another call of a query."""
        return len(outcome.calls) < self._options.repeat

    def keep_in(self, kept: Kept) -> None:
        """Keep finished queries there, and take those it has; what failed is tried again."""
        self._kept = kept
        done = {query: self.unpacked(kept.done[query]) for query in self._ids if query in kept.done}
        self.records = {query: each for query, each in done.items() if each.error is None}

    def run(self, progress: Progress | None = None) -> W:
        """Call for every query that is not done, and return the whole run in query order."""
        todo = [(n, self.queries[query]) for n, query in enumerate(self._ids) if self._open(query)]
        self._first = todo[0][0] if todo else None
        options = self._options
        retries = 0 if self.search.keeps_trying else options.retries or 0
        pool = workers(self.search, options.concurrency, options.timeout)
        progress = progress or Silent()
        progress.start(len(todo))
        try:
            for outcome in outcomes(pool, todo, self.again, retries):
                self._keep(outcome)
                progress.advance()
        finally:
            pool.stop()
            progress.finish()
        self._need_one_answer()
        return self.whole([self.records[query] for query in self._ids])

    def is_first(self, outcome: Outcome) -> bool:
        """Tell whether a query's first call was the first of this process."""
        return outcome.position == self._first

    def _open(self, query: str) -> bool:
        return query not in self.records

    def _keep(self, outcome: Outcome) -> None:
        query = self._ids[outcome.position]
        if outcome.error is None:
            record = self.record(query, outcome)
        else:
            record = self._failed(query, outcome.error)
        self.records[query] = record
        if self._kept is not None:
            self._kept.append(query, self.packed(record))

    def _failed(self, query: str, error: BaseException) -> R:
        if isinstance(error, InputError) and not isinstance(error, EndpointError):
            raise InputError(f"query {query!r}: {error}") from error
        if self._options.on_error == "record":
            return self.failed(query, said(error))
        if isinstance(error, NotResultsError):
            raise InputError(f"query {query!r}: {error}") from None
        raise self.failure(
            f"query {query!r}: the {self.system} failed: {said(error)}; with --on-error record "
            f"such a query is kept without {self.without}"
        ) from error

    def _need_one_answer(self) -> None:
        first = self._ids[0]
        if all(record.error is not None for record in self.records.values()):
            raise self.failure(
                f"every query failed; the first, {first!r}: {self.records[first].error}"
            )


def named(what: str, given: Mapping[str, T]) -> ItemsView[str, T]:
    """Return ids and what belongs to each; raises InputError for what has no ids."""
    if isinstance(given, Mapping):
        return given.items()
    raise InputError(f"{what} is a dict of ids and texts; found {given!r:.80}")


def checked(queries: Mapping[str, str]) -> Mapping[str, str]:
    """Refuse queries that are none; returns them."""
    if not queries:
        raise InputError("there is no query to run")
    for query, text in named("queries", queries):
        if not isinstance(query, str) or not is_id(query) or not isinstance(text, str):
            raise InputError(f"queries is a dict of ids and texts; found {query!r}: {text!r:.80}")
    return queries
