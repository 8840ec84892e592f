"""The report of lint: written, checked, drawn."""

from __future__ import annotations

import pytest

from editing import Edit, edited
from ragstone.lint import CHECKS, Example, Finding, Lint, NotPossible
from ragstone.reports import Input, Report, build_lint, encode_report, validate_report
from ragstone.reports.renderers import markdown, text
from ragstone.reports.renderers.lint import page

DETAILS = "$.predicate.details"


def finding(kind: str, count: int, *examples: Example) -> Finding:
    check = CHECKS[kind]
    return Finding(
        kind=kind,
        severity=check.severity,
        count=count,
        meaning=check.meaning,
        examples=list(examples),
    )


def result(*findings: Finding, strict: bool = False) -> Lint:
    """Make what a lint of queries and qrels says."""
    given = {"qrels", "run"}
    ignored = ["own-id-retrieved"]
    checked = [k for k, check in CHECKS.items() if given >= set(check.needs) and k not in ignored]
    return Lint(
        findings=list(findings),
        checked=checked,
        not_possible=[
            NotPossible(kind=kind, needs=[need for need in check.needs if need not in given])
            for kind, check in CHECKS.items()
            if not given >= set(check.needs)
        ],
        ignored=ignored,
        grades=[],
        near=0.9,
        strict=strict,
    )


WARNING = finding(
    "nothing-relevant", 3, Example(role="qrels", line=7, message="query 'q1' has judgments")
)
ERROR = finding("result-id-form", 1, Example(role="run", message="query 'Q1' | differs"))


@pytest.fixture
def linted(inputs: list[Input]) -> Report:
    return build_lint(result(WARNING, ERROR), inputs)


@pytest.mark.parametrize(
    ("found", "strict", "verdict", "code"),
    [
        ((), False, "pass", 0),
        ((), True, "pass", 0),
        ((WARNING,), False, "pass", 0),
        ((WARNING,), True, "fail", 4),
        ((ERROR,), False, "fail", 4),
        ((WARNING, ERROR), False, "fail", 4),
    ],
)
def test_verdict_and_code(
    inputs: list[Input], found: tuple[Finding, ...], strict: bool, verdict: str, code: int
) -> None:
    report = build_lint(result(*found, strict=strict), inputs)
    assert (report.verdict, report.exit_code) == (verdict, code)
    assert [each.name for each in report.statement.subject] == ["qrels.txt", "run.txt"]
    assert validate_report(encode_report(report), "x.json").errors == []


SPOILED: list[tuple[Edit, str]] = [
    (
        lambda p: p.update(verdict="pass", exit_code=0),
        '$.predicate.verdict is "pass"; "fail" was expected: it follows from the findings',
    ),
    (
        lambda p: p["summary"].update({"P@5": 1.0}),
        "$.predicate.summary is not empty; lint measures nothing",
    ),
    (
        lambda p: p["details"]["checked"].remove("missing-header"),
        f"{DETAILS} names missing-header 0 times; checked, not_possible or ignored, once",
    ),
    (
        lambda p: p["details"]["ignored"].append("missing-header"),
        f"{DETAILS} names missing-header 2 times; checked, not_possible or ignored, once",
    ),
    (
        lambda p: p["details"]["findings"].reverse(),
        f"{DETAILS}.findings are not of kinds that were checked, each once and in their order",
    ),
    (
        lambda p: p["details"]["findings"][0].update(kind="odd"),
        f'{DETAILS}.findings[0].kind is "odd", which this version of ragstone does not know',
    ),
    (
        lambda p: p["details"]["findings"][0].update(severity="error"),
        f'{DETAILS}.findings[0].severity is "error"; "warning" was expected: it follows from '
        "nothing-relevant",
    ),
    (
        lambda p: p["details"]["findings"][0].update(meaning="fine"),
        f'{DETAILS}.findings[0].meaning is "fine"; "a query for which',
    ),
    (
        lambda p: p["details"]["findings"][0]["examples"].extend(
            p["details"]["findings"][0]["examples"] * 3
        ),
        f"{DETAILS}.findings[0].examples are 4, more than the count of 3",
    ),
    (
        lambda p: p["details"]["findings"][0]["examples"][0].update(role="corpus"),
        f'{DETAILS}.findings[0].examples[0].role is "corpus", which is no role of an input',
    ),
    (
        lambda p: p["details"]["findings"][0]["examples"][0].update(role="answers"),
        f'{DETAILS}.findings[0].examples[0].role is "answers"',
    ),
    (
        lambda p: p["details"]["findings"][0].update(count=0),
        f"{DETAILS}.findings[0].count is 0; a whole number of at least 1 was expected",
    ),
]


@pytest.mark.parametrize(("edit", "problem"), SPOILED, ids=range(len(SPOILED)))
def test_what_was_changed_is_named(linted: Report, edit: Edit, problem: str) -> None:
    errors = edited(linted, edit)
    assert any(each.startswith(problem) for each in errors), errors


def test_the_page(linted: Report) -> None:
    shown = text.render(page(linted))
    assert shown.startswith("FAIL: 1 error, 3 warnings in ")
    assert f"result-id-form    error         1  {ERROR.meaning}\n" in shown
    assert "nothing-relevant  qrels.txt:7  query 'q1' has judgments\n" in shown
    assert "result-id-form    run.txt      query 'Q1' | differs\n" in shown
    assert "nothing-relevant               and 2 more\n" in shown
    assert shown.index("error ") < shown.index("warning ")
    assert "not checked without --grades: grade-off-scale\n" in shown
    assert "not checked as told: own-id-retrieved\n" in shown


def test_the_page_without_findings(inputs: list[Input]) -> None:
    shown = text.render(page(build_lint(result(), inputs)))
    assert shown.startswith("PASS: 0 errors, 0 warnings in ")
    assert "finding" not in shown


def test_markdown_keeps_its_columns(linted: Report) -> None:
    [row] = [row for row in markdown.render(page(linted)).splitlines() if "differs" in row]
    assert row.count("|") - row.count("\\|") == 4
