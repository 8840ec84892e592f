"""The report of calibrate: written, checked, drawn, and what compare takes from it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from editing import Edit, edited
from ragstone.errors import InputError
from ragstone.gate import compare
from ragstone.judge.calibration import calibrate
from ragstone.judge.calibration_result import Calibrated
from ragstone.judge.calibration_slices import traits_of
from ragstone.model import Cell, Scores, ScoresBuilder, Signature
from ragstone.model.samples import Sample
from ragstone.reports import Input, Report, encode, encode_report, parse_report, validate_report
from ragstone.reports.calibrate import build_calibrate, calibrations_of
from ragstone.reports.renderers import markdown, text
from ragstone.reports.renderers.calibrate import page

DETAILS = "$.predicate.details"
FIRST = f"{DETAILS}.measures[0]"


def scores(judged: bool = True) -> Scores:
    builder = ScoresBuilder(["faithfulness", "coherence"])
    for n in range(12):
        builder.add(f"q{n:02}", [Cell(1.0 - n / 12), Cell((n % 4) / 3)])
    fields = {"judge": "openai:gpt-4o", "prompt": "ab12cd34"} if judged else {}
    return builder.build(columns=dict.fromkeys(["faithfulness", "coherence"], Signature.of(fields)))


PEOPLE: list[dict[str, Any]] = [
    {"id": f"q{n:02}", "measure": "faithfulness", "label": n < 5 or n == 8, "annotator": name}
    for n in range(10)
    for name in ("ada", "bob")
    if name == "ada" or n < 6
]
WORDS = ["incoherent", "partly", "mostly", "coherent"]
PEOPLE += [
    {"id": f"q{n:02}", "measure": "coherence", "label": WORDS[n % 4 if n else 3]} for n in range(12)
]
SAMPLES = [
    Sample(f"q{n:02}", answer="w " * n, model="gpt-4" if n % 2 else "llama3") for n in range(12)
]


def result(**options: Any) -> Calibrated:
    return calibrate(
        options.pop("scores", scores()),
        PEOPLE,
        thresholds={"faithfulness": 0.5},
        traits=traits_of(SAMPLES),
        resamples=200,
        **options,
    )


@pytest.fixture
def files(inputs: list[Input]) -> list[Input]:
    return [
        Input(role=role, name=f"{role}.json", sha256=inputs[0].sha256)
        for role in ("labels", "report")
    ]


@pytest.fixture
def written(files: list[Input]) -> Report:
    return build_calibrate(result(), files)


def test_it_is_valid_and_read_back(written: Report) -> None:
    data = encode_report(written)
    assert validate_report(data, "x.json").errors == []
    assert parse_report(data, "x.json").details == written.details
    assert [each.name for each in written.statement.subject] == ["report.json"]
    assert written.verdict is None


@pytest.mark.parametrize(
    ("least", "measures", "verdict", "code"),
    [
        (0.3, ["faithfulness"], "pass", 0),
        (0.99, ["faithfulness"], "fail", 4),
        (-1.0, [], "pass", 0),
    ],
)
def test_verdict_and_code(
    files: list[Input], least: float, measures: list[str], verdict: str, code: int
) -> None:
    report = build_calibrate(result(min_kappa=least, measures=measures), files)
    assert (report.verdict, report.exit_code) == (verdict, code)
    assert validate_report(encode_report(report), "x.json").errors == []


def test_without_a_kappa_it_is_not_decided(files: list[Input]) -> None:
    plain = calibrate(scores(), PEOPLE, measures=["faithfulness"], min_kappa=0.5, resamples=9)
    report = build_calibrate(plain, files)
    assert (report.verdict, report.exit_code) == ("inconclusive", 5)
    assert validate_report(encode_report(report), "x.json").errors == []
    assert calibrations_of(report) == (
        [],
        [": there is no kappa of faithfulness: there is no threshold; see `ragstone calibrate`"],
    )


def test_compare_takes_the_kappa_of_the_table(written: Report) -> None:
    found, notes = calibrations_of(written)
    kappas = [written.details.kappa(each) for each in written.details.measures]
    assert [(each.judge, each.prompt, each.kappa) for each in found] == [
        ("openai:gpt-4o", "ab12cd34", kappa) for kappa in kappas
    ]
    intervals = [each.categorical.kappa for each in written.details.measures]
    assert [(each.items, each.low, each.high) for each in found] == [
        (of.items, interval.low, interval.high)
        for of, interval in zip(written.details.measures, intervals, strict=True)
    ]
    assert notes == []
    document = msgspec.json.decode(encode_report(written))
    document["predicate"]["details"]["measures"][0]["categorical"]["kappa"]["value"] = 0.999
    forged = parse_report(encode(document), "x.json")
    assert calibrations_of(forged)[0] == found


def test_the_weights_count(files: list[Input]) -> None:
    report = build_calibrate(result(weights="quadratic"), files)
    [faithful, coherent] = calibrations_of(report)[0]
    details = report.details
    assert faithful.kappa == details["faithfulness"].categorical.kappa.value
    assert coherent.kappa == details["coherence"].categorical.kappa_quadratic.value
    assert coherent.kappa != details["coherence"].categorical.kappa.value


def test_what_was_not_judged_calibrates_nothing(files: list[Input]) -> None:
    report = build_calibrate(result(scores=scores(judged=False), measures=["faithfulness"]), files)
    assert calibrations_of(report) == (
        [],
        [": faithfulness was not judged, so it needs no calibration"],
    )


def test_another_kind_is_refused(report: Report) -> None:
    with pytest.raises(InputError, match=r"is a report of kind ragstone\.score; one of kind "):
        calibrations_of(report)
    with pytest.raises(InputError, match=r"one of kind ragstone\.calibrate was expected"):
        compare(report.scores, report.scores, calibrations=report)


def test_compare_takes_the_report_as_it_is(files: list[Input]) -> None:
    report = build_calibrate(result(), files)
    given = compare(scores(), scores(), calibrations=report).settings.calibrations
    assert set(given) == set(calibrations_of(report)[0]) != set()


def first(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["details"]["measures"][0]
    return found


SPOILED: list[tuple[Edit, str]] = [
    (
        lambda p: first(p)["categorical"]["kappa"].update(value=0.99),
        f"{FIRST}.categorical.kappa.value is 0.99; ",
    ),
    (
        lambda p: first(p)["categorical"]["confusion"]["counts"][0].reverse(),
        f"{FIRST}.categorical.exact is ",
    ),
    (
        lambda p: first(p)["categorical"]["confusion"]["counts"][0].append(1),
        f"{FIRST}.categorical.confusion is no table of counts of 2 by 2",
    ),
    (
        lambda p: first(p)["categorical"]["recalls"].reverse(),
        f"{FIRST}.categorical.recalls[0] is ",
    ),
    (
        lambda p: first(p).update(labels=99),
        f"{FIRST}.categorical.confusion is 16; 99 was expected: each label is counted once",
    ),
    (
        lambda p: first(p).update(judge="openai:other"),
        f'{FIRST}.judge is "openai:other"; "openai:gpt-4o" was expected',
    ),
    (
        lambda p: first(p).update(scale="continuous"),
        f"{FIRST}.categorical does not go with a continuous scale",
    ),
    (lambda p: first(p).update(items=17), f"{FIRST}.items is 17 with 16 labels"),
    (lambda p: first(p).update(disagree=0), f"{FIRST}.disagreements are more than the 0 counted"),
    (
        lambda p: first(p)["categorical"].update(kappa_linear={"value": 0.5}),
        f"{FIRST}.categorical has weighted kappas, which two categories do not have",
    ),
    (
        lambda p: p["details"].update(min_kappa=0.5),
        '$.predicate.verdict is null; "',
    ),
    (lambda p: p["details"].update(weights="cubic"), f"{DETAILS}.weights is 'cubic'; one of none"),
    (
        lambda p: p["details"]["measures"].append(p["details"]["measures"][0]),
        f"{DETAILS}.measures have a measure twice",
    ),
    (
        lambda p: p["summary"].update({"P@5": 1.0}),
        "$.predicate.summary is not empty; calibrate has no items of its own",
    ),
]


@pytest.mark.parametrize(("edit", "problem"), SPOILED, ids=range(len(SPOILED)))
def test_what_was_changed_is_named(written: Report, edit: Edit, problem: str) -> None:
    errors = edited(written, edit)
    assert any(each.startswith(problem) for each in errors), errors


def test_the_page(written: Report) -> None:
    shown = text.render(page(written))
    assert shown.startswith("faithfulness agrees with 2 people on 10 items to a kappa of ")
    for line in (
        "faithfulness; judged by openai:gpt-4o, prompt ab12cd34; yes from 0.5; 16 labels",
        "Labels: rows are people, columns faithfulness",
        "as measured, all 12 items",
        "prediction-powered",
        "Each annotator with faithfulness",
        "gpt (the judge's own)",
        "correlation with answer length: faithfulness -",
        "kappa, quadratic weights",
        "95% intervals: bootstrap over items, 200 resamples, seed 0; of means and biases by t",
    ):
        assert line in shown, line
    assert "nan" not in shown.lower().replace("annotator", "")
    assert markdown.render(page(written)).count("## ") == 0


def test_the_verdict_comes_first(files: list[Input]) -> None:
    report = build_calibrate(result(min_kappa=0.99, measures=["faithfulness"]), files)
    shown = text.render(page(report))
    assert shown.startswith("FAIL: faithfulness agrees with 2 people on 10 items to a kappa of ")
    assert shown.partition("\n")[0].endswith(", at least 0.99 asked")
