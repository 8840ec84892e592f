"""Samples of ragas: its old column names and the newer ones, as JSON lines or a JSON array."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from ragstone.formats.samples.chat import last_exchange, last_said
from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.reading import Reading
from ragstone.model.samples import Context, Sample

QUERY = ("user_input", "question")
ANSWER = ("response", "answer")
CONTEXTS = ("retrieved_contexts", "contexts")
REFERENCE = ("reference", "ground_truth", "ground_truths")
MARKS = (*QUERY, *ANSWER, *CONTEXTS, *REFERENCE)
CUT = "conversations_cut_to_the_last_turn"
OLD = {"question", "answer", "contexts", "ground_truth", "ground_truths"}


def recognises(row: dict[str, Any]) -> bool:
    """Tell rows of ragas: its new names, or two of the old ones."""
    return "user_input" in row or ("question" in row and len(OLD & row.keys()) > 1)


def read(reading: Reading) -> Iterator[Sample]:
    """Read a dataset; a row without an id gets its number."""
    for place, values in reading.objects(("samples",), ("data",), ("rows",)):
        fields = Fields(reading, place, values)
        item = fields.identifier("id", "_id", "sample_id") or reading.position()
        yield _sample(fields, fields.claim(item))


def _sample(fields: Fields, item: str) -> Sample:
    query, answer = _exchange(fields)
    return Sample(
        item,
        query=query,
        answer=answer,
        contexts=_contexts(fields, CONTEXTS, "retrieved_context_ids"),
        reference=fields.text_or_texts(*REFERENCE),
        reference_contexts=_contexts(fields, ("reference_contexts",), "reference_context_ids"),
        extra=fields.rest(),
    )


def _exchange(fields: Fields) -> tuple[str | None, str | None]:
    """Take question and answer; in ragas' samples of many turns both stand in one conversation."""
    answer = _said(fields, "assistant", *ANSWER)
    name, value = fields.take(*QUERY)
    if answer is None and isinstance(value, list):
        fields.reading.facts[CUT] += 1
        return last_exchange(value)
    fields.left[name] = value
    return _said(fields, "user", name), answer


def _said(fields: Fields, who: str, *names: str) -> str | None:
    """Take a text; of a conversation, what was said last by somebody."""
    name, value = fields.take(*names)
    if isinstance(value, list):
        fields.reading.facts[CUT] += 1
        return last_said(value, who)
    return None if value is None else fields.checked_text(name, value)


def _contexts(fields: Fields, names: tuple[str, ...], ids: str) -> tuple[Context, ...] | None:
    """Join the texts and the ids, which stand in columns of their own."""
    texts, docs = (
        fields.texts(*names),
        fields.each(fields.checked_id, ids, expected="a list of ids"),
    )
    if texts is None and docs is None:
        return None
    if texts and docs and len(texts) != len(docs):
        raise fields.error(
            f"{names[0]} has {len(texts)} texts and {ids} has {len(docs)} ids; "
            "as many were expected"
        )
    return tuple(Context(text, doc) for text, doc in zip_longest(texts or (), docs or ()))
