"""Gold texts and retrieved texts in JSON lines, one object a query, under the names of many tools.

    {"id": "q1", "gold": ["a text", {"id": "g2", "text": "another"}]}
    {"id": "q1", "retrieved": [{"id": "d7", "text": "the best"}, "the second"]}

A row may have both. Rows of `run-retriever --keep-text`, of ragas and of Krag are read as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from ragstone.errors import FormatError
from ragstone.formats.jsonl import SKIPPED_QUERIES, SKIPPED_RESULTS, Row, is_whole, objects, shown
from ragstone.formats.source import Source

QUERY_IDS = ("query_id", "qid")
TEXT_FIELDS = ("text", "page_content", "content", "contents")
ID_FIELDS = ("id", "_id", "doc_id")
RISING_SCORES = "queries_with_rising_scores"


class Role(Struct, frozen=True):
    """What is read of a row: the names it may have, the counter of skipped rows, and a hint."""

    name: str
    fields: tuple[str, ...]
    skipped: str
    hint: str


ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "gold": Role(
            "gold",
            ("gold", "golds", "reference_contexts", "actual_docs", "actual"),
            SKIPPED_QUERIES,
            'gold texts are {"id": "q1", "gold": ["a text", ...]}',
        ),
        "retrieved": Role(
            "retrieved",
            ("retrieved", "retrieved_contexts", "predicted_docs", "predicted", "contexts"),
            SKIPPED_RESULTS,
            'retrieved texts are {"id": "q1", "retrieved": ["the best", ...]}, '
            "which ragstone run-retriever --keep-text writes",
        ),
    }
)


class Place(NamedTuple):
    """Characters of a source document: from `start` up to but not including `end`, from 0.

    digest: the sha256 of the document's text in hex, where the file has it.
    """

    doc: str
    start: int
    end: int
    digest: str = ""

    def __str__(self) -> str:
        """Print the document and the characters."""
        return f"{self.doc}[{self.start}:{self.end}]"

    @property
    def length(self) -> int:
        """How many characters it has."""
        return self.end - self.start


class Passage(NamedTuple):
    """A text, its id and its place where it has them.

    The text is empty where only the id or the place is known.
    """

    text: str
    id: str | None = None
    place: Place | None = None


class Texts(Struct, frozen=True):
    """The texts of each query, in the order of the file, and what was left out."""

    passages: Mapping[str, Sequence[Passage]]
    facts: Mapping[str, int] = MappingProxyType({})


def read_texts(source: Source | str | Path, role: str) -> Texts:
    """Read the gold or the retrieved texts of each query.

    role: gold or retrieved. Where no row has an id, as in files of ragas, rows are known by their
    place, counted from 0 and padded with zeros; where some have, the others are skipped and
    counted. Raises FormatError, with file and line, for a query twice, for a row without the
    texts, and for what is no text. Retrieved texts are ranked as they are listed; queries whose
    scores say otherwise are counted.
    """
    source = source if isinstance(source, Source) else Source(source)
    wanted, facts = ROLES[role], Counter[str]()
    rows = [_row(source, line, fields, facts) for line, fields in objects(source)]
    if not rows:
        raise source.error("the file has no row; one JSON object a query was expected")
    named = any(row.id for row in rows)
    lines: dict[str, int] = {}
    passages: dict[str, list[Passage]] = {}
    for place, row in enumerate(rows):
        query = row.id if named else f"{place:0{len(str(len(rows) - 1))}}"
        if not query:
            facts[wanted.skipped] += 1
            continue
        if named:
            row.claim(lines)
        passages[query] = list(_passages(row, wanted))
        if role == "retrieved" and _scores_rise(row, wanted):
            facts[RISING_SCORES] += 1
    return Texts(passages, facts)


def _row(source: Source, line: int, fields: dict[str, Any], facts: Counter[str]) -> Row:
    row = Row(source, line, fields, facts)
    if not row.id:
        given = next((fields[name] for name in QUERY_IDS if fields.get(name) is not None), None)
        row.id = "" if given is None else row.text(given, "a query id")
    return row


def _names(fields: Mapping[str, Any], role: Role) -> list[str]:
    return [name for name in role.fields if name in fields]


def _scores_rise(row: Row, role: Role) -> bool:
    """Tell whether the texts' scores are not in the order in which the texts are listed."""
    listed = next((row.fields[name] for name in role.fields if name in row.fields), None) or ()
    given = [each.get("score") for each in listed if isinstance(each, dict)]
    scores = [score for score in given if isinstance(score, int | float)]
    return any(later > earlier for earlier, later in pairwise(scores))


def _passages(row: Row, role: Role) -> Iterator[Passage]:
    names = _names(row.fields, role)
    if not names:
        raise _error(row, f"has no {role.name!r}; {role.hint}")
    if len(names) > 1:
        raise _error(row, f"has both {names[0]!r} and {names[1]!r}; use one of them")
    given = row.fields[names[0]]
    if isinstance(given, str) or not isinstance(given, list):
        if given is None:
            return
        raise _error(row, f"has {shown(given)} as {names[0]!r}; a list of texts was expected")
    for place, each in enumerate(given, 1):
        yield _passage(row, each, f"{names[0]}[{place}]")


def _passage(row: Row, given: object, where: str) -> Passage:
    if isinstance(given, str):
        return Passage(_whole(row, given, where))
    if not isinstance(given, dict):
        raise _error(
            row, f"has {shown(given)} as {where}; a text or an object with 'text' was expected"
        )
    texts = [name for name in TEXT_FIELDS if name in given]
    place = _place(row, given, where)
    if place and not texts:
        return Passage("", _identity(row, given, where), place)
    if not texts:
        listed = ", ".join(map(repr, TEXT_FIELDS))
        raise _error(row, f"has no text in {where}; one of {listed} was expected")
    text, known = given[texts[0]], _identity(row, given, where)
    if text is None:  # a retriever that returned an id without a text
        return Passage("", known, place)
    if not isinstance(text, str):
        raise _error(row, f"has {shown(text)} as the text of {where}; a string was expected")
    return Passage(_whole(row, text, where), known, place)


def _identity(row: Row, given: Mapping[str, Any], where: str) -> str | None:
    identity = next((given[name] for name in ID_FIELDS if given.get(name) is not None), None)
    return None if identity is None else row.text(identity, f"the id of {where}")


def _place(row: Row, given: Mapping[str, Any], where: str) -> Place | None:
    """Read `doc`, `start` and `end`, which are there together or not at all."""
    if not any(given.get(name) is not None for name in ("start", "end")):
        return None
    if given.get("doc") is None:
        raise _error(row, f"has a place without its document in {where}; 'doc' was expected")
    doc = row.text(given["doc"], f"the document of {where}")
    start, end = given.get("start"), given.get("end")
    if not (isinstance(start, int) and isinstance(end, int)) or not _is_range(start, end):
        raise _error(
            row,
            f"has {shown(start)} to {shown(end)} as the place of {where}; 'start' and 'end' are "
            "characters counted from 0, and the end is behind the last",
        )
    digest = given.get("sha256") or ""
    if not isinstance(digest, str):
        raise _error(row, f"has {shown(digest)} as the sha256 of {where}; a text was expected")
    return Place(doc, start, end, digest)


def _is_range(start: int, end: int) -> bool:
    return not isinstance(start, bool) and not isinstance(end, bool) and 0 <= start < end


def _whole(row: Row, text: str, where: str) -> str:
    if not is_whole(text):
        raise _error(row, f"has half of a surrogate pair in {where}; whole characters only")
    return text


def _error(row: Row, problem: str) -> FormatError:
    return row.error(problem) if row.id else row.source.error(f"the row {problem}", row.line)
