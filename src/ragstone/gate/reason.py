"""Why a comparison came out as it did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Code = Literal[
    "query_set_mismatch",
    "k_mismatch",
    "relevance_level_mismatch",
    "judgments_mismatch",
    "signature_mismatch",
    "signature_unknown",
    "measure_missing",
    "coverage_changed",
    "not_measured",
    "samples_failed",
    "budget_exceeded",
    "below_floor",
    "item_dropped",
    "too_few_items",
    "advisory",
    "few_labels",
]
"""The names of reasons, in the order in which they are listed."""

Effect = Literal["fail", "inconclusive", "note"]
"""The verdict that a reason demands; a note demands none."""

Verdict = Literal["pass", "fail", "inconclusive"]

REFUSALS: frozenset[Code] = frozenset(
    {
        "query_set_mismatch",
        "k_mismatch",
        "relevance_level_mismatch",
        "judgments_mismatch",
        "signature_mismatch",
        "measure_missing",
    }
)
"""The reasons for which a column is not compared at all."""

_CODES: tuple[Code, ...] = get_args(Code)
_EFFECTS: tuple[Effect, ...] = get_args(Effect)


@dataclass(frozen=True, slots=True)
class Reason:
    """One finding: its name, the verdict it demands, and plain words.

    measures are the measures or aggregates it is about; it is about the whole comparison where
    there is none.
    """

    code: Code
    effect: Effect
    message: str
    measures: tuple[str, ...] = ()

    @property
    def measure(self) -> str | None:
        """The measure it is about, where that is one."""
        return self.measures[0] if len(self.measures) == 1 else None

    def about(self, name: str) -> bool:
        """Tell whether it is about a measure or an aggregate, or about all."""
        return not self.measures or name in self.measures


def gravest_first(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Sort reasons: those that fail first, then in the order of the codes, else as they came."""
    return tuple(
        sorted(reasons, key=lambda each: (_EFFECTS.index(each.effect), _CODES.index(each.code)))
    )


def verdict_of(reasons: Iterable[Reason]) -> Verdict:
    """Return the verdict: the gravest that any reason demands, or `pass`.

    >>> verdict_of([Reason("coverage_changed", "inconclusive", "")])
    'inconclusive'
    """
    demanded = {reason.effect for reason in reasons}
    if "fail" in demanded:
        return "fail"
    return "inconclusive" if "inconclusive" in demanded else "pass"
