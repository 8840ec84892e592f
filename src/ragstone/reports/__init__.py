"""Reports: the document every command writes, how it is written, read and checked.

Layer: reports. Imports gate, lint, measures, model, store, registry, errors.
"""

from ragstone.reports.canonical import encode
from ragstone.reports.compare import build_compare
from ragstone.reports.document import read_bytes
from ragstone.reports.error import ErrorDetails, build_error
from ragstone.reports.files import describe
from ragstone.reports.kinds import KINDS, Kind
from ragstone.reports.lint import build_lint
from ragstone.reports.problem import Problem
from ragstone.reports.reader import parse_report, read_report
from ragstone.reports.report import Report, encode_report, write_report
from ragstone.reports.rows import Rows, parse_rows
from ragstone.reports.score import Floor, ScoreDetails, build_score
from ragstone.reports.statement import Input, Statement, Verdict
from ragstone.reports.validate import Validation, validate_report

__all__ = [
    "KINDS",
    "ErrorDetails",
    "Floor",
    "Input",
    "Kind",
    "Problem",
    "Report",
    "Rows",
    "ScoreDetails",
    "Statement",
    "Validation",
    "Verdict",
    "build_compare",
    "build_error",
    "build_lint",
    "build_score",
    "describe",
    "encode",
    "encode_report",
    "parse_report",
    "parse_rows",
    "read_bytes",
    "read_report",
    "validate_report",
    "write_report",
]
