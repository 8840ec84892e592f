"""Samples written out as JSON lines, in the form that they are read in again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from ragstone.errors import InputError
from ragstone.formats.writers import json_line
from ragstone.model.samples import Sample


def write_samples(samples: Iterable[Sample]) -> Iterator[bytes]:
    """Write one object a sample; what is not recorded is left out."""
    for sample in samples:
        try:
            yield json_line(plain(sample))
        except ValueError as error:  # NaN, half of a surrogate pair, an object within itself
            raise InputError(f"sample {sample.id!r} cannot be written as JSON: {error}") from None


def plain(value: Any) -> Any:
    """Return a sample, or a part of one, as JSON has it; what is extra stays apart.

    >>> plain(Sample("q1", answer="a", extra={"shop": "b"}))
    {'id': 'q1', 'answer': 'a', 'shop': 'b'}
    """
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if not isinstance(value, Struct):
        return value
    fields = {name: getattr(value, name) for name in value.__struct_fields__ if name != "extra"}
    own = {name: plain(each) for name, each in fields.items() if _is_recorded(name, each)}
    extra = getattr(value, "extra", {})
    return {**own, **{_apart(name, fields): each for name, each in extra.items()}}


def _apart(name: str, fields: Iterable[str]) -> str:
    """Return the name of an extra field, another where a field of ours has that name."""
    return f"extra_{name}" if name in fields else name


def _is_recorded(name: str, value: Any) -> bool:
    return value is not None and not (name == "tags" and not value)
