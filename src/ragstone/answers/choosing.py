"""Which measures are computed: those that were named, or those that the samples have fields for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ragstone.answers.kernels import PRESENT, Kernel
from ragstone.errors import UsageError
from ragstone.measures import JUDGED, Aggregate, Area, default_measures, parse_aggregate
from ragstone.model.samples import Sample
from ragstone.scoring import MeasuresLike, as_aggregates

FIELDS: Mapping[str, str] = {
    "query": "query",
    "answer": "answer",
    "contexts": "contexts",
    "context texts": "contexts with a text each",
    "reference": "reference",
    "reference contexts": "reference_contexts with a text each",
    "nuggets": "nuggets",
    "answerable": "answerable",
    "citations": "citations, or marks such as [1] in the answer",
    "sources": "contexts with texts, or a reference",
}
ASKED_ONLY = ("chrF", "BLEU", "query_similarity")
"""Not computed unless they are named: what they need is slow, or says little."""


class LeftOut(Struct, frozen=True):
    """A measure that was not computed, and why."""

    measure: str
    why: str


class Choice(Struct, frozen=True):
    """What is computed, in the order of the report, and what is not."""

    answers: tuple[Aggregate, ...]
    retrieval: tuple[Aggregate, ...]
    operations: tuple[Aggregate, ...] | None
    left_out: tuple[LeftOut, ...] = ()

    @property
    def names(self) -> list[str]:
        """The measures of answers, each once."""
        return list(dict.fromkeys(str(each.measure) for each in self.answers))


def asked(measures: MeasuresLike, k: int = 5) -> Choice:
    """Sort measures that were named by what they are about; raises UsageError for others."""
    sorted_: dict[Area, list[Aggregate]] = {
        Area.ANSWERS: [],
        Area.RETRIEVAL: [],
        Area.OPERATIONS: [],
    }
    for aggregate in as_aggregates(measures, k):
        area = aggregate.measure.declaration.area
        if area not in sorted_:
            raise UsageError(
                f"{aggregate} is about {area.value}; `{area.command}` computes it, not evaluate"
            )
        if aggregate not in sorted_[area]:
            sorted_[area].append(aggregate)
    return Choice(
        tuple(sorted_[Area.ANSWERS]),
        tuple(sorted_[Area.RETRIEVAL]),
        tuple(sorted_[Area.OPERATIONS]),
    )


def usual(samples: Sequence[Sample], kernels: Mapping[str, Kernel], *, k: int = 5) -> Choice:
    """Choose what the samples have fields for; retrieval is tried, and operations follow.

    A field counts where any sample has it.
    """
    left_out = []
    chosen: list[Aggregate] = []
    needed = {need for each in kernels.values() for need in (*each.needs, *each.usually)}
    working = [each for each in samples if each.error is None]
    present = {need for need in needed if any(map(PRESENT[need], working))}
    for name, kernel in kernels.items():
        if name in ASKED_ONLY:
            continue
        lacking = [need for need in (*kernel.needs, *kernel.usually) if need not in present]
        if lacking:
            left_out.append(LeftOut(name, f"no sample has {FIELDS[lacking[0]]}"))
        else:
            chosen.extend(Aggregate.shown(parse_aggregate(name).measure))
    retrieval = tuple(map(Aggregate.default, default_measures(k)))
    return Choice(tuple(chosen), retrieval, None, tuple(left_out))


def check_computable(names: Iterable[str], kernels: Mapping[str, Kernel]) -> None:
    """Raise UsageError for a measure whose judge, encoder, function or list was not given."""
    judged = {str(each) for each in JUDGED}
    for name in names:
        if name in kernels:
            continue
        if name in judged or name.startswith("rubric"):
            raise UsageError(f"{name} is judged by a model; it needs a judge: --judge FILE")
        raise UsageError(f"{name} needs {NEEDS[name]}")


NEEDS: Mapping[str, str] = {
    "answer_similarity": "an encoder: --encoder MODEL",
    "query_similarity": "an encoder: --encoder MODEL",
    "nli_support": "a support function: --nli module:attribute",
    "profanity": "a list of words: --profanity FILE",
}
