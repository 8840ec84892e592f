"""What samples lack of which nothing at all could be measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ragstone.answers.kernels import MISSING
from ragstone.answers.operations import LATENCY_MISSING
from ragstone.errors import InputError, count, did_you_mean, listed, nearest
from ragstone.model import FAILED_SAMPLES, Column, Scores, Status
from ragstone.model.prices import USAGE_MISSING
from ragstone.model.samples import Sample

FIELDS = tuple(
    name for name in Sample.__struct_fields__ if name not in {"id", "error", "tags", "extra"}
)
NEEDED = "an answer, most with a reference or contexts beside it; or latency_ms, usage or cost_usd"
NOT_RECORDED = frozenset({*MISSING.values(), LATENCY_MISSING, USAGE_MISSING})
"""The reasons that say that a sample does not have a field at all."""

MOST = 12


def check_any_value(samples: Sequence[Sample], scores: Scores, name: str) -> None:
    """Raise InputError, with what the samples have and what is needed, where nothing has a value.

    A value that failed is another matter, and so is a sample whose system did: they are counted.
    So is one that is missing although the samples have what it needs, as a price that is unknown.

    >>> from ragstone.model import Scores
    >>> check_any_value([Sample("q1", extra={"anwser": "Ada"})], Scores((), {}), "samples.jsonl")
    Traceback (most recent call last):
    ragstone.errors.InputError: samples.jsonl: no measure has a value of any sample (1 sample). \
They have anwser (1); did you mean answer or answerable? What can be measured needs an answer, \
most with a reference or contexts beside it; or latency_ms, usage or cost_usd
    """
    if scores.facts.get(FAILED_SAMPLES) or any(map(_has_any, scores.columns.values())):
        return
    has = Counter(field for sample in samples for field in _fields(sample))
    shown = listed([f"{field} ({number:,})" for field, number in has.items()], MOST) or "ids alone"
    hints = (did_you_mean(nearest(field, FIELDS)) for field in has if field not in FIELDS)
    hint = next((f"; {each}" for each in hints if each), "")
    raise InputError(
        f"{name}: no measure has a value of any sample ({count(len(samples), 'sample')}). They "
        f"have {shown}{hint or '.'} {_needed(scores)}"
    )


def _has_any(column: Column) -> bool:
    """Tell whether a column has a value, or lacks one for another reason than a missing field."""
    if any(status != Status.NOT_APPLICABLE for status in column.status):
        return True
    return not NOT_RECORDED.issuperset(column.reasons.values())


def _fields(sample: Sample) -> Iterator[str]:
    """Go through the fields that a sample has, those that ragstone has no name for too."""
    yield from (name for name in FIELDS if getattr(sample, name) is not None)
    yield from sample.extra


def _needed(scores: Scores) -> str:
    """Say why each measure has no value; where there is no measure, what there could be."""
    why = {name: Counter(column.reasons.values()) for name, column in scores.columns.items()}
    said = [
        f"{name} ({listed([f'{number} {reason}' for reason, number in reasons.most_common()])})"
        for name, reasons in why.items()
    ]
    if said:
        return f"Not applicable: {listed(said, MOST)}"
    return f"What can be measured needs {NEEDED}"
