"""Tests, intervals, effect sizes and power for two systems on the same queries.

Pure functions over columns of differences d = candidate - baseline, one a query.

Layer: statistics | measures | formats | text | http | store. May import model,
registry, progress and errors; needs none of them.
"""

from ragstone.statistics.distributions import (
    noncentral_t_cdf,
    noncentral_t_sf,
    t_cdf,
    t_ppf,
    t_sf,
)
from ragstone.statistics.effect import Effect, effect
from ragstone.statistics.moments import ROUNDING, Differences, Moments, moments
from ragstone.statistics.permutation import (
    PermutationTest,
    permutation_test,
    permutation_tests,
    smallest_p,
)
from ragstone.statistics.power import detectable_effect, smallest_detectable_drop
from ragstone.statistics.ttest import Interval, TTest, mean_interval, paired_t_test

__all__ = [
    "ROUNDING",
    "Differences",
    "Effect",
    "Interval",
    "Moments",
    "PermutationTest",
    "TTest",
    "detectable_effect",
    "effect",
    "mean_interval",
    "moments",
    "noncentral_t_cdf",
    "noncentral_t_sf",
    "paired_t_test",
    "permutation_test",
    "permutation_tests",
    "smallest_detectable_drop",
    "smallest_p",
    "t_cdf",
    "t_ppf",
    "t_sf",
]
