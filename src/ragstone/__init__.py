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
    from ragstone.answers import Evaluation, evaluate
    from ragstone.answers.operations import operations
    from ragstone.corpus.leakage.check import leakage
    from ragstone.corpus.leakage.result import Leakage
    from ragstone.encoders import open_encoder
    from ragstone.errors import (
        EndpointError,
        FormatError,
        InputError,
        InvalidReportError,
        NotComparableError,
        PipelineError,
        RagstoneError,
        RetrieverError,
    )
    from ragstone.formats import open_run, read_qrels, read_run
    from ragstone.formats.prices import read_prices
    from ragstone.formats.samples import read_samples
    from ragstone.gate import Calibration, Comparison, check_floors, check_measured, compare
    from ragstone.matching import Matches, match_texts
    from ragstone.measures import Aggregate, Measure, parse_aggregate, parse_measure, summary
    from ragstone.model import Column, Qrels, Run, Scores, Status
    from ragstone.model.samples import (
        Citation,
        Context,
        Latency,
        Nugget,
        Sample,
        Usage,
        qrels_of,
        run_of,
    )
    from ragstone.pipelines import PipelineRun, RetrieverRun, run_pipeline, run_retriever
    from ragstone.reports import Report, read_report
    from ragstone.scoring import score

_HOMES = {
    "ragstone.answers": ("Evaluation", "evaluate"),
    "ragstone.answers.operations": ("operations",),
    "ragstone.corpus.leakage.check": ("leakage",),
    "ragstone.corpus.leakage.result": ("Leakage",),
    "ragstone.encoders": ("open_encoder",),
    "ragstone.errors": (
        "EndpointError",
        "FormatError",
        "InputError",
        "InvalidReportError",
        "NotComparableError",
        "PipelineError",
        "RagstoneError",
        "RetrieverError",
    ),
    "ragstone.formats": ("open_run", "read_qrels", "read_run"),
    "ragstone.formats.prices": ("read_prices",),
    "ragstone.formats.samples": ("read_samples",),
    "ragstone.gate": (
        "Calibration",
        "Comparison",
        "check_floors",
        "check_measured",
        "compare",
    ),
    "ragstone.matching": ("Matches", "match_texts"),
    "ragstone.measures": ("Aggregate", "Measure", "parse_aggregate", "parse_measure", "summary"),
    "ragstone.model": ("Column", "Qrels", "Run", "Scores", "Status"),
    "ragstone.model.samples": (
        "Citation",
        "Context",
        "Latency",
        "Nugget",
        "Sample",
        "Usage",
        "qrels_of",
        "run_of",
    ),
    "ragstone.pipelines": ("PipelineRun", "RetrieverRun", "run_pipeline", "run_retriever"),
    "ragstone.reports": ("Report", "read_report"),
    "ragstone.scoring": ("score",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Aggregate",
    "Calibration",
    "Citation",
    "Column",
    "Comparison",
    "Context",
    "EndpointError",
    "Evaluation",
    "FormatError",
    "InputError",
    "InvalidReportError",
    "Latency",
    "Leakage",
    "Matches",
    "Measure",
    "NotComparableError",
    "Nugget",
    "PipelineError",
    "PipelineRun",
    "Qrels",
    "RagstoneError",
    "Report",
    "RetrieverError",
    "RetrieverRun",
    "Run",
    "Sample",
    "Scores",
    "Status",
    "Usage",
    "__version__",
    "check_floors",
    "check_measured",
    "compare",
    "evaluate",
    "leakage",
    "match_texts",
    "open_encoder",
    "open_run",
    "operations",
    "parse_aggregate",
    "parse_measure",
    "qrels_of",
    "read_prices",
    "read_qrels",
    "read_report",
    "read_run",
    "read_samples",
    "run_of",
    "run_pipeline",
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
