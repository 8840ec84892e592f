"""Charts: bars, curves over thresholds and histograms, as SVG, PNG or a page of HTML.

They are declared in altair and drawn by vl-convert, both in the extra `report`; without it they
raise MissingExtraError. Plain values go in, a chart of altair comes out, `save` writes it.

>>> from ragstone.reports.charts import Bar, bars, to_svg
>>> chart = bars([Bar(measure="RR", run="bm25", value=0.61)], title="Demo")
>>> to_svg(chart).startswith("<svg")
True

Layer: reports. Imports the other modules of reports, and what is below.
"""

from ragstone.reports.charts.bar import Bar
from ragstone.reports.charts.draw import bars, curves, histogram
from ragstone.reports.charts.results import chart_of_comparison, chart_of_runs, chart_of_score
from ragstone.reports.charts.write import require, save, to_html, to_png, to_svg

__all__ = [
    "Bar",
    "bars",
    "chart_of_comparison",
    "chart_of_runs",
    "chart_of_score",
    "curves",
    "histogram",
    "require",
    "save",
    "to_html",
    "to_png",
    "to_svg",
]
