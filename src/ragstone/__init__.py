"""ragstone: measure a RAG system and tell, with evidence, whether a change made it worse.

>>> import ragstone
>>> qrels = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
>>> before = ragstone.score(qrels, {"q1": ["a", "b"], "q2": ["c"]}, ["nDCG@5"])
>>> after = ragstone.score(qrels, {"q1": ["b", "x"], "q2": ["x", "c"]}, ["nDCG@5"])
>>> ragstone.summary(before)
{'nDCG@5': 1.0}
>>> ragstone.compare(before, after).verdict
'fail'

What is listed in `__all__` is the public interface; each name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ragstone.errors import (
        EndpointError,
        FormatError,
        InputError,
        InvalidReportError,
        NotComparableError,
        RagstoneError,
        RetrieverError,
    )
    from ragstone.formats import open_run, read_qrels, read_run
    from ragstone.gate import Comparison, check_floors, compare
    from ragstone.measures import Aggregate, Measure, parse_aggregate, parse_measure, summary
    from ragstone.model import Column, Qrels, Run, Scores, Status
    from ragstone.pipelines import RetrieverRun, run_retriever
    from ragstone.reports import Report, read_report
    from ragstone.scoring import score

_HOMES = {
    "ragstone.errors": (
        "EndpointError",
        "FormatError",
        "InputError",
        "InvalidReportError",
        "NotComparableError",
        "RagstoneError",
        "RetrieverError",
    ),
    "ragstone.formats": ("open_run", "read_qrels", "read_run"),
    "ragstone.gate": ("Comparison", "check_floors", "compare"),
    "ragstone.measures": ("Aggregate", "Measure", "parse_aggregate", "parse_measure", "summary"),
    "ragstone.model": ("Column", "Qrels", "Run", "Scores", "Status"),
    "ragstone.pipelines": ("RetrieverRun", "run_retriever"),
    "ragstone.reports": ("Report", "read_report"),
    "ragstone.scoring": ("score",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Aggregate",
    "Column",
    "Comparison",
    "EndpointError",
    "FormatError",
    "InputError",
    "InvalidReportError",
    "Measure",
    "NotComparableError",
    "Qrels",
    "RagstoneError",
    "Report",
    "RetrieverError",
    "RetrieverRun",
    "Run",
    "Scores",
    "Status",
    "__version__",
    "check_floors",
    "compare",
    "open_run",
    "parse_aggregate",
    "parse_measure",
    "read_qrels",
    "read_report",
    "read_run",
    "run_retriever",
    "score",
    "summary",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first used."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'ragstone' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    """List the public names too."""
    return sorted({*globals(), *__all__})
