"""Files of samples, by the name of their format or by what their first rows have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from ragstone.errors import FormatError, did_you_mean, nearest
from ragstone.formats.jsonl import is_whole
from ragstone.formats.samples import deepeval, langsmith, otlp, own, promptfoo, ragas, ragchecker
from ragstone.formats.samples.reading import Reading
from ragstone.formats.source import Source
from ragstone.model.samples import Sample
from ragstone.registry import Registry

LOOKED_AT = 5  # rows, of which one that is recognised is enough
LISTS = (
    ("results", "results"), ("results",), ("testCases",), ("test_cases",), ("goldens",),
    ("samples",), ("data",), ("rows",), ("runs",),
)  # fmt: skip


class SamplesFormat(Struct, frozen=True):
    """How files of one tool are known and read: by a row of it, and all of it."""

    recognises: Callable[[dict[str, Any]], bool]
    read: Callable[[Reading], Iterator[Sample]]


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
    SAMPLES_FORMATS.add(name, SamplesFormat(reader.recognises, reader.read))


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
        """Return a line for each unknown field that is nearly one of ours: a slip of the pen?"""
        own_names = [name for name in Sample.__struct_fields__ if name != "extra"]
        if self.format_name != "jsonl":
            return []
        return [
            f"{self.source.name}: {number:,} {'sample has' if number == 1 else 'samples have'} "
            f"{unknown!r}, which ragstone does not know; {hint}"
            for unknown, number in sorted(self.unknown.items())
            if (hint := did_you_mean(_slips(unknown, own_names)))
        ]


def _texts(sample: Sample) -> Iterator[str]:
    given = (sample.query, sample.answer, sample.error, sample.model, *sample.references)
    contexts = (*(sample.contexts or ()), *(sample.reference_contexts or ()))
    texts = (*given, *sample.tags, *(context.text for context in contexts))
    return (text for text in texts if text is not None)


def _slips(unknown: str, known: list[str]) -> list[str]:
    from difflib import SequenceMatcher

    close = nearest(unknown, known, most=1)
    return [each for each in close if SequenceMatcher(None, unknown.lower(), each).ratio() >= 0.8]


def open_samples(path: str | Path | Source, format: str = "auto") -> SamplesFile:  # noqa: A002
    """Open a file of samples to be read one by one.

    format: a name of SAMPLES_FORMATS, or auto, which tells it from the first rows. Raises
    FormatError where no format has such rows.
    """
    source = path if isinstance(path, Source) else Source(path)
    return SamplesFile(source, detect_samples(source) if format == "auto" else format)


def read_samples(path: str | Path | Source, format: str = "auto") -> list[Sample]:  # noqa: A002
    """Read all samples of a file, in its order.

    format: as for open_samples. Raises FormatError with file and line, also for an id twice.
    """
    return list(open_samples(path, format))


def detect_samples(source: Source) -> str:
    """Return the name of a file's format; raises FormatError where it has none."""
    reading = Reading(source, Counter(), Counter())
    outer = list(islice(reading.objects(), LOOKED_AT))
    inner = list(islice(reading.objects(*LISTS), LOOKED_AT))
    for name, each in SAMPLES_FORMATS.items():
        if any(each.recognises(row) for _, row in (*outer, *inner)):
            return name
    raise _unrecognised(source, inner)


def _unrecognised(source: Source, rows: list[Any]) -> FormatError:
    if not rows:
        return source.error("the file has no sample")
    place, row = rows[0]
    found = ", ".join(map(repr, list(row)[:8])) or "no field at all"
    kinds = {
        "relevant_ids": "judgments", "relevance": "judgments", "retrieved_ids": "a run",
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
