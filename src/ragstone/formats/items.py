"""Eval items in JSON lines: their ids, and the texts that stand in some of their fields."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragstone.errors import UsageError, did_you_mean, nearest
from ragstone.formats.jsonl import Memory, Row, is_whole, rows_of, shown
from ragstone.formats.source import Source

ITEM_FIELDS = ("query", "question", "answer", "text", "reference")
LISTED = 20  # fields in a message


class Item(NamedTuple):
    """An item as its row has it; texts: those of each field that it has."""

    id: str
    texts: Mapping[str, Sequence[str]]


class Items(NamedTuple):
    """The items of a file in their order, and the fields that were taken from them."""

    items: Sequence[Item]
    fields: tuple[str, ...]

    def digest(self) -> str:
        """Return a sha256 of what the items say, in whatever order and spelling of JSON."""
        lines = sorted(
            json.dumps([item.id, field, *texts])
            for item in self.items
            for field, texts in item.texts.items()
        )
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def read_items(
    given: Source | str | Path | Iterable[Mapping[str, Any]], fields: Sequence[str] = ()
) -> Items:
    """Read the texts of each item in some fields; a field holds a text or a list of texts.

    given: a file of JSON lines, or mappings in memory. fields: by default those of query,
    question, answer, text and reference that any item has. A field that is missing or null has no
    text. Raises FormatError, with file and line, for an item without an id, an id twice, and a
    value that is no text; UsageError for a field that no item has.

    >>> read_items([{"id": 1, "question": "Why?", "reference": ["So.", "Thus."]}]).fields
    ('question', 'reference')
    """
    source, rows = rows_of(given, "items")
    wanted = tuple(dict.fromkeys(fields)) or ITEM_FIELDS
    names: Counter[str] = Counter()
    items = list(_items(source, rows, wanted, names))
    if not items:
        raise source.error("there is no item; one JSON object a line was expected")
    found = [field for field in wanted if any(field in item.texts for item in items)]
    missing = [field for field in fields if field not in found]
    if missing or not found:
        raise _no_such_field(source.name, missing, names)
    return Items(items, tuple(found))


def _items(
    source: Source | Memory,
    rows: Iterable[tuple[int, Mapping[str, Any]]],
    fields: Sequence[str],
    names: Counter[str],
) -> Iterator[Item]:
    lines: dict[str, int] = {}
    for number, values in rows:
        row = Row(source, number, dict(values), Counter(), "item")
        if not row.id:
            raise source.error("an item without an id; 'id' or '_id' was expected", number)
        row.claim(lines)
        names.update(values.keys())
        texts = {name: _texts(row, name) for name in fields if values.get(name) is not None}
        yield Item(row.id, texts)


def _texts(row: Row, name: str) -> list[str]:
    value = row.fields[name]
    texts = value if isinstance(value, list) else [value]
    for text in texts:
        if not isinstance(text, str):
            raise row.error(
                f"has {shown(value)} as its {name!r}; a text or a list of texts was expected"
            )
        if not is_whole(text):
            raise row.error(f"has half of a surrogate pair in its {name!r}; whole characters only")
    return texts


def _no_such_field(name: str, missing: Sequence[str], names: Counter[str]) -> UsageError:
    there = [field for field, _ in sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))]
    listed = ", ".join(there[:LISTED]) + (", ..." if len(there) > LISTED else "")
    if not missing:
        wanted = ", ".join(ITEM_FIELDS)
        return UsageError(
            f"{name}: no item has any of the fields {wanted}; name yours with --field; "
            f"the fields there are: {listed}"
        )
    hint = did_you_mean(nearest(missing[0], there))
    return UsageError(
        f"{name}: no item has the field {missing[0]!r}; the fields there are: {listed}"
        + (f"; {hint}" if hint else "")
    )
