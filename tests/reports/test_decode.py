"""What does not fit a type is named with its path, in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragstone.errors import FormatError
from ragstone.reports import KINDS, Report
from ragstone.reports.decode import NotOfTypeError, read_statement, to_statement
from ragstone.reports.error import ErrorDetails
from ragstone.reports.score import ScoreDetails


def at(*steps: str | int) -> Callable[[Any], Any]:
    def find(document: Any) -> Any:
        for step in steps:
            document = document[step]
        return document

    return find


TOP, PREDICATE = at(), at("predicate")
TABLE = at("predicate", "scores")
R5_STEPS = ("predicate", "scores", "columns", "R@5")
COLUMN = at(*R5_STEPS)
R5 = '$.predicate.scores.columns["R@5"]'
GONE = object()

WRONG: list[tuple[Callable[[Any], Any], str | int, Any, str]] = [
    (TOP, "subject", GONE, "$ has no field 'subject'"),
    (TOP, "subject", "run", '$.subject is "run"; a list was expected'),
    (TOP, "_type", GONE, "$ has no field '_type'"),
    (TOP, "_type", "x", '$._type is "x"; "https://in-toto.io/Statement/v1" was expected'),
    (TOP, "predicateType", GONE, "$ has no field 'predicateType'"),
    (PREDICATE, "kind", GONE, "$.predicate has no field 'kind'"),
    (PREDICATE, "kind", 1, "$.predicate.kind is 1; a text was expected"),
    (PREDICATE, "kind", "", '$.predicate.kind is ""; a longer text was expected'),
    (PREDICATE, "details", GONE, "$.predicate has no field 'details'"),
    (PREDICATE, "details", [1], "$.predicate.details is a list; an object was expected"),
    (
        PREDICATE,
        "verdict",
        "maybe",
        '$.predicate.verdict is "maybe"; "pass", "fail", "inconclusive" or "error" was expected',
    ),
    (PREDICATE, "verdict", None, "$.predicate.verdict is null; a text was expected"),
    (
        PREDICATE,
        "exit_code",
        -1,
        "$.predicate.exit_code is -1; a whole number of at least 0 was expected",
    ),
    (
        PREDICATE,
        "exit_code",
        6,
        "$.predicate.exit_code is 6; a whole number of at most 5 was expected",
    ),
    (PREDICATE, "exit_code", 1.5, "$.predicate.exit_code is 1.5; a whole number was expected"),
    (PREDICATE, "exit_code", True, "$.predicate.exit_code is true; a whole number was expected"),
    (
        PREDICATE,
        "created_at",
        "2026-11-30",
        '$.predicate.created_at is "2026-11-30"; a time like 2026-01-31T12:00:00Z was expected',
    ),
    (at("predicate", "inputs", 1), "sha256", "ab", "a sha256 of 64 digits from 0 to f"),
    (at("predicate", "inputs", 1), "sha256", "A" * 64, "a sha256 of 64 digits from 0 to f"),
    (at("predicate", "inputs", 1), "sha256", "a" * 64 + "\n", "a text of at most 64 characters"),
    (at("predicate", "inputs", 1), "role", GONE, "$.predicate.inputs[1] has no field 'role'"),
    (at("subject", 0), "digest", {"sha512": "x"}, "$.subject[0].digest has no field 'sha256'"),
    (
        at("predicate", "summary"),
        "R@5",
        "x",
        '$.predicate.summary["R@5"] is "x"; a number or null was expected',
    ),
    (
        at("predicate", "summary"),
        "R@5",
        10**400,
        f'$.predicate.summary["R@5"] is 1{"0" * 56}...; '
        "a number that fits into a double was expected",
    ),
    (
        at("predicate", "signature"),
        "tokenizer",
        None,
        "$.predicate.signature.tokenizer is null; a whole number or a number or a text was",
    ),
    (COLUMN, "values", None, f"{R5}.values is null; a list was expected"),
    (at(*R5_STEPS, "values"), 2, "x", f'{R5}.values[2] is "x"'),
    (at(*R5_STEPS, "status"), 2, 4, f"{R5}.status[2] is 4"),
    (
        at(*R5_STEPS, "weights"),
        0,
        None,
        f"{R5}.weights[0] is null",
    ),
    (COLUMN, "reasons", {"q1": "", "a.b": 5}, f'{R5}.reasons["a.b"] is 5; a text was expected'),
    (COLUMN, "statistics", {}, f"{R5}.statistics has no field 'scored'"),
    (TABLE, "counts", {"x": [1], "y z": [1, -1]}, '$.predicate.scores.counts["y z"][1] is -1'),
    (TABLE, "total", -1, "$.predicate.scores.total is -1; a whole number of at least 0"),
    (
        at("predicate", "details", "floors", 0),
        "bound",
        "near",
        '$.predicate.details.floors[0].bound is "near"; something else (invalid enum value',
    ),
]


@pytest.mark.parametrize(("find", "field", "value", "problem"), WRONG)
def test_what_does_not_fit(
    document: dict[str, Any],
    find: Callable[[Any], Any],
    field: Any,
    value: Any,
    problem: str,
) -> None:
    if value is GONE:
        del find(document)[field]
    else:
        find(document)[field] = value
    with pytest.raises(NotOfTypeError) as caught:
        to_statement(document)
    assert problem in str(caught.value)
    with pytest.raises(FormatError) as named:
        read_statement(document, "x.json")
    assert str(named.value) == f"x.json: is not a sound report: {caught.value}"


def test_a_key_is_named_among_many_that_are_alike(document: dict[str, Any]) -> None:
    columns = document["predicate"]["scores"]["columns"]
    for number in range(50):
        columns[f"P@{number + 1}"] = {"values": [0.5] * 5}
    columns["P@33"] = {"values": [0.5, "x"]}
    columns["P@44"] = {"values": [0.5, "y"]}
    document["predicate"]["scores"]["facts"]["queries"] = "z"  # another error, behind it
    with pytest.raises(NotOfTypeError, match=r'columns\["P@33"\]\.values\[1\] is "x"; a number'):
        to_statement(document)


def test_the_document_is_left_as_it_was(document: dict[str, Any]) -> None:
    document["predicate"]["summary"]["R@5"] = "x"
    before = repr(document)
    with pytest.raises(NotOfTypeError):
        to_statement(document)
    assert repr(document) == before


@pytest.mark.parametrize(
    ("kind", "details"),
    [("report", ScoreDetails), ("failure", ErrorDetails)],
)
def test_details_are_of_the_type_of_their_kind(
    kind: str, details: type[Any], request: pytest.FixtureRequest
) -> None:
    report: Report = request.getfixturevalue(kind)
    assert KINDS[report.kind].details_type() is details
    assert isinstance(report.details, details)
