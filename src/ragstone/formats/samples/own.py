"""Samples as ragstone writes them: JSON lines, one object a sample, under their own names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.reading import Memory, Place, Reading
from ragstone.formats.slips import slips
from ragstone.model.samples import Citation, Context, Latency, Nugget, Sample, Usage

CONTEXTS = "a list of texts or of objects like {id, text, score}"
PARTS: Mapping[str, type[Struct]] = {
    "usage": Usage,
    "latency_ms": Latency,
    "contexts[]": Context,
    "reference_contexts[]": Context,
    "nuggets[]": Nugget,
    "citations[]": Citation,
}
NAMES = tuple(
    name
    for name in (
        *Sample.__struct_fields__,
        *(f"{part}.{name}" for part, made in PARTS.items() for name in made.__struct_fields__),
    )
    if name.rpartition(".")[2] != "extra"
)
"""All names that a sample may have, as paths."""


def sample_slips(unknown: Mapping[str, int]) -> list[str]:
    """Return a line for each field of samples that is nearly one of ours: a slip of the pen?"""
    return slips(unknown, NAMES, "sample")


MARKS = ("id", "_id")
IMPORTANCE = ("vital", "okay")


def read(reading: Reading) -> Iterator[Sample]:
    """Read a file of samples."""
    for place, values in reading.objects():
        yield sample_of(Fields(reading, place, values))


def recognises(row: dict[str, Any]) -> bool:
    """Tell our rows: an id, and something of a sample beside it."""
    known = set(Sample.__struct_fields__) - {"id", "extra", "error", "tags", "model"}
    return ("id" in row or "_id" in row) and not known.isdisjoint(row)


def sample_of(fields: Fields) -> Sample:
    """Return the sample in an object; raises FormatError for what cannot be."""
    item = fields.identifier("id", "_id")
    if item is None:
        raise fields.error("a sample without an id; 'id' was expected")
    return rest_of_sample(fields, fields.claim(item))


def sample_from(item: str, values: Mapping[str, Any]) -> Sample:
    """Return the sample of an id from fields in memory, under our names; checked as a file's are.

    >>> sample_from("q1", {"answer": "Ada.", "contexts": ["Ada did."]}).texts
    ('Ada did.',)
    """
    fields = Fields(Memory(), Place(None), {**values})
    return rest_of_sample(fields, item)


def rest_of_sample(fields: Fields, item: str) -> Sample:
    """Return the sample of an id from all fields but the id."""
    answer = fields.text("answer")
    return Sample(
        item,
        query=fields.text("query"),
        answer=answer,
        contexts=contexts_of(fields, "contexts"),
        reference=fields.text_or_texts("reference"),
        reference_contexts=contexts_of(fields, "reference_contexts"),
        nuggets=_nuggets(fields),
        citations=_citations(fields, answer),
        answerable=fields.flag("answerable"),
        lang=fields.text("lang"),
        model=fields.text("model"),
        usage=_usage(fields.object("usage")),
        cost_usd=fields.number("cost_usd"),
        latency_ms=_latency(fields),
        error=fields.text("error") or None,
        tags=fields.texts("tags") or (),
        extra=fields.rest(),
    )


def contexts_of(fields: Fields, *names: str) -> tuple[Context, ...] | None:
    """Take a list of contexts: texts, or objects with a text, an id, or both."""

    def context(name: str, value: Any) -> Context:
        if isinstance(value, str):
            return Context(fields.checked_text(name, value))
        inner = fields.inner(name, value, "a text or an object like {id, text, score}")
        text, doc = inner.text("text"), inner.identifier("id", "_id")
        if text is None and doc is None:
            raise fields.error(f"{fields.path}{name} has neither a text nor an id")
        return Context(text, doc, inner.number("score", least=None), inner.rest())

    return fields.each(context, *names, expected=CONTEXTS)


def _nuggets(fields: Fields) -> tuple[Nugget, ...] | None:
    def nugget(name: str, value: Any) -> Nugget:
        if isinstance(value, str):
            return Nugget(fields.checked_text(name, value))
        inner = fields.inner(name, value, "a text or an object like {text, importance}")
        text, importance = inner.text("text"), inner.text("importance") or "vital"
        if text is None:
            raise fields.error(f"{name} has no text")
        if importance not in IMPORTANCE:
            raise inner.wrong("importance", importance, "vital or okay")
        return Nugget(text, "vital" if importance == "vital" else "okay", inner.rest())

    return fields.each(nugget, "nuggets", expected="a list of {text, importance}")


def _citations(fields: Fields, answer: str | None) -> tuple[Citation, ...] | None:
    def cited(name: str, value: Any) -> str | int:
        if isinstance(value, str):
            return fields.checked_id(name, value)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise fields.wrong(name, value, "an id, or a position from 1")
        return value

    def citation(name: str, value: Any) -> Citation:
        inner = fields.inner(name, value, "an object like {contexts, start, end}")
        contexts = inner.each(
            lambda part, each: cited(f"{name}.{part}", each),
            "contexts",
            expected="a list of ids or of positions from 1",
        )
        if contexts is None:
            raise fields.error(f"{name} has no contexts")
        start, end = inner.count("start"), inner.count("end")
        _check_span(fields, name, start, end, answer)
        return Citation(contexts, start, end, inner.rest())

    return fields.each(citation, "citations", expected="a list of {contexts, start, end}")


def _check_span(
    fields: Fields, name: str, start: int | None, end: int | None, answer: str | None
) -> None:
    if start is None and end is None:
        return
    if start is None or end is None:
        raise fields.error(f"{name} has one of start and end; both were expected, or none")
    length = end if answer is None else len(answer)
    if not start <= end <= length:
        found = "" if answer is None else f", and the answer has {length} characters"
        raise fields.error(f"{name} goes from {start} to {end}{found}; a part of it was expected")


def _usage(fields: Fields | None) -> Usage | None:
    if fields is None:
        return None
    return Usage(
        fields.count("input_tokens"),
        fields.count("output_tokens"),
        fields.count("cached_input_tokens"),
        fields.count("reasoning_tokens"),
        fields.rest(),
    )


def _latency(fields: Fields) -> Latency | None:
    """Take an object, or a number, which is the total."""
    if not isinstance(fields.left.get("latency_ms"), dict):
        total = fields.number("latency_ms")
        return None if total is None else Latency(total)
    parts = fields.object("latency_ms")
    if parts is None:
        return None
    return Latency(
        parts.number("total"),
        parts.number("retrieval"),
        parts.number("first_token"),
        parts.number("generation"),
        parts.rest(),
    )
