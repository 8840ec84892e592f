"""Questions for a live system, with what is known of their answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ragstone.formats.jsonl import Row, objects
from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.own import rest_of_sample
from ragstone.formats.samples.reading import Place, Reading
from ragstone.formats.source import Source
from ragstone.formats.texts import read_queries
from ragstone.model.samples import Sample

CARRIED = ("reference", "reference_contexts", "nuggets", "answerable", "lang", "tags")


def read_questions(source: Source | str | Path, field: str | None = None) -> dict[str, Sample]:
    """Read questions as samples without an answer: id, text, and the fields in CARRIED.

    field: where the text is; by default the first of text, query and question that a row has. A
    file of queries is one of questions, and so is one of samples, whose answers are left out.
    Raises FormatError, with file and line, as read_queries does.
    """
    source = source if isinstance(source, Source) else Source(source)
    texts = read_queries(source, field)
    nothing: Counter[str] = Counter()
    questions = {}
    for line, values in objects(source):
        item = Row(source, line, values, nothing).id
        known = {name: values[name] for name in CARRIED if name in values}
        reading = Reading(source, Counter(), Counter())
        fields = Fields(reading, Place(line), {"query": texts[item], **known})
        questions[item] = rest_of_sample(fields, fields.claim(item))
    return questions
