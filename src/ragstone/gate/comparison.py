"""What a comparison found: results only, ready for a report."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ragstone.errors import ExitCode
from ragstone.gate.coverage import Coverage
from ragstone.gate.diff import Diff, QueryChange
from ragstone.gate.evidence import Evidence
from ragstone.gate.floors import FloorResult
from ragstone.gate.item_limits import ItemLimit
from ragstone.gate.policy import Settings
from ragstone.gate.reason import Code, Reason, Verdict, verdict_of

Result = Literal[
    "pass", "fail", "inconclusive", "not_significant", "not_gated", "advisory", "not_comparable"
]
"""What became of one measure. not_significant is over budget, but not by the test: it passes."""

EXIT_CODES = MappingProxyType(
    {"pass": ExitCode.OK, "fail": ExitCode.FAILED, "inconclusive": ExitCode.UNDECIDED}
)


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """One aggregate on both sides, in units of the measure.

    name is the aggregate (`R@5:micro`), measure its column (`R@5`). baseline and candidate are
    over the items that count on both sides; where the measure is not comparable, each is its own
    side's over all that count there, and there is no change. change is candidate - baseline,
    change_pct that in percent of the size of the baseline, None (n/a) where the baseline is 0.
    budget is as it prints, `off`, or None where the measure is not gated; margin is the worsening
    that it allows, at least 0, None where there is no limit. floor is a ceiling where lower is
    better; item_limit is how much worse a single item may get. waived says why neither budget nor
    floor can fail it, advisory what a judged measure lacks for that, not_applied which options
    that name it are not applied, `--calibration` where none fits any measure. reasons are the codes
    of the Reasons about it; notes are plain words.
    """

    name: str
    measure: str
    direction: Literal["higher", "lower"]
    unit: str
    result: Result
    baseline: float | None
    candidate: float | None
    change: float | None = None
    change_pct: float | None = None
    budget: str | None = None
    margin: float | None = None
    over_budget: bool = False
    floor: float | None = None
    below_floor: bool = False
    item_limit: float | None = None
    waived: str = ""
    advisory: str = ""
    not_applied: tuple[str, ...] = ()
    coverage: Coverage | None = None
    evidence: Evidence | None = None
    reasons: tuple[Code, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def budgeted(self) -> bool:
        """Whether a budget is set for it that may be held, were it compared."""
        return self.budget not in (None, "off") and not self.waived

    @property
    def gated(self) -> bool:
        """Whether it was compared, and a budget limits it.

        A percent of a baseline of 0 limits nothing.
        """
        return self.budgeted and self.margin is not None

    @property
    def without_percent(self) -> bool:
        """Whether its budget is a percent of a baseline of 0, and so cannot fail it."""
        return self.budgeted and self.comparable and self.margin is None

    @property
    def limited(self) -> bool:
        """Whether a budget, a floor or the limit of an item can fail it."""
        can_fail = self.gated or self.floor is not None or self.item_limit is not None
        return can_fail and not self.waived

    @property
    def comparable(self) -> bool:
        """Whether the two sides were compared."""
        return self.change is not None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items there are and what became of them.

    pairs, worse and better are under the primary measure; changed under any compared measure,
    worse_under_any under any compared quality measure.
    """

    baseline_items: int
    candidate_items: int
    pairs: int
    worse: int
    better: int
    changed: int
    worse_under_any: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two Scores held against each other: what `compare` returns and reports as its details.

    measures are in the order in which they are shown: quality first, then by name and cutoff.
    primary is the measure that most_regressed is about, None where nothing was compared.
    """

    measures: tuple[MeasureComparison, ...]
    reasons: tuple[Reason, ...]
    floors: tuple[FloorResult, ...]
    item_limits: tuple[ItemLimit, ...]
    primary: str | None
    most_regressed: tuple[QueryChange, ...]
    counts: Counts
    diff: Diff
    settings: Settings

    @property
    def verdict(self) -> Verdict:
        """The gravest verdict that any reason demands: `pass`, `fail` or `inconclusive`."""
        return verdict_of(self.reasons)

    @property
    def exit_code(self) -> ExitCode:
        """0 for pass, 4 for fail, 5 for inconclusive."""
        return EXIT_CODES[self.verdict]

    @property
    def gated(self) -> tuple[str, ...]:
        """The aggregates that a budget limits; where there is none, a pass says nothing."""
        return tuple(each.name for each in self.measures if each.gated)

    @property
    def failed(self) -> tuple[str, ...]:
        """The aggregates that failed their budget, their floor or the limit of an item."""
        return tuple(each.name for each in self.measures if each.result == "fail")

    def __getitem__(self, name: str) -> MeasureComparison:
        """Return what became of an aggregate, by its canonical name."""
        return {each.name: each for each in self.measures}[str(name)]

    def regressed(self, measure: str, top: int | None = None) -> list[QueryChange]:
        """Return the queries that got worse under a measure, the worst first, ties by id."""
        return self.diff.regressed(measure, top)
