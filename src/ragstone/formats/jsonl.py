"""JSON lines: one object per query, with its judgments or its results."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from ragstone.errors import FormatError
from ragstone.formats.judgments import Judgments
from ragstone.formats.source import Source
from ragstone.model import Qrels, Results, is_id

ID_NAMES = ("id", "_id")
_FIELDS = {"relevant_ids", "relevance", "retrieved_ids", "results"}
SKIPPED_QUERIES = "skipped_query_rows"
SKIPPED_RESULTS = "skipped_retrieved_rows"


def read_qrels(source: Source, facts: Counter[str]) -> Qrels:
    """Read `relevant_ids` (grade 1) or `relevance` (document to grade) of each query.

    A row without an id is counted as skipped; one without judgments is an unjudged query.
    """
    judgments = Judgments(source, facts)
    for row in _rows_with_id(source, facts, SKIPPED_QUERIES):
        judged = list(_judgments(row))
        for doc, grade in judged:
            judgments.add(row.line, row.id, doc, grade)
        if not judged:
            row.refuse("retrieved_ids", "results", hint="this looks like a run, not qrels")
            judgments.add_unjudged(row.id)
    return judgments.qrels()


def stream_run(
    source: Source, facts: Counter[str], start: int = 0, end: int | None = None
) -> Iterator[Results]:
    """Read `retrieved_ids` (best first) or `results` ([{id, score}]) of each query.

    The first of a repeated id counts, the others are counted as removed. Ranks alone become
    the scores n to 1.
    """
    for row in _rows_with_id(source, facts, SKIPPED_RESULTS, start, end):
        scored = row.fields.get("results") is not None
        pairs = list(_results(row) if scored else _retrieved(row))
        unique: dict[str, float] = {}
        for doc, score in pairs:
            unique.setdefault(doc, score)
        facts["duplicates_removed"] += len(pairs) - len(unique)
        yield Results(row.id, [doc.encode() for doc in unique], list(unique.values()), scored)


def split_run(source: Source, parts: int) -> list[int]:
    """Return up to parts + 1 offsets that cut a run between lines, from 0 to its size."""
    cuts = {source.line_start(source.size * part // parts) for part in range(1, parts)}
    return [0, *sorted(cuts - {0, source.size}), source.size]


class Place(Protocol):
    """What rows come from: a Source, or what speaks of rows in memory as one."""

    def error(self, problem: str, line: int | None = None) -> FormatError:
        """Build an error that names the place and a line of it."""


class Memory:
    """Rows that are in no file, as errors speak of them."""

    def __init__(self, name: str) -> None:
        """Keep what stands in place of a file's name."""
        self.name = name

    def error(self, problem: str, line: int | None = None) -> FormatError:
        """Build an error that names a row, from 1."""
        return FormatError(problem, where=self.name, line=line)


def rows_of(
    given: Source | str | Path | Iterable[Mapping[str, Any]], name: str
) -> tuple[Source | Memory, Iterable[tuple[int, Mapping[str, Any]]]]:
    """Return where rows come from, and the rows with their numbers; name: of what is in no file."""
    if isinstance(given, str | Path):
        given = Source(given)
    if isinstance(given, Source):
        return given, objects(given)
    return Memory(name), enumerate(given, 1)


class Row:
    """One object of a file, and the query or document that it is about."""

    def __init__(
        self,
        source: Place,
        line: int,
        fields: dict[str, Any],
        facts: Counter[str],
        noun: str = "query",
    ) -> None:
        """Keep the fields; `id` is empty where the row has none. `noun`: what has the id."""
        self.source, self.line, self.fields, self.facts = source, line, fields, facts
        self.noun, self.id = noun, ""
        self.id = self.id_of(fields, f"{self._one} id") or ""

    @property
    def _one(self) -> str:
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"

    def error(self, problem: str) -> FormatError:
        """Build an error that names the file, the line and the query or document."""
        return self.source.error(f"{self.noun} {self.id!r} {problem}", self.line)

    def claim(self, lines: dict[str, int]) -> None:
        """Remember the line of its id; raises FormatError where an earlier row has the same."""
        if self.id in lines:
            raise self.error(
                f"has two rows, the first at line {lines[self.id]}; {self._one} has one row"
            )
        lines[self.id] = self.line

    def refuse(self, *names: str, hint: str) -> None:
        """Raise where the row has a field that belongs to another kind of file."""
        if found := [name for name in names if name in self.fields]:
            raise self.error(f"has {found[0]!r}; {hint}")

    def id_of(self, fields: dict[str, Any], what: str) -> str | None:
        """Return the id of an object, None where it is missing or null."""
        values = (fields[name] for name in ID_NAMES if fields.get(name) is not None)
        given = [self.text(value, what) for value in values]
        if len(set(given)) == 2:
            raise self.error(f"has an 'id' {given[0]!r} and an '_id' {given[1]!r}; use one of them")
        return given[0] if given else None

    def text(self, value: object, what: str) -> str:
        """Return an id as text: a string, or the decimal digits of an integer."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value:
            raise self.error(f"has {shown(value)} as {what}; an id is a string or an integer")
        if not is_id(value):
            raise self.error(
                f"has {shown(value)} as {what}; "
                "an id has no tab, no line feed and no half of a surrogate pair"
            )
        return value

    def ids(self, value: object, skipped: str) -> Iterator[str]:
        """Go through a list of ids, or one id; a null is left out and counted."""
        if not isinstance(value, list):
            value = [] if value is None else [value]
        for doc in value:
            if doc is None:
                self.facts[skipped] += 1
            else:
                yield self.text(doc, "a document id")


def _rows_with_id(
    source: Source, facts: Counter[str], skipped: str, start: int = 0, end: int | None = None
) -> Iterator[Row]:
    lines: dict[str, int] = {}
    for number, fields in objects(source, start, end):
        row = Row(source, number, fields, facts)
        if not row.id:
            _refuse_dicts(row)
            facts[skipped] += 1
            continue
        row.claim(lines)
        yield row


def _refuse_dicts(row: Row) -> None:
    """Raise for a row without an id that is a whole file: query to document to number."""
    whole = all(
        name not in _FIELDS
        and isinstance(docs, dict)
        and all(isinstance(number, int | float) for number in docs.values())
        for name, docs in row.fields.items()
    )
    if row.fields and whole:
        raise row.source.error(
            "this is one object of queries and documents, as pytrec_eval and ranx have them; "
            'expected one object a query, as {"id": "q1", "relevance": {"d1": 1}} in qrels and '
            '{"id": "q1", "results": [{"id": "d1", "score": 9.5}]} in a run; '
            "ragstone.score takes dicts in Python",
            row.line,
        )


def _judgments(row: Row) -> Iterator[tuple[str, str]]:
    ids, relevance = row.fields.get("relevant_ids"), row.fields.get("relevance")
    if ids not in (None, []) and relevance not in (None, {}):
        raise row.error("has both 'relevant_ids' and 'relevance'; use one of them")
    for doc in row.ids(ids, SKIPPED_QUERIES):
        yield doc, "1"
    if not isinstance(relevance, dict | None):
        raise row.error("has a 'relevance' that is no object of document ids and grades")
    for doc, grade in (relevance or {}).items():
        if isinstance(grade, bool) or not isinstance(grade, int | float | str):
            raise row.error(
                f"judges document {doc!r} with {shown(grade)}; a grade must be an integer"
            )
        yield row.text(doc, "a document id"), str(grade)


def _retrieved(row: Row) -> Iterator[tuple[str, float]]:
    if "retrieved_ids" not in row.fields and "results" not in row.fields:
        row.refuse("relevant_ids", "relevance", hint="this looks like qrels, not a run")
        raise row.error("needs 'retrieved_ids' or 'results'")
    docs = list(row.ids(row.fields.get("retrieved_ids"), SKIPPED_RESULTS))
    return zip(docs, map(float, range(len(docs), 0, -1)), strict=True)


def _results(row: Row) -> Iterator[tuple[str, float]]:
    results = row.fields["results"]
    if row.fields.get("retrieved_ids") is not None:
        raise row.error("has both 'retrieved_ids' and 'results'; use one of them")
    if not isinstance(results, list) or not all(isinstance(each, dict) for each in results):
        raise row.error("has 'results' that are no list of objects like {id, score}")
    for rank, result in enumerate(results, 1):
        doc = row.id_of(result, f"the document id of result {rank}")
        if doc is None:
            row.facts[SKIPPED_RESULTS] += 1
            continue
        score = result.get("score")
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise row.error(
                f"has the score {shown(score)} at result {rank}; a number was expected "
                "(a ranking without scores is 'retrieved_ids')"
            )
        yield doc, _finite(row, rank, score)


def _finite(row: Row, rank: int, score: float) -> float:
    try:
        value = float(score)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise row.error(f"has a score at result {rank} that is not a finite number")
    return value


class BadJSONError(Exception):
    """What is wrong with a line, before its place is known."""


def decode(text: str) -> Any:
    """Read JSON; raises BadJSONError for duplicate keys and NaN, ValueError for no JSON."""
    return _decoder.decode(text)


def objects(
    source: Source, start: int = 0, end: int | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read one object a line; refuses arrays, duplicate keys, NaN and what is not JSON."""
    for number, line in source.lines(start, end):
        yield number, as_object(source, number, line)


def as_object(source: Place, number: int, line: bytes) -> dict[str, Any]:
    """Read the object on a line that is not blank; raises FormatError as `objects` does."""
    try:
        value = decode(line.decode())
    except BadJSONError as error:
        raise source.error(str(error), number) from None
    except RecursionError:
        raise source.error("JSON that is nested too deep to read", number) from None
    except ValueError as error:
        raise source.error(_not_json(line, error), number) from None
    if not isinstance(value, dict):
        raise source.error(_not_an_object(value), number)
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise BadJSONError(f"the key {twice!r} stands twice in one JSON object")
    return fields


def _no_constant(name: str) -> None:
    raise BadJSONError(f"{name} is not JSON and not a finite number")


def _not_json(line: bytes, error: ValueError) -> str:
    if line.startswith(b"["):
        return _not_an_object([])
    detail = getattr(error, "msg", "a number that is too long")
    if getattr(error, "pos", 0) >= len(line.decode()) or detail.startswith("Unterminated string"):
        return "JSON that does not end on its line; one object a line was expected"
    return f"not JSON ({detail}): {line.decode()[:60]!r}"


def _not_an_object(value: object) -> str:
    kind = "array" if isinstance(value, list) else shown(value)
    return f"JSON {kind}; expected one object per line (JSON lines)"


def is_whole(text: str) -> bool:
    r"""Tell whether UTF-8 can hold a text: JSON may have half of a surrogate pair.

    >>> is_whole("줄"), is_whole("\ud800")
    (True, False)
    """
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(value: object) -> str:
    """Show a JSON value in a message: short, and however deep it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "an array"
    return repr(value[:80]) if isinstance(value, str) else json.dumps(value)[:80]


_decoder = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
