"""The report of `compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ragstone.model import Scalar
from ragstone.reports.report import Report, build
from ragstone.reports.statement import Input

if TYPE_CHECKING:
    from ragstone.gate import Comparison


def build_compare(
    comparison: Comparison,
    inputs: Iterable[Input],
    *,
    signature: Mapping[str, Scalar] | None = None,
) -> Report:
    """Make the report of a comparison; its summary has the candidate's aggregates.

    signature: what the candidate's columns share.
    """
    statement = build(
        "ragstone.compare",
        comparison,
        inputs,
        verdict=comparison.verdict,
        exit_code=int(comparison.exit_code),
        summary={each.name: each.candidate for each in comparison.measures},
        signature=signature,
    )
    return Report(statement)
