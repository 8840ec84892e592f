"""Whether a judged measure has earned the right to fail a comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from ragstone.errors import UsageError, count, listed
from ragstone.gate.reason import Reason
from ragstone.gate.side import Side
from ragstone.gate.wording import plain
from ragstone.measures import FEW_LABELLED, LEAST_LABELLED, Measure
from ragstone.model import Scores, Signature

JUDGE, PROMPT = "judge", "prompt"
"""The fields of a column's signature that say who judged, and by which prompt."""

MIN_KAPPA = 0.6
"""From here on agreement is called substantial (Landis and Koch 1977)."""

_LONGEST = 16


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far a judge with a prompt agrees with people: Cohen's kappa, from -1 to 1.

    judge and prompt are what the signature of a judged column says. items: how many people
    labelled; None where that is not known. low, high: the interval of kappa, where there is one.
    """

    judge: str
    prompt: str
    kappa: float
    items: int | None = None
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is no kappa; raises UsageError."""
        check_kappa("kappa", self.kappa)

    @property
    def of(self) -> tuple[str, str]:
        """The judge and the prompt that it is about."""
        return self.judge, self.prompt

    @property
    def says_nothing(self) -> bool:
        """Whether so few items have a label that any kappa may be chance."""
        return self.items is not None and self.items < LEAST_LABELLED

    @property
    def says_little(self) -> bool:
        """Whether the interval of the kappa spans most of what it could be."""
        return self.items is not None and self.items < FEW_LABELLED


class Calibrates(Protocol):
    """Anything that says how far judges agree with people, as a report of `calibrate` does."""

    @property
    def calibrations(self) -> Sequence[Calibration]:
        """One for each judge and prompt."""


Calibrations: TypeAlias = Calibrates | Iterable[Calibration | Calibrates]
"""What a comparison may be given."""


class Doubt(NamedTuple):
    """Why a judged measure may not fail anything: in few words, and in a sentence."""

    short: str
    why: str


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
    def of(cls, calibrations: Calibrations, min_kappa: float) -> Trust:
        """Sort the calibrations, each once; raises UsageError for what is none, or no kappa."""
        given = {each for one in _given(calibrations) for each in _calibrations_in(one)}
        ordered = sorted(given, key=_place)
        return cls(tuple(ordered), check_kappa("min_kappa", min_kappa))

    def doubt(self, signature: Signature) -> Doubt | None:
        """Say why a column may not fail a comparison; None where it may.

        A column without a judge in its signature was not judged. Of several calibrations of the
        same judge and prompt the lowest counts; those of too few items do not.

        >>> print(Trust().doubt(Signature.of(judge="m", prompt="ab12")).why)
        no calibration says how far m with prompt ab12 agrees with people
        >>> Trust((Calibration("m", "ab12", 0.71),)).doubt(Signature.of(judge="m", prompt="ab12"))
        """
        if JUDGE not in signature:
            return None
        who, held = _who(signature), self.held(signature)
        if held is None:
            return self._without(who)
        if held.says_nothing:
            few = count(held.items or 0, "labelled item")
            return Doubt(
                few,
                f"{who} was held against people on {few} only, "
                f"at least {LEAST_LABELLED} are needed, better 100",
            )
        if held.kappa >= self.min_kappa:
            return None
        kappa, least = plain(held.kappa), plain(self.min_kappa)
        return Doubt(
            f"kappa {kappa}, at least {least} needed",
            f"{who} agrees with people to a kappa of {kappa}, at least {least} is needed",
        )

    def held(self, signature: Signature) -> Calibration | None:
        """Return the calibration that counts for a judged column; None where there is none."""
        judged_by = _judged_by(signature)
        found = [each for each in self.calibrations if each.of == judged_by]
        return min(found, key=lambda each: (each.says_nothing, each.kappa), default=None)

    def _without(self, who: str) -> Doubt:
        why = f"no calibration says how far {who} agrees with people"
        if not self.calibrations:
            return Doubt("no calibration", why)
        return Doubt("no calibration fits", f"{why}; there is one of {_about(self.calibrations)}")

    def doubts(self, side: Side) -> dict[Measure, Doubt]:
        """Return the measures of one side that are advisory, and why."""
        found = {each: self.doubt(side.scores.signature_of(str(each))) for each in side.columns}
        return {measure: doubt for measure, doubt in found.items() if doubt}


def misfit(calibrations: Iterable[Calibration], *scores: Scores) -> str:
    """Say that calibrations are about none of the judges of Scores; nothing where one is.

    Of a column that several have, the first decides, as the baseline does.

    >>> from ragstone.model import Cell, ScoresBuilder
    >>> builder = ScoresBuilder(["RR"])
    >>> builder.add("q1", [Cell(1.0)])
    >>> misfit([Calibration("m", "ab12", 0.71)], builder.build())
    'about m with prompt ab12, and no measure is by a judge'
    """
    given, found = list(calibrations), dict[str, Signature]()
    for each in reversed(scores):
        found |= {name: each.signature_of(name) for name in each.columns}
    judged = [signature for signature in found.values() if JUDGE in signature]
    if not given or {each.of for each in given} & set(map(_judged_by, judged)):
        return ""
    judges = listed(sorted(set(map(_who, judged))))
    by = f"the judged measures are by {judges}" if judges else "no measure is by a judge"
    return f"about {_about(given)}, and {by}"


def doubts(old: Side, new: Side, trust: Trust) -> dict[Measure, Doubt]:
    """Return the measures that are advisory, and why.

    The baseline's judge decides where there is one: a candidate that was judged by another cannot
    take the right to fail away from a measure that had it.
    """
    there = {m: doubt for m, doubt in trust.doubts(new).items() if m not in old.columns}
    return trust.doubts(old) | there


def advisory_reasons(advisory: Mapping[Measure, Doubt]) -> list[Reason]:
    """Say of advisory measures that they are, those of one judge together."""
    alike = defaultdict[str, list[str]](list)
    for measure, doubt in advisory.items():
        alike[doubt.why].append(str(measure))
    return [
        Reason(
            "advisory",
            "note",
            f"{listed(names)}: advisory, shown but unable to fail this comparison: {why}",
            tuple(names),
        )
        for why, names in alike.items()
    ]


def few_labels_reasons(old: Side, trust: Trust, advisory: Collection[Measure]) -> list[Reason]:
    """Say of measures that may fail by a calibration of few items how little that says."""
    alike = defaultdict[str, list[str]](list)
    for measure in old.columns:
        signature = old.scores.signature_of(str(measure))
        held = trust.held(signature) if JUDGE in signature else None
        if held and held.says_little and measure not in advisory:
            alike[_little(_who(signature), held)].append(str(measure))
    return [
        Reason("few_labels", "note", f"{listed(names)}: {said}", tuple(names))
        for said, names in alike.items()
    ]


def _little(who: str, held: Calibration) -> str:
    known = held.low is not None and held.high is not None
    within = f"interval {plain(held.low or 0)} to {plain(held.high or 0)}" if known else ""
    return (
        f"{who} was held against people on {count(held.items or 0, 'labelled item')} only: kappa "
        f"{plain(held.kappa)}, {within or 'without an interval'}; have at least {FEW_LABELLED}, "
        "better 100"
    )


def _who(signature: Signature) -> str:
    return _named(*_judged_by(signature))


def _about(calibrations: Iterable[Calibration]) -> str:
    return listed(sorted({_named(*each.of) for each in calibrations}))


def _judged_by(signature: Signature) -> tuple[str, str]:
    return str(signature[JUDGE]), str(signature.get(PROMPT, ""))


def _named(judge: str, prompt: str) -> str:
    return f"{judge} with prompt {prompt[:_LONGEST]}" if prompt else judge


def _given(calibrations: object) -> Iterable[object]:
    is_one = isinstance(calibrations, str) or hasattr(calibrations, "calibrations")
    return calibrations if isinstance(calibrations, Iterable) and not is_one else [calibrations]


def _calibrations_in(given: object) -> Sequence[Calibration]:
    """Return what one thing says; raises UsageError where it is neither of the two."""
    found: Sequence[Calibration] | None = getattr(given, "calibrations", None)
    if isinstance(given, Calibration):
        return [given]
    if found is None:
        path = repr(str(given)) if isinstance(given, str | Path) else '"calibration.json"'
        raise UsageError(
            f"calibrations has {given!r:.80}; a Calibration or the report of `ragstone calibrate` "
            f"was expected, as read_report({path}) returns it"
        )
    return found


def _place(each: Calibration) -> tuple[str, str, float, int, float, float]:
    return each.judge, each.prompt, each.kappa, each.items or 0, each.low or 0, each.high or 0
