"""TREC text: qrels of four columns, runs of six, separated by ASCII white space."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from typing import NamedTuple

import msgspec

from ragstone.errors import FormatError
from ragstone.formats.judgments import Judgments
from ragstone.formats.source import Block, Source
from ragstone.model import Qrels, Results

RUN_COLUMNS = "query Q0 document rank score tag"
QRELS_COLUMNS = "query 0 document grade"

_NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_decode_floats = msgspec.json.Decoder(list[float]).decode


class NotGroupedError(Exception):
    """A query's lines do not stand together, so that it cannot be scored as it streams by."""


class Columns(NamedTuple):
    """The columns of a block: where each query's lines are, and their documents and scores."""

    queries: list[tuple[bytes, int, int]]
    docs: list[bytes]
    scores: list[float]


def read_qrels(source: Source, facts: Counter[str]) -> Qrels:
    """Read TREC judgments; an identical repeated judgment is counted, a conflicting one refused."""
    judgments = Judgments(source, facts)
    last, query = b"", ""
    for number, line in source.lines():
        fields = line.split()
        if len(fields) != 4:
            raise source.error(_wrong_qrels_columns(fields), number)
        if fields[0] != last:
            last, query = fields[0], fields[0].decode()
        judgments.add(number, query, fields[2].decode(), fields[3].decode())
    return judgments.qrels()


def stream_run(
    source: Source,
    facts: Counter[str],  # noqa: ARG001 - a TREC run has nothing that is left out
    start: int = 0,
    end: int | None = None,
) -> Iterator[Results]:
    """Read a TREC run a query at a time.

    Raises NotGroupedError when a query comes back after another, and FormatError for a
    document that stands twice in a query.
    """
    seen: set[bytes] = set()
    query = b""
    docs: list[bytes] = []
    scores: list[float] = []
    for block in source.blocks(start, end):
        columns = fast_columns(block) or slow_columns(source, block)
        for name, first, last in columns.queries:
            if name != query:
                if query:
                    yield _results(source, query, docs, scores)
                if name in seen:
                    raise NotGroupedError
                seen.add(name)
                query, docs, scores = name, [], []
            docs += columns.docs[first:last]
            scores += columns.scores[first:last]
    if query:
        yield _results(source, query, docs, scores)


def collect_run(source: Source, facts: Counter[str]) -> Iterator[Results]:  # noqa: ARG001
    """Read a TREC run whose queries may be in any order of lines; holds the run in memory."""
    whole: dict[bytes, tuple[list[bytes], list[float]]] = {}
    for block in source.blocks():
        columns = fast_columns(block) or slow_columns(source, block)
        for name, first, last in columns.queries:
            docs, scores = whole.setdefault(name, ([], []))
            docs += columns.docs[first:last]
            scores += columns.scores[first:last]
    for name, (docs, scores) in whole.items():
        yield _results(source, name, docs, scores)


def split_run(source: Source, parts: int) -> list[int]:
    """Return up to parts + 1 offsets that cut a run between queries, from 0 to its size."""
    cuts = [0]
    for part in range(1, parts):
        cut = _next_query(source, source.size * part // parts)
        if cuts[-1] < cut < source.size:
            cuts.append(cut)
    return [*cuts, source.size]


def fast_columns(block: Block) -> Columns | None:
    """Split a block whose fields are all separated by one blank, or all by one tab.

    Splitting at that separator alone leaves each line's tag and the next line's query in one
    token, with the LF between them. Where every fifth token is such a pair and no LF stands
    elsewhere, every line has six fields. Returns None for any other block.
    """
    data = block.data
    separator = b"\t" if b"\t" in data else b" "
    if any(other in data for other in (b"\r", b"\v", b"\f", separator * 2)):
        return None
    if separator == b"\t" and b" " in data:
        return None
    tokens = data.split(separator)
    lines = data.count(b"\n")
    if len(tokens) != 5 * lines + 1 or not tokens[0] or tokens[0].startswith(b"#"):
        return None
    joints = tokens[5::5]
    queries = _queries(tokens[0], joints)
    scores = fast_scores(tokens[4::5])
    return Columns(queries, tokens[2::5], scores) if queries and scores else None


def _queries(first: bytes, joints: list[bytes]) -> list[tuple[bytes, int, int]] | None:
    """Group lines by query; joints[i] is line i's tag, LF, and line i + 1's query."""
    queries: list[tuple[bytes, int, int]] = []
    name, start, line = first, 0, 1
    for joint, run in groupby(joints):
        tag, newline, query = joint.partition(b"\n")
        if not tag or not newline or b"\n" in query or query.startswith(b"#"):
            return None
        if query != name:
            queries.append((name, start, line))
            name, start = query, line
        line += len(list(run))
    # A line that begins with the separator has no query, and may be merged with the last joint.
    whole = queries and queries[-1][2] == len(joints) and all(query for query, _, _ in queries)
    return queries if whole else None


def fast_scores(tokens: list[bytes]) -> list[float] | None:
    """Read scores all at once as JSON numbers; None where one is not such a number."""
    text = b",".join(tokens)
    if b"-" in text and b"-0" in tokens:  # an integer to msgspec, which loses the sign
        return None
    try:
        scores = _decode_floats(b"[" + text + b"]")
    except msgspec.MsgspecError:
        return None
    return scores if len(scores) == len(tokens) else None


def slow_columns(source: Source, block: Block) -> Columns:
    """Split a block line by line: any white space, comments and blank lines; names what is wrong.

    This is what fast_columns must agree with.
    """
    names: list[bytes] = []
    docs: list[bytes] = []
    scores: list[float] = []
    for index, line in enumerate(block.data.split(b"\n")):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        try:
            scores.append(_score(fields))
        except ValueError as error:
            number = source.line_number(block.offset) + index
            raise source.error(str(error), number) from None
        names.append(fields[0])
        docs.append(fields[2])
    queries, start = [], 0
    for name, run in groupby(names):
        end = start + len(list(run))
        queries.append((name, start, end))
        start = end
    return Columns(queries, docs, scores)


def _score(fields: list[bytes]) -> float:
    if len(fields) != 6:
        raise ValueError(_wrong_run_columns(fields))
    text = fields[4]
    score = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(score):
        raise ValueError(f"the score {text.decode()!r} is not a finite number such as 12.5")
    return score


def _results(source: Source, query: bytes, docs: list[bytes], scores: list[float]) -> Results:
    if len(set(docs)) != len(docs):
        raise _twice(source, query, next(doc for doc, n in Counter(docs).items() if n > 1))
    return Results(query.decode(), docs, scores)


def _twice(source: Source, query: bytes, doc: bytes) -> FormatError:
    fields = ((number, line.split()) for number, line in source.lines())
    first, second = islice((n for n, f in fields if f[0] == query and f[2] == doc), 2)
    return source.error(
        f"document {doc.decode()!r} is listed twice for query {query.decode()!r}, "
        f"first at line {first}; a document may stand once in a ranking",
        second,
    )


def _next_query(source: Source, offset: int) -> int:
    """Return the start of the first line behind an offset that begins another query."""
    query = None
    for place, line in source.raw_lines(source.line_start(offset)):
        fields = line.split(None, 1)
        if not fields or fields[0].startswith(b"#"):
            continue
        if query is None:
            query = fields[0]
        elif fields[0] != query:
            return place
    return source.size


def _wrong_run_columns(fields: list[bytes]) -> str:
    found = b" ".join(fields).decode()[:80]
    hint = "; this looks like qrels, not a run" if len(fields) == 4 else ""
    return f"{len(fields)} columns ({found!r}); a run has 6: {RUN_COLUMNS}{hint}"


def _wrong_qrels_columns(fields: list[bytes]) -> str:
    found = b" ".join(fields).decode()[:80]
    hint = "; this looks like a run, not qrels" if len(fields) == 6 else ""
    return f"{len(fields)} columns ({found!r}); qrels have 4: {QRELS_COLUMNS}{hint}"
