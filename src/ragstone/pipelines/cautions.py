"""What the reader of a pipeline's samples should know before trusting their measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ragstone.errors import shortened
from ragstone.model.samples import Sample

# what was counted: one thing, several things, what is said of them
COUNTED = {
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


def cautions(samples: Sequence[Sample], counts: Mapping[str, int]) -> list[str]:
    """Return a line for each."""
    answered = [sample for sample in samples if sample.error is None]
    said = dict(counts)
    if all(sample.usage is None for sample in answered):
        said.pop("calls_without_usage", None)  # _usage says it
    lines = [*_failed(samples), *_counted(said)]
    return [*lines, *(line for check in CHECKS for line in check(answered))]


def _failed(samples: Sequence[Sample]) -> Iterator[str]:
    failed = [sample for sample in samples if sample.error is not None]
    if failed:
        few = "; ".join(f"{each.id!r}: {shortened(each.error or '', 120)}" for each in failed[:3])
        more = f"; and {len(failed) - 3:,} more" if len(failed) > 3 else ""
        yield (
            f"{len(failed):,} of {len(samples):,} questions failed and are kept with their error: "
            f"{few}{more}"
        )


def _counted(counts: Mapping[str, int]) -> Iterator[str]:
    for name, (one, many, said) in COUNTED.items():
        if number := counts.get(name):
            yield f"{number:,} {one if number == 1 else many} {said}"


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


CHECKS: tuple[Callable[[Sequence[Sample]], Iterator[str]], ...] = (
    _answers,
    _contexts,
    _ids,
    _usage,
)
