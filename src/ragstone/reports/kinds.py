"""What each kind of report holds, loaded when that kind is read or written."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ragstone.registry import Registry

if TYPE_CHECKING:
    from ragstone.reports.problem import Problem
    from ragstone.reports.statement import Statement


class Kind(Struct, frozen=True):
    """One kind of report.

    `details` is where the type of its details lives, `checks` where the function that checks
    one, both as `module:name`. `subject` has the roles of the inputs that the report speaks
    about; none means every input. `signature` has the fields that the shared signature must
    have. `scores` says whether it has rows, `judged` whether it always has a verdict.
    """

    name: str
    details: str
    checks: str
    subject: tuple[str, ...] = ()
    signature: tuple[str, ...] = ()
    scores: bool = False
    judged: bool = True

    def details_type(self) -> Any:
        """Import and return the type of the details: a msgspec Struct or a dataclass."""
        return _load(self.details)

    def check(self, statement: Statement) -> Iterator[Problem]:
        """Go through what is wrong with a report of this kind, beyond what all share."""
        yield from _load(self.checks)(statement)


def _load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


KINDS: Registry[Kind] = Registry("kind of report")
for _kind in (
    Kind(
        "ragstone.score",
        "ragstone.reports.score:ScoreDetails",
        "ragstone.reports.score_checks:score_faults",
        ("run",),
        ("judgments", "relevance_level", "trec_eval"),
        scores=True,
        judged=False,
    ),
    Kind(
        "ragstone.compare",
        "ragstone.gate:Comparison",
        "ragstone.reports.compare_checks:compare_faults",
        ("candidate",),
    ),
    Kind(
        "ragstone.leakage",
        "ragstone.reports.leakage:LeakageDetails",
        "ragstone.reports.leakage_checks:leakage_faults",
        ("items",),
        ("fields", "items", "normaliser", "unit"),
        scores=True,
    ),
    Kind(
        "ragstone.paraphrases",
        "ragstone.reports.leakage:ParaphraseDetails",
        "ragstone.reports.leakage_checks:paraphrase_faults",
        ("items",),
        ("encoder", "fields", "items", "method"),
        scores=True,
    ),
    Kind(
        "ragstone.lint",
        "ragstone.lint:Lint",
        "ragstone.reports.lint_checks:lint_faults",
    ),
    Kind(
        "ragstone.overlap",
        "ragstone.reports.overlap:OverlapDetails",
        "ragstone.reports.overlap_checks:overlap_faults",
        signature=("method", "tokens"),
        judged=False,
    ),
    Kind(
        "ragstone.match",
        "ragstone.reports.match:MatchDetails",
        "ragstone.reports.match_checks:match_faults",
        ("retrieved", "texts"),
        ("judgments", "matcher", "normaliser"),
        scores=True,
        judged=False,
    ),
    Kind(
        "ragstone.evaluate",
        "ragstone.reports.evaluate:EvaluateDetails",
        "ragstone.reports.evaluate_checks:evaluate_faults",
        ("samples",),
        ("normaliser",),
        scores=True,
        judged=False,
    ),
    Kind(
        "ragstone.calibrate",
        "ragstone.judge.calibration_result:Calibrated",
        "ragstone.reports.calibrate_checks:calibrate_faults",
        ("report", "second"),
        judged=False,
    ),
    Kind(
        "ragstone.error",
        "ragstone.reports.error:ErrorDetails",
        "ragstone.reports.error:error_faults",
    ),
):
    KINDS.add(_kind.name, _kind)
