"""The gate: budgets, comparability, the per-item diff, and the verdict.

Takes two Scores and gives a Comparison. Layer: gate, above scoring and answers, below explain
and reports. May import statistics, measures, model, registry and errors; no I/O. NumPy is
imported by statistics, on the first comparison.

A name is imported from its module when it is first used: a command that needs one limit does not
pay for the whole comparison.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.gate.budget import Budget
    from ragstone.gate.calibration import JUDGE, MIN_KAPPA, PROMPT, Calibration, misfit
    from ragstone.gate.comparing import compare
    from ragstone.gate.comparison import Comparison, Counts, MeasureComparison, Result
    from ragstone.gate.coverage import Coverage, Tally
    from ragstone.gate.diff import Diff, DiffColumn, QueryChange
    from ragstone.gate.evidence import Evidence
    from ragstone.gate.floors import FloorResult, check_floors
    from ragstone.gate.item_limits import ItemLimit
    from ragstone.gate.options import Allowance, Limits
    from ragstone.gate.policy import Settings
    from ragstone.gate.reason import Code, Effect, Reason, Verdict
    from ragstone.gate.target import Target
    from ragstone.gate.unmeasured import check_measured

_HOMES = {
    "ragstone.gate.budget": ("Budget",),
    "ragstone.gate.calibration": ("JUDGE", "MIN_KAPPA", "PROMPT", "Calibration", "misfit"),
    "ragstone.gate.comparing": ("compare",),
    "ragstone.gate.comparison": ("Comparison", "Counts", "MeasureComparison", "Result"),
    "ragstone.gate.coverage": ("Coverage", "Tally"),
    "ragstone.gate.diff": ("Diff", "DiffColumn", "QueryChange"),
    "ragstone.gate.evidence": ("Evidence",),
    "ragstone.gate.floors": ("FloorResult", "check_floors"),
    "ragstone.gate.item_limits": ("ItemLimit",),
    "ragstone.gate.options": ("Allowance", "Limits"),
    "ragstone.gate.policy": ("Settings",),
    "ragstone.gate.reason": ("Code", "Effect", "Reason", "Verdict"),
    "ragstone.gate.target": ("Target",),
    "ragstone.gate.unmeasured": ("check_measured",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "JUDGE",
    "MIN_KAPPA",
    "PROMPT",
    "Allowance",
    "Budget",
    "Calibration",
    "Code",
    "Comparison",
    "Counts",
    "Coverage",
    "Diff",
    "DiffColumn",
    "Effect",
    "Evidence",
    "FloorResult",
    "ItemLimit",
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
    "check_measured",
    "compare",
    "misfit",
]


def __getattr__(name: str) -> Any:
    """Import a name from its home when it is first used."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'ragstone.gate' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value
