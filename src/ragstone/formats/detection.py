"""Which format a file has, told from its first line that is neither blank nor a comment."""

from __future__ import annotations

import re

from ragstone.formats.beir import is_header
from ragstone.formats.source import Source

RUN_COLUMNS = 6
QRELS_COLUMNS = 4
RUN_EXPECTED = "TREC (6 columns: query Q0 document rank score tag)"
QRELS_EXPECTED = "TREC (4 columns: query 0 document grade), BEIR (3 columns between tabs)"
ARRAY = "JSON array; expected one object per line (JSON lines)"

_OBJECT = re.compile(rb"\{\s*(['\"}]|$)")
_ARRAY = re.compile(rb"\[\s*([{\[\"\]]|$)")


def detect_qrels(source: Source) -> str:
    """Return the name of a qrels file's format; raises FormatError where it has none."""
    number, line = first_line(source)
    if _is_object(line, QRELS_COLUMNS):
        return "jsonl"
    if _ARRAY.match(line):
        raise source.error(ARRAY, number)
    if _is_beir(line):
        return "beir"
    if len(line.split()) == QRELS_COLUMNS:
        return "trec"
    hint = "; this looks like a run, not qrels" if len(line.split()) == RUN_COLUMNS else ""
    raise source.error(_unknown("qrels", line, QRELS_EXPECTED) + hint, number)


def detect_run(source: Source) -> str:
    """Return the name of a run's format; raises FormatError where it has none."""
    number, line = first_line(source)
    if _is_object(line, RUN_COLUMNS):
        return "jsonl"
    if _ARRAY.match(line):
        raise source.error(ARRAY, number)
    if len(line.split()) == RUN_COLUMNS:
        return "trec"
    judged = len(line.split()) == QRELS_COLUMNS or _is_beir(line)
    hint = "; this looks like qrels, not a run" if judged else ""
    raise source.error(_unknown("a run", line, RUN_EXPECTED) + hint, number)


def first_line(source: Source) -> tuple[int, bytes]:
    """Return the first line that says something, and its number."""
    for number, line in source.lines():
        return number, line
    raise source.error("the file is empty: it has no line of data")


def _is_object(line: bytes, columns: int) -> bool:
    """Tell an object, even a broken one, from columns whose query id begins with a brace."""
    if not line.startswith(b"{") or _OBJECT.match(line):
        return line.startswith(b"{")
    return len(line.split()) != columns and not _is_beir(line)


def _is_beir(line: bytes) -> bool:
    fields = line.split(b"\t")
    return is_header([fields[0].decode()]) or (
        len(fields) == 3 and len(line.split()) != QRELS_COLUMNS
    )


def _unknown(wanted: str, line: bytes, expected: str) -> str:
    return (
        f"cannot tell the format of {wanted} from {line.decode()[:80]!r}; "
        f"expected {expected} or JSON lines, or name the format"
    )
