from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ragstone.measures import quantile
from ragstone.statistics import (
    BootstrapTest,
    QuantileColumn,
    bootstrap_quantile,
    bootstrap_quantiles,
    smallest_p,
)

SHARES = (0.5, 0.95, 0.99)
grid = st.integers(0, 6).map(float)  # full of ties
value = grid | st.floats(-1e6, 1e6)
pairs = st.lists(st.tuples(value, value), min_size=2, max_size=25)


def brute(
    rows: Sequence[tuple[float, float]], share: float, resamples: int, seed: int
) -> list[float]:
    """Follow the description in the module's docstring, a query at a time; return the changes."""
    ordered, random = sorted(rows), Random(seed)
    changes = []
    for _ in range(resamples):
        draw = random.randbytes(4 * len(ordered))
        words = [int.from_bytes(draw[i : i + 4], "little") for i in range(0, len(draw), 4)]
        drawn = [ordered[word * len(ordered) >> 32] for word in words]
        before, after = (quantile([row[side] for row in drawn], share) for side in (0, 1))
        changes.append(after - before)
    return changes


def brute_p(changes: list[float], rows: Sequence[tuple[float, float]]) -> float:
    tie = 1e-12 * max(1.0, *(abs(number) for row in rows for number in row))
    low, high = (sum(sign * change <= tie for change in changes) for sign in (1, -1))
    changed = sum(abs(after - before) > 1e-12 for before, after in rows)
    p_value = min(1.0, 2 * (min(low, high) + 1) / (len(changes) + 1))
    return max(p_value, 2 / (len(changes) + 1), min(1.0, 2 * 0.5**changed))


def of_rows(
    rows: Sequence[tuple[float, float]], share: float = 0.95, **options: float
) -> BootstrapTest:
    before, after = [row[0] for row in rows], [row[1] for row in rows]
    return bootstrap_quantile(before, after, share, **options)  # type: ignore[arg-type]


@given(pairs, st.sampled_from(SHARES), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_agrees_with_a_loop_over_queries(
    rows: list[tuple[float, float]], share: float, seed: int
) -> None:
    found = of_rows(rows, share, resamples=99, seed=seed)
    changes = sorted(brute(rows, share, 99, seed))
    assert found.p_value == brute_p(changes, rows)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (changes[1], changes[-2])
    assert found.resamples == 99


@given(pairs, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_rows_does_not_matter(rows: list[tuple[float, float]], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert of_rows(rows, resamples=50) == of_rows(shuffled, resamples=50)


def latencies(n: int, seed: int, slower: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Two systems on the same queries: what a query costs, and noise of each."""
    rng = np.random.default_rng(seed)
    base = rng.normal(6, 0.6, n)
    before, after = (np.exp(base + rng.normal(0, 0.3, n)) for _ in range(2))
    return before, slower * after


@pytest.mark.parametrize("share", SHARES)
def test_agrees_with_scipy(share: float) -> None:
    before, after = latencies(400, 1, slower=1.1)
    found = bootstrap_quantile(before, after, share, resamples=20_000)
    reference = stats.bootstrap(
        (before, after),
        lambda a, b, axis: np.quantile(b, share, axis=axis) - np.quantile(a, share, axis=axis),
        paired=True,
        method="percentile",
        n_resamples=20_000,
        batch=500,
        rng=np.random.default_rng(5),
    )
    low, high = reference.confidence_interval
    assert found.interval is not None
    near = 0.03 * (high - low)
    assert found.interval.low == pytest.approx(low, abs=near)
    assert found.interval.high == pytest.approx(high, abs=near)
    drawn = reference.bootstrap_distribution
    expected = 2 * min(np.mean(drawn <= 0), np.mean(drawn >= 0))
    assert found.p_value == pytest.approx(expected, abs=0.01)


def test_columns_share_draws_but_not_results() -> None:
    before, after = latencies(70, 2)
    one = QuantileColumn(before, after, (0.5, 0.95))
    other = QuantileColumn(after, before, (0.99,))
    short = QuantileColumn(before[:9], after[:9], (0.5,))
    together = bootstrap_quantiles([short, one, other], resamples=200)
    assert together == [
        bootstrap_quantiles([each], resamples=200)[0] for each in (short, one, other)
    ]
    assert together[1][1] == bootstrap_quantile(before, after, 0.95, resamples=200)
    assert [len(tests) for tests in together] == [1, 2, 1]


def test_seed_and_resamples_are_used() -> None:
    before, after = latencies(80, 3)
    found = [bootstrap_quantile(before, after, 0.5, resamples=300, seed=s) for s in (0, 1, 2, 0)]
    assert found[0] == found[3]
    assert len({each.interval for each in found}) == 3
    assert {each.resamples for each in found} == {300}


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = latencies(90, 4)
    whole = bootstrap_quantile(before, after, 0.95, resamples=150)
    for block in (1, 90, 91, 1000):
        monkeypatch.setattr("ragstone.statistics.bootstrap._BLOCK", block)
        assert bootstrap_quantile(before, after, 0.95, resamples=150) == whole


def test_a_slower_system_is_seen_and_the_same_is_not() -> None:
    before, after = latencies(300, 5, slower=1.5)
    found = bootstrap_quantile(before, after, 0.95)
    assert found.p_value == 2 / 2001
    assert found.interval is not None
    assert 0 < found.interval.low < found.interval.high
    same = bootstrap_quantile(before, before, 0.95)
    assert same.p_value == 1.0
    assert same.interval is not None
    assert (same.interval.low, same.interval.high) == (0.0, 0.0)


def test_few_changed_queries_cannot_speak_against_chance() -> None:
    """All resamples agree, but so few queries changed that signs could be chance."""
    found = of_rows([(1.0, 2.0)] * 4, 0.5, resamples=999)
    assert (found.p_value, found.smallest_p) == (0.125, 0.125)
    many = of_rows([(1.0, 2.0)] * 30, 0.5, resamples=999)
    assert (many.p_value, many.smallest_p) == (2 / 1000, 2 / 1000)
    assert many.smallest_p == smallest_p(30, 999)


def test_one_query_and_none_have_no_p() -> None:
    for rows in ([], [(1.0, 2.0)]):
        found = of_rows(rows)
        assert (found.p_value, found.interval, found.resamples) == (None, None, 0)


def test_few_resamples_have_the_widest_interval() -> None:
    before, after = latencies(20, 6)
    found = bootstrap_quantile(before, after, 0.5, resamples=5)
    changes = brute(list(zip(before, after, strict=True)), 0.5, 5, 0)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (min(changes), max(changes))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"resamples": 0}, "resamples must be at least 1, not 0"),
        ({"confidence": 1.0}, "a share must be between 0 and 1, not 1.0"),
        ({"share": 0.0}, "a share must be between 0 and 1, not 0.0"),
    ],
)
def test_options_that_cannot_be(options: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        of_rows([(1.0, 2.0)] * 3, **options)


def test_values_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="difference 1 is not finite"):
        of_rows([(1.0, 2.0), (float("nan"), 1.0)])
    with pytest.raises(ValueError, match=r"zip\(\) argument"):
        bootstrap_quantile([1.0, 2.0], [1.0], 0.5)


def test_the_hash_seed_does_not_matter() -> None:
    code = (
        "from ragstone.statistics import bootstrap_quantile as b;"
        "x = [float(n * n % 97) for n in range(97)];"
        "print(b(x, [v + n % 3 for n, v in enumerate(x)], 0.95))"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(shown) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "n", "least"),
    [(0.5, 20, 0.93), (0.95, 60, 0.93), (0.95, 300, 0.93), (0.99, 300, 0.93)],
)
def test_the_interval_covers_the_true_change(share: float, n: int, least: float) -> None:
    """Simulated: with the least numbers of items, 95% intervals hold the truth often enough.

    And under no true change, p below 0.05 is no more frequent than that.
    """
    spread, slower, runs, resamples = (0.6**2 + 0.3**2) ** 0.5, 1.2, 600, 400
    before_true = np.exp(6 + stats.norm.ppf(share) * spread)
    held = chance = 0
    for run in range(runs):
        before, after = latencies(n, 1000 + run)
        found = bootstrap_quantile(before, slower * after, share, resamples=resamples, seed=run)
        assert found.interval is not None
        held += found.interval.low <= (slower - 1) * before_true <= found.interval.high
        same = bootstrap_quantile(before, after, share, resamples=resamples, seed=run)
        chance += (same.p_value or 0.0) < 0.05
    assert held / runs >= least
    assert chance / runs <= 0.06


@pytest.mark.slow
def test_too_few_items_do_not_cover() -> None:
    """Why p99 of 60 items is not gated: its interval is too narrow."""
    share, runs = 0.99, 600
    true = 0.2 * np.exp(6 + stats.norm.ppf(share) * (0.6**2 + 0.3**2) ** 0.5)
    held = 0
    for run in range(runs):
        before, after = latencies(60, 1000 + run)
        found = bootstrap_quantile(before, 1.2 * after, share, resamples=400, seed=run)
        assert found.interval is not None
        held += found.interval.low <= true <= found.interval.high
    assert held / runs < 0.93
