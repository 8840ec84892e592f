"""Checks of a data set before it is used: queries, judgments, documents, and a run.

Layer: answers | lint | pipelines. Imports formats, text, model, registry, errors.
"""

from ragstone.lint import (  # noqa: F401 - each declares its checks, in the order of the registry
    between,
    documents,
    judgments,
    queries,
    results,
)
from ragstone.lint.check import CHECKS, Check
from ragstone.lint.finding import Example, Finding, Severity
from ragstone.lint.grades import parse_scale, shown_scale
from ragstone.lint.linting import Lint, NotPossible, lint

__all__ = [
    "CHECKS",
    "Check",
    "Example",
    "Finding",
    "Lint",
    "NotPossible",
    "Severity",
    "lint",
    "parse_scale",
    "shown_scale",
]
