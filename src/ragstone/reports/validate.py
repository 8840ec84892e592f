"""Whether a report holds what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ragstone.errors import FormatError
from ragstone.reports.canonical import encode
from ragstone.reports.checks import common_faults, digest_faults
from ragstone.reports.decode import NotOfTypeError, to_statement
from ragstone.reports.document import parse, unpack
from ragstone.reports.form import form_faults, type_faults
from ragstone.reports.kinds import KINDS
from ragstone.reports.problem import Problem, shown
from ragstone.reports.statement import PREDICATE_TYPE


class Validation(Struct, frozen=True):
    """What was found: whether the report is valid, its kind where it has one, what is wrong."""

    ok: bool
    kind: str | None
    errors: list[Problem]


def validate_report(data: bytes, name: str, inputs_dir: str | Path | None = None) -> Validation:
    r"""Check a report: its canonical form, its types, what follows from its rows, its digests.

    data: the bytes of the file, packed with gzip or not. name: what errors call it. inputs_dir:
    the folder that has the inputs; without it their digests are not recomputed. Only a folder
    that is none, or an input that cannot be read, is an InputError.

    >>> validate_report(b'{"recall": 0.8}\n', "old.json").errors[0].message
    'is no report: it has no predicateType; "urn:ragstone:report:v1" was expected'
    """
    try:
        data = unpack(data, name)
        document = parse(data, name)
    except FormatError as error:
        where = "" if error.line is None else f"line {error.line}: "
        return Validation(False, None, [Problem("$", f"{where}{error.problem}")])
    errors = list(_faults(document, data, inputs_dir))
    return Validation(not errors, _kind(document), errors)


def _faults(document: Any, data: bytes, inputs_dir: str | Path | None) -> Iterator[Problem]:
    foreign = _foreign(document)
    if foreign:
        yield foreign
        return
    yield from form_faults(data, document)
    try:
        statement = to_statement(document)
    except NotOfTypeError as error:
        yield error.problem
        return
    written = encode(statement)
    if written != data:
        yield from type_faults(document, msgspec.json.decode(written))
    yield from common_faults(statement)
    yield from KINDS[statement.predicate.kind].check(statement)
    if inputs_dir is not None:
        yield from digest_faults(statement.predicate.inputs, inputs_dir)


def _foreign(document: Any) -> Problem | None:
    """Say what is not ours, and whose it is where that is known."""
    if not isinstance(document, dict):
        return Problem("$", f"is no report: it is {shown(document)}; an object was expected")
    if document.get("predicateType") == PREDICATE_TYPE:
        return None
    from ragstone.reports import toolkit

    if kind := toolkit.kind_of(document):
        message = (
            f"is a report of {toolkit.TOOL} (kind {kind}): compare reads those of its score, but "
            "only reports of ragstone can be validated"
        )
        return Problem("$", message)
    found = "it has no predicateType"
    if "predicateType" in document:
        found = f"its predicateType is {shown(document['predicateType'])}"
    return Problem("$", f'is no report: {found}; "{PREDICATE_TYPE}" was expected')


def _kind(document: Any) -> str | None:
    predicate = document.get("predicate") if isinstance(document, dict) else None
    kind = predicate.get("kind") if isinstance(predicate, dict) else None
    return kind if isinstance(kind, str) else None
