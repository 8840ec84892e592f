"""From what a pipeline gave to a sample: the answer, its contexts, and what the calls took."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ragstone.errors import FormatError, InputError
from ragstone.formats.samples import plain, sample_from
from ragstone.formats.samples.questions import CARRIED
from ragstone.model.samples import WARM_UP, Context, Latency, Sample
from ragstone.pipelines.hits import SCORE_NAMES, TEXT_NAMES, NotResultsError, metadata_keys
from ragstone.pipelines.identity import BadHitError, Hit, Hits, score_of
from ragstone.pipelines.systems.answer import Given, given
from ragstone.pipelines.systems.watch import Observed
from ragstone.pipelines.workers import Call

OWN = ("citations", "cost_usd", "error", "model")
ASKED = ("id", "query", "question", "input")  # what a chain hands back of what it was given
GOLD = {name: f"extra_{name}" for name in ("id", "query", *CARRIED)}  # what a sample calls it then
PARTS = ("retrieval", "first_token", "generation")


class PipelineRecord(Struct, frozen=True):
    """What is kept of a question: its sample, and what was counted on the way, where not 0."""

    sample: Sample
    facts: dict[str, int] = {}

    @property
    def error(self) -> str | None:
        """How the pipeline failed."""
        return self.sample.error


def packed(record: PipelineRecord) -> str:
    """Return what the journal keeps: one text, since a journal looks into all else it is given."""
    kept = {"sample": plain(record.sample), "facts": record.facts}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def unpacked(kept: str) -> PipelineRecord:
    """Read back what the journal kept."""
    record = json.loads(kept)
    sample = record["sample"]
    return PipelineRecord(sample_from(sample.pop("id"), sample), record["facts"])


class Sampler:
    """Makes samples of what a pipeline gave, and counts what a reader should know."""

    def __init__(
        self,
        questions: Mapping[str, Sample],
        *,
        id_key: str | None = None,
        fold_to_parent: str | None = None,
        model: str | None = None,
    ) -> None:
        """Keep the questions, which know their references, and the rules for ids.

        model: the name of the model, where the pipeline does not say it.
        """
        self._questions, self._model = questions, model
        self._hits = Hits(id_key, fold_to_parent)

    def record(self, item: str, calls: Sequence[Call], *, warm_up: bool) -> PipelineRecord:
        """Return the first call's answer, and the latency of all; warm_up: of the first one.

        Raises InputError, with the question, for what is no answer.
        """
        facts: Counter[str] = Counter()
        samples = [self._sample(item, call.results, facts) for call in calls]
        first = samples[0]
        if any(each.answer != first.answer for each in samples[1:]):
            facts["answers_differ"] += 1
        latency = _latency(samples, [round(call.seconds * 1000, 3) for call in calls], warm_up)
        tags = (*first.tags, WARM_UP) if warm_up and len(calls) == 1 else first.tags
        whole = replace(first, latency_ms=latency, tags=tuple(dict.fromkeys(tags)))
        return PipelineRecord(whole, {name: n for name, n in facts.items() if n})

    def failed(self, item: str, error: str) -> PipelineRecord:
        """Return a question without an answer."""
        return PipelineRecord(replace(self._questions[item], error=error))

    def _sample(self, item: str, seen: Observed, facts: Counter[str]) -> Sample:
        try:
            if isinstance(seen.output, Sample):
                sample = self._own(item, seen.output, facts)
            else:
                sample = self._read(item, seen, given(seen.output), facts)
        except (NotResultsError, BadHitError, FormatError) as error:
            raise InputError(f"query {item!r}: {error}") from None
        return self._completed(sample, seen, facts)

    def _read(self, item: str, seen: Observed, said: Given, facts: Counter[str]) -> Sample:
        own = {name: said.rest[name] for name in OWN if said.rest.get(name) is not None}
        asked = (item, self._questions[item].query)
        rest = {
            name: each
            for name, each in said.rest.items()
            if name not in OWN and not (name in ASKED and each in asked)
        }
        parts = rest.pop("latency_ms", None)
        extra = self._extra(item, rest, facts)
        fields = {"answer": said.answer, "latency_ms": parts, **_plain(own)}
        documents = seen.documents if said.documents is None else said.documents
        return replace(
            sample_from(item, {name: each for name, each in fields.items() if each is not None}),
            contexts=None if documents is None else self._contexts(documents, facts),
            usage=said.usage,
            model=own.get("model") or said.model,
            extra=extra,
        )

    def _own(self, item: str, made: Sample, facts: Counter[str]) -> Sample:
        """Return a Sample that the pipeline made, checked; its id is the question's, or empty."""
        if made.id not in ("", item):
            raise NotResultsError(
                f"a Sample with the id {made.id!r} came back; {item!r} was expected"
            )
        fields = plain(made)
        fields.pop("id")
        gold = {name: fields.pop(name) for name in GOLD if name in fields}
        sample = sample_from(item, _plain(fields))
        return replace(sample, extra={**sample.extra, **self._extra(item, gold, facts)})

    def _extra(self, item: str, rest: Mapping[str, Any], facts: Counter[str]) -> dict[str, Any]:
        """Return what is kept beside our fields: what JSON can have, and gold under another name.

        A system does not grade itself: gold is the question's, and the same said again is no news.
        """
        kept: dict[str, Any] = {}
        for name, value in rest.items():
            is_gold = name in GOLD
            said = _plain(value) if is_gold else value
            if is_gold and said in (None, plain(getattr(self._questions[item], name))):
                continue
            if _is_json(said):
                kept[GOLD.get(name, name)] = said
            else:
                facts["fields_left_out"] += 1
        return kept

    def _contexts(self, documents: Sequence[Any], facts: Counter[str]) -> tuple[Context, ...]:
        return tuple(
            self._context(rank, document, facts) for rank, document in enumerate(documents, 1)
        )

    def _context(self, rank: int, document: Any, facts: Counter[str]) -> Context:
        """Read a context: a text, or a document of any form with or without an id."""
        if isinstance(document, str):
            return Context(_whole(document))
        try:
            if isinstance(document, Context):
                return _checked(document)
            return self._document(self._hits.hit(document), facts)
        except (NotResultsError, BadHitError, FormatError) as error:
            raise NotResultsError(f"context {rank}: {error}") from None

    def _document(self, hit: Hit, facts: Counter[str]) -> Context:
        form, item, score = hit
        text = item if isinstance(item, str) else form.text(item)
        doc = None
        if not isinstance(item, str) and self._hits.has_id(hit):
            doc = self._hits.id(hit, facts)
        if doc is None and not isinstance(text, str):
            keys = ", ".join(metadata_keys(form, item)[:8]) or "none"
            raise NotResultsError(f"the {form.noun} has neither a text nor an id; its keys: {keys}")
        return Context(
            _whole(text) if isinstance(text, str) else None,
            doc,
            None if score is None else score_of(score, text if doc is None else doc),
            {} if isinstance(item, str) else _metadata(form.metadata(item)),
        )

    def _completed(self, sample: Sample, seen: Observed, facts: Counter[str]) -> Sample:
        """Add what was seen on the way and what the question knows."""
        question = self._questions[sample.id]
        known = {name: getattr(question, name) for name in CARRIED}
        parts = {name: _part(sample, seen, name) for name in PARTS}
        usage = sample.usage or seen.usage
        if usage is None:
            facts["calls_without_usage"] += seen.uncounted
        return replace(
            sample,
            **known,
            query=question.query,
            usage=usage,
            model=sample.model or seen.model or self._model,
            latency_ms=Latency(**parts, extra=_reported(sample)),
        )


def _checked(context: Context) -> Context:
    """Return a Context that the pipeline made, checked."""
    [found] = sample_from("", {"contexts": [plain(context)]}).contexts or ()
    return found


def _part(sample: Sample, seen: Observed, name: str) -> float | None:
    """Return what the pipeline says of a part of its latency, else what was seen of it."""
    said = getattr(sample.latency_ms, name, None)
    found: float | None = getattr(seen, name) if said is None else said
    return found


def _reported(sample: Sample) -> dict[str, Any]:
    """Keep a total that the pipeline reports apart: ours is the one that was measured."""
    latency = sample.latency_ms
    if latency is None:
        return {}
    total = {} if latency.total is None else {"reported_total": latency.total}
    return {**total, **latency.extra}


def _latency(samples: Sequence[Sample], totals: Sequence[float], warm_up: bool) -> Latency:
    """Return the median over the calls of a question; a first call counts where it is the only."""
    start = 1 if warm_up and len(totals) > 1 else 0
    known = [sample.latency_ms or Latency() for sample in samples[start:]]
    parts = {name: _median([getattr(each, name) for each in known]) for name in PARTS}
    each_call = {"calls": list(totals)} if len(totals) > 1 else {}
    extra = samples[0].latency_ms.extra if samples[0].latency_ms else {}
    return Latency(round(median(totals[start:]), 3), **parts, extra={**extra, **each_call})


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(median(known), 3) if known and len(known) == len(values) else None


def _plain(value: Any) -> Any:
    """Return fields with lists where a dict of the user's has tuples."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, Struct):
        return plain(value)
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _metadata(metadata: Mapping[Any, Any]) -> dict[str, Any]:
    """Return what is said of a document beside its id, score and text, where JSON can have it."""
    ours = {"id", "_id", *SCORE_NAMES, *TEXT_NAMES, "metadata", "meta"}
    kept = {str(name): each for name, each in metadata.items() if name not in ours}
    known = {name: each for name, each in kept.items() if each is not None and _is_json(each)}
    return {"metadata": known} if known else {}


def _whole(text: str) -> str:
    """Return a text that UTF-8 can hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
