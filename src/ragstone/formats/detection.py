"""Which format a file has, told from its first line that is neither blank nor a comment."""

from __future__ import annotations

from ragstone.formats.beir import is_header
from ragstone.formats.source import Source

RUN_COLUMNS = 6
QRELS_COLUMNS = 4


def detect_qrels(source: Source) -> str:
    """Return the name of a qrels file's format; raises FormatError where it has none."""
    number, line = first_line(source)
    columns, tabs = line.split(), line.split(b"\t")
    if line.startswith(b"{"):
        return "jsonl"
    if is_header([tabs[0].decode()]) or (len(tabs) == 3 and len(columns) != QRELS_COLUMNS):
        return "beir"
    if len(columns) == QRELS_COLUMNS:
        return "trec"
    hint = "; this looks like a run, not qrels" if len(columns) == RUN_COLUMNS else ""
    raise source.error(_unknown(line, "qrels") + hint, number)


def detect_run(source: Source) -> str:
    """Return the name of a run's format; raises FormatError where it has none."""
    number, line = first_line(source)
    if line.startswith(b"{"):
        return "jsonl"
    if len(line.split()) == RUN_COLUMNS:
        return "trec"
    hint = "; this looks like qrels, not a run" if len(line.split()) == QRELS_COLUMNS else ""
    raise source.error(_unknown(line, "a run") + hint, number)


def first_line(source: Source) -> tuple[int, bytes]:
    """Return the first line that says something, and its number."""
    for number, line in source.lines():
        return number, line
    raise source.error("the file is empty")


def _unknown(line: bytes, wanted: str) -> str:
    if line.startswith(b"["):
        return "JSON array; expected one object per line (JSON lines)"
    return (
        f"cannot tell the format of {wanted} from {line.decode()[:80]!r}; "
        "expected TREC columns, BEIR columns or JSON lines, or name the format"
    )
