"""Samples: one question with what was retrieved, what was answered, and what it cost.

None is "not recorded" everywhere, and an empty tuple is "recorded, and there is none": a measure
tells a system that retrieved nothing from a file that does not say what was retrieved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from operator import ge
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from ragstone.errors import UsageError
from ragstone.model.retrieval import Qrels, Run, ranked

Importance: TypeAlias = Literal["vital", "okay"]
Extra: TypeAlias = Mapping[str, Any]

WARM_UP = "warm-up"  # the tag of a sample whose latency is that of a first call


class Context(Struct, frozen=True):
    """A text that was retrieved, or one that should have been.

    text is None where only the id was recorded. score: as the retriever gave it.
    """

    text: str | None = None
    id: str | None = None
    score: float | None = None
    extra: Extra = {}


class Nugget(Struct, frozen=True):
    """A fact that an answer should hold; vital ones make an answer good, okay ones are a plus."""

    text: str
    importance: Importance = "vital"
    extra: Extra = {}


class Citation(Struct, frozen=True):
    """What a part of the answer is said to stand on.

    contexts: ids, or positions from 1 as in the mark [1]. start, end: the part, in code points of
    the answer, the end not included; None where it is not known.
    """

    contexts: tuple[str | int, ...]
    start: int | None = None
    end: int | None = None
    extra: Extra = {}


class Usage(Struct, frozen=True):
    """Tokens, summed over the model calls that made the answer.

    cached_input_tokens are part of input_tokens, reasoning_tokens of output_tokens.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    reasoning_tokens: int | None = None
    extra: Extra = {}

    @property
    def total_tokens(self) -> int | None:
        """Input and output; None where one of them is not known.

        >>> Usage(input_tokens=900, output_tokens=50).total_tokens
        950
        """
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


class Latency(Struct, frozen=True):
    """Milliseconds of the answering system, without any judge.

    total: from question to whole answer. retrieval: the part for finding contexts. first_token:
    from question to the first token of the answer. generation: the part of the model's calls.
    """

    total: float | None = None
    retrieval: float | None = None
    first_token: float | None = None
    generation: float | None = None
    extra: Extra = {}


class Sample(Struct, frozen=True):
    """One item: a question and all that is known of how it was answered.

    reference: one good answer, or several of which any is good. error: how the system failed.
    answerable: whether the collection holds an answer; False wants an abstention. extra: fields
    that ragstone has no name for, kept as they were.

    >>> sample = Sample("q1", query="Who?", answer="Ada.", contexts=(Context("Ada did.", "d7"),))
    >>> sample.texts, sample.references
    (('Ada did.',), ())
    """

    id: str
    query: str | None = None
    answer: str | None = None
    contexts: tuple[Context, ...] | None = None
    reference: str | tuple[str, ...] | None = None
    reference_contexts: tuple[Context, ...] | None = None
    nuggets: tuple[Nugget, ...] | None = None
    citations: tuple[Citation, ...] | None = None
    answerable: bool | None = None
    lang: str | None = None
    model: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    latency_ms: Latency | None = None
    error: str | None = None
    tags: tuple[str, ...] = ()
    extra: Extra = {}

    @property
    def references(self) -> tuple[str, ...]:
        """The good answers; empty where there is none.

        >>> Sample("q", reference="Ada").references
        ('Ada',)
        """
        if self.reference is None:
            return ()
        return (self.reference,) if isinstance(self.reference, str) else self.reference

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The texts of the contexts, in their order; None where one of them is not known."""
        return _texts(self.contexts)

    @property
    def reference_texts(self) -> tuple[str, ...] | None:
        """The texts of the reference contexts; None where one of them is not known."""
        return _texts(self.reference_contexts)

    @property
    def is_warm_up(self) -> bool:
        """Whether its latency is that of a first call, which says nothing of the others."""
        return WARM_UP in self.tags


def _texts(contexts: tuple[Context, ...] | None) -> tuple[str, ...] | None:
    if contexts is None:
        return None
    texts = tuple(context.text for context in contexts if context.text is not None)
    return texts if len(texts) == len(contexts) else None


def run_of(samples: Iterable[Sample]) -> Run:
    """Return the retrieval run in the samples: their contexts that have ids, in their order.

    A sample without contexts, or with none that has an id, is not in the run; one that retrieved
    nothing is in it, without documents. Scores stay where every context has one and they fall,
    else ranks stand for them. The first of a repeated id counts: chunks of one document are one.

    The run's facts count `duplicates_removed`, `contexts_without_id` and `samples_without_ids`.

    >>> run_of([Sample("q1", contexts=(Context("a", "d2", 0.9), Context("b", "d1", 0.4)))])["q1"]
    {'d2': 0.9, 'd1': 0.4}
    """
    facts: Counter[str] = Counter(duplicates_removed=0, contexts_without_id=0)
    rankings: dict[str, Mapping[str, float]] = {}
    for sample in map(_sample, samples):
        known = _with_ids(sample.contexts, facts)
        if known is None:
            facts["samples_without_ids"] += 1
        else:
            rankings[sample.id] = _ranking(known, facts)
    return Run(rankings, facts)


def qrels_of(samples: Iterable[Sample]) -> Qrels:
    """Return the judgments in the samples: their reference contexts that have ids, with grade 1.

    The facts count `repeated_judgments`, `contexts_without_id` and `samples_without_ids`.

    >>> qrels_of([Sample("q1", reference_contexts=(Context(id="d1"),))])["q1"]
    {'d1': 1}
    """
    facts: Counter[str] = Counter(repeated_judgments=0, contexts_without_id=0)
    grades: dict[str, Mapping[str, int]] = {}
    unjudged = []
    for sample in map(_sample, samples):
        known = _with_ids(sample.reference_contexts, facts)
        if known is None:
            facts["samples_without_ids"] += 1
            continue
        judged = {doc: 1 for doc, _ in known}
        facts["repeated_judgments"] += len(known) - len(judged)
        if judged:
            grades[sample.id] = judged
        else:
            unjudged.append(sample.id)
    return Qrels(grades, tuple(unjudged), facts)


def _sample(given: object) -> Sample:
    if isinstance(given, Sample):
        return given
    raise UsageError(f"{given!r:.80} is no Sample; read_samples reads them from a file")


def _with_ids(
    contexts: tuple[Context, ...] | None, facts: Counter[str]
) -> list[tuple[str, float | None]] | None:
    """Return ids and scores; None where there is nothing that could have an id, or nothing has."""
    if contexts is None:
        return None
    known = [(context.id, context.score) for context in contexts if context.id is not None]
    if contexts and not known:
        return None
    facts["contexts_without_id"] += len(contexts) - len(known)
    return known


def _ranking(known: list[tuple[str, float | None]], facts: Counter[str]) -> dict[str, float]:
    first: dict[str, float | None] = {}
    for doc, score in known:
        first.setdefault(doc, score)
    facts["duplicates_removed"] += len(known) - len(first)
    scores = [score for score in first.values() if score is not None]
    if len(scores) == len(first) and all(map(ge, scores, scores[1:])):
        return dict(zip(first, scores, strict=True))
    return ranked(first)
