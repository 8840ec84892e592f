"""What is in a chart: its marks, its numbers, its words, as they are in the SVG."""

from __future__ import annotations

import pytest

from pictures import Drawing
from ragstone.errors import MissingExtraError, UsageError
from ragstone.reports.charts import Bar, bars, curves, draw, histogram, to_svg
from ragstone.reports.charts.palette import BAD, BASELINE, COLOURS, LIMIT, SERIES

PAIR = [
    Bar(measure="nDCG@10", run="main", value=0.6),
    Bar(measure="nDCG@10", run="branch", value=0.5, limit=0.588, failed=True, note="-16.67%"),
    Bar(measure="AP", run="main", value=0.25),
    Bar(measure="AP", run="branch", value=0.25, limit=0.245),
    Bar(measure="latency_ms:p95", run="main", value=812.0, unit="ms"),
    Bar(measure="latency_ms:p95", run="branch", value=900.5, unit="ms"),
]


@pytest.fixture(scope="module")
def pair() -> Drawing:
    return Drawing.of(to_svg(bars(PAIR, title="Two runs")))


def test_each_value_is_a_bar_that_says_what_it_is(pair: Drawing) -> None:
    assert pair.labels("bar") == [
        "nDCG@10, main: 0.6000",
        "nDCG@10, branch: 0.5000 (-16.67%) FAIL",
        "AP, main: 0.2500",
        "AP, branch: 0.2500",
        "latency_ms:p95, main: 812",
        "latency_ms:p95, branch: 900.5",
    ]


def length(bar: str) -> float:
    """Return how long a bar is from its path `M0,0h200v18h-200Z`."""
    return float(bar.partition("h")[2].partition("v")[0])


def test_a_bar_is_as_long_as_its_value(pair: Drawing) -> None:
    found = [length(str(bar.get("d"))) for bar in pair.marks("bar")]
    assert found[0] / found[1] == pytest.approx(0.6 / 0.5)
    assert found[0] / found[2] == pytest.approx(0.6 / 0.25)
    assert found[4] / found[5] == pytest.approx(812 / 900.5)
    assert found[5] > found[1]  # each unit has an axis of its own


def test_what_failed_is_marked_in_colour_and_in_words(pair: Drawing) -> None:
    colours = [bar.get("fill") for bar in pair.marks("bar")]
    plain, good, bad = BASELINE.light, SERIES[0].light, BAD.light
    assert colours == [plain, bad, plain, good, plain, good]
    assert "0.5000 (-16.67%) FAIL" in pair.texts()
    for name in ("main", "branch", "branch, failed"):
        assert pair.texts().count(name) == 1  # in the legend


def test_names_units_and_the_title_are_written(pair: Drawing) -> None:
    texts = pair.texts()
    for text in ("nDCG@10", "AP", "latency_ms:p95", "ms", "Two runs", "812"):
        assert text in texts
    assert "The line across a bar is its limit." in texts
    assert texts.index("nDCG@10") < texts.index("AP")


def test_limits_are_drawn_for_the_bars_that_have_one(pair: Drawing) -> None:
    drawn = [each for each in pair.root.iter() if each.get("fill") == LIMIT.light]
    assert len(drawn) == 2


def test_all_is_said_in_words_too(pair: Drawing) -> None:
    assert pair.named("title") == "Two runs"
    assert pair.named("desc") == (
        "nDCG@10: main 0.6000, branch 0.5000 (-16.67%) FAIL (limit 0.5880); "
        "AP: main 0.2500, branch 0.2500 (limit 0.2450); "
        "latency_ms:p95 (ms): main 812, branch 900.5."
    )


def test_one_run_needs_no_legend_and_no_line() -> None:
    drawing = Drawing.of(to_svg(bars([Bar(measure="RR", run="bm25", value=0.5)], title="bm25")))
    assert drawing.texts().count("bm25") == 1
    assert drawing.labels("bar") == ["RR, bm25: 0.5000"]
    assert not any(text.startswith("The line") for text in drawing.texts())


def test_an_interval_is_a_line_and_is_said() -> None:
    bar = Bar(measure="RR", run="a", value=0.5, interval=(0.4, 0.65))
    svg = to_svg(bars([bar, Bar(measure="AP", run="a", value=0.2)]))
    assert "RR: a 0.5000 (0.4000 to 0.6500); AP: a 0.2000." in svg
    drawing = Drawing.of(svg)
    rules = [each for each in drawing.root.iter() if each.get("stroke-width") == "1.5"]
    assert len(rules) == 1
    scale = length(str(drawing.marks("bar")[0].get("d"))) / 0.5
    assert abs(float(str(rules[0].get("x2")))) == pytest.approx(0.25 * scale, abs=0.01)


def test_a_value_that_is_not_there_has_no_bar() -> None:
    given = [Bar(measure="RR", run="a", value=0.5), Bar(measure="RR", run="b", value=None)]
    drawing = Drawing.of(to_svg(bars(given)))
    assert "n/a" in drawing.texts()
    assert "RR: a 0.5000, b n/a." in drawing.named("desc")
    assert len(drawing.marks("bar")) == 1


def test_a_value_below_zero_goes_left() -> None:
    given = [Bar(measure="gain", run="a", value=-0.5), Bar(measure="loss", run="a", value=0.5)]
    drawing = Drawing.of(to_svg(bars(given)))
    assert drawing.labels("bar") == ["gain, a: -0.5000", "loss, a: 0.5000"]


def test_only_colours_that_have_a_dark_one_are_drawn_with(pair: Drawing) -> None:
    known = {colour.light for colour in COLOURS}
    line = curves([0.5, 0.6], {"a": [1, 0], "b": [0, 1]}, chosen=0.5, title="x", subtitle="y")
    bins = histogram({"yes": [0.1], "no": [0.2]}, threshold=0.5)
    for drawing in (pair, Drawing.of(to_svg(line)), Drawing.of(to_svg(bins))):
        assert drawing.colours() <= known


STRANGE = '<script>alert(1)</script> & "q" \x1b[31m \ud800 문서 ' + "long " * 20


def test_names_are_text_whatever_they_are() -> None:
    svg = to_svg(bars([Bar(measure=STRANGE, run=STRANGE, value=0.5)], title=STRANGE))
    assert "<script" not in svg
    drawing = Drawing.of(svg)
    [name] = [text for text in drawing.texts() if text.endswith("…")]
    assert name.startswith('<script>alert(1)</script> & "q" �[31m � 문')


def test_there_is_something_to_draw() -> None:
    with pytest.raises(UsageError, match="there is no measure to draw"):
        bars([])


def test_nine_runs_do_not_fit() -> None:
    given = [Bar(measure="RR", run=str(n), value=0.5) for n in range(9)]
    with pytest.raises(UsageError, match="9 runs do not fit into one chart, 8 do; draw fewer"):
        bars(given)
    assert len(Drawing.of(to_svg(bars(given[:8]))).marks("bar")) == 8


# ---- curves --------------------------------------------------------------------------------------

THRESHOLDS = [0.5, 0.6, 0.7]
SWEEP: dict[str, list[float | None]] = {"R@5": [0.9, 0.8, 0.4], "P@5": [0.3, None, 0.1]}


def test_each_value_over_a_threshold_is_a_point() -> None:
    drawing = Drawing.of(to_svg(curves(THRESHOLDS, SWEEP, title="Sweep")))
    assert drawing.labels("point") == [
        "R@5 at 0.5: 0.9000", "R@5 at 0.6: 0.8000", "R@5 at 0.7: 0.4000",
        "P@5 at 0.5: 0.3000", "P@5 at 0.7: 0.1000",
    ]  # fmt: skip
    assert {"R@5", "P@5", "threshold", "Sweep"} <= set(drawing.texts())


def test_lines_differ_in_shape_too() -> None:
    drawing = Drawing.of(to_svg(curves(THRESHOLDS, SWEEP)))
    shapes = {label[:3]: str(mark.get("d")) for mark in drawing.marks("point")
              for label in [str(mark.get("aria-label"))]}  # fmt: skip
    assert shapes["R@5"] != shapes["P@5"]


def test_a_threshold_is_marked() -> None:
    plain = Drawing.of(to_svg(curves(THRESHOLDS, SWEEP)))
    marked = Drawing.of(to_svg(curves(THRESHOLDS, SWEEP, chosen=0.65)))
    assert "0.65" in marked.texts()
    assert "0.65" not in plain.texts()
    assert marked.named("desc").endswith(" Marked: 0.65.")


def test_curves_in_words() -> None:
    assert Drawing.of(to_svg(curves(THRESHOLDS, SWEEP))).named("desc") == (
        "R@5 is 0.9000 at 0.5 and 0.4000 at 0.7, highest at 0.5: 0.9000; "
        "P@5 is 0.3000 at 0.5 and 0.1000 at 0.7, highest at 0.5: 0.3000."
    )
    nowhere = curves([0.5], {"RR": [None]})
    assert Drawing.of(to_svg(nowhere)).named("desc") == "RR has no value."


@pytest.mark.parametrize(
    ("thresholds", "values", "message"),
    [
        ([], {"a": []}, "there is no measure to draw over thresholds"),
        ([0.5], {}, "there is no measure to draw over thresholds"),
        ([0.5, 0.6], {"a": [1.0]}, "a has 1 values, but there are 2 thresholds"),
        ([0.5], {str(n): [1.0] for n in range(9)}, "9 lines do not fit into one chart, 8 do"),
    ],
)
def test_curves_that_cannot_be(
    thresholds: list[float], values: dict[str, list[float]], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        curves(thresholds, values)


# ---- histograms ----------------------------------------------------------------------------------


def test_each_bin_is_a_bar() -> None:
    pairs = {"matched": [0.95, 1.0, 0.55], "not matched": [0.1, 0.12, 0.55]}
    drawing = Drawing.of(to_svg(histogram(pairs, bins=10, threshold=0.5, title="Pairs")))
    assert sorted(drawing.labels("bar")) == [
        "matched, 0.5 to 0.6: 1",
        "matched, 0.9 to 1: 2",
        "not matched, 0.1 to 0.2: 2",
        "not matched, 0.5 to 0.6: 1",
    ]
    assert {"0.5", "Pairs", "pairs", "similarity", "matched", "not matched"} <= set(drawing.texts())
    assert drawing.named("desc") == (
        "matched: 3, most of them from 0.9 to 1 (2); "
        "not matched: 3, most of them from 0.1 to 0.2 (2). Marked: 0.5."
    )


def test_kinds_are_stacked() -> None:
    drawing = Drawing.of(to_svg(histogram({"a": [0.5], "b": [0.5]}, bins=2)))
    tops = {float(str(mark.get("d")).split(",")[1].split("h")[0]) for mark in drawing.marks("bar")}
    assert len(tops) == 2


def test_a_kind_without_a_pair_keeps_its_colour() -> None:
    drawing = Drawing.of(to_svg(histogram({"matched": [], "not matched": [0.2]})))
    assert (
        drawing.named("desc") == "matched: none; not matched: 1, most of them from 0.2 to 0.25 (1)."
    )
    assert [mark.get("fill") for mark in drawing.marks("bar")] == [SERIES[1].light]
    assert {"matched", "not matched"} <= set(drawing.texts())


def test_one_kind_needs_no_legend() -> None:
    drawing = Drawing.of(to_svg(histogram([0.1, 0.2])))
    assert drawing.texts().count("pairs") == 1  # the axis


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    with pytest.raises(MissingExtraError, match=r'a chart needs an extra: .*"ragstone\[report\]"'):
        draw.library()
