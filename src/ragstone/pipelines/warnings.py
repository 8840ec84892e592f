"""What the reader of a run, or of samples, should know before trusting their measures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ragstone.errors import shortened
from ragstone.formats.samples import sample_slips
from ragstone.model.samples import Sample
from ragstone.pipelines.record import Record
from ragstone.pipelines.sampling import GOLD
from ragstone.scoring import warnings as said

FEW = 5  # queries, of which nothing is said that only many would show

# what was counted: one thing, several things, what is said of them
OF_RUNS = {
    "duplicates_removed": (
        "result", "results",
        "listed again for the same query, removed (chunks? see --fold-to-parent)",
    ),
    "ids_not_folded": (
        "id", "ids", "did not match --fold-to-parent, kept as they are",
    ),
    "unstable_ids": (
        "result", "results",
        "known by LlamaIndex's node_id alone, a random id that each build makes anew, so that "
        "judgments and other runs will not have it; name a metadata key with --id-key",
    ),
}  # fmt: skip
OF_SAMPLES = {
    "answers_differ": (
        "question", "questions",
        "had different answers when asked again; the first was kept",
    ),
    "calls_without_usage": (
        "call of a model", "calls of a model",
        "did not say how many tokens it took, so that those of its sample are not known",
    ),
    "fields_left_out": (
        "field of an answer", "fields of an answer", "is no JSON and was left out",
    ),
    "ids_not_folded": (
        "id", "ids", "did not match --fold-to-parent, kept as they are",
    ),
    "unstable_ids": (
        "context", "contexts",
        "known by LlamaIndex's node_id alone, a random id that each build makes anew; name a "
        "metadata key with --id-key",
    ),
}  # fmt: skip


def of_run(
    records: Sequence[Record], counts: Mapping[str, int], k: int, judged: Collection[str] = ()
) -> list[str]:
    """Return a line for each thing about a run."""
    lines = _failed(
        [(record.query, record.error) for record in records],
        "queries failed and are kept without results, which scores 0",
    )
    lines += said(counts, OF_RUNS)
    lines += [line for check in RUN_CHECKS for line in check(records, k)]
    return [*lines, *_unjudged(records, judged)]


def of_samples(samples: Sequence[Sample], counts: Mapping[str, int]) -> list[str]:
    """Return a line for each thing about samples."""
    answered = [sample for sample in samples if sample.error is None]
    known = dict(counts)
    if all(sample.usage is None for sample in answered):
        known.pop("calls_without_usage", None)  # _usage says it
    lines = _failed(
        [(sample.id, sample.error) for sample in samples],
        "questions failed and are kept with their error",
    )
    lines += said(known, OF_SAMPLES)
    return [*lines, *(line for check in SAMPLE_CHECKS for line in check(answered))]


def _failed(asked: Sequence[tuple[str, str | None]], problem: str) -> list[str]:
    """Say how many failed, and show the first; asked: each id and its error."""
    failed = [(name, error) for name, error in asked if error is not None]
    if not failed:
        return []
    few = "; ".join(f"{name!r}: {shortened(error, 120)}" for name, error in failed[:3])
    more = f"; and {len(failed) - 3:,} more" if len(failed) > 3 else ""
    return [f"{len(failed):,} of {len(asked):,} {problem}: {few}{more}"]


# ---- of runs ------------------------------------------------------------------------------------


def _order(records: Sequence[Record], k: int) -> Iterator[str]:  # noqa: ARG001
    unordered = sum(not record.falls for record in records if record.scores is not None)
    if unordered:
        yield (
            f"{unordered:,} of {len(records):,} rankings do not fall by score (distances, or a "
            "reranker?); the order of the retriever was kept, and ranks stand for the scores"
        )


def _depth(records: Sequence[Record], k: int) -> Iterator[str]:
    sizes = {record.facts.get("results", 0) for record in records if record.error is None}
    if sizes == {0}:
        yield "no query has a result"
        return
    size = max(sizes, default=0)
    if len(sizes) == 1 and len(records) >= FEW and size < k:
        yield (
            f"every query has {size:,} {'result' if size == 1 else 'results'} and --k is {k:,}: "
            "was the retriever asked for no more (search_kwargs, similarity_top_k, top_k)?"
        )


def _unjudged(records: Sequence[Record], judged: Collection[str]) -> Iterator[str]:
    docs = dict.fromkeys(doc for record in records for doc in record.docs)
    known = set(judged)
    if not known or not docs or not known.isdisjoint(docs):
        return
    some, one = next(iter(docs)), next(iter(judged))
    yield (
        f"none of the {len(docs):,} retrieved ids is judged: the retriever has ids like {some!r}, "
        f"the judgments like {one!r}{_advice(docs, known)}"
    )


def _advice(docs: Collection[str], judged: set[str]) -> str:
    """Propose how ids such as p1#3 become p1, where that would find judged ones."""
    for mark in "#:_-/|@.":
        pattern = f"^(.*){re.escape(mark) if mark in '|.' else mark}"
        if any(doc.rpartition(mark)[0] in judged for doc in docs):
            return f"; these look like chunks: --fold-to-parent '{pattern}'"
    return "; --id-key takes the id from the metadata, --fold-to-parent makes it one of a document"


RUN_CHECKS: tuple[Callable[[Sequence[Record], int], Iterator[str]], ...] = (_order, _depth)


# ---- of samples ---------------------------------------------------------------------------------


def _answers(samples: Sequence[Sample]) -> Iterator[str]:
    empty = sum(not (sample.answer or "").strip() for sample in samples)
    if empty:
        yield f"{empty:,} of {len(samples):,} answers are empty"


def _contexts(samples: Sequence[Sample]) -> Iterator[str]:
    without = sum(sample.contexts is None for sample in samples)
    if without:
        some = "no" if without == len(samples) else f"{without:,} of {len(samples):,}"
        yield (
            f"{some} {'sample has' if some == 'no' else 'samples have no'} contexts, so that what "
            "an answer stands on cannot be measured there; return them as 'contexts'"
        )


def _ids(samples: Sequence[Sample]) -> Iterator[str]:
    contexts = [context for sample in samples for context in sample.contexts or ()]
    if contexts and all(context.id is None for context in contexts):
        yield (
            "no context has an id, so that the samples give no retrieval run; return contexts as "
            "{id, text}, or name the metadata key with --id-key"
        )


def _usage(samples: Sequence[Sample]) -> Iterator[str]:
    without = sum(sample.usage is None for sample in samples)
    if samples and without == len(samples):
        yield (
            "no sample has usage, so that tokens and cost cannot be measured; return "
            "{'usage': {'input_tokens': ..., 'output_tokens': ...}}"
        )


def _counts(samples: Sequence[Sample]) -> Iterator[str]:
    known = [sample.usage for sample in samples if sample.usage is not None]
    without = sum(usage.total_tokens is None for usage in known)
    if without:
        yield (
            f"{without:,} of {len(samples):,} samples have usage with one of input_tokens and "
            "output_tokens alone, so that their total, and their cost by a price, are not known"
        )


def _gold(samples: Sequence[Sample]) -> Iterator[str]:
    """Say what a system said of its own grading, which is kept under another name."""
    found = [[name for name in GOLD if GOLD[name] in sample.extra] for sample in samples]
    number = sum(map(bool, found))
    if number:
        names = [name for name in GOLD if any(name in each for each in found)]
        yield (
            f"for {number:,} of {len(samples):,} samples the pipeline gave "
            f"{', '.join(names)}: these are the questions' to say, so that its own were kept as "
            f"{', '.join(GOLD[name] for name in names)} and nothing is measured against them"
        )


def _slips(samples: Sequence[Sample]) -> Iterator[str]:
    unknown: Counter[str] = Counter()
    apart = set(GOLD.values())
    for sample in samples:
        unknown.update(name for name in sample.extra if name not in apart)
        parts = {"usage": sample.usage, "latency_ms": sample.latency_ms}
        unknown.update(
            f"{part}.{name}" for part, each in parts.items() if each for name in each.extra
        )
    yield from sample_slips(unknown)


SAMPLE_CHECKS: tuple[Callable[[Sequence[Sample]], Iterator[str]], ...] = (
    _answers,
    _contexts,
    _ids,
    _usage,
    _counts,
    _gold,
    _slips,
)
