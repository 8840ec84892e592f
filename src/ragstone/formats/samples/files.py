"""Files of samples, by the name of their format or by what their first rows have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from ragstone.errors import FormatError, count
from ragstone.formats.jsonl import is_whole
from ragstone.formats.samples import deepeval, langsmith, otlp, own, promptfoo, ragas, ragchecker
from ragstone.formats.samples.reading import Place, Reading
from ragstone.formats.samples.tokens import ODD_COUNTS
from ragstone.formats.source import Source
from ragstone.model.samples import Sample
from ragstone.registry import Registry

Row: TypeAlias = tuple[Place, dict[str, Any]]
LOOKED_AT = 5  # rows, of which one that is recognised is enough
LISTS = (
    ("results", "results"), ("results",), *deepeval.LISTS, ("samples",), ("data",), ("rows",),
    ("runs",),
)  # fmt: skip
SAID = {
    "answers_written_as_json": (
        "output",
        "without an answer under a usual name (answer, output, response, result, text): what is "
        "there is read as the answer, written as JSON",
    ),
    ODD_COUNTS: ("result", "with a count of tokens that is no whole number, which is left out"),
}


class SamplesFormat(Struct, frozen=True):
    """How files of one tool are known and read: by a row of it, and all of it.

    marks: fields of which a row has at least one, whoever wrote it.
    """

    recognises: Callable[[dict[str, Any]], bool]
    read: Callable[[Reading], Iterator[Sample]]
    marks: tuple[str, ...]


# The order matters: the first that recognises a row reads the file.
SAMPLES_FORMATS: Registry[SamplesFormat] = Registry("samples format")
for name, reader in (
    ("otlp", otlp),
    ("langsmith", langsmith),
    ("promptfoo", promptfoo),
    ("ragchecker", ragchecker),
    ("deepeval", deepeval),
    ("ragas", ragas),
    ("jsonl", own),
):
    SAMPLES_FORMATS.add(name, SamplesFormat(reader.recognises, reader.read, reader.MARKS))


class SamplesFile:
    """Samples on disk, read one by one.

    facts and unknown are complete when all samples were read: what was left out or made up, and
    how often each field was met that ragstone has no name for.
    """

    def __init__(self, source: Source, format_name: str) -> None:
        """Keep where the samples are and how they are read."""
        self.source, self.format_name = source, SAMPLES_FORMATS.resolve(format_name)
        self.facts: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Sample]:
        """Read from the start; raises FormatError, with the place, for what cannot be read."""
        self.facts.clear()
        self.unknown.clear()
        reading = Reading(self.source, self.facts, self.unknown)
        for sample in SAMPLES_FORMATS[self.format_name].read(reading):
            if not all(map(is_whole, _texts(sample))):
                raise self.source.error(
                    f"sample {sample.id!r} has half of a surrogate pair in it; "
                    "whole characters only"
                )
            yield sample
        if not len(reading):
            raise self.source.error("the file has no sample")
        self.facts["samples"] = len(reading)
        self.facts["unknown_fields"] = self.unknown.total()

    def notes(self) -> list[str]:
        """Return a line for each thing that a reader of the samples should know.

        That is an unknown field that is nearly one of ours, and what could not be read as meant.
        """
        ours = self.format_name == "jsonl"
        lines = own.sample_slips(self.unknown) if ours else []
        lines += [
            f"{count(number, noun)} {text}"
            for name, (noun, text) in SAID.items()
            if (number := self.facts[name])
        ]
        return [f"{self.source.name}: {line}" for line in lines]


def _texts(sample: Sample) -> Iterator[str]:
    given = (sample.query, sample.answer, sample.error, sample.model, *sample.references)
    contexts = (*(sample.contexts or ()), *(sample.reference_contexts or ()))
    texts = (*given, *sample.tags, *(context.text for context in contexts))
    return (text for text in texts if text is not None)


def open_samples(path: str | Path | Source, format: str = "auto") -> SamplesFile:  # noqa: A002
    """Open a file of samples to be read one by one.

    format: a name of SAMPLES_FORMATS, or auto, which tells it from the first rows. Raises
    FormatError where no format has such rows.
    """
    source = path if isinstance(path, Source) else Source(path)
    if format == "auto":
        return SamplesFile(source, detect_samples(source))
    file = SamplesFile(source, format)
    _check_marks(source, file.format_name)
    return file


def read_samples(path: str | Path | Source, format: str = "auto") -> list[Sample]:  # noqa: A002
    """Read all samples of a file, in its order.

    format: as for open_samples. Raises FormatError with file and line, also for an id twice.
    """
    return list(open_samples(path, format))


def detect_samples(source: Source) -> str:
    """Return the name of a file's format; raises FormatError where it has none."""
    outer, inner = _first_rows(source)
    for name, each in SAMPLES_FORMATS.items():
        if any(each.recognises(row) for _, row in (*outer, *inner)):
            return name
    raise _unrecognised(source, inner)


def _first_rows(source: Source) -> tuple[list[Row], list[Row]]:
    """Return the first objects of a file, and the first in its list; they may be the same."""
    reading = Reading(source, Counter(), Counter())
    outer = list(islice(reading.objects(), LOOKED_AT))
    if outer and _is_by_columns(outer[0][1]):
        raise source.error(
            "the table stands here column by column; write it row by row, with pandas by "
            'to_json(path, orient="records", lines=True)'
        )
    return outer, list(islice(reading.objects(*LISTS), LOOKED_AT))


def _is_by_columns(row: dict[str, Any]) -> bool:
    """Tell what pandas' to_json writes by default, or with orient="split"."""
    if isinstance(row.get("columns"), list) and isinstance(row.get("data"), list):
        return True
    columns = list(row.values())
    return bool(columns) and all(
        isinstance(each, dict) and each and "".join(each).isdecimal() for each in columns
    )


def _check_marks(source: Source, name: str) -> None:
    """Raise FormatError where no row has what every row of a format has."""
    outer, inner = _first_rows(source)
    marks = SAMPLES_FORMATS[name].marks
    if not inner or any(mark in row for _, row in (*outer, *inner) for mark in marks):
        return
    place, row = inner[0]
    raise source.error(
        f"these are no samples of the format {name}: a row has {_fields(row)}; expected "
        f"{' or '.join(map(repr, marks))}",
        place.line,
    )


def _fields(row: dict[str, Any]) -> str:
    return ", ".join(map(repr, list(row)[:8])) or "no field at all"


def _unrecognised(source: Source, rows: list[Row]) -> FormatError:
    if not rows:
        return source.error("the file has no sample")
    place, row = rows[0]
    found = _fields(row)
    kinds = {
        "relevant_ids": "judgments", "relevance": "judgments", "retrieved_ids": "a run",
        "testRunLink": "a link of deepeval to results that are kept elsewhere",
    }  # fmt: skip
    kind = next((kind for name, kind in kinds.items() if name in row), None)
    hint = f"; this looks like {kind}" if kind else ""
    names = ", ".join(SAMPLES_FORMATS)
    return source.error(
        f"cannot tell the format of these samples: a row has {found}{hint}; expected "
        f'objects like {{"id": "q1", "query": "...", "answer": "..."}}; or name the format, one of '
        f"{names}",
        place.line,
    )
