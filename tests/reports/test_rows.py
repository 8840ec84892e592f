"""Which rows a report keeps."""

from __future__ import annotations

import hashlib
import math
from array import array
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InputError, NotComparableError, UnknownNameError, UsageError
from ragstone.measures import MEASURES, Declaration, Direction
from ragstone.model import Cell, Column, Scores, ScoresBuilder, Status
from ragstone.reports import (
    Input,
    Rows,
    build_score,
    encode,
    encode_report,
    parse_report,
    parse_rows,
)
from ragstone.reports.rows import keep, select, statistics
from ragstone.reports.table import to_table

MANY = 200_000


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("all", Rows("all")),
        ("none", Rows("none")),
        ("failed", Rows("failed")),
        ("worst:1", Rows("worst", 1)),
        ("worst:20:nDCG@10", Rows("worst", 20, "nDCG@10")),
        ("worst:20:P(rel=2)@5", Rows("worst", 20, "P(rel=2)@5")),
    ],
)
def test_a_policy_prints_as_it_is_written(text: str, rows: Rows) -> None:
    assert parse_rows(text) == rows
    assert str(rows) == text


@pytest.mark.parametrize(
    "text",
    ["", "ALL", "some", "all:1", "none:5", "failed:", "worst", "worst:", "worst:0", "worst:-1"],
)
def test_another_policy_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--rows .*, as in --rows worst:100$"):
        parse_rows(text)


@pytest.mark.parametrize("most", ["1.5", "x", "²", " 1", "1_0", "9" * 30, ":AP"])
def test_another_number_is_refused(most: str) -> None:
    with pytest.raises(UsageError, match=r"is not a number of items, as in --rows worst:100$"):
        parse_rows(f"worst:{most}")


def test_without_a_policy_all_rows_are_kept_up_to_a_limit() -> None:
    assert parse_rows(None, MANY) == Rows("all")
    with pytest.raises(UsageError) as caught:
        parse_rows(None, MANY + 1)
    assert str(caught.value) == (
        "200,001 items are too many to write without being asked (the limit is 200,000); say "
        "which rows the report keeps with --rows all, none, failed, worst:N or worst:N:MEASURE"
    )


@pytest.mark.parametrize("text", ["all", "none", "worst:3"])
def test_a_policy_that_was_given_is_not_limited(text: str) -> None:
    assert str(parse_rows(text, 10 * MANY)) == text


@pytest.mark.parametrize(
    ("rows", "items"),
    [
        ("all", ("q1", "q2", "q3", "q4", "日本")),
        ("none", ()),
        ("failed", ("q3",)),
        ("worst:1", ("q2",)),
        ("worst:2", ("q2", "q4")),
        ("worst:99", ("q1", "q2", "q4", "日本")),  # q3 has no value under R@5
        ("worst:2:nDCG@10", ("q2", "q3")),
        ("worst:2:ndcg_cut_10", ("q2", "q3")),
        ("worst:1:Success@5", ("q2",)),  # a tie with q3: by the order of the items
    ],
)
def test_the_items_that_are_kept(scores: Scores, rows: str, items: tuple[str, ...]) -> None:
    assert tuple(keep(scores, parse_rows(rows)).items) == items


def test_worst_is_highest_where_lower_is_better() -> None:
    wait = Declaration("wait_ms", lambda *_: 0.0, "", direction=Direction.LOWER)
    MEASURES.add("wait_ms", wait)
    try:
        column = Column(array("d", [5.0, 9.0, 7.0]), array("b", [0, 0, 0]))
        scores = Scores(("a", "b", "c"), {"wait_ms": column})
        assert keep(scores, parse_rows("worst:2")).items == ["b", "c"]
    finally:
        del MEASURES._values["wait_ms"], MEASURES._names["wait_ms"]


def test_a_measure_that_there_is_not(scores: Scores) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown column 'R@10'; did you mean R@5"):
        keep(scores, parse_rows("worst:2:R@10"))
    with pytest.raises(InputError, match="unknown measure 'quality'"):
        keep(scores, parse_rows("worst:2:quality"))


def test_without_columns_there_is_no_worst() -> None:
    with pytest.raises(UsageError, match="there is no measure"):
        keep(Scores(("q",), {}), parse_rows("worst:2"))


@pytest.mark.parametrize("rows", ["none", "failed", "worst:2"])
def test_what_stands_for_the_rows_that_are_not_kept(scores: Scores, rows: str) -> None:
    table = keep(scores, parse_rows(rows))
    assert table.total == 5
    assert table.digest == hashlib.sha256(encode(to_table(scores))).hexdigest()
    assert table.facts == scores.facts
    found = table.columns["R@5"].statistics
    assert found == statistics(scores["R@5"])
    assert (found.scored, found.default, found.not_applicable, found.failed) == (3, 1, 0, 1)
    assert (found.min, found.max, found.sum) == (0.0, 1.0, 0.5 + 1 / 3 + 1.0)
    assert (found.weights_sum, found.weighted_sum) == (10.0, 6.0)


def test_all_rows_need_no_statistics(scores: Scores) -> None:
    assert keep(scores, Rows()) == to_table(scores)


def test_the_digest_is_of_the_scores_in_a_report_with_all_rows(
    scores: Scores, inputs: list[Input]
) -> None:
    whole = encode_report(build_score(scores, inputs))
    part = build_score(scores, inputs, rows="none").statement.predicate.scores
    start = whole.index(b'"scores":') + len(b'"scores":')
    end = whole.index(b',"signature":{"judgments"')
    assert part
    assert part.digest == hashlib.sha256(whole[start:end] + b"\n").hexdigest()


def test_a_column_where_nothing_counts() -> None:
    column = Column(array("d", [0.0]), array("b", [Status.FAILED]))
    found = statistics(column)
    assert (found.failed, found.sum, found.min, found.max) == (1, 0.0, None, None)


@pytest.mark.parametrize("values", [[1e308, 1e308], [1e200]])
def test_sums_that_no_double_holds(values: list[float]) -> None:
    column = Column(array("d", values), array("b", [0] * len(values)))
    with pytest.raises(InputError, match="too large to be summed"):
        statistics(column)


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.sampled_from(Status)), max_size=20))
def test_mean_and_variance_follow_from_the_statistics(cells: list[tuple[float, Status]]) -> None:
    builder = ScoresBuilder(["AP"])
    for place, cell in enumerate(cells):
        builder.add(f"q{place:02}", [Cell(*cell)])
    found = statistics(builder.build()["AP"])
    values = [value for value, status in cells if status.counts]
    assert found.scored + found.default == len(values)
    if values:
        mean = fmean(values)
        assert math.isclose(found.sum / len(values), mean, rel_tol=1e-12, abs_tol=1e-9)
        squares = fmean(value * value for value in values)
        assert math.isclose(found.sum_of_squares / len(values), squares, rel_tol=1e-12)


def test_a_selection_keeps_what_belongs_to_each_item(scores: Scores) -> None:
    part = select(scores, [4, 2])
    assert part.items == ("q3", "日本")
    assert part["R@5"].values.tolist() == [0.0, 1.0]
    assert part["R@5"].weights == array("d", [2.0, 4.0])
    assert part["R@5"].reasons == {0: "no answer in 30 s"}
    assert part["R@5"].notes == {}
    assert part["nDCG@10"].weights is None
    assert part.counts["judged"].tolist() == [3, 1]
    assert (part.facts, part.signature) == (scores.facts, scores.signature)


@pytest.mark.parametrize("rows", ["none", "failed", "worst:2"])
def test_a_report_without_all_rows_cannot_be_paired(
    scores: Scores, inputs: list[Input], rows: str
) -> None:
    data = encode_report(build_score(scores, inputs, rows=rows))
    report = parse_report(data, "old/score.json")
    kept = report.statement.predicate.scores
    assert kept
    with pytest.raises(NotComparableError) as caught:
        _ = report.scores
    assert str(caught.value) == (
        f"old/score.json: has the rows of {len(kept.items)} of 5 items (it was written with "
        f"--rows {kept.rows}), so items cannot be paired; write it again with --rows all"
    )
    assert report.kept == select(scores, [scores.items.index(item) for item in kept.items])
    assert report.summary == build_score(scores, inputs).summary


def test_a_report_without_all_rows_that_does_not_say_how_many(
    scores: Scores, inputs: list[Input]
) -> None:
    data = encode_report(build_score(scores, inputs, rows="none"))
    report = parse_report(data.replace(b',"total":5', b""), "x.json")
    with pytest.raises(NotComparableError, match=r"has the rows of 0 items \(it was written with"):
        _ = report.scores


def test_the_report_in_memory_still_has_all_rows(scores: Scores, inputs: list[Input]) -> None:
    assert build_score(scores, inputs, rows="none").scores is scores


def test_a_report_asks_for_a_policy(
    monkeypatch: pytest.MonkeyPatch, scores: Scores, inputs: list[Input]
) -> None:
    monkeypatch.setattr("ragstone.reports.rows.MANY", 4)
    with pytest.raises(UsageError, match="5 items are too many"):
        build_score(scores, inputs)
    for rows in ("all", "none", "failed", "worst:1"):
        assert build_score(scores, inputs, rows=rows).kept is scores
