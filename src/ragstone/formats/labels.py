"""Labels of people in JSON lines: what they say of an answer, or which of two they prefer."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ragstone.errors import FormatError
from ragstone.formats.jsonl import Place, Row, rows_of, shown
from ragstone.formats.slips import slips
from ragstone.formats.source import Source

LabelValue: TypeAlias = bool | int | float | str

_SHAPE = '{"id": "q1", "measure": "faithfulness", "label": true}'
_FIELDS = ("id", "first", "second", "measure", "label", "annotator")
_SAID = {"yes": True, "no": False, "true": True, "false": False}
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")


class Label(NamedTuple):
    """What one person said of one item under one measure.

    second: of a preference the second of the two items that were compared; `item` is the first.
    measure: empty where the row names none. annotator: empty where only one person labelled. word:
    how a value was written where that was a word, such as `yes` for true.
    """

    item: str
    measure: str
    value: LabelValue
    annotator: str = ""
    second: str = ""
    line: int = 0
    word: str = ""

    @property
    def what(self) -> tuple[str, str]:
        """What was labelled: the item, and of a preference the second one."""
        return self.item, self.second

    @property
    def text(self) -> str:
        """The label as it was written, a word without quotes."""
        if self.word:
            return self.word
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


class Labels(NamedTuple):
    """The labels of a file in their order; `facts` counts rows that have none yet.

    unknown: how many rows have each field that is not read.
    """

    rows: tuple[Label, ...]
    facts: Mapping[str, int]
    name: str = "labels"
    unknown: Mapping[str, int] = {}

    def notes(self) -> list[str]:
        """Return a line for each field that is nearly one that is read: a slip of the pen?"""
        return [f"{self.name}: {line}" for line in slips(self.unknown, _FIELDS, "label")]

    def error(self, problem: str, line: int | None = None) -> FormatError:
        """Build an error that names the file and a line."""
        return FormatError(problem, where=self.name, line=line or None)


def read_labels(given: Source | str | Path | Iterable[Mapping[str, Any]]) -> Labels:
    """Read one label a row: an `id`, a `measure`, a `label`, and who gave it (`annotator`).

    A label is a number, true or false, or a word; `yes` and `no` are true and false, and a number
    in quotes is one, unless a scale has these as words of its own. A preference has `first` and
    `second`, two ids, in place of `id`. A label that is null was not given, and is counted. Raises
    FormatError, with file and line, for a row without an id or a label, a second label of one
    annotator on the same item and measure, and a file without any.

    >>> read_labels([{"id": "q1", "measure": "faithfulness", "label": True}]).rows[0].value
    True
    """
    place, rows = rows_of(given, "labels")
    facts: Counter[str] = Counter(labels_missing=0)
    unknown: Counter[str] = Counter()
    found = tuple(_labels(place, rows, facts, unknown))
    if not found:
        raise place.error(f"there is no label; one a line was expected, as in {_SHAPE}")
    return Labels(found, dict(facts), place.name, dict(unknown))


def _labels(
    place: Place,
    rows: Iterable[tuple[int, Mapping[str, Any]]],
    facts: Counter[str],
    unknown: Counter[str],
) -> Iterator[Label]:
    seen: dict[tuple[str, str, str, str], int] = {}
    for number, fields in rows:
        row = Row(place, number, dict(fields), Counter(), "item")
        first, second = _items(row)
        unknown.update(name for name in fields if name not in (*_FIELDS, "_id"))
        if "label" not in fields:
            there = ", ".join(map(repr, list(fields)[:8]))
            raise place.error(f"has no 'label', only {there}; expected {_SHAPE}", number)
        if fields["label"] is None:
            facts["labels_missing"] += 1
            continue
        measure, annotator = _text(row, "measure"), _text(row, "annotator")
        key = (first, second, measure, annotator)
        if key in seen:
            who = f"annotator {annotator!r}" if annotator else "nobody named"
            raise place.error(
                f"{first!r} has a second label of {who} for "
                f"{measure or 'the same measure'}, the first is at line {seen[key]}; tell several "
                "people apart with 'annotator'",
                number,
            )
        seen[key] = number
        value = _value(row)
        meant = value if second else _meant(value)
        word = str(value) if meant is not value else ""
        yield Label(first, measure, meant, annotator, second, number, word)


def _items(row: Row) -> tuple[str, str]:
    """Return the ids that a row is about; the second is empty but for a preference."""
    given = [row.fields.get(name) for name in ("first", "second")]
    if given == [None, None]:
        if not row.id:
            raise row.source.error(
                f"a label without an id; expected {_SHAPE}, or 'first' and 'second' for a "
                "preference between two",
                row.line,
            )
        return row.id, ""
    if row.id or None in given:
        raise row.source.error(
            "a preference has 'first' and 'second', two ids, and no 'id'; this row has "
            + ", ".join(name for name in _FIELDS[:3] if row.fields.get(name) is not None),
            row.line,
        )
    first, second = (
        row.text(value, f"{name!r}") for name, value in zip(("first", "second"), given, strict=True)
    )
    return first, second


def _text(row: Row, name: str) -> str:
    value = row.fields.get(name)
    if value is None:
        return ""
    return row.text(value, f"its {name!r}").strip()


def _meant(value: LabelValue) -> LabelValue:
    """Return what a word means that stands for true, false or a number; other words stay."""
    if not isinstance(value, str):
        return value
    return _SAID.get(value, float(value) if _NUMBER.fullmatch(value) else value)


def _value(row: Row) -> LabelValue:
    value = row.fields["label"]
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and abs(value) < 1e15 and math.isfinite(value):
        return value
    raise row.source.error(
        f"has {shown(value)} as its 'label'; a number, true or false, or a word was expected",
        row.line,
    )
