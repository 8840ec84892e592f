"""The gate: budgets, comparability, the per-item diff, and the verdict.

Takes two Scores and gives a Comparison. Layer: gate, above scoring and answers, below explain
and reports. May import statistics, measures, model, registry and errors; no I/O. NumPy is
imported by statistics, on the first comparison.
"""

from ragstone.gate.budget import Budget
from ragstone.gate.comparing import compare
from ragstone.gate.comparison import Comparison, Counts, MeasureComparison, Result
from ragstone.gate.coverage import Coverage, Tally
from ragstone.gate.diff import Diff, DiffColumn, QueryChange
from ragstone.gate.evidence import Evidence
from ragstone.gate.floors import FloorResult, check_floors
from ragstone.gate.options import Allowance, Limits
from ragstone.gate.policy import Settings
from ragstone.gate.reason import Code, Effect, Reason, Verdict
from ragstone.gate.target import Target

__all__ = [
    "Allowance",
    "Budget",
    "Code",
    "Comparison",
    "Counts",
    "Coverage",
    "Diff",
    "DiffColumn",
    "Effect",
    "Evidence",
    "FloorResult",
    "Limits",
    "MeasureComparison",
    "QueryChange",
    "Reason",
    "Result",
    "Settings",
    "Tally",
    "Target",
    "Verdict",
    "check_floors",
    "compare",
]
