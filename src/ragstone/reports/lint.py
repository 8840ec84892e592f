"""The report of `lint`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ragstone.reports.report import Report, build
from ragstone.reports.statement import Input

if TYPE_CHECKING:
    from ragstone.lint import Lint


def build_lint(result: Lint, inputs: Iterable[Input]) -> Report:
    """Make the report of the checks; it fails with an error, under strict with any finding."""
    return Report(
        build(
            "ragstone.lint",
            result,
            inputs,
            verdict="fail" if result.failed else "pass",
            exit_code=4 if result.failed else 0,
        )
    )
