"""Whether a judged measure has earned the right to fail a comparison."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ragstone.errors import UsageError, listed
from ragstone.gate.reason import Reason
from ragstone.gate.side import Side
from ragstone.gate.wording import plain
from ragstone.measures import Measure
from ragstone.model import Signature

JUDGE, PROMPT = "judge", "prompt"
"""The fields of a column's signature that say who judged, and by which prompt."""

MIN_KAPPA = 0.6
"""From here on agreement is called substantial (Landis and Koch 1977)."""

_LONGEST = 16


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far a judge with a prompt agrees with people: Cohen's kappa, from -1 to 1.

    judge and prompt are what the signature of a judged column says.
    """

    judge: str
    prompt: str
    kappa: float

    def __post_init__(self) -> None:
        """Refuse what is no kappa; raises UsageError."""
        check_kappa("kappa", self.kappa)


def check_kappa(name: str, value: float) -> float:
    """Return a kappa; raises UsageError, naming it, where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
        raise UsageError(f"{name} is {value!r}; a number from -1 to 1 was expected")
    return value


@dataclass(frozen=True, slots=True)
class Trust:
    """Which judges are calibrated, and the kappa that one needs."""

    calibrations: tuple[Calibration, ...] = ()
    min_kappa: float = MIN_KAPPA

    @classmethod
    def of(cls, calibrations: Iterable[Calibration], min_kappa: float) -> Trust:
        """Sort the calibrations, each once; raises UsageError for what is no kappa."""
        ordered = sorted(set(calibrations), key=lambda each: (each.judge, each.prompt, each.kappa))
        return cls(tuple(ordered), check_kappa("min_kappa", min_kappa))

    def doubt(self, signature: Signature) -> str:
        """Say why a column may not fail a comparison; nothing where it may.

        A column without a judge in its signature was not judged. Of several calibrations of the
        same judge and prompt the lowest counts.

        >>> Trust().doubt(Signature.of(judge="m", prompt="ab12"))
        'no calibration says how far m with prompt ab12 agrees with people'
        >>> Trust((Calibration("m", "ab12", 0.71),)).doubt(Signature.of(judge="m", prompt="ab12"))
        ''
        """
        if JUDGE not in signature:
            return ""
        judge, prompt = str(signature[JUDGE]), str(signature.get(PROMPT, ""))
        who = f"{judge} with prompt {prompt[:_LONGEST]}" if prompt else judge
        kappa = min(
            (
                each.kappa
                for each in self.calibrations
                if (each.judge, each.prompt) == (judge, prompt)
            ),
            default=math.nan,
        )
        if math.isnan(kappa):
            return f"no calibration says how far {who} agrees with people"
        if kappa >= self.min_kappa:
            return ""
        return (
            f"{who} agrees with people to a kappa of {plain(kappa)}, "
            f"at least {plain(self.min_kappa)} is needed"
        )


def doubts(old: Side, new: Side, trust: Trust) -> dict[Measure, str]:
    """Return the measures that are advisory, and why.

    The baseline's judge decides where there is one: a candidate that was judged by another cannot
    take the right to fail away from a measure that had it.
    """
    found = {}
    for measure in (*old.columns, *new.columns):
        side = old if measure in old.columns else new
        if doubt := trust.doubt(side.scores.signature_of(str(measure))):
            found[measure] = doubt
    return found


def advisory_reasons(advisory: Mapping[Measure, str]) -> list[Reason]:
    """Say of advisory measures that they are, those of one judge together."""
    alike = defaultdict[str, list[str]](list)
    for measure, doubt in advisory.items():
        alike[doubt].append(str(measure))
    return [
        Reason(
            "advisory",
            "note",
            f"{listed(names)}: advisory, shown but unable to fail this comparison: {doubt}",
            tuple(names),
        )
        for doubt, names in alike.items()
    ]
