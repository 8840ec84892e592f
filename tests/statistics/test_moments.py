from __future__ import annotations

import math
from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.statistics import Moments, moments
from ragstone.statistics.moments import finite

values = st.lists(st.floats(-1, 1), min_size=2, max_size=40)


@given(values)
def test_agrees_with_numpy(differences: list[float]) -> None:
    found = moments(differences)
    assert found.mean == pytest.approx(np.mean(differences), rel=1e-9, abs=1e-12)
    assert found.sd == pytest.approx(np.std(differences, ddof=1), rel=1e-9, abs=1.1e-12)


@given(values, st.randoms())
def test_order_does_not_change_a_digit(differences: list[float], random: object) -> None:
    expected = moments(differences)
    assert moments(differences[::-1]) == expected
    assert moments(sorted(differences)) == expected


def test_any_column_of_floats_will_do() -> None:
    numbers = [0.5, -0.25, 0.125]
    expected = moments(numbers)
    assert moments(tuple(numbers)) == moments(array("d", numbers)) == expected
    assert moments(np.array(numbers)) == expected
    assert moments([1, 0]) == moments([1.0, 0.0])


def test_too_few_queries() -> None:
    assert moments([]) == Moments(0, None, None)
    assert moments([0.5]) == Moments(1, 0.5, None)
    assert moments([0.5]).standard_error is None


def test_standard_error() -> None:
    assert moments([1.0, 2.0, 3.0, 4.0]).standard_error == pytest.approx(
        np.std([1, 2, 3, 4], ddof=1) / 2
    )


CONSTANT = [
    [0.9 - 0.8, 0.8 - 0.7, 0.7 - 0.6, 0.3 - 0.2],
    [1234.1 - 1234.0, 999.1 - 999.0],
    [1e6 + 0.1, 1e6 + 0.1 + 1e-9],
]


@pytest.mark.parametrize("differences", CONSTANT)
def test_rounding_noise_is_no_variance(differences: list[float]) -> None:
    assert len(set(differences)) > 1
    assert moments(differences).sd == 0.0
    assert moments([-value for value in differences]).sd == 0.0


def test_a_small_true_variance_stays() -> None:
    assert moments([0.1, 0.1 + 1e-9]).sd == pytest.approx(1e-9 / math.sqrt(2), rel=1e-6, abs=0)


def test_noise_around_zero_is_zero() -> None:
    assert moments([1e-17, -3e-16, 0.0]) == Moments(3, 0.0, 0.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 2e150, -2e150])
def test_a_difference_that_is_no_number_is_an_error(bad: float) -> None:
    with pytest.raises(ValueError, match=r"difference 2 is not finite, or beyond 1e\+150"):
        finite([0.0, 1.0, bad, 0.5])
