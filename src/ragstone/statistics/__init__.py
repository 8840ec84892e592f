"""Tests, intervals, effects and power for two systems on the same queries; agreement of raters.

Pure functions over columns: differences d = candidate - baseline, one a query; or two answers to
the same question, one a label.

Layer: statistics | measures | formats | text | http | store. May import model,
registry, progress and errors; needs none of them.
"""

from ragstone.statistics.agreement import (
    WEIGHTS,
    Confusion,
    ac1_standard_error,
    balanced_accuracy,
    cohen_kappa,
    gwet_ac1,
    kappa_standard_error,
    observed_agreement,
    recalls,
)
from ragstone.statistics.bootstrap import (
    BootstrapTest,
    QuantileColumn,
    bootstrap_quantile,
    bootstrap_quantiles,
)
from ragstone.statistics.correlation import pearson, ranks, spearman
from ragstone.statistics.distributions import (
    noncentral_t_cdf,
    noncentral_t_sf,
    t_cdf,
    t_ppf,
    t_sf,
)
from ragstone.statistics.effect import Effect, effect
from ragstone.statistics.mcnemar import mcnemar_test
from ragstone.statistics.moments import ROUNDING, Differences, Moments, moments
from ragstone.statistics.permutation import (
    PermutationTest,
    permutation_test,
    permutation_tests,
    smallest_p,
)
from ragstone.statistics.power import detectable_effect, smallest_detectable_drop
from ragstone.statistics.prediction_powered import PredictionPowered, prediction_powered_mean
from ragstone.statistics.resampling import Draws, agreement_intervals, correlation_intervals
from ragstone.statistics.ttest import Interval, TTest, mean_interval, paired_t_test

__all__ = [
    "ROUNDING",
    "WEIGHTS",
    "BootstrapTest",
    "Confusion",
    "Differences",
    "Draws",
    "Effect",
    "Interval",
    "Moments",
    "PermutationTest",
    "PredictionPowered",
    "QuantileColumn",
    "TTest",
    "ac1_standard_error",
    "agreement_intervals",
    "balanced_accuracy",
    "bootstrap_quantile",
    "bootstrap_quantiles",
    "cohen_kappa",
    "correlation_intervals",
    "detectable_effect",
    "effect",
    "gwet_ac1",
    "kappa_standard_error",
    "mcnemar_test",
    "mean_interval",
    "moments",
    "noncentral_t_cdf",
    "noncentral_t_sf",
    "observed_agreement",
    "paired_t_test",
    "pearson",
    "permutation_test",
    "permutation_tests",
    "prediction_powered_mean",
    "ranks",
    "recalls",
    "smallest_detectable_drop",
    "smallest_p",
    "spearman",
    "t_cdf",
    "t_ppf",
    "t_sf",
]
