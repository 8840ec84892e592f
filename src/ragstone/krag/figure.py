"""The chart of an evaluator's seven measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragstone.errors import count
from ragstone.reports.charts import Bar, bars

if TYPE_CHECKING:
    from ragstone.reports.charts.write import Chart

OVER_QUERIES, OVER_TEXTS = "macro: mean over queries", "micro: over all texts"
AVERAGES = {"micro_": OVER_TEXTS, "macro_": OVER_QUERIES}


def figure(values: Mapping[str, float], k: int | None, method: str, queries: int) -> Chart:
    """Draw the measures, those that have two averages as two bars."""
    cut = "all retrieved texts" if k is None else f"k = {k}"
    said = count(queries, "query")
    drawn = [_bar(name, value) for name, value in values.items()]
    return bars(drawn, title=f"Retrieval by {method}: {cut}, {said}")


def _bar(name: str, value: float) -> Bar:
    for prefix, average in AVERAGES.items():
        if name.startswith(prefix):
            return Bar(measure=name.removeprefix(prefix), run=average, value=value)
    return Bar(measure=name, run=OVER_QUERIES, value=value)
