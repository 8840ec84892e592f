"""Reports in memory, and how they are made and written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragstone.errors import InputError, NotComparableError, RagstoneError
from ragstone.formats import Source
from ragstone.model import Scores
from ragstone.reports import (
    Input,
    Report,
    build_error,
    build_score,
    describe,
    encode_report,
    read_report,
    validate_report,
    write_report,
)


def test_a_score_report_is_read_as_it_was_written(tmp_path: Path, report: Report) -> None:
    path = tmp_path / "out" / "score.json"
    write_report(report, path)
    back = read_report(path)
    assert back.statement == report.statement
    assert back.scores == report.scores
    assert (back.name, back.kind, back.complete) == (str(path), "ragstone.score", True)
    assert (back.verdict, back.exit_code) == ("fail", 4)
    assert back.inputs == report.inputs
    assert encode_report(back) == path.read_bytes()


def test_the_summary_is_in_the_order_that_was_asked_for(report: Report) -> None:
    names = ["R@5", "R@5:micro", "nDCG@10", "nDCG@10:p50", "Success@5:sum"]
    assert list(report.summary) == names
    assert report.aggregates == tuple(names)
    assert report.summary["R@5:micro"] == 0.6


def test_by_default_each_column_has_its_usual_aggregate(
    scores: Scores, inputs: list[Input]
) -> None:
    assert list(build_score(scores, inputs).summary) == ["R@5", "nDCG@10", "Success@5"]


def test_nothing_is_judged_without_floors(scores: Scores, inputs: list[Input]) -> None:
    report = build_score(scores, inputs)
    assert (report.verdict, report.exit_code) == (None, 0)
    assert b'"verdict"' not in encode_report(report)


def test_floors_decide_the_verdict(scores: Scores, inputs: list[Input]) -> None:
    from ragstone.gate import check_floors

    def verdict(*floors: str) -> tuple[Any, int]:
        report = build_score(scores, inputs, floors=check_floors(scores, floors))
        return report.verdict, report.exit_code

    assert verdict("R@5=0.1") == ("pass", 0)
    assert verdict("R@5=0.1", "nDCG@10=0.9") == ("fail", 4)


@pytest.mark.parametrize(
    ("kind", "subject"), [("report", ["run.txt"]), ("comparison", ["candidate.json"])]
)
def test_the_subject_is_what_the_report_speaks_about(
    kind: str, subject: list[str], request: pytest.FixtureRequest
) -> None:
    report: Report = request.getfixturevalue(kind)
    digests = {file.name: file.sha256 for file in report.inputs}
    assert [file.name for file in report.statement.subject] == subject
    assert [f.digest.sha256 for f in report.statement.subject] == [digests[n] for n in subject]


def test_a_comparison_is_read_as_it_was_written(tmp_path: Path, comparison: Report) -> None:
    write_report(comparison, tmp_path / "compare.json")
    back = read_report(tmp_path / "compare.json")
    assert back.details == comparison.details
    assert (back.verdict, back.exit_code) == ("fail", 4)
    assert back.summary == {each.name: each.candidate for each in back.details.measures}
    with pytest.raises(
        InputError, match=r"of kind ragstone\.compare, which has no scores"
    ) as caught:
        _ = back.scores
    assert str(caught.value).endswith(
        "; a report of ragstone score, match, evaluate or leakage was expected"
    )


def test_the_report_of_an_error(failure: Report) -> None:
    assert (failure.verdict, failure.exit_code, failure.summary) == ("error", 2, {})
    assert [file.name for file in failure.statement.subject] == ["qrels.txt", "run.txt"]
    assert failure.details.command == "score"
    assert failure.details.error == "InputError"
    assert failure.details.message == "run.txt:3: 4 columns; 6 were expected"


@pytest.mark.parametrize(
    ("error", "verdict", "code"),
    [
        (InputError("x"), "error", 2),
        (RagstoneError("x"), "error", 3),
        (ZeroDivisionError("x"), "error", 3),
        (KeyboardInterrupt(), "error", 3),
        (NotComparableError("x"), "fail", 4),
    ],
)
def test_the_class_of_an_error_has_its_code(error: Exception, verdict: str, code: int) -> None:
    report = build_error("compare", error, [])
    assert (report.verdict, report.exit_code) == (verdict, code)


def test_an_error_is_named_when_its_report_is_given_as_a_score(
    tmp_path: Path, failure: Report
) -> None:
    write_report(failure, tmp_path / "score.json")
    with pytest.raises(InputError) as caught:
        _ = read_report(tmp_path / "score.json").scores
    assert str(caught.value) == (
        f'{tmp_path / "score.json"}: is the report of an error of score ("run.txt:3: 4 columns; 6 '
        'were expected"); a report of ragstone score, match, evaluate or leakage was expected'
    )


def test_an_input_is_described_by_its_base_name_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(b"hello world\n")
    found = describe("run", Source(tmp_path / "run.txt"))
    digest = "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"
    assert found == Input(role="run", name="run.txt", sha256=digest)


def test_the_message_of_an_error_can_always_be_written(inputs: list[Input]) -> None:
    paths = "\udced\udc8f\udcb4.run or \udcff.run"
    report = build_error("score", InputError(f"{paths}: no such file"), inputs)
    assert report.details.message == "폴.run or \\xff.run: no such file"
    half = build_error("score", InputError("half a character: \ud800"), inputs)
    assert half.details.message == "half a character: \\ud800"
    assert validate_report(encode_report(report), "x").ok


def test_a_report_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, scores: Scores, inputs: list[Input]
) -> None:
    report = build_score(scores, inputs, warnings=["half a character: \ud800"])
    with pytest.raises(InputError, match="is not text that UTF-8 can hold"):
        write_report(report, tmp_path / "new" / "score.json")
    assert list(tmp_path.iterdir()) == []
