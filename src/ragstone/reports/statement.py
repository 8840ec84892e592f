"""The document every command writes: an in-toto Statement whose predicate is a report.

These types are the one source of truth of a report's shape; schemas/report.v1.json is made
from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from ragstone.reports.table import Fields, Sha256, Table

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "urn:ragstone:report:v1"
TIME: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"

Verdict: TypeAlias = Literal["pass", "fail", "inconclusive", "error"]
Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Time: TypeAlias = Annotated[str, Meta(pattern=TIME, max_length=20)]


class Digest(Struct, frozen=True, kw_only=True):
    """What a file is known by."""

    sha256: Sha256


class Subject(Struct, frozen=True, kw_only=True):
    """A file that the report speaks about."""

    name: Text
    digest: Digest


class Input(Struct, frozen=True, kw_only=True):
    """A file that was read: what it was read as, its name without folders, its digest."""

    role: Text
    name: Text
    sha256: Sha256


class Tool(Struct, frozen=True, kw_only=True):
    """What wrote the report."""

    name: Text
    version: Text


class Predicate(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The report itself. What `details` holds follows from `kind`."""

    kind: Text
    tool: Tool
    created_at: Time
    verdict: Verdict | UnsetType = UNSET
    exit_code: Annotated[int, Meta(ge=0, le=5)]
    inputs: list[Input]
    signature: Fields
    summary: dict[str, float | None]
    scores: Table | UnsetType = UNSET
    details: Any

    @property
    def finding(self) -> Verdict | None:
        """The verdict, or None where nothing was judged."""
        return None if self.verdict is UNSET else self.verdict


class Statement(
    Struct, frozen=True, kw_only=True, rename={"type": "_type", "predicate_type": "predicateType"}
):
    """An in-toto Statement, version 1."""

    type: Literal["https://in-toto.io/Statement/v1"]
    subject: list[Subject]
    predicate_type: Literal["urn:ragstone:report:v1"]
    predicate: Predicate
