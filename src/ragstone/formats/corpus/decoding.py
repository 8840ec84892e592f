"""Rows of JSON lines decoded many at a time; what is not plain is left to the strict reader."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from ragstone.formats.writers import json_line

Text: TypeAlias = str | UnsetType | None
Id: TypeAlias = str | int | UnsetType | None

# A quote within a text is escaped, so these are keys alone: of the row or of an object in it.
_KEY = re.compile(rb'"(?:_?id|title|text)"\s*:')
QUOTE = 0x22
_NAMES = (b'"id"', b'"_id"', b'"title"', b'"text"')


class Columns(NamedTuple):
    """The documents of some lines; `titles` is None where no row has the field."""

    ids: list[str]
    titles: list[str] | None
    texts: list[str]

    def extend(self, other: Columns) -> Columns:
        """Return these documents and those of another behind them; may change the lists."""
        titles = None
        if self.titles is not None or other.titles is not None:
            titles = self.titles or [""] * len(self.ids)
            titles += other.titles or [""] * len(other.ids)
        self.ids.extend(other.ids)
        self.texts.extend(other.texts)
        return Columns(self.ids, titles, self.texts)

    def without(self, removed: Container[str]) -> Columns:
        """Return the documents whose id is not in `removed`."""
        kept = [place for place, doc in enumerate(self.ids) if doc not in removed]
        titles = self.titles and [self.titles[place] for place in kept]
        return Columns(
            [self.ids[place] for place in kept], titles, [self.texts[place] for place in kept]
        )

    def json_lines(self) -> Iterator[bytes]:
        """Write a row for each document; a title only where there is one."""
        titles = self.titles or [""] * len(self.ids)
        for doc, title, text in zip(self.ids, titles, self.texts, strict=True):
            yield json_line({"_id": doc, **({"title": title} if title else {}), "text": text})


class _Row(Struct, gc=False):
    id: Id = UNSET
    other: Id = field(name="_id", default=UNSET)
    title: Text = UNSET
    text: Text = UNSET


_decode = msgspec.json.Decoder(_Row).decode


def plain_columns(lines: Sequence[bytes], data: bytes) -> Columns | None:
    r"""Decode lines that are all plain rows, or return None.

    lines: those of `data`, without their line feeds. None is for a line that is blank, a comment,
    no JSON or of another type, an id that is missing or odd, and for a key that may stand twice.

    >>> plain_columns([b'{"_id": 7, "text": "a"}'], b'{"_id": 7, "text": "a"}\n')
    Columns(ids=['7'], titles=None, texts=['a'])
    >>> plain_columns([b'{"id": 7, "id": 8}'], b'{"id": 7, "id": 8}\n')
    """
    try:
        rows = list(map(_decode, lines))
    except (msgspec.MsgspecError, RecursionError):
        return None
    plain, other = [row.id for row in rows], [row.other for row in rows]
    titles, texts = [row.title for row in rows], [row.text for row in rows]
    given = [len(rows) - column.count(UNSET) for column in (plain, other, titles, texts)]
    if sum(given) != _count_names(data) and sum(given) != len(_KEY.findall(data)):
        return None
    ids = plain_ids(plain if given[0] else other) if not (given[0] and given[1]) else None
    if ids is None:
        return None
    return Columns(ids, _texts(titles) if given[2] else None, _texts(texts))


def _count_names(data: bytes) -> int:
    """Count the names in quotes, as keys or as values: what stands in the 8 bytes from a quote."""
    import numpy as np

    if len(data) < 8:
        return 0
    eights = np.ndarray(len(data) - 7, np.dtype("<u8"), data, strides=(1,))
    quoted = eights[np.flatnonzero(np.frombuffer(data, np.uint8)[:-7] == QUOTE)]
    return sum(
        int(np.sum(quoted & np.uint64(256 ** len(name) - 1) == int.from_bytes(name, "little")))
        for name in _NAMES
    )


def _texts(column: Sequence[Text]) -> list[str]:
    kinds = set(map(type, column))
    return list(column) if kinds == {str} else [value or "" for value in column]  # type: ignore[arg-type]


def plain_ids(column: Sequence[Any]) -> list[str] | None:
    """Return ids as text, or None where one needs a second look: missing, empty or odd.

    >>> plain_ids([1, "a"]), plain_ids(["a", None]), plain_ids([""])
    (['1', 'a'], None, None)
    """
    kinds = set(map(type, column))
    if not kinds <= {str, int}:
        return None
    ids = list(map(str, column)) if int in kinds else list(column)
    return ids if all(ids) and "".join(ids).isprintable() else None
