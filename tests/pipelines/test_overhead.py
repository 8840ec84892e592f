"""What running costs, with room for a busy machine; `make bench` has the figures themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
import retriever as bench


@pytest.mark.parametrize("search", bench.INSTANT.values(), ids=bench.INSTANT)
def test_the_overhead_of_a_query(search: bench.Search, tmp_path: Path) -> None:
    assert bench.overhead(tmp_path, search, 500, rounds=3) < 1.0  # ms; the goal is 0.2


@pytest.mark.parametrize("search", bench.WAITING.values(), ids=bench.WAITING)
def test_the_throughput_of_sixteen_at_once(search: bench.Search, tmp_path: Path) -> None:
    assert bench.speedup(tmp_path, search, 320, rounds=3) > 8  # the goal is 14
