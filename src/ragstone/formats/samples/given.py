"""Samples that somebody gives in memory: Samples, dicts of the same fields, or a file of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from reprlib import repr as brief
from typing import Any, TypeAlias

from msgspec import Struct, ValidationError, convert, to_builtins

from ragstone.errors import UsageError
from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.files import read_samples
from ragstone.formats.samples.own import sample_of
from ragstone.formats.samples.reading import Memory, Place
from ragstone.formats.samples.writer import plain
from ragstone.model import is_id
from ragstone.model.samples import Latency, Sample, Usage

SamplesLike: TypeAlias = str | Path | Iterable[Sample | Mapping[str, Any]]
EXPECTED = "a list of Samples, or of dicts with 'id', or the path of a file was expected"


def samples_given(samples: SamplesLike) -> list[Sample]:
    """Return samples, each checked as those of a file are.

    samples: Samples, dicts with the fields of a file of samples, or the path of such a file. Raises
    UsageError for what is neither, and FormatError, with sample and field, for a wrong value.

    >>> samples_given([{"id": "q1", "contexts": ["Ada did."]}])[0].texts
    ('Ada did.',)
    """
    if isinstance(samples, str | Path):
        return read_samples(samples)
    if isinstance(samples, Mapping | Sample) or not isinstance(samples, Iterable):
        raise UsageError(f"samples is {brief(samples)}; {EXPECTED}")
    return [_checked(place, each) for place, each in enumerate(samples)]


def _checked(place: int, given: Any) -> Sample:
    if isinstance(given, Sample):
        if _is_sound(given):
            return given
        given = plain(given)
    if not isinstance(given, Mapping):
        raise UsageError(f"samples[{place}] is {brief(given)}; {EXPECTED}")
    return sample_of(Fields(Memory(), Place(None, f"samples[{place}]"), _as_json(given)))


def _is_sound(sample: Sample) -> bool:
    """Tell at a fraction of the cost that a Sample has nothing which a file could not have."""
    try:
        if convert(to_builtins(sample), Sample) != sample:
            return False
    except (ValidationError, TypeError, ValueError, RecursionError):
        return False
    numbers = [sample.cost_usd, *_numbers(sample.usage), *_numbers(sample.latency_ms)]
    known = [number for number in numbers if number is not None]
    contexts = (*(sample.contexts or ()), *(sample.reference_contexts or ()))
    scores = [context.score for context in contexts if context.score is not None]
    return (
        is_id(sample.id)
        and all(0 <= number < math.inf for number in known)
        and all(map(math.isfinite, scores))
    )


def _numbers(part: Usage | Latency | None) -> list[Any]:
    names = part.__struct_fields__ if part is not None else ()
    return [getattr(part, name) for name in names if name != "extra"]


def _as_json(value: Any) -> Any:
    """Return fields with lists and objects where a dict of the user's has tuples and Structs."""
    if isinstance(value, Struct):
        return _as_json(plain(value))
    if isinstance(value, Mapping):
        return {name: _as_json(each) for name, each in value.items()}
    return [_as_json(each) for each in value] if isinstance(value, list | tuple) else value
