from __future__ import annotations

import subprocess
import sys

import ragstone.statistics

PUBLIC = [
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


def test_the_public_names() -> None:
    assert ragstone.statistics.__all__ == PUBLIC
    assert all(hasattr(ragstone.statistics, name) for name in PUBLIC)


def test_scipy_and_statsmodels_are_oracles_only() -> None:
    code = (
        "import sys, ragstone.statistics;"
        "print({'scipy', 'statsmodels'} & set(sys.modules),"
        " sorted(m for m in sys.modules if m.startswith('ragstone.') and 'statistics' not in m))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["set()", "[]"]
