"""Questions for a live system, with what is known of their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ragstone.formats.jsonl import Row, objects
from ragstone.formats.samples.fields import Fields
from ragstone.formats.samples.own import NAMES, rest_of_sample
from ragstone.formats.samples.reading import Place, Reading
from ragstone.formats.slips import slips
from ragstone.formats.source import Source
from ragstone.formats.texts import QUERY_FIELDS, read_queries
from ragstone.model.samples import Sample

CARRIED = ("reference", "reference_contexts", "nuggets", "answerable", "lang", "tags")


# Fields that a question may have and that are read elsewhere, or left out on purpose.
KNOWN = frozenset({"_id", *QUERY_FIELDS, *Sample.__struct_fields__})


def read_questions(
    source: Source | str | Path, field: str | None = None, unknown: Counter[str] | None = None
) -> dict[str, Sample]:
    """Read questions as samples without an answer: id, text, and the fields in CARRIED.

    field: where the text is; by default the first of text, query and question that a row has. A
    file of queries is one of questions, and so is one of samples, whose answers are left out.
    unknown: counts the fields that ragstone does not know; `question_slips` says which are slips.
    Raises FormatError, with file and line, as read_queries does.
    """
    source = source if isinstance(source, Source) else Source(source)
    texts = read_queries(source, field)
    nothing: Counter[str] = Counter()
    counted: Counter[str] = Counter() if unknown is None else unknown
    questions = {}
    for line, values in objects(source):
        item = Row(source, line, values, nothing).id
        known = {name: values[name] for name in CARRIED if name in values}
        counted.update(name for name in values if name not in KNOWN and name != field)
        reading = Reading(source, Counter(), counted)
        fields = Fields(reading, Place(line), {"query": texts[item], **known})
        questions[item] = rest_of_sample(fields, fields.claim(item))
    return questions


def question_slips(unknown: Mapping[str, int]) -> list[str]:
    """Return a line for each field of questions that is nearly one that would have been kept.

    >>> question_slips({"refrence": 1, "shop": 4})
    ["1 question has 'refrence', which ragstone does not know; did you mean reference?"]
    """
    return slips(unknown, NAMES, "question")
