"""Samples of RAGChecker: an object with results, each with a response and what it stands on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.reading import Reading
from ragstone.model.samples import Context, Sample

MARKS = ("query_id", "query", "gt_answer", "response", "retrieved_context")


def recognises(row: dict[str, Any]) -> bool:
    """Tell rows of RAGChecker by its name for the reference."""
    return "gt_answer" in row or ("query_id" in row and "retrieved_context" in row)


def read(reading: Reading) -> Iterator[Sample]:
    """Read the results; its claims, entailments and metrics are kept as extra fields."""
    for place, values in reading.objects(("results",)):
        fields = Fields(reading, place, values)
        item = fields.identifier("query_id", "id") or reading.position()
        fields.claim(item)
        yield Sample(
            item,
            query=fields.text("query"),
            answer=fields.text("response"),
            contexts=_contexts(fields),
            reference=fields.text_or_texts("gt_answer"),
            extra=fields.rest(),
        )


def _contexts(fields: Fields) -> tuple[Context, ...] | None:
    def context(name: str, value: Any) -> Context:
        if isinstance(value, str):
            return Context(fields.checked_text(name, value))
        inner = fields.inner(name, value, "an object like {doc_id, text}")
        return Context(inner.text("text"), inner.identifier("doc_id"), extra=inner.rest())

    return fields.each(context, "retrieved_context", expected="a list of {doc_id, text}")
