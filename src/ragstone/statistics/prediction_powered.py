"""The prediction-powered mean: few labels of people correct many of a judge.

Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), "Prediction-powered inference", Science
382: with n items that have a label Y and a prediction f, and N others that have f alone,

    mean = mean_N(f) + mean_n(Y - f),    variance = var_N(f) / N + var_n(Y - f) / n.

Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient prediction-powered inference", give f a
factor, so that predictions which say little widen nothing:

    mean = mean_n(Y) + factor (mean_N(f) - mean_n(f)),
    variance = var_n(Y - factor f) / n + factor^2 var_N(f) / N,
    factor = cov_n(Y, f) / ((1 + n / N) var_(n + N)(f)), cut to 0 to 1.

The factor 1 is the first formula; 0 uses the labels alone. A factor that is fitted to the labels
whose mean it corrects makes the interval too narrow, so each label has the factor that the others
give (leave one out, a form of cross-fitting): with z = Y - factor (f - mean_N(f)),

    mean = mean_n(z),    variance = var_n(z) / n + factor^2 var_N(f) / N,

and `factor` in the second term is the mean of all. The interval is that of Student's t with n - 1
degrees of freedom, where the papers have the normal one. Simulated with a judge that errs in 10 to
40 of 100 cases, it holds the true mean in 94 to 95 of 100 cases from 10 labels on; with the factor
of all labels that falls to 92. Pure `math`: no NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.statistics.distributions import t_ppf
from ragstone.statistics.moments import finite
from ragstone.statistics.ttest import Interval


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """The mean that people would give to all items, with its interval.

    factor: how much weight the predictions have, 0 to 1. labels_only: the interval of the mean of
    the labels without any prediction, to see what these are worth.
    """

    mean: float
    standard_error: float
    interval: Interval
    factor: float
    labels: int
    others: int
    labels_only: Interval


def prediction_powered_mean(
    labels: Sequence[float],
    predicted: Sequence[float],
    others: Sequence[float],
    *,
    factor: float | None = None,
    confidence: float = 0.95,
) -> PredictionPowered | None:
    """Estimate the mean label of all items, of which few have one.

    labels, predicted: of the items with labels, in the same order. others: predictions of the
    items without. factor: by default what the other labels give, 1 for the first paper's formula.
    The labelled items have to be a random sample of all. None below two labels. ValueError for what
    is not finite, sides of unequal length, and a confidence that is not between 0 and 1.

    >>> judged = [1.0, 1.0, 1.0, 0.0, 1.0, 0.0]
    >>> people = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    >>> found = prediction_powered_mean(people, judged, [1.0] * 60 + [0.0] * 40, factor=1.0)
    >>> round(found.mean, 4), found.labels, found.others
    (0.4333, 6, 100)
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence!r}")
    y, f, more = finite(labels), finite(predicted), finite(others)
    if len(y) != len(f):
        raise ValueError(f"a prediction a label is needed, not {len(f)} for {len(y)}")
    if len(y) < 2:
        return None
    n = len(y)
    factors = _factors(y, f, more) if factor is None else [factor if more else 0.0] * n
    centre, used = _mean(more) if more else 0.0, _mean(factors)
    corrected = [a - lean * (b - centre) for a, b, lean in zip(y, f, factors, strict=True)]
    variance = _variance(corrected) / n
    if len(more) > 1:
        variance += used * used * _variance(more) / len(more)
    reach = -t_ppf(0.5 * (1.0 - confidence), n - 1)
    mean, error, alone = _mean(corrected), math.sqrt(variance), math.sqrt(_variance(y) / n)
    return PredictionPowered(
        mean,
        error,
        Interval(mean - reach * error, mean + reach * error),
        used,
        n,
        len(more),
        Interval(_mean(y) - reach * alone, _mean(y) + reach * alone),
    )


def least_variance_factor(covariance: float, spread: float, labels: int, others: int) -> float:
    """Return the factor of PPI++: covariance / ((1 + labels / others) spread), cut to 0 to 1.

    covariance: of label and prediction over the labelled items, divided by their number. spread:
    the variance of all predictions.

    >>> least_variance_factor(0.12, 0.16, 20, 60)
    0.5625
    """
    if not spread:
        return 0.0
    return max(0.0, min(1.0, covariance / ((1.0 + labels / others) * spread)))


def _factors(y: list[float], f: list[float], more: list[float]) -> list[float]:
    """Return for each label the factor that the other labels give."""
    if not more:
        return [0.0] * len(y)
    n, spread = len(y), _variance([*f, *more])
    centre_y, centre_f = _mean(y), _mean(f)
    products = [(a - centre_y) * (b - centre_f) for a, b in zip(y, f, strict=True)]
    total, share = math.fsum(products), n / (n - 1)
    return [
        least_variance_factor((total - share * own) / (n - 1), spread, n - 1, len(more))
        for own in products
    ]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    if min(values) == max(values):
        return 0.0
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
