"""Charts of scores and comparisons: what they take from a result."""

from __future__ import annotations

import pytest

import judged
from judged import scores
from pictures import Drawing
from ragstone.errors import NotComparableError, UnknownNameError
from ragstone.gate import Comparison, check_floors, compare
from ragstone.measures import parse_aggregate
from ragstone.reports import Input, build_score
from ragstone.reports.charts import chart_of_comparison, chart_of_runs, chart_of_score, to_svg
from ragstone.reports.charts.results import _worst_allowed
from ragstone.reports.charts.write import Chart

RUN = Input(role="run", name="bm25.trec", sha256="0" * 64)


def drawn(chart: Chart) -> Drawing:
    return Drawing.of(to_svg(chart))


# ---- a score -------------------------------------------------------------------------------------


def test_a_score_is_drawn_with_its_floors() -> None:
    found = scores({"nDCG@10": [0.5, 0.75], "RR": [1.0, 0.5]})
    floors = check_floors(found, ["nDCG@10=0.7", "RR=0.5"])
    report = build_score(found, [RUN], floors=floors)
    drawing = drawn(chart_of_score(report, found))
    assert drawing.labels("bar") == [
        "nDCG@10, bm25.trec: 0.6250 FAIL",
        "RR, bm25.trec: 0.7500",
    ]
    assert drawing.named("title") == "FAIL: bm25.trec: 2 queries"
    assert "(limit 0.7000)" in drawing.named("desc")
    assert "The line across a bar is its floor." in drawing.texts()


def test_a_score_is_drawn_under_the_aggregates_that_were_asked_for() -> None:
    found = scores({"RR": [1.0, 0.5, 0.0]})
    wanted = [parse_aggregate("RR:p50"), parse_aggregate("RR")]
    report = build_score(found, [RUN], aggregates=wanted)
    drawing = drawn(chart_of_score(report, found, wanted))
    assert drawing.labels("bar") == ["RR:p50, bm25.trec: 0.5000", "RR, bm25.trec: 0.5000"]
    assert drawing.named("title") == "bm25.trec: 3 queries"


# ---- a comparison --------------------------------------------------------------------------------


def labels(comparison: Comparison) -> list[str]:
    return drawn(chart_of_comparison(comparison)).labels("bar")


def test_a_regression_is_marked_and_nothing_else() -> None:
    assert labels(judged.failing()) == [
        "AP@10, baseline: 1.0000",
        "AP@10, candidate: 1.0000 (0.00%)",
        "nDCG@10, baseline: 1.0000",
        "nDCG@10, candidate: 0.0000 (-100.00%) FAIL",
        "Judged@10, baseline: 1.0000",
        "Judged@10, candidate: 1.0000 (0.00%)",
    ]


@pytest.mark.parametrize(
    ("comparison", "label"),
    [
        (judged.not_significant(), "RR@10, candidate: 0.3462 (-30.77%, not significant)"),
        (judged.incomparable(), "RR@10, candidate: 1.0000 (not comparable)"),
        (judged.undecided(), "RR@10, candidate: 1.0000 (0.00%, inconclusive)"),
        (
            compare(scores({"RR": [0.0, 0.0]}), scores({"RR": [0.5, 0.0]})),
            "RR, candidate: 0.2500 (+0.2500)",
        ),
    ],
    ids=["not significant", "not comparable", "undecided", "from nothing"],
)
def test_other_outcomes_are_said(comparison: Comparison, label: str) -> None:
    assert label in labels(comparison)
    assert "FAIL" not in str(labels(comparison))


def test_the_title_is_the_verdict_and_the_legend_has_the_files() -> None:
    drawing = drawn(chart_of_comparison(judged.failing(), "main.json", "branch.json"))
    assert drawing.named("title").startswith("FAIL: nDCG@10 got worse beyond what is allowed")
    texts = drawing.texts()
    for name in ("baseline (main.json)", "candidate (branch.json)",
                 "candidate (branch.json), failed"):  # fmt: skip
        assert texts.count(name) == 1
    assert "The line across a bar is the worst value that its budget and floor allow." in texts


BEFORE, AFTER = scores({"RR": [0.8, 0.8]}), scores({"RR": [0.79, 0.79]})
SLOW, SLOWER = scores({"latency_ms": [100.0, 100.0]}), scores({"latency_ms": [130.0, 130.0]})


@pytest.mark.parametrize(
    ("comparison", "worst"),
    [
        (compare(BEFORE, AFTER), 0.784),
        (compare(BEFORE, AFTER, budgets=["RR=10"]), 0.72),
        (compare(BEFORE, AFTER, budgets=["RR=0.1abs"]), 0.7),
        (compare(BEFORE, AFTER, floors=["RR=0.75"]), 0.784),
        (compare(BEFORE, AFTER, floors=["RR=0.79"]), 0.79),
        (compare(BEFORE, AFTER, budgets=["RR=off"], floors=["RR=0.5"]), 0.5),
        (compare(BEFORE, AFTER, budgets=["RR=off"]), None),
        (compare(SLOW, SLOWER, budgets=["latency_ms=20abs"]), 120.0),
        (compare(SLOW, SLOWER, budgets=["latency_ms=20abs"], floors=["latency_ms=110"]), 110.0),
        (compare(SLOW, SLOWER), None),
    ],
)
def test_the_line_is_where_the_gate_draws_it(comparison: Comparison, worst: float | None) -> None:
    [measure] = comparison.measures
    found = _worst_allowed(measure)
    assert found == (None if worst is None else pytest.approx(worst))
    if found is not None and measure.candidate is not None:
        sign = 1 if measure.direction == "higher" else -1
        assert (measure.result == "fail") == (sign * (measure.candidate - found) < -1e-9)


def test_what_only_one_side_has_is_drawn_alone() -> None:
    assert labels(compare(scores({"RR": [1.0]}), scores({"AP": [1.0]}))) == [
        "AP, candidate: 1.0000 (not comparable)",
        "RR, baseline: 1.0000",
    ]


# ---- several runs --------------------------------------------------------------------------------


def test_runs_stand_side_by_side() -> None:
    runs = {"bm25": scores({"RR": [1.0, 0.5], "AP": [0.5, 0.5]}), "dense": scores({"RR": [1, 1]})}
    drawing = drawn(chart_of_runs(runs))
    assert drawing.labels("bar") == ["RR, bm25: 0.7500", "RR, dense: 1.0000", "AP, bm25: 0.5000"]
    assert "AP: bm25 0.5000, dense n/a" in drawing.named("desc")
    assert drawing.named("title") == "bm25 and dense: 2 queries"


def test_reports_are_drawn_under_what_they_were_asked_for() -> None:
    found = scores({"RR": [1.0, 0.0, 0.5, 0.5]})
    report = build_score(found, [RUN], aggregates=[parse_aggregate("RR:p95")])
    runs = {"a": report, "b": report, "c": report}
    drawing = drawn(chart_of_runs(runs))
    assert drawing.labels("bar")[0] == "RR:p95, a: 0.9250"
    assert drawing.named("title") == "3 runs: 4 queries"
    assert drawn(chart_of_runs(runs, ["mrr"])).labels("bar")[2] == "RR, c: 0.5000"


def test_what_differs_for_another_reason_is_not_drawn() -> None:
    one = scores({"RR": [1.0]}, ["q"], judgments="aa")
    with pytest.raises(NotComparableError, match="a and b were not measured on the same items"):
        chart_of_runs({"a": one, "b": scores({"RR": [1.0]}, ["p"], judgments="aa")})
    other = scores({"RR": [1.0], "AP": [1.0]}, ["q"], judgments="bb")
    with pytest.raises(NotComparableError, match=r"RR of a and of b cannot .* judgments differ"):
        chart_of_runs({"a": one, "b": other})
    older = scores({"RR": [1.0]}, ["q"])  # what only one side says is no difference
    assert drawn(chart_of_runs({"a": one, "b": older})).labels("bar")
    assert drawn(chart_of_runs({"a": one, "b": other}, ["AP"])).labels("bar") == ["AP, b: 1.0000"]


def test_a_measure_that_nobody_knows() -> None:
    with pytest.raises(UnknownNameError, match="unknown measure 'ndgc'"):
        chart_of_runs({"a": scores({"RR": [1.0]})}, ["ndgc"])
