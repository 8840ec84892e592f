"""The JSON Schema of a report, made from its types.

`python -m ragstone.reports.schema` prints it; schemas/report.v1.json is its output.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from ragstone.reports.checks import EXIT_CODES
from ragstone.reports.kinds import KINDS, Kind
from ragstone.reports.statement import PREDICATE_TYPE, Predicate, Statement

DIALECT = "https://json-schema.org/draft/2020-12/schema"
REF = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """Return the schema; each kind of report has a predicate of its own.

    >>> schema()["$id"]
    'urn:ragstone:report:v1'
    """
    kinds = list(KINDS.values())
    details = [kind.details_type() for kind in kinds]
    references, parts = msgspec.json.schema_components([*details, Statement], ref_template=REF)
    predicate = parts.pop(Predicate.__name__)
    for kind, reference in zip(kinds, references, strict=False):
        parts[kind.name] = _predicate(kind, reference, predicate)
    statement = parts.pop(Statement.__name__)
    statement["properties"]["predicate"] = {
        "oneOf": [{"$ref": REF.format(name=kind.name)} for kind in kinds]
    }
    whole: dict[str, Any] = {
        **statement,
        "$schema": DIALECT,
        "$id": PREDICATE_TYPE,
        "title": "A report of ragstone, version 1",
        "$defs": parts,
    }
    return {name: _closed(part) for name, part in whole.items()} | {"additionalProperties": False}


def text() -> str:
    """Return the schema as the file has it."""
    data = msgspec.json.encode(schema(), order="sorted")
    return msgspec.json.format(data, indent=2).decode() + "\n"


def _predicate(kind: Kind, details: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """Say what a kind must and must not have, and how its verdict and exit code go together."""
    properties = {**shared["properties"], "kind": {"const": kind.name}, "details": details}
    required = [*shared["required"], *(["verdict"] if kind.judged else [])]
    if kind.scores:
        required.append("scores")
    else:
        del properties["scores"]
    return {
        **shared,
        "title": kind.name,
        "properties": properties,
        "required": required,
        "allOf": [_codes(verdict, codes) for verdict, codes in EXIT_CODES.items()],
    }


def _codes(verdict: str | None, codes: tuple[int, ...]) -> dict[str, Any]:
    """Say which exit codes a verdict may have."""
    judged: dict[str, Any] = {"required": ["verdict"]}
    given: dict[str, Any] = {"not": judged}
    if verdict:
        given = {**judged, "properties": {"verdict": {"const": verdict}}}
    return {"if": given, "then": {"properties": {"exit_code": {"enum": list(codes)}}}}


def _closed(part: Any) -> Any:
    """Refuse fields that are not known: a reader lets them pass, validation names them."""
    if isinstance(part, list):
        return [_closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    closed = {name: _closed(each) for name, each in part.items()}
    if part.get("type") == "object" and "properties" in part:
        closed["additionalProperties"] = False
    return closed


if __name__ == "__main__":
    sys.stdout.write(text())
