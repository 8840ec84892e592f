"""Samples to Scores: answers, retrieval and operations, an item a sample."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ragstone.answers import parts
from ragstone.answers.choosing import Choice, LeftOut, asked, check_computable, usual
from ragstone.answers.kernels import Kernel
from ragstone.answers.operations import Operations, recorded_names
from ragstone.answers.options import Options, translation_kernel
from ragstone.answers.retrieval import Retrieval, score_retrieval
from ragstone.answers.similarity import Similarity
from ragstone.errors import InputError, UsageError
from ragstone.formats.samples import SamplesLike, samples_given
from ragstone.measures import Aggregate, parse_measure
from ragstone.model import FAILED_SAMPLES, Qrels, QrelsLike, Scores
from ragstone.model.samples import Sample
from ragstone.progress import Progress, Silent
from ragstone.scoring import MeasuresLike

if TYPE_CHECKING:
    from ragstone.judge import Judged

TRANSLATION = ("chrF", "BLEU")
NO_RETRIEVAL = "no sample has both contexts with ids and judgments (--qrels, or reference_contexts \
with ids)"


class Evaluation(Struct, frozen=True):
    """What an evaluation gave.

    aggregates: what a summary has, in order. left_out: what was not computed, and why. prices:
    what each model cost, where its price was needed.
    """

    scores: Scores
    aggregates: tuple[Aggregate, ...]
    left_out: tuple[LeftOut, ...] = ()
    prices: Mapping[str, str] = {}


def evaluate(
    samples: SamplesLike,
    measures: MeasuresLike | None = None,
    *,
    qrels: QrelsLike | None = None,
    judged: Judged | None = None,
    options: Options | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure answers, and the retrieval and operations that the samples tell of.

    samples: Samples, dicts with the fields of a file of samples, or the path of such a file; each
    is checked. measures: names, as in `token_f1`, `nDCG@10`, `latency_ms:p95`; by default all that
    the samples have the fields for. qrels: judgments of the contexts' ids, in any form that `score`
    takes, by default the reference contexts that have ids. judged: what judge_samples gave for the
    same samples, in their order. options: see Options.

    A value is scored, not applicable or failed, with a reason; of a sample whose system failed no
    measure of answers has a value. Raises UsageError for a measure that cannot be computed,
    InputError for samples and judgments that do not fit, MissingExtraError.

    >>> sample = Sample("q1", query="Who?", answer="Ada Lovelace.", reference="Ada")
    >>> found = evaluate([sample, Sample("q2", error="timeout")], ["token_f1", "token_recall"])
    >>> found.scores.to_dict(), found.scores["token_f1"].reasons
    ({'id': ['q1', 'q2'], 'token_f1': [0.6666666666666666, None], 'token_recall': [1.0, None]}, \
{1: 'system_failed'})
    """
    told, kept = Options.of(options), _some(samples)
    qrels = None if qrels is None else Qrels.of(qrels)
    similarity = None if told.encoder is None else Similarity(told.encoder)
    kernels = told.kernels(similarity)
    choice = usual(kept, kernels, k=told.k) if measures is None else asked(measures, told.k)
    chosen = _chosen(choice, kernels, () if judged is None else judged.cells)
    if similarity is not None:
        similarity.prepare(kept)
    retrieval, choice = _retrieval(kept, qrels, choice, told, is_usual=measures is None)
    taken = Operations(told.prices, count_warm_up=told.count_warm_up)
    scores = parts.build(
        kept,
        [
            *([] if retrieval is None else [parts.of_retrieval(retrieval)]),
            parts.of_answers(chosen, told.settings()),
            *([] if judged is None else [parts.of_judge(judged, kept)]),
            parts.of_operations(taken, _operations(kept, choice)),
        ],
        progress or Silent(),
    )
    return Evaluation(
        replace(scores, facts=_facts(kept, retrieval)),
        _aggregates(choice, scores, is_usual=measures is None),
        choice.left_out,
        dict(taken.prices_used),
    )


def check_measures(
    samples: SamplesLike,
    measures: MeasuresLike,
    *,
    judged: Collection[str] = (),
    qrels: Qrels | None = None,
    options: Options | None = None,
) -> None:
    """Raise what `evaluate` would, of measures that cannot be computed, before a judge is paid.

    judged: the names of measures that a judge will compute.
    """
    told, kept = options or Options(), _some(samples)
    similarity = None if told.encoder is None else Similarity(told.encoder)
    choice = asked(measures, told.k)
    _chosen(choice, told.kernels(similarity), judged)
    _retrieval(kept, qrels, choice, told, is_usual=False)


def _some(samples: SamplesLike) -> list[Sample]:
    kept = samples_given(samples)
    if not kept:
        raise InputError("there is no sample; nothing can be evaluated")
    return kept


def _chosen(
    choice: Choice, kernels: Mapping[str, Kernel], judged: Collection[str]
) -> dict[str, Kernel]:
    """Return the kernels of the measures of answers that are chosen and not judged."""
    if not (choice.answers or choice.retrieval or choice.operations is None or choice.operations):
        raise UsageError("no measure was named")
    names = [name for name in choice.names if name not in judged]
    asked_only = {name: translation_kernel(name) for name in names if name in TRANSLATION}
    known = {**kernels, **asked_only}
    check_computable(names, known)
    return {name: known[name] for name in names}


def _retrieval(
    samples: Sequence[Sample],
    qrels: Qrels | None,
    choice: Choice,
    told: Options,
    *,
    is_usual: bool,
) -> tuple[Retrieval | None, Choice]:
    """Score retrieval where it is wanted; without judgments the usual measures are left out."""
    if not choice.retrieval:
        return None, choice
    found = score_retrieval(
        samples,
        qrels,
        choice.retrieval,
        relevance_level=told.relevance_level,
        trec_eval=told.trec_eval,
    )
    if found is not None:
        return found, choice
    if not is_usual:
        raise UsageError(f"{choice.retrieval[0]}: {NO_RETRIEVAL}")
    lost = tuple(LeftOut(str(each), NO_RETRIEVAL) for each in choice.retrieval)
    return None, replace(choice, retrieval=(), left_out=(*lost, *choice.left_out))


def _operations(samples: Sequence[Sample], choice: Choice) -> list[str]:
    if choice.operations is None:
        return recorded_names(samples)
    return list(dict.fromkeys(str(each.measure) for each in choice.operations))


def _aggregates(choice: Choice, scores: Scores, *, is_usual: bool) -> tuple[Aggregate, ...]:
    """Return what was asked for, and of other columns what each shows."""
    wanted = [*choice.retrieval, *choice.answers, *(choice.operations or ())]
    if is_usual:
        known = {str(each.measure) for each in wanted}
        others = [parse_measure(name) for name in scores.columns if name not in known]
        wanted += [each for measure in others for each in Aggregate.shown(measure)]
    order = {name: place for place, name in enumerate(scores.columns)}
    return tuple(sorted(wanted, key=lambda each: order[str(each.measure)]))


def _facts(samples: Sequence[Sample], retrieval: Retrieval | None) -> dict[str, int]:
    found = {} if retrieval is None else retrieval.scores.facts
    return {
        "samples": len(samples),
        FAILED_SAMPLES: sum(each.error is not None for each in samples),
        "warm_up_samples": sum(each.is_warm_up for each in samples),
        **found,
    }
