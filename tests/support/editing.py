"""Reports that are edited, to see what a check of them says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ragstone.reports import Report, encode, encode_report, validate_report

Edit = Callable[[dict[str, Any]], object]


def edited(report: Report, edit: Edit) -> list[str]:
    """Return what is wrong with a report once its predicate is edited."""
    document = msgspec.json.decode(encode_report(report))
    edit(document["predicate"])
    return [str(each) for each in validate_report(encode(document), "x.json").errors]


def leak(place: int, **fields: Any) -> Edit:
    """Return the edit of some fields of one leak."""
    return lambda predicate: predicate["details"]["leaks"][place].update(fields)
