"""The tree of errors, their exit codes, what they print, and the nearest names."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

from ragstone import errors
from ragstone.errors import (
    BadResponseError,
    EndpointError,
    ExitCode,
    FormatError,
    InputError,
    InvalidReportError,
    MissingExtraError,
    NoResponseError,
    NotComparableError,
    PipelineError,
    RagstoneError,
    RetrieverError,
    StatusError,
    UnknownNameError,
    UsageError,
    count,
    listed,
    nearest,
    shortened,
    some_ids,
)

ONE_OF_EACH = [
    RagstoneError("broken"),
    InputError("bad"),
    UsageError("bad flag"),
    FormatError("no number", where="run.trec", line=3),
    UnknownNameError("measure", "ndgc", ["nDCG", "AP"]),
    MissingExtraError("Parquet", "parquet"),
    PipelineError("query 'q1'"),
    RetrieverError("query 'q1'"),
    EndpointError("failed"),
    NoResponseError("refused", reason="refused", attempts=3),
    StatusError("busy", reason="status", status=503, body="busy"),
    BadResponseError("not JSON", reason="not_json", status=200),
    NotComparableError("k"),
    InvalidReportError("mean"),
]


def test_the_tree_at_the_top_of_the_file_is_the_tree() -> None:
    drawn = re.findall(r"^[│ ├└─]*(\w+Error) +(\d) ", errors.__doc__ or "", re.MULTILINE)
    defined = {
        name: int(kind.exit_code)
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, RagstoneError)
    }
    assert {name: int(code) for name, code in drawn} == defined
    assert {type(error).__name__ for error in ONE_OF_EACH} == set(defined)


def test_exit_codes() -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "OK": 0,
        "INPUT": 2,
        "INTERNAL": 3,
        "FAILED": 4,
        "UNDECIDED": 5,
    }


@pytest.mark.parametrize(
    ("where", "line", "text"),
    [("run.trec", 3, "run.trec:3: bad"), ("-", None, "-: bad"), ("", None, "bad")],
)
def test_a_format_error_begins_with_its_place(where: str, line: int | None, text: str) -> None:
    error = FormatError("bad", where=where, line=line)
    assert str(error) == text
    assert (error.problem, error.where, error.line) == ("bad", where, line)


def test_a_long_message_keeps_both_ends() -> None:
    error = FormatError(f"found {'9' * 5000!r}; a grade must be an integer", where="f", line=1)
    assert len(str(error)) == 405
    assert str(error).startswith("f:1: found '9999")
    assert str(error).endswith("9'; a grade must be an integer")
    assert shortened("x" * 400) == "x" * 400
    assert len(shortened("x" * 401)) == len(shortened("x" * 9999)) == 400


def test_a_list_says_how_many_more_there_are() -> None:
    assert (listed([]), listed(["a", "b"], 2)) == ("", "a, b")
    assert listed([str(n) for n in range(1500)], 1) == "0 and 1,499 more"
    assert listed(["x" * 99]) == "x" * 38 + " ... " + "x" * 37


def test_ids_are_listed_in_quotes_each_once_and_sorted() -> None:
    assert some_ids(iter(["b", "a", "b"])) == "'a', 'b'"
    assert some_ids(f"q{n}" for n in range(5)) == "'q0', 'q1', 'q2' and 2 more"


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "query", "0 queries"),
        (1, "query", "1 query"),
        (1234567, "changed query", "1,234,567 changed queries"),
        (2, "day", "2 days"),
        (1, "item", "1 item"),
        (12000, "item", "12,000 items"),
    ],
)
def test_a_count(number: int, noun: str, said: str) -> None:
    assert count(number, noun) == said


def test_an_unknown_name_is_answered_with_the_nearest_or_with_all() -> None:
    close = UnknownNameError("measure", "ndgc", ["nDCG", "AP", "ndcg"])
    assert str(close) == "unknown measure 'ndgc'; did you mean nDCG?"
    assert (close.name, close.nearest) == ("ndgc", ["nDCG"])
    far = UnknownNameError("measure", "xyz", iter(["nDCG", "AP"]))
    assert str(far) == "unknown measure 'xyz'; known: nDCG, AP"
    two = UnknownNameError("colour", "re", ["red", "ret"])
    assert str(two) == "unknown colour 're'; did you mean ret or red?"


def test_nearest() -> None:
    assert nearest("RECAL", ["recall", "precision", "Recall"]) == ["recall"]
    assert nearest("x", []) == []
    assert len(nearest("aa", ["aa", "ab", "aab", "aac", "aad"])) == 3


def test_a_missing_extra_says_what_to_install() -> None:
    assert str(MissingExtraError("Parquet", "parquet")) == (
        'Parquet needs an extra: pip install "ragstone[parquet]"'
    )


@pytest.mark.parametrize("error", ONE_OF_EACH, ids=lambda error: type(error).__name__)
def test_every_error_comes_back_from_another_process(error: RagstoneError) -> None:
    error.add_note("seen")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.args == error.args
        assert vars(again) == vars(error)
