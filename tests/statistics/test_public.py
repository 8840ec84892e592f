from __future__ import annotations

import subprocess
import sys

import ragstone.statistics

PUBLIC = [
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
