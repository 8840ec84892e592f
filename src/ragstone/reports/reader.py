"""Reading reports: ours, and those of toolkit-rag-quality."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import UNSET

from ragstone.errors import FormatError, listed
from ragstone.reports.decode import read_statement
from ragstone.reports.document import parse, read_bytes, unpack
from ragstone.reports.faults import table_faults
from ragstone.reports.problem import shown
from ragstone.reports.report import Report
from ragstone.reports.statement import PREDICATE_TYPE, STATEMENT_TYPE
from ragstone.reports.table import from_table

EXPECTED = (
    "expected a report of ragstone, or of toolkit-rag-quality (an object with predicateType, "
    "or with summary and per_query)"
)


def read_report(path: str | Path) -> Report:
    """Read a report from a file, packed with gzip or not.

    Raises InputError where the file cannot be read and FormatError, with what was found and
    what was expected, where it is not a report.
    """
    return parse_report(read_bytes(path), str(path))


def parse_report(data: bytes, name: str) -> Report:
    """Read a report from bytes; `name` is what errors call it, `-` for standard input.

    >>> parse_report(b'{"recall":0.8}', "old.json")
    Traceback (most recent call last):
    ragstone.errors.FormatError: old.json: is not a report: found an object with "recall"; ...
    """
    document = parse(unpack(data, name), name)
    if not isinstance(document, dict):
        raise FormatError(f"is not a report: found {shown(document)}; {EXPECTED}", where=name)
    if document.get("predicateType") == PREDICATE_TYPE:
        return _read(document, name)
    from ragstone.reports import toolkit

    if toolkit.kind_of(document):
        return toolkit.read(document, name)
    raise FormatError(f"is not a report: found {_described(document)}; {EXPECTED}", where=name)


def _read(document: dict[str, Any], name: str) -> Report:
    statement = read_statement(document, name)
    predicate = statement.predicate
    if predicate.scores is UNSET:
        return Report(statement, name)
    from ragstone.reports.row_checks import range_faults

    table = predicate.scores
    for fault in chain(table_faults(table, "$.predicate.scores"), range_faults(table)):
        raise FormatError(f"is not a sound report: {fault}", where=name)
    kept = from_table(table, predicate.signature)
    return Report(statement, name, kept, table.rows == "all")


def _described(document: Mapping[str, Any]) -> str:
    if document.get("_type") == STATEMENT_TYPE:
        return f"an in-toto Statement with predicateType {shown(document.get('predicateType'))}"
    names = [shown(name) for name in sorted(document)]
    return f"an object with {listed(names, 5)}" if names else "an empty object"
