"""Which function computes a measure, and what a sample must have for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct

from ragstone.answers import against_reference as reference
from ragstone.answers import citing, figures, form, refusing
from ragstone.answers.contexts import ContextMatch, nugget_recall
from ragstone.answers.support import least_support, mean_support
from ragstone.answers.view import LETTERS, SUPPORT_GRAM, Settings, View, nothing, zero
from ragstone.model import Cell, Scalar, Status
from ragstone.model.samples import Sample

SYSTEM_FAILED = "system_failed"
NO_FIELDS: Mapping[str, Scalar] = MappingProxyType({})

# What a sample may lack -> the reason of its cell. The first that is lacking is said.
MISSING: Mapping[str, str] = MappingProxyType(
    {
        "query": "query_not_recorded",
        "answer": "answer_not_recorded",
        "contexts": "contexts_not_recorded",
        "context texts": "context_texts_not_recorded",
        "reference": "no_reference",
        "reference contexts": "no_reference_contexts",
        "nuggets": "no_nuggets",
        "answerable": refusing.ANSWERABLE_MISSING,
        "citations": citing.NO_CITATIONS,
        "sources": "sources_not_recorded",
    }
)


class Kernel(Struct, frozen=True):
    """How one measure is computed from a sample.

    needs: what the sample must have, names of MISSING. usually: what any sample must have besides
    for the measure to be computed without being asked for.

    What is there but empty: unanswered says what an empty answer is worth, `zero`, `none` (not
    applicable) or `computed`; abstained what one is that says that there is none, and so claims
    nothing; unretrieved where there is no context. fields: of the settings that are in the
    column's signature.
    """

    compute: Callable[[View], Cell]
    needs: tuple[str, ...]
    unanswered: str = "zero"
    abstained: str = "computed"
    unretrieved: str = "computed"
    usually: tuple[str, ...] = ()
    fields: Callable[[Settings], Mapping[str, Scalar]] = lambda _: NO_FIELDS

    def cell(self, view: View) -> Cell:
        """Return a sample's value, or why there is none."""
        sample = view.sample
        if sample.error is not None:
            return nothing(SYSTEM_FAILED, Status.FAILED)
        lacking = _lacking(view)
        for need in self.needs:
            if need in lacking:
                return nothing(MISSING[need])
        if "answer" in self.needs and self.unanswered != "computed" and not view.answer.strip():
            return zero("no_answer") if self.unanswered == "zero" else nothing("no_answer")
        if self.abstained == "none" and view.abstains:
            return nothing("abstained")
        if self.unretrieved != "computed" and not sample.contexts:
            return zero("no_contexts") if self.unretrieved == "zero" else nothing("no_contexts")
        return self._computed(view)

    def _computed(self, view: View) -> Cell:
        if "reference" in self.needs and not view.references:
            return nothing(MISSING["reference"])
        if self.abstained == "none" and not view.sentences:
            return nothing("no_sentences")
        return self.compute(view)


def _has_citations(sample: Sample) -> bool:
    return bool(sample.citations) or (sample.citations is None and bool(citing.marks(sample)))


PRESENT: Mapping[str, Callable[[Sample], bool]] = MappingProxyType(
    {
        "query": lambda sample: sample.query is not None,
        "answer": lambda sample: sample.answer is not None,
        "contexts": lambda sample: sample.contexts is not None,
        "context texts": lambda sample: sample.texts is not None,
        "reference": lambda sample: bool(sample.references),
        "reference contexts": lambda sample: bool(sample.reference_texts),
        "nuggets": lambda sample: bool(sample.nuggets),
        "answerable": lambda sample: sample.answerable is not None,
        "citations": _has_citations,
        "sources": lambda sample: bool(sample.texts or sample.references),
    }
)


@lru_cache(1)
def _lacking(view: View) -> frozenset[str]:
    """Return what a sample does not have; once for all measures."""
    return frozenset(need for need, has in PRESENT.items() if not has(view.sample))


def _tokens(settings: Settings) -> Mapping[str, Scalar]:
    return settings.splitter.signature


def _grams(_: Settings) -> Mapping[str, Scalar]:
    return {"ngram": SUPPORT_GRAM, "ngram_letters": LETTERS}


def _patterns(settings: Settings) -> Mapping[str, Scalar]:
    return settings.abstentions.signature


def _supported(settings: Settings) -> Mapping[str, Scalar]:
    return {**_grams(settings), **_patterns(settings)}


def _cited(settings: Settings) -> Mapping[str, Scalar]:
    return {**_supported(settings), "supported_from": citing.SUPPORTED}


ANSWER = ("answer",)
REFERENCE = ("answer", "reference")
CONTEXTS = ("answer", "contexts", "context texts")
CITED = ("citations",)

KERNELS: dict[str, Kernel] = {
    "exact_match": Kernel(reference.exact_match, REFERENCE, fields=_tokens),
    "token_f1": Kernel(reference.token_f1, REFERENCE, fields=_tokens),
    "token_precision": Kernel(reference.token_precision, REFERENCE, fields=_tokens),
    "token_recall": Kernel(reference.token_recall, REFERENCE, fields=_tokens),
    "rouge1": Kernel(reference.by_n(1), REFERENCE, fields=_tokens),
    "rouge2": Kernel(reference.by_n(2), REFERENCE, fields=_tokens),
    "rougeL": Kernel(reference.by_subsequence, REFERENCE, fields=_tokens),
    "nugget_recall": Kernel(nugget_recall, ("answer", "nuggets"), fields=_tokens),
    "support": Kernel(
        mean_support, CONTEXTS, "none", abstained="none", unretrieved="none", fields=_supported
    ),
    "support_min": Kernel(
        least_support, CONTEXTS, "none", abstained="none", unretrieved="none", fields=_supported
    ),
    "citation_precision": Kernel(
        citing.precision, CONTEXTS, "none", abstained="none", usually=CITED, fields=_cited
    ),
    "citation_recall": Kernel(
        citing.recall, CONTEXTS, "none", abstained="none", usually=CITED, fields=_cited
    ),
    "citation_validity": Kernel(citing.validity, ("answer", "contexts"), "none", usually=CITED),
    "number_agreement": Kernel(figures.agreement, ("answer", "sources"), "none"),
    "abstention": Kernel(
        refusing.abstention, ("answer", "answerable"), "computed", fields=_patterns
    ),
    "over_refusal": Kernel(
        refusing.over_refusal, ("answer", "answerable"), "computed", fields=_patterns
    ),
    "language_agreement": Kernel(form.language_agreement, ("query", "answer"), "none"),
    "answer_length": Kernel(form.length, ANSWER, "computed", fields=_tokens),
    "length_ratio": Kernel(reference.length_ratio, REFERENCE, "computed", fields=_tokens),
    "repetition": Kernel(form.repetition, ANSWER, "none"),
}
"""Of the measures that need nothing beside the samples."""


def context_kernels(found: ContextMatch) -> dict[str, Kernel]:
    """Return the two measures that match contexts by text."""
    needs = ("contexts", "context texts", "reference contexts")
    return {
        "context_precision": Kernel(
            found.precision, needs, unretrieved="zero", fields=lambda _: found.signature
        ),
        "context_recall": Kernel(
            found.recall, needs, unretrieved="zero", fields=lambda _: found.signature
        ),
    }
