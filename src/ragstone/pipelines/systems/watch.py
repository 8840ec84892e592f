"""What is seen of one call while it runs: retrievals, calls of models, the first token."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from ragstone.formats.samples.spans import covered, milliseconds
from ragstone.formats.samples.tokens import summed
from ragstone.model.samples import Usage


class Observed(Struct, frozen=True, kw_only=True):
    """What a call gave, and what was seen of it on the way; None is not seen.

    documents: what the retrievers found, in their order. usage: the sum over the model's calls,
    None where one of them did not say; uncounted: how many did not. Times are in milliseconds.
    """

    output: Any
    documents: Sequence[Any] | None = None
    usage: Usage | None = None
    uncounted: int = 0
    model: str | None = None
    retrieval: float | None = None
    first_token: float | None = None
    generation: float | None = None


class _Step(Struct):
    start: int
    end: int | None = None
    documents: Sequence[Any] | None = None
    usage: Usage | None = None
    model: str | None = None
    failed: bool = False


class Watch:
    """Notes steps as they begin and end; times are those of the monotonic clock.

    Each step has a key of its own. Steps may run at once, in several threads.
    """

    def __init__(self) -> None:
        """Start the clock."""
        self._start = time.perf_counter_ns()
        self._retrievals: dict[Hashable, _Step] = {}
        self._calls: dict[Hashable, _Step] = {}
        self._first: int | None = None

    def retrieval_began(self, key: Hashable) -> None:
        """Note that a retriever was asked."""
        self._retrievals[key] = _Step(time.perf_counter_ns())

    def retrieval_ended(self, key: Hashable, documents: Sequence[Any] | None = None) -> None:
        """Note what it found; None where it failed."""
        if step := self._retrievals.get(key):
            step.end, step.documents = time.perf_counter_ns(), documents

    def call_began(self, key: Hashable) -> None:
        """Note that a model was called."""
        self._calls[key] = _Step(time.perf_counter_ns())

    def call_ended(
        self,
        key: Hashable,
        usage: Usage | None = None,
        model: str | None = None,
        *,
        failed: bool = False,
    ) -> None:
        """Note what a call of a model says of itself."""
        if step := self._calls.get(key):
            step.end, step.usage, step.model = time.perf_counter_ns(), usage, model
            step.failed = failed

    def token(self) -> None:
        """Note that a token came; the first one after the last call of a model began counts."""
        if self._first is None:
            self._first = time.perf_counter_ns()

    def answer_began(self) -> None:
        """Forget tokens of earlier calls: what comes from now on is the answer."""
        self._first = None

    def seen(self, output: Any) -> Observed:
        """Return what the call gave, with all that was seen."""
        calls = list(self._calls.values())
        answered = [call for call in calls if not call.failed]
        return Observed(
            output=output,
            documents=self._documents(),
            usage=summed(call.usage for call in answered),
            uncounted=sum(call.usage is None for call in answered),
            model=next((call.model for call in reversed(answered) if call.model), None),
            retrieval=_lasted(self._retrievals.values()),
            first_token=None if self._first is None else milliseconds(self._first - self._start),
            generation=_lasted(calls),
        )

    def _documents(self) -> Sequence[Any] | None:
        found = [step.documents for step in self._retrievals.values() if step.documents is not None]
        return [document for each in found for document in each] if found else None


def _lasted(steps: Iterable[_Step]) -> float | None:
    """Return how long at least one of the steps ran; None where there is none, or one goes on."""
    times = [(step.start, step.end) for step in steps]
    ended = [(start, end) for start, end in times if end is not None]
    return milliseconds(covered(ended)) if ended and len(ended) == len(times) else None
