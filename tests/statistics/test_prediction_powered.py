"""The prediction-powered mean: by hand, against ppi-python 0.2.3, and its coverage."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.statistics import mean_interval, prediction_powered_mean
from ragstone.statistics.prediction_powered import least_variance_factor

LABELS = [1.0, 0, 1, 1, 0, 1, 0, 0, 1, 1]
PREDICTED = [0.9, 0.2, 0.7, 0.8, 0.4, 0.6, 0.1, 0.5, 0.9, 0.3]
OTHERS = [0.8, 0.6, 0.9, 0.2, 0.1, 0.7, 0.95, 0.3, 0.55, 0.65]
OTHERS += [0.4, 0.85, 0.75, 0.15, 0.5, 0.6, 0.7, 0.9, 0.05, 0.35]
SMALL = st.floats(0, 1).map(lambda x: round(x, 3))


def test_agrees_with_ppi_python() -> None:
    """ppi_mean_pointestimate and _calc_lam_glm of ppi-python 0.2.3 on the same numbers.

    Its interval, 0.36177228 to 0.85822772 for the factor 1, is normal and has variances over n and
    N; ours is Student's t with variances over n - 1 and N - 1. The same parts give both.
    """
    plain = prediction_powered_mean(LABELS, PREDICTED, OTHERS, factor=1.0)
    theirs = 0.819546658816603
    tuned = prediction_powered_mean(LABELS, PREDICTED, OTHERS, factor=theirs)
    assert plain is not None
    assert tuned is not None
    assert plain.mean == pytest.approx(0.61)
    assert tuned.mean == pytest.approx(0.60819547, abs=1e-8)
    covariance = float(np.cov(LABELS, PREDICTED, ddof=0)[0, 1])
    spread = float(np.var([*PREDICTED, *OTHERS], ddof=1))
    assert least_variance_factor(covariance, spread, 10, 20) == pytest.approx(theirs)
    rest = np.array(LABELS) - np.array(PREDICTED)
    error = math.sqrt(rest.var() / 10 + np.var(OTHERS) / 20)
    assert 0.61 + 1.959963984540054 * error == pytest.approx(0.85822772, abs=1e-8)
    ours = math.sqrt(rest.var(ddof=1) / 10 + np.var(OTHERS, ddof=1) / 20)
    assert plain.standard_error == pytest.approx(ours)
    reach = 2.2621571627409915 * ours  # scipy.stats.t.ppf(0.975, 9)
    assert (plain.interval.low, plain.interval.high) == pytest.approx((0.61 - reach, 0.61 + reach))


def test_each_label_has_the_factor_of_the_others() -> None:
    """Brute force: the factor without a label, from the labels that are left."""
    found = prediction_powered_mean(LABELS, PREDICTED, OTHERS)
    assert found is not None
    spread = float(np.var([*PREDICTED, *OTHERS], ddof=1))
    corrected, factors = [], []
    for place, (label, predicted) in enumerate(zip(LABELS, PREDICTED, strict=True)):
        y, f = (np.delete(column, place) for column in (LABELS, PREDICTED))
        factors.append(least_variance_factor(float(np.cov(y, f, ddof=0)[0, 1]), spread, 9, 20))
        corrected.append(label - factors[-1] * (predicted - np.mean(OTHERS)))
    assert found.factor == pytest.approx(np.mean(factors))
    assert found.mean == pytest.approx(np.mean(corrected))
    variance = np.var(corrected, ddof=1) / 10 + found.factor**2 * np.var(OTHERS, ddof=1) / 20
    assert found.standard_error == pytest.approx(math.sqrt(float(variance)))


def test_by_hand() -> None:
    """Mean 0.6 of all predictions; 4 labels, of which one is below its prediction by 1."""
    found = prediction_powered_mean([1, 0, 0, 1], [1, 0, 1, 1], [1, 0, 1, 0, 1], factor=1.0)
    assert found is not None
    assert found.mean == pytest.approx(0.6 - 0.25)
    # var of (0, 0, -1, 0) over 3 is 0.25; var of the others over 4 is 0.3
    assert found.standard_error == pytest.approx(math.sqrt(0.25 / 4 + 0.3 / 5))


@given(st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=20), st.lists(SMALL, max_size=30))
def test_what_always_holds(pairs: list[tuple[float, float]], others: list[float]) -> None:
    labels, predicted = [a for a, _ in pairs], [b for _, b in pairs]
    found = prediction_powered_mean(labels, predicted, others)
    assert found is not None
    assert 0 <= found.factor <= 1
    assert found.interval.low <= found.mean <= found.interval.high
    alone = mean_interval(labels)
    if alone is not None:
        assert (found.labels_only.low, found.labels_only.high) == pytest.approx(
            (alone.low, alone.high)
        )
    if not others:
        assert found.mean == pytest.approx(sum(labels) / len(labels))
        assert found.interval == found.labels_only


@given(st.lists(SMALL, min_size=2, max_size=20), st.lists(SMALL, min_size=1, max_size=30))
def test_a_judge_that_is_always_right_needs_no_correction(
    labels: list[float], others: list[float]
) -> None:
    found = prediction_powered_mean(labels, labels, others, factor=1.0)
    assert found is not None
    assert found.mean == pytest.approx(sum(others) / len(others))


def test_the_edges() -> None:
    assert prediction_powered_mean([1.0], [1.0], [1.0, 0.0]) is None
    constant = prediction_powered_mean([1.0, 0.0], [0.5, 0.5], [0.5, 0.5])
    assert constant is not None
    assert (constant.factor, constant.mean) == (0.0, 0.5)
    with pytest.raises(ValueError, match="a prediction a label is needed, not 1 for 2"):
        prediction_powered_mean([1.0, 0.0], [1.0], [])
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        prediction_powered_mean([1.0, 0.0], [1.0, 0.0], [], confidence=1.0)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "bias", "wrong"), [(20, 0.1, 0.15), (50, 0.2, 0.1), (100, 0.0, 0.4)])
def test_the_interval_holds_the_true_mean(n: int, bias: float, wrong: float) -> None:
    """1,500 draws: a judge that says yes too often still has 95% intervals, and narrower ones."""
    random = Random(n)
    held = widths = alone = 0.0
    runs, others = 1_500, 500
    for _ in range(runs):
        truth = [float(random.random() < 0.7) for _ in range(n + others)]
        judged = [
            1.0 if random.random() < bias else (1.0 - y if random.random() < wrong else y)
            for y in truth
        ]
        found = prediction_powered_mean(truth[:n], judged[:n], judged[n:])
        assert found is not None
        held += found.interval.low <= 0.7 <= found.interval.high
        widths += found.interval.high - found.interval.low
        alone += found.labels_only.high - found.labels_only.low
    assert 0.93 <= held / runs <= 0.97, held / runs
    assert widths < (0.9 if wrong < 0.4 else 1.01) * alone
