"""docs/report.md against the kinds of reports in the code."""

from __future__ import annotations

import dataclasses
import re

import pytest

from ragstone.reports.kinds import KINDS, Kind
from sources import ROOT

PAGE = (ROOT / "docs/report.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(ragstone\.\w+)` \|.*\| (yes|no) \| (.*) \|$", re.MULTILINE)


def test_the_table_of_kinds_is_that_of_the_code() -> None:
    shown = {name: (rows == "yes", signature) for name, rows, signature in ROW.findall(PAGE)}
    assert shown.keys() == set(KINDS)
    assert {name: rows for name, (rows, _) in shown.items()} == {
        name: kind.scores for name, kind in KINDS.items()
    }
    for name, kind in KINDS.items():
        assert tuple(re.findall(r"`(\w+)`", shown[name][1])) == kind.signature


def fields(kind: Kind) -> list[str]:
    """Return the names of what a kind's details hold."""
    made = kind.details_type()
    if dataclasses.is_dataclass(made):
        return [field.name for field in dataclasses.fields(made)]
    return list(made.__struct_fields__)


@pytest.mark.parametrize("name", KINDS)
def test_every_field_of_the_details_is_named(name: str) -> None:
    assert [field for field in fields(KINDS[name]) if f"`{field}`" not in PAGE] == []
