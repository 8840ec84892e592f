from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.statistics import Effect, effect, permutation_test


def test_d_z_is_mean_over_sd() -> None:
    differences = np.random.default_rng(3).normal(-0.02, 0.2, 100)
    found = effect(differences)
    assert found.d_z == pytest.approx(
        differences.mean() / differences.std(ddof=1), rel=1e-12, abs=0
    )


def test_counts() -> None:
    differences = [-0.5, -2e-12, -1e-12, 0.0, 1e-12, 2e-12, 0.25, 1.0]
    found = effect(differences)
    assert (found.worse, found.better, found.unchanged) == (2, 3, 3)
    assert found.changed == 5


def test_lower_is_better() -> None:
    found = effect([-1.0, -3.0, 1.0], higher_is_better=False)
    assert (found.worse, found.better) == (1, 2)
    assert found.d_z == pytest.approx(-0.5)


@pytest.mark.parametrize(
    "differences", [[], [0.5], [0.0, 0.0], [-0.25] * 4, [0.9 - 0.8, 0.8 - 0.7]]
)
def test_no_effect_size_without_variance(differences: list[float]) -> None:
    assert effect(differences).d_z is None


def test_no_query() -> None:
    assert effect([]) == Effect(None, 0, 0, 0)


@given(st.lists(st.floats(-1, 1), max_size=30))
def test_changed_means_the_same_as_in_the_permutation_test(differences: list[float]) -> None:
    assert effect(differences).changed == permutation_test(differences, 10).changed
