"""Spans of a trace, whatever recorded them, and the sample that they make together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from ragstone.formats.samples.documents import richest
from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.reading import Reading
from ragstone.formats.samples.tokens import summed
from ragstone.model.samples import Context, Latency, Sample, Usage

Kind: TypeAlias = Literal["llm", "retriever", "reranker", "other"]
Interval: TypeAlias = tuple[int, int]
Test: TypeAlias = Callable[["Span"], bool]
T = TypeVar("T")


class Span(Struct, kw_only=True):
    """One step of a trace, read by a convention.

    start, end, first_token: nanoseconds since 1970. question, answer: what went in and came out,
    where it is a text. item: the id that the sample is to have. extra: what had no name here.
    """

    trace: str
    id: str
    parent: str | None = None
    name: str = ""
    kind: Kind = "other"
    start: int | None = None
    end: int | None = None
    first_token: int | None = None
    question: str | None = None
    answer: str | None = None
    contexts: tuple[Context, ...] | None = None
    reference: str | None = None
    reference_contexts: tuple[Context, ...] | None = None
    usage: Usage | None = None
    cost: float | None = None
    model: str | None = None
    error: str | None = None
    item: str | None = None
    tags: tuple[str, ...] = ()
    extra: dict[str, Any] = {}


class Trace:
    """The spans of one trace, in the order in which they began."""

    def __init__(self, spans: Iterable[Span], facts: Counter[str]) -> None:
        """Sort the spans and find the first, which the others belong to."""
        self.spans = sorted(spans, key=lambda span: (span.start is None, span.start or 0))
        self.facts = facts
        self._by_id = {span.id: span for span in self.spans}
        roots = [span for span in self.spans if span.parent not in self._by_id]
        if len(roots) > 1:
            facts["traces_with_several_roots"] += 1
        self.root = (roots or self.spans)[0]
        self._roots = roots or self.spans

    def sample(self, item: str) -> Sample:
        """Return the sample that the spans make."""
        models = self.of("llm")
        reference = _first(span.reference for span in self.spans)
        good = _first(span.reference_contexts for span in self.spans)
        return Sample(
            item,
            query=self._question(),
            answer=self._answer(models),
            contexts=self._contexts(),
            reference=reference,
            reference_contexts=good,
            model=_first(span.model for span in reversed(models)),
            usage=self._usage(),
            cost_usd=self._cost(),
            latency_ms=self._latency(models),
            error=self.root.error,
            tags=self.root.tags,
            extra=self._extra(item),
        )

    @property
    def answers(self) -> bool:
        """Whether a question was answered, or failed; building an index leaves traces too."""
        came = self.root.answer is not None or self.root.error is not None
        asked = self.root.question is not None and came
        return asked or any(span.kind != "other" for span in self.spans)

    def of(self, *kinds: Kind) -> list[Span]:
        """Return the spans of some kinds that are not part of another of these."""
        return self.outermost(lambda span: span.kind in kinds)

    def outermost(self, fits: Test) -> list[Span]:
        """Return the spans that fit and have none above them that fits too."""
        return [span for span in self.spans if fits(span) and not any(map(fits, self.above(span)))]

    def above(self, span: Span) -> Iterator[Span]:
        """Go from a span's parent up to the first span."""
        seen, parent = {span.id}, self._by_id.get(span.parent or "")
        while parent is not None and parent.id not in seen:
            yield parent
            seen.add(parent.id)
            parent = self._by_id.get(parent.parent or "")

    def _question(self) -> str | None:
        """Return what went into the first span, else the query of a retriever, else of a model."""
        if self.root.question is not None:
            return self.root.question
        for kind in ("other", "retriever", "llm"):
            found = _first(span.question for span in self.spans if span.kind == kind)
            if found is not None:
                return found
        return None

    def _answer(self, models: Sequence[Span]) -> str | None:
        """Return what came out of the first span, else of the model's last call."""
        if self.root.answer is not None:
            return self.root.answer
        return _first(span.answer for span in reversed(models))

    def _contexts(self) -> tuple[Context, ...] | None:
        """Return what the last reranker left, else what all retrievers found, else a step's."""
        ranked = [span for span in self.of("reranker") if span.contexts is not None]
        if ranked:
            return ranked[-1].contexts
        found = [span.contexts for span in self.of("retriever") if span.contexts is not None]
        if found:
            return tuple(context for each in found for context in each)
        return richest(*(span.contexts for span in self.spans))

    def _usage(self) -> Usage | None:
        """Return the sum over the model's calls; what one of them lacks is not known."""
        counted = self._counted(lambda span: span.usage)
        if counted is None:
            return self.root.usage
        return summed(counted)

    def _cost(self) -> float | None:
        counted = self._counted(lambda span: span.cost)
        if counted is None:
            return self.root.cost
        return sum(counted) if counted else None

    def _counted(self, count: Callable[[Span], T | None]) -> list[T] | None:
        """Return what is counted of the model's calls, each once: None where nothing is.

        Nothing is returned, and a fact counted, where a call that did not fail has no count: a sum
        without it would be too low.
        """
        spans = self.outermost(lambda span: span.kind == "llm" and count(span) is not None)
        if not spans:
            return None
        counted = {span.id for span in spans} | {
            each.id for span in spans for each in self.above(span)
        }
        if any(call.error is None and call.id not in counted for call in self.of("llm")):
            self.facts["traces_with_uncounted_calls"] += 1
            return []
        return [value for value in map(count, spans) if value is not None]

    def _latency(self, models: Sequence[Span]) -> Latency | None:
        total = self._total()
        start = self.root.start
        first = models[-1].first_token if models else None
        first = self.root.first_token if first is None else first
        latency = Latency(
            None if total is None else milliseconds(total[1] - total[0]),
            _covered(self.of("retriever", "reranker")),
            None
            if first is None or start is None or first < start
            else milliseconds(first - start),
            _covered(models),
        )
        return None if latency == Latency() else latency

    def _total(self) -> Interval | None:
        """Return the time of the first span; where there are several, from first to last."""
        times = [interval for interval in map(_interval, self._roots) if interval]
        if len(times) < len(self._roots) or not times:
            return None
        return min(start for start, _ in times), max(end for _, end in times)

    def _extra(self, item: str) -> dict[str, Any]:
        own = {} if item == self.root.trace else {"trace": self.root.trace}
        extra: dict[str, Any] = {**own, **self.root.extra}
        others = [
            {"span": span.name or span.id, **span.extra}
            for span in self.spans
            if span.extra and span is not self.root
        ]
        return {**extra, "spans": others} if others else extra


def traces(spans: Iterable[Span], facts: Counter[str]) -> list[Trace]:
    """Put spans together by their trace, in the order in which the traces come first.

    A trace in which no question was answered is left out and counted.
    """
    together: dict[str, list[Span]] = {}
    for span in spans:
        together.setdefault(span.trace, []).append(span)
    found = [Trace(each, facts) for each in together.values()]
    answered = [trace for trace in found if trace.answers]
    if left_out := len(found) - len(answered):
        facts["traces_without_an_answer"] += left_out
    return answered


def samples_of(pairs: Iterable[tuple[Fields, Span]], reading: Reading) -> Iterator[Sample]:
    """Put the spans of each trace together; one trace is one sample.

    pairs: the spans of a file, each with the fields that it was read from, which tell its place.
    """
    places: dict[str, Fields] = {}
    spans = []
    for fields, span in pairs:
        places.setdefault(span.trace, fields)
        spans.append(span)
    found = traces(spans, reading.facts)
    named = Counter(map(_named_item, found))
    for trace in found:
        item = _named_item(trace)
        chosen = trace.root.trace if item is None or named[item] > 1 else item
        yield trace.sample(places[trace.root.trace].claim(chosen))


def _named_item(trace: Trace) -> str | None:
    """Return the id that a trace names for its sample, which another trace may name too."""
    return _first(span.item for span in trace.spans)


def _first(values: Iterable[T | None]) -> T | None:
    return next((value for value in values if value is not None), None)


def _interval(span: Span) -> Interval | None:
    if span.start is None or span.end is None or span.end < span.start:
        return None
    return span.start, span.end


def _covered(spans: Sequence[Span]) -> float | None:
    """Return how long at least one of some spans was running, in milliseconds."""
    times = [interval for interval in map(_interval, spans) if interval]
    return milliseconds(covered(times)) if times and len(times) == len(spans) else None


def covered(intervals: Iterable[Interval]) -> int:
    """Return how long at least one of some intervals lasted.

    >>> covered([(0, 10), (5, 12), (20, 21)])
    13
    """
    total, reached = 0, 0
    for start, end in sorted(intervals):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def milliseconds(nanoseconds: int) -> float:
    """Return nanoseconds as milliseconds, to a thousandth.

    >>> milliseconds(1_234_567)
    1.235
    """
    return round(nanoseconds / 1e6, 3)
