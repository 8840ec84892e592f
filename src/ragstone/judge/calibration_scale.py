"""How labels and values become categories of one scale, or stay numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragstone.errors import InputError, UsageError, did_you_mean, nearest
from ragstone.formats.labels import Label, Labels
from ragstone.judge.calibration_result import ScaleKind
from ragstone.judge.tasks import SCALES

PREFERENCES = {"first": -1.0, "tie": 0.0, "second": 1.0}
CUTS = ("threshold", "label threshold", "scale")  # what Given has first
MOST_CATEGORIES = 8
SAME = 1e-6
TIE = 1e-9


class Given(NamedTuple):
    """What the user says of a measure's scale; None where nothing was said."""

    threshold: float | None = None
    label_threshold: float | None = None
    words: Mapping[str, float] | None = None
    tie: float = TIE


class Scale(NamedTuple):
    """Categories in order, or none where labels and values are compared as numbers.

    points: what stands for each category. threshold, label_threshold: from where on value and
    label mean yes.
    """

    kind: ScaleKind
    names: tuple[str, ...] = ()
    points: tuple[float, ...] = ()
    threshold: float | None = None
    label_threshold: float | None = None
    tie: float = TIE

    def of_value(self, value: float) -> int:
        """Return the category of a value, or of the difference of two."""
        if self.kind == "preference":
            return self._nearest(0.0 if abs(value) <= self.tie else _sign(value))
        return int(value >= self.threshold) if self.threshold is not None else self._nearest(value)

    def of_label(self, number: float) -> int:
        """Return the category of a label, which is a number by now."""
        if self.kind == "preference":
            return self._nearest(_sign(number))
        cut = self.label_threshold
        return int(number >= cut) if cut is not None else self._nearest(number)

    def _nearest(self, number: float) -> int:
        """Return the nearest point, of two equally near ones the lower."""
        place = bisect_left(self.points, number)
        around = [p for p in (place - 1, place) if 0 <= p < len(self.points)]
        return min(around, key=lambda p: (round(abs(self.points[p] - number), 9), p))


def words_of(measure: str, given: Given, *, preference: bool) -> Mapping[str, float]:
    """Return the words that a label may be, with their numbers."""
    if preference:
        return PREFERENCES
    return given.words if given.words is not None else SCALES.get(measure, {})


def number_of(label: Label, words: Mapping[str, float], measure: str, labels: Labels) -> float:
    """Return a label as a number; raises FormatError for a word that the scale does not have."""
    value, text = label.value, label.text
    if text in words:
        return words[text]
    if label.second and isinstance(value, bool):
        raise labels.error(
            f"the label of {label.item!r} is {text}, and {measure} is compared between two "
            f"answers: {', '.join(words)}, or a number (above 0 where the second is better) was "
            "expected; labels of single answers have an id, and go with one report (no --second)",
            label.line,
        )
    if not isinstance(value, str):
        return float(value)
    known = ", ".join(words) or "none"
    hint = did_you_mean(nearest(text, words))
    advice = "" if label.second else f"; give its words with --scale {measure}=WORD:NUMBER,..."
    raise labels.error(
        f"the label {text!r} is no number, and no word of the scale of {measure} (words: {known})"
        + (f"; {hint}" if hint else advice),
        label.line,
    )


def scale_of(
    measure: str,
    given: Given,
    raw: Sequence[Label],
    numbers: Sequence[float],
    values: Sequence[float],
) -> Scale:
    """Find the scale on which labels (numbers by now) and values of a measure can be compared.

    Raises UsageError for thresholds that do not go together.
    """
    if raw[0].second:
        return _preference(measure, given, numbers, values)
    if given.threshold is not None or given.label_threshold is not None:
        return _cut(measure, given, numbers, values)
    named = any(isinstance(label.value, str) for label in raw)
    if given.words is not None or (named and measure in SCALES):
        words = given.words if given.words is not None else SCALES[measure]
        return _worded(words)
    if {*numbers, *values} <= {0.0, 1.0}:
        return Scale("binary", ("no", "yes"), (0.0, 1.0))
    mine, theirs = set(numbers), set(values)
    points = tuple(sorted(mine | theirs))
    several = len(mine) > 1 and not mine <= {0.0, 1.0}  # yes and no are no grades of a scale
    if several and len(points) <= MOST_CATEGORIES and (mine <= theirs or theirs <= mine):
        kind: ScaleKind = "binary" if len(points) == 2 else "ordinal"
        return Scale(kind, tuple(f"{point:.6g}" for point in points), points)
    return Scale("continuous")


def _preference(
    measure: str, given: Given, numbers: Sequence[float], values: Sequence[float]
) -> Scale:
    for name, each in zip(CUTS, given, strict=False):
        if each is not None:
            raise UsageError(
                f"a {name} does nothing for {measure}, whose labels are preferences between two "
                "answers; leave it out, or name the measure that it is for"
            )
    whole = Scale("preference", tuple(PREFERENCES), tuple(PREFERENCES.values()), tie=given.tie)
    used = {whole.of_label(number) for number in numbers} | {whole.of_value(v) for v in values}
    if 1 in used:
        return whole
    return whole._replace(names=("first", "second"), points=(-1.0, 1.0))


def _cut(measure: str, given: Given, numbers: Sequence[float], values: Sequence[float]) -> Scale:
    label_cut, cut = given.label_threshold, given.threshold
    if label_cut is None:
        if not set(numbers) <= {0.0, 1.0}:
            raise UsageError(
                f"--threshold of {measure}: its labels are neither true nor false but numbers up "
                f"to {max(numbers):g}; say from which one people mean yes with "
                f"--label-threshold {measure}=..."
            )
        label_cut = 0.5
    if cut is None:
        if not set(values) <= {0.0, 1.0}:
            raise UsageError(
                f"--label-threshold of {measure}: its values are not 0 or 1; say from which one "
                f"the measure means yes with --threshold {measure}=..."
            )
        cut = 0.5
    return Scale("binary", ("no", "yes"), (0.0, 1.0), cut, label_cut)


def _worded(words: Mapping[str, float]) -> Scale:
    by_point: dict[float, list[str]] = {}
    for word, point in words.items():
        by_point.setdefault(point, []).append(word)
    points = tuple(sorted(by_point))
    names = tuple("/".join(by_point[point]) for point in points)
    return Scale("binary" if len(points) == 2 else "ordinal", names, points)


def parse_scale(text: str) -> dict[str, float]:
    """Read `none:0,partly:1/3,full:1`: words of people with the number that each stands for.

    >>> parse_scale("no:0,half:1/2,yes:1")
    {'no': 0.0, 'half': 0.5, 'yes': 1.0}
    """
    words: dict[str, float] = {}
    for part in text.split(","):
        word, colon, number = (each.strip() for each in part.rpartition(":"))
        if not colon or not word or word in words:
            raise UsageError(f"{part.strip()!r} is not a word and its number, once, as in full:1")
        words[word] = _fraction(number)
    if len(set(words.values())) < 2:
        raise UsageError(f"{text!r}: a scale has two numbers at least, as in no:0,yes:1")
    return words


def _fraction(text: str) -> float:
    above, slash, below = text.partition("/")
    try:
        number = float(above) / (float(below) if slash else 1.0)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{text!r} is not a number, as in 0.5 or 1/3") from None
    if not abs(number) < 1e15:
        raise UsageError(f"{text!r} is not a number of a scale")
    return number


def _sign(number: float) -> float:
    return float((number > 0) - (number < 0))


def checked_level(name: str, value: float, low: float, high: float) -> float:
    """Return a number between two bounds, not on them; raises InputError."""
    if not low < value < high:
        raise InputError(f"{name} is {value!r}; a number between {low:g} and {high:g} was expected")
    return value
