"""How far a measure agrees with people: what `calibrate` returns and its report holds."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

ScaleKind: TypeAlias = Literal["binary", "ordinal", "preference", "continuous"]


class Estimate(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A statistic with its interval, from a bootstrap over items.

    value: null where it is not defined. low, high: null where too few resamples defined one, or
    all gave the same.
    standard_error: the analytic one, where each item has one label.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    standard_error: float | UnsetType = UNSET


class ConfusionCounts(Struct, frozen=True, kw_only=True):
    """How often people said one category (rows) and the measure another (columns)."""

    categories: list[str]
    counts: list[list[int]]


class Categorical(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Agreement over categories; one label is one count.

    recalls: of each category that people gave, how often the measure agreed, null where they never
    gave it. kappa_linear, kappa_quadratic: weighted, where the categories have an order.
    """

    confusion: ConfusionCounts
    exact: float
    kappa: Estimate
    kappa_linear: Estimate | UnsetType = UNSET
    kappa_quadratic: Estimate | UnsetType = UNSET
    ac1: Estimate
    balanced_accuracy: Estimate
    recalls: list[float | None]

    def weighted(self, weights: str) -> Estimate:
        """Return the kappa of `none`, `linear` or `quadratic` weights; without an order of none."""
        by_weights = {"linear": self.kappa_linear, "quadratic": self.kappa_quadratic}
        found = by_weights.get(weights, UNSET)
        return self.kappa if found is UNSET else found


class WithAnnotator(Struct, frozen=True, kw_only=True):
    """How far the measure agrees with one annotator."""

    annotator: str
    labels: int
    kappa: float | None
    pearson: float | None
    spearman: float | None


class AmongPeople(Struct, frozen=True, kw_only=True):
    """How far people agree with each other, each pair weighted by the items it shares.

    No measure can be expected to agree with people better than they do with each other.
    """

    pairs: int
    items: int
    exact: float | None
    kappa: float | None
    pearson: float | None
    spearman: float | None


class SliceBias(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Some of the items, and how the measure leans there.

    people, measure: mean over the items. bias: measure - people, with a t interval from five items
    on. own: these are answers of the judge's own model family.
    """

    by: str
    name: str
    items: int
    labels: int
    people: float | None
    measure: float | None
    bias: float | None
    low: float | None
    high: float | None
    kappa: float | None
    pearson: float | None
    own: bool = False


class LengthEffect(Struct, frozen=True, kw_only=True):
    """How values and labels go with the length of the answer (Pearson)."""

    items: int
    measure: float | None
    people: float | None


class PoweredMean(Struct, frozen=True, kw_only=True):
    """The mean label of all items, of which few have one (prediction-powered).

    measured: the mean of the measure over all items, uncorrected. labels_mean with its interval:
    that of the labelled items alone. factor: the weight of the measure, from 0 to 1.
    """

    mean: float
    low: float
    high: float
    measured: float
    labels_mean: float
    labels_low: float
    labels_high: float
    factor: float
    labelled: int
    others: int


class Disagreement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A label and a value that lie far apart."""

    item: str
    second: str | UnsetType = UNSET
    annotator: str
    label: str
    value: float
    verdict: str | UnsetType = UNSET


class MeasureCalibration(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far one measure agrees with people.

    judge, prompt: what the column's signature says; absent where no judge measured. signature: all
    of it. labels: those that were used, of so many items. not_in_report, without_value: labels of
    items that the report does not have, or has no value for. threshold: from which value on the
    measure says yes; label_threshold: from which label on people do. tie: how little two values
    may differ to be called equal.
    """

    measure: str
    judge: str | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    signature: dict[str, str | int | float]
    scale: ScaleKind
    threshold: float | UnsetType = UNSET
    label_threshold: float | UnsetType = UNSET
    tie: float | UnsetType = UNSET
    labels: int
    items: int
    annotators: int
    not_in_report: int = 0
    without_value: int = 0
    categorical: Categorical | UnsetType = UNSET
    pearson: Estimate
    spearman: Estimate
    with_annotators: list[WithAnnotator] = field(default_factory=list)
    among_people: AmongPeople | UnsetType = UNSET
    powered: PoweredMean | UnsetType = UNSET
    length: LengthEffect | UnsetType = UNSET
    slices: list[SliceBias] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    disagree: int = 0


class Calibrated(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far measures agree with people, and how that was computed.

    weights: of the kappa that counts: `none`, or for scales in order `linear` or `quadratic`.
    min_kappa: what it has to reach, where that was asked.
    """

    measures: list[MeasureCalibration]
    weights: str
    confidence: float
    resamples: int
    seed: int
    min_kappa: float | UnsetType = UNSET
    labels_missing: int = 0
    warnings: list[str] = field(default_factory=list)

    def __getitem__(self, measure: str) -> MeasureCalibration:
        """Return one measure's; KeyError where there is none."""
        for each in self.measures:
            if each.measure == str(measure):
                return each
        raise KeyError(measure)

    def kappa(self, measure: MeasureCalibration) -> float | None:
        """Return the kappa that counts; None where the measure has no categories or it no value."""
        if measure.categorical is UNSET:
            return None
        return measure.categorical.weighted(self.weights).value
